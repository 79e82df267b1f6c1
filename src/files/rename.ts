import { renameSync } from 'node:fs';
import { fileErrorCode } from './file-error.ts';

/** Windows refuses a rename while another program has one of the two files open, as scanners of viruses do for a moment. */
const REFUSALS = new Set(['EACCES', 'EBUSY', 'EPERM']);
const MOST_WAITS = 8;

/**
 * Renames a file, over another one if there is one. On Windows it tries again for about a second where another program is in the way.
 * @throws what the file system throws
 */
export function renamePatiently(from: string, to: string): void {
  for (let waits = 0; ; waits += 1) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      const mayPass = process.platform === 'win32' && REFUSALS.has(String(fileErrorCode(error)));
      if (!mayPass || waits === MOST_WAITS) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4 * 2 ** waits);
    }
  }
}
