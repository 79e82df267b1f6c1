import { basename, dirname, join, resolve } from 'node:path';
import { UsageError } from '../../errors.ts';
import { quote } from '../../text/format.ts';

const { realpathSync, statSync } = process.getBuiltinModule('node:fs');

/** A file that a run reads or writes: the flag that names it, or what it is, and its path; without a path, no file. */
export type NamedFile = readonly [name: string, path: string | undefined];

/**
 * Refuses two files of a run that are one file, also by a symbolic or a hard link: what one is read from, or is to be kept, the other
 * would overwrite.
 * @throws UsageError `same_file`
 */
export function requireApart(files: readonly NamedFile[]): void {
  const seen = new Map<string, string>();
  for (const [name, path] of files) {
    if (path === undefined || path === '-') continue;
    const identity = identityOf(path);
    const before = seen.get(identity);
    if (before !== undefined)
      throw new UsageError('same_file', `${before} and ${name} name the same file, ${quote(path)}`, {
        hint: `Nothing was sent. Choose another file for ${name}.`,
      });
    seen.set(identity, name);
  }
}

/** The same for each path of a file. A file that does not exist is known by its folder and its name. */
function identityOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (found) return `${found.dev}:${found.ino}`;
  const full = resolve(path);
  try {
    return join(realpathSync(dirname(full)), basename(full));
  } catch {
    // Without its folder, the file cannot be written, which is reported where it is opened.
    return full;
  }
}
