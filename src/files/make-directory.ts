const { mkdirSync, statSync } = process.getBuiltinModule('node:fs');
const { dirname } = process.getBuiltinModule('node:path');

/**
 * Makes a directory that only its owner can enter, and those above it that are missing. Gives false where it was there already.
 * Node's own way to do this never ends where a file system has a directory but refuses to make anything in it as if it were not
 * there, as /proc does.
 * @throws the error of the system
 */
export function makeDirectory(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (isDirectory(path)) return false;
    const parent = dirname(path);
    if (parent === path || !isMissing(error)) throw error;
    makeDirectory(parent);
  }
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (error) {
    // Another run may have been faster.
    if (isDirectory(path)) return false;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
