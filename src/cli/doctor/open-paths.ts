import type { Stats } from 'node:fs';
import { dirname, join } from 'node:path';

/** A path that others than its owner may reach. */
export type OpenPath = {
  readonly path: string;
  readonly kind: 'directory' | 'file';
  /** The permission bits in octal: `644`. */
  readonly mode: string;
};

/**
 * The files among these, and their directories where payctl made them, that others than the owner may reach; nothing on
 * Windows, and nothing for a path that is not there.
 */
export function findOpenPaths(paths: readonly string[]): OpenPath[] {
  if (process.platform === 'win32') return [];
  return [...new Set(paths)].flatMap((path) => openPath(path) ?? []);
}

/** What payctl keeps in a configuration directory: itself, the file of the profiles, and the secrets in files. */
export function ownPaths(directory: string, profilesFile: string): string[] {
  const secrets = join(directory, 'secrets');
  const files = [...(statOf(profilesFile) ? [profilesFile] : []), ...filesIn(secrets)];
  if (files.length === 0) return [];
  return [...new Set([directory, ...files.map((file) => dirname(file)), ...files])];
}

function filesIn(directory: string): string[] {
  try {
    const names = process.getBuiltinModule('node:fs').readdirSync(directory);
    return names.sort().map((name) => join(directory, name));
  } catch {
    return [];
  }
}

function openPath(path: string): OpenPath | undefined {
  const stats = statOf(path);
  if (!stats || (stats.mode & 0o077) === 0) return undefined;
  const mode = (stats.mode & 0o777).toString(8).padStart(3, '0');
  if (stats.isDirectory()) return { path, kind: 'directory', mode };
  // What is neither, such as a pipe, has no content that lasts.
  return stats.isFile() ? { path, kind: 'file', mode } : undefined;
}

function statOf(path: string): Stats | undefined {
  try {
    return process.getBuiltinModule('node:fs').statSync(path);
  } catch {
    return undefined;
  }
}
