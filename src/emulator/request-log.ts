import { openSync, writeSync } from 'node:fs';
import { UsageError } from '../errors.ts';
import { unwritable } from '../files/output-file.ts';
import type { RequestLine } from './request-listener.ts';

/**
 * Opens a file, which is made if it is missing, and returns what appends a request to it: one line of JSON each, when the request has
 * ended. Lines stay until the file is deleted.
 * @throws UsageError `file_unwritable`
 */
export function openRequestLog(path: string): (line: RequestLine) => void {
  const file = open(path);
  return ({ receivedAt, method, path, status, milliseconds }) => {
    const entry = {
      received_at: receivedAt.toISOString(),
      method,
      path,
      status,
      milliseconds: Math.round(milliseconds * 10) / 10,
    };
    writeSync(file, `${JSON.stringify(entry)}\n`);
  };
}

function open(path: string): number {
  try {
    return openSync(path, 'a', 0o600);
  } catch (cause) {
    throw unwritable(UsageError, path, cause);
  }
}
