// Makes a fresh clone ready: installs exactly what package-lock.json names and builds, each only when something changed.
// Then, with `--then FILE ARGS`, runs a script on the Node that was just installed: the shell that started this file may go
// on finding the system's.
// It must run on the system's Node, whichever that is, and imports nothing that is not part of Node 20.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { oneAtATime } from './one-at-a-time.js';

const root = join(import.meta.dirname, '..');
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const [wanted, then] = splitAt(process.argv.slice(2), '--then');
const folders = [root];
if (wanted.includes('--with-lowest-node')) folders.push(join(root, 'test', 'runtimes', 'lowest'));

try {
  // The lock is outside of node_modules, which npm deletes.
  if (!isReady()) await oneAtATime(join(root, '.setup-lock'), setUp);
} catch (error) {
  process.stderr.write(`payctl: ${error.message}\n`);
  process.exit(1);
}
if (then.length > 0) {
  const env = { ...process.env, PATH: [dirname(ownNode()), process.env.PATH].join(delimiter) };
  const { status } = spawnSync(ownNode(), then, { cwd: root, env, stdio: 'inherit' });
  process.exitCode = status ?? 1;
}

function isReady() {
  return folders.every(isInstalled) && isBuilt();
}

/** `started` is told of each program, which may outlive this one. */
async function setUp(started) {
  for (const folder of folders) if (!isInstalled(folder)) await install(folder, started);
  if (!isBuilt()) await build(started);
}

function isInstalled(folder) {
  return holds(installStamp(folder), manifestsOf(folder));
}

/** A stamp is written when all went well, and goes before anything changes: what was interrupted is done again. */
async function install(folder, started) {
  const state = manifestsOf(folder);
  rmSync(installStamp(folder), { force: true });
  await run('npm', ['ci', '--no-fund', '--no-audit', '--loglevel=error'], folder, started);
  writeFileSync(installStamp(folder), state);
}

function installStamp(folder) {
  return join(folder, 'node_modules', '.payctl-setup');
}

function manifestsOf(folder) {
  return fingerprint(['package.json', 'package-lock.json'].map((name) => join(folder, name)));
}

function isBuilt() {
  return existsSync(join(root, 'dist', 'main.js')) && holds(buildStamp(), sources());
}

async function build(started) {
  const state = sources();
  rmSync(buildStamp(), { force: true });
  await run(ownNode(), ['scripts/build.ts'], root, started);
  writeFileSync(buildStamp(), state);
}

function buildStamp() {
  return join(root, 'node_modules', '.payctl-built');
}

function sources() {
  const files = ['src', 'openapi', 'scripts'].flatMap((folder) => filesBelow(join(root, folder)));
  return fingerprint([...files, join(root, 'package.json'), join(root, 'package-lock.json')]);
}

function holds(stamp, state) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === state;
}

/** Installations differ between platforms, of which several may have the same clone in reach. */
function fingerprint(files) {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  for (const file of files) hash.update(file).update(readFileSync(file));
  return hash.digest('hex');
}

function filesBelow(folder) {
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name))
    .flatMap((path) => (statSync(path).isDirectory() ? filesBelow(path) : [path]));
}

function ownNode() {
  return join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

/** A signal is passed on, so that nothing goes on writing when this program has ended. */
async function run(command, args, cwd, started) {
  process.stderr.write(`payctl: ${command === 'npm' ? 'installing' : 'building'} …\n`);
  const child = spawn(command, args, { cwd, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  if (child.pid) started(child.pid);
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  const result = await new Promise((resolve) => {
    child.on('error', ({ message }) => resolve(message));
    child.on('exit', (code, signal) => resolve(signal ?? code));
  });
  for (const signal of SIGNALS) process.removeAllListeners(signal);
  if (result !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${result}`);
}

function splitAt(args, word) {
  const at = args.indexOf(word);
  return at === -1 ? [args, []] : [args.slice(0, at), args.slice(at + 1)];
}
