#!/usr/bin/env node
// Decides which Node runs payctl and hands over to the program.
// This file must parse and run on Node 20, which is why it requires nothing that only newer versions have. It is CommonJS, which
// Node starts faster than ES modules.
const { join } = require('node:path');

const ROOT = join(__dirname, '..');
const SET_UP = `To set it up, run: npm start --prefix ${JSON.stringify(ROOT)}`;
const GET_NODE = 'Get one from https://nodejs.org';
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major > 22 || (major === 22 && minor >= 20)) {
  // On Windows oclif would start a PowerShell to find out which shell this is.
  if (process.platform === 'win32') process.env.SHELL ??= process.env.COMSPEC ?? 'cmd.exe';
  start(process.argv.slice(2)).catch(explain);
} else {
  handOver();
}

async function start(argv) {
  if (argv[0] === '__complete') {
    if (await require('../dist/complete.cjs').printCompletion(argv)) return;
  } else if (asksForProfileName(argv)) {
    if (await require('../dist/profile-name.cjs').printProfileName()) return;
  } else if (asksForHelp(argv) && (await require('../dist/help.cjs').printHelp(argv))) return;
  await require('../dist/start.cjs').start();
}

/** Whether this may be a request for help, which has a program of its own that starts faster. */
function asksForHelp([first = 'help', ...rest]) {
  return first === 'help' || [first, ...rest].some((word) => word === '--help' || word === '-h');
}

/** Whether this is what the prompts of shells run; it has a program of its own, too. */
function asksForProfileName(argv) {
  return argv.join(' ') === 'profiles show --jq .name';
}

/** npm links a clone that was never set up, too. */
function explain(error) {
  if (error.code !== 'MODULE_NOT_FOUND' || require('node:fs').existsSync(join(ROOT, 'dist', 'start.cjs')))
    throw error;
  process.stderr.write(`payctl has not been built yet. ${SET_UP}\n`);
  process.exitCode = 1;
}

/**
 * Runs the same command on the Node that a checkout of the project has installed for itself, or by the executable that npm has
 * installed with payctl-native.
 */
function handOver() {
  const { existsSync } = require('node:fs');
  const { platform, arch } = process;
  const ending = platform === 'win32' ? '.exe' : '';
  const own = join(ROOT, 'node_modules', `node-${platform}-${arch}`, 'bin', `node${ending}`);
  const alone = executable(`payctl-${platform}-${arch}/bin/payctl${ending}`);
  if (!alone && !existsSync(own)) {
    const isClone = existsSync(join(ROOT, 'scripts', 'setup.js'));
    refuse(isClone ? SET_UP : GET_NODE);
    return;
  }
  const { spawn } = require('node:child_process');
  const argv = process.argv.slice(2);
  const child = alone
    ? spawn(alone, argv, { stdio: 'inherit' })
    : spawn(own, [__filename, ...argv], { stdio: 'inherit' });
  // A system without the loader of glibc says that the executable is not there.
  child.on('error', ({ code }) =>
    refuse(`Its executable does not start here (${code}): on Linux it needs glibc. ${GET_NODE}`),
  );
  // A terminal sends Ctrl-C to both; a program that sends the signal, to this one alone.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  for (const name of ['SIGTERM', 'SIGHUP']) process.on(name, () => child.kill(name));
  const { signals } = require('node:os').constants;
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + signals[signal];
  });
}

function refuse(remedy) {
  process.stderr.write(
    `payctl needs Node 22.20 or later; this is Node ${process.versions.node}. ${remedy}\n`,
  );
  process.exitCode = 1;
}

/** Where npm has installed the package of this platform, wherever it puts packages; undefined if it has not. */
function executable(path) {
  try {
    return require.resolve(path);
  } catch {
    return undefined;
  }
}
