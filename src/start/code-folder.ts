import { makeDirectory } from '../files/make-directory.ts';

const { chmodSync, lstatSync, rmSync, statSync } = process.getBuiltinModule('node:fs');
const { isAbsolute, sep } = process.getBuiltinModule('node:path');

/**
 * The folder of the compiled code of a build of payctl, which is in the folder `program`, under this Node and its flags. Undefined
 * where variables of Node say what is cached, and where somebody else could write to it: it is in the user's own cache directory. An
 * empty or relative path would lead into the working directory; it is ignored, as the XDG specification says.
 */
export function codeFolder(build: string, program: string): string | undefined {
  const { env, platform } = process;
  if (env.NODE_COMPILE_CACHE || env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  const absolute = (path: string | undefined) => (path && isAbsolute(path) ? path : undefined);
  const home = absolute(env.HOME) ?? absolute(env.USERPROFILE);
  const base =
    absolute(env.XDG_CACHE_HOME) ??
    (platform === 'win32' ? absolute(env.LOCALAPPDATA) : undefined) ??
    (home && home + sep + (platform === 'darwin' ? `Library${sep}Caches` : '.cache'));
  if (!base) return undefined;
  // Node's `join` would read each path letter by letter.
  const folder = `${base}${sep}payctl`;
  const compiled = `${folder}${sep}compiled`;
  return makeOwn(folder, compiled) && !canReplace(base)
    ? compiled + sep + versionName(build, program)
    : undefined;
}

/**
 * Node, the build, its place and the flags of Node: two copies, or two settings, would replace each other's code in every run. V8
 * refuses what was compiled under other flags.
 */
function versionName(build: string, program: string): string {
  const { version, arch, execArgv, env } = process;
  const place = [program, ...execArgv, env.NODE_OPTIONS ?? ''].join('\n');
  return `node-${version}-${arch}-${build}-${checksum(place).toString(16)}`;
}

/** A number of 32 bits (FNV-1a). */
export function checksum(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/** The bits of a mode with the type of a file, and their value for a directory. */
const FILE_TYPE = 0o170000;
const DIRECTORY = 0o040000;

/** Whether nobody else can put code into the folder: Node would make it as the umask says, and runs what is in it. */
function makeOwn(folder: string, compiled: string): boolean {
  try {
    // Making what is there already would cost an error.
    const known = lstatSync(folder, { throwIfNoEntry: false });
    if (!known?.isDirectory()) makeDirectory(folder);
    if (process.platform === 'win32') return true;
    // Through a link, what is closed and emptied would be the folder of something else.
    const { mode, uid } = known ?? lstatSync(folder);
    if (uid !== process.getuid?.() || (mode & FILE_TYPE) !== DIRECTORY) return false;
    if (mode & 0o077) chmodSync(folder, 0o700);
    // Somebody else may have been there already.
    if (mode & 0o022) rmSync(compiled, { recursive: true, force: true });
    return true;
  } catch {
    return false;
  }
}

const STICKY = 0o1000;

/** Whether another user could replace a folder in this one after it was checked. */
function canReplace(parent: string): boolean {
  if (process.platform === 'win32') return false;
  const { mode, uid, gid } = statSync(parent);
  const own = process.getuid?.();
  if (uid !== own && uid !== 0) return true;
  // Many systems give each user a group with the same number as the user.
  const others = gid === own ? 0o002 : 0o022;
  return (mode & others) !== 0 && (mode & STICKY) === 0;
}
