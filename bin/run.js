#!/usr/bin/env node
// Decides which Node runs payctl, turns on the compile cache and hands over to the program.
// This file must parse and run on Node 20, which is why it requires nothing that only newer versions have. It is CommonJS, which
// Node starts faster than ES modules.
const { isAbsolute, join } = require('node:path');

const root = join(__dirname, '..');
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major > 22 || (major === 22 && minor >= 20)) {
  // On Windows oclif would start a PowerShell to find out which shell this is.
  if (process.platform === 'win32') process.env.SHELL ??= process.env.COMSPEC ?? 'cmd.exe';
  void start(process.argv.slice(2));
} else {
  handOver();
}

async function start(argv) {
  if (asksForHelp(argv) && (await require('../dist/help.cjs').printHelp(argv))) return;
  enableCompileCache();
  await require('../dist/main.cjs').main();
}

/** Whether this may be a request for help, which has a program of its own that starts faster. */
function asksForHelp([first = 'help', ...rest]) {
  return first === 'help' || [first, ...rest].some((word) => word === '--help' || word === '-h');
}

/**
 * Compiled code is kept in the user's own cache directory: a shared one could be filled by somebody else. An empty or relative
 * path would lead into the working directory; it is ignored, as the XDG specification says.
 */
function enableCompileCache() {
  const { env, platform } = process;
  if (env.NODE_COMPILE_CACHE || env.NODE_DISABLE_COMPILE_CACHE) return;
  const absolute = (path) => (path && isAbsolute(path) ? path : undefined);
  const home = absolute(env.HOME) ?? absolute(env.USERPROFILE);
  const base =
    absolute(env.XDG_CACHE_HOME) ??
    (platform === 'win32' ? absolute(env.LOCALAPPDATA) : undefined) ??
    (home && join(home, platform === 'darwin' ? 'Library/Caches' : '.cache'));
  if (!base) return;
  const folder = join(base, 'payctl');
  const compiled = join(folder, 'compiled');
  if (makeOwn(folder, compiled)) process.getBuiltinModule('node:module').enableCompileCache(compiled);
}

/** Whether nobody else can put code into the folder: Node would make it as the umask says, and runs what is in it. */
function makeOwn(folder, compiled) {
  const { chmodSync, mkdirSync, rmSync, statSync } = process.getBuiltinModule('node:fs');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (process.platform === 'win32') return true;
    const { mode, uid } = statSync(folder);
    if (uid !== process.getuid()) return false;
    if (mode & 0o077) chmodSync(folder, 0o700);
    // Somebody else may have been there already.
    if (mode & 0o022) rmSync(compiled, { recursive: true, force: true });
    return true;
  } catch {
    return false;
  }
}

/**
 * Runs the same command on the Node that a checkout of the project has installed for itself, or by the executable that npm has
 * installed with payctl-native.
 */
function handOver() {
  const { existsSync } = require('node:fs');
  const { platform, arch } = process;
  const ending = platform === 'win32' ? '.exe' : '';
  const own = join(root, 'node_modules', `node-${platform}-${arch}`, 'bin', `node${ending}`);
  const alone = executable(`payctl-${platform}-${arch}/bin/payctl${ending}`);
  if (!alone && !existsSync(own)) {
    process.stderr.write(
      `payctl needs Node 22.20 or later; this is Node ${process.versions.node}. Get one from https://nodejs.org\n`,
    );
    process.exitCode = 1;
    return;
  }
  const { spawn } = require('node:child_process');
  const argv = process.argv.slice(2);
  const child = alone
    ? spawn(alone, argv, { stdio: 'inherit' })
    : spawn(own, [__filename, ...argv], { stdio: 'inherit' });
  // The terminal sends Ctrl-C to both; this one waits for what the other makes of it.
  process.on('SIGINT', () => {});
  for (const name of ['SIGTERM', 'SIGHUP']) process.on(name, () => child.kill(name));
  const { signals } = require('node:os').constants;
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + signals[signal];
  });
}

/** Where npm has installed the package of this platform, wherever it puts packages; undefined if it has not. */
function executable(path) {
  try {
    return require.resolve(path);
  } catch {
    return undefined;
  }
}
