const { mkdirSync, statSync } = process.getBuiltinModule('node:fs');
const { dirname } = process.getBuiltinModule('node:path');

/**
 * Makes a directory that only its owner can enter, and its missing parents. Returns false if it already exists. Node's recursive
 * `mkdir` never returns on a file system such as /proc, which has a directory but answers ENOENT to everything made in it;
 * `hasParent` ends that here.
 * @throws the error of the system
 */
export function makeDirectory(path: string, hasParent = false): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (isDirectory(path)) return false;
    const parent = dirname(path);
    if (hasParent || parent === path || !isMissing(error)) throw error;
    makeDirectory(parent);
    // Another run may be faster.
    return makeDirectory(path, true);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
