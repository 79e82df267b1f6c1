import { isAbsolute } from 'node:path';
import { UsageError } from '../errors.ts';

/**
 * Absolute path of the user's home directory. An empty or relative `HOME` counts as not set: payctl would otherwise take its
 * files from the working directory.
 * @throws UsageError `no_home_directory` where the system knows none
 */
export function homeDirectory(): string {
  const { homedir, userInfo } = process.getBuiltinModule('node:os');
  const found = [homedir, () => userInfo().homedir].map(attempt).find((path) => path && isAbsolute(path));
  if (found) return found;
  throw new UsageError('no_home_directory', 'The home directory is unknown', {
    hint: 'Set HOME or PAYCTL_CONFIG_DIR to an absolute path.',
  });
}

/** A user without an entry in the system's list has no home directory. */
function attempt(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/**
 * The path with a `~/` at its beginning replaced, or with a `~\` on Windows. A shell does that only where a word begins: not in
 * `@~/file` or `--flag=~/file`; those of Windows do not do it at all.
 */
export function expandHome(path: string): string {
  return path.replace(process.platform === 'win32' ? /^~(?=[\\/]|$)/ : /^~(?=\/|$)/, homeDirectory);
}
