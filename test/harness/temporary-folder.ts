import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/** Makes an empty folder for the tests of a file or of a `describe`, which is deleted after the last of them. */
export function folderForAll(): string {
  return temporaryFolder(afterAll);
}

/** Makes an empty folder for the test that calls it, which is deleted when that has ended. */
export function folderForTest(): string {
  return temporaryFolder(onTestFinished);
}

function temporaryFolder(atEnd: (cleanUp: () => void) => void): string {
  const path = mkdtempSync(join(tmpdir(), 'payctl-'));
  atEnd(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
