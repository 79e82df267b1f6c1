import { existsSync, rmSync } from 'node:fs';
import { PayctlError } from '../client/errors.ts';
import { filesOf } from './directory.ts';
import { findRunning } from './running.ts';

/**
 * Deletes everything that the emulator stored in a directory, its signing key included, so that the next start
 * begins from nothing. Gives the paths that were deleted; a directory without data is no fault.
 * @throws PayctlError `emulator_running` while an emulator serves that data
 */
export async function resetEmulator(directory: string): Promise<readonly string[]> {
  const running = await findRunning(directory);
  if (running !== undefined) {
    throw new PayctlError('emulator_running', `An emulator is serving this data at ${running.baseUrl}`, {
      hint: `Stop it first: it is process ${running.pid}.`,
    });
  }
  const files = filesOf(directory);
  const paths = [
    files.database,
    `${files.database}-wal`,
    `${files.database}-shm`,
    files.signingKey,
    files.running,
  ];
  const present = paths.filter((path) => existsSync(path));
  for (const path of present) rmSync(path, { force: true });
  return present;
}
