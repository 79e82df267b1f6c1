import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const PROJECT = join(import.meta.dirname, '..');

/** A file that a script writes: its path below the project, and the text that belongs there. */
export type WrittenFile = readonly [path: string, text: string];

/** Writes the files; with --check, compares instead, names those that are stale, and fails when there is one. */
export function writeOrCheck(files: Iterable<WrittenFile>): void {
  for (const [path, text] of files) {
    if (!process.argv.includes('--check')) {
      mkdirSync(dirname(join(PROJECT, path)), { recursive: true });
      writeFileSync(join(PROJECT, path), text);
    } else if (isStale([path, text])) {
      process.stderr.write(`${path} is stale; run npm run generate\n`);
      process.exitCode = 1;
    }
  }
}

/** Whether the file is absent or has another text. */
export function isStale([path, text]: WrittenFile): boolean {
  const file = join(PROJECT, path);
  return !existsSync(file) || readFileSync(file, 'utf8') !== text;
}
