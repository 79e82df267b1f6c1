import type { Stats } from 'node:fs';

/** The content of a secret file, and whether others than its owner may read it. */
export type SecretFile = {
  readonly text: string;
  /** The permission bits in octal when the group or everybody has any of them; never on Windows. */
  readonly openMode?: string | undefined;
};

const LARGEST = 64 * 1024;

/**
 * Reads a token or a key from a file or a pipe (`<(command)`), as UTF-8.
 * @throws an Error whose message says in a few words what is wrong: a missing file, a directory, more than 64 KiB.
 */
export function readSecretFile(path: string): SecretFile {
  const { closeSync, fstatSync, openSync } = process.getBuiltinModule('node:fs');
  const descriptor = openSync(path, 'r');
  try {
    const stats = fstatSync(descriptor);
    if (stats.isDirectory()) {
      throw new Error('it is a directory');
    }
    return { text: readAll(descriptor), openMode: openModeOf(stats) };
  } finally {
    closeSync(descriptor);
  }
}

/** Reads one byte more than is allowed at most, whatever size the file system tells: a device has no end. */
function readAll(descriptor: number): string {
  const { readSync } = process.getBuiltinModule('node:fs');
  const buffer = Buffer.alloc(LARGEST + 1);
  let length = 0;
  while (length < buffer.length) {
    const count = readSync(descriptor, buffer, length, buffer.length - length, null);
    if (count === 0) {
      return buffer.toString('utf8', 0, length);
    }
    length += count;
  }
  throw new Error('it is larger than 64 KiB');
}

function openModeOf(stats: Stats): string | undefined {
  const isOpen = process.platform !== 'win32' && stats.isFile() && (stats.mode & 0o077) !== 0;
  return isOpen ? (stats.mode & 0o777).toString(8) : undefined;
}
