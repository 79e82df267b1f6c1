// Makes a fresh clone ready: installs exactly what package-lock.json names and builds, each only when something changed.
// With `--without-build` it only installs. Then, with `--then FILE ARGS`, it runs a script on the Node that was just
// installed: the shell that started this file may go on finding the system's.
// It must run on the system's Node, whichever that is, and imports nothing that is not part of Node 20.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { oneAtATime } from './one-at-a-time.js';
import { linkOwnNode, ownNode } from './own-node.js';

const root = join(import.meta.dirname, '..');
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const [wanted, then] = splitAt(process.argv.slice(2), '--then');
const wantsBuild = !wanted.includes('--without-build');
const folders = [root];
if (wanted.includes('--with-lowest-node')) folders.push(join(root, 'test', 'runtimes', 'lowest'));

if (wanted.includes('--installed-by-npm')) {
  takeInstallation();
  process.exit();
}
try {
  // The lock is outside of node_modules, which npm deletes.
  if (!isReady()) await oneAtATime(join(root, '.setup-lock'), setUp);
} catch (error) {
  process.stderr.write(`payctl: ${error.message}\n`);
  process.exit(1);
}
if (then.length > 0) {
  const { status } = spawnSync(runtime(), then, { cwd: root, env: environment(), stdio: 'inherit' });
  process.exitCode = status ?? 1;
}

function isReady() {
  return folders.every(isInstalled) && (!wantsBuild || isBuilt());
}

/** `started` is told of each program, which may outlive this one. Nothing runs any more when this fails. */
async function setUp(started) {
  const work = folders.map(async (folder) => {
    if (!isInstalled(folder)) await install(folder, started);
    if (folder === root && wantsBuild && !isBuilt()) await build(started);
  });
  const failed = (await Promise.allSettled(work)).find(({ status }) => status === 'rejected');
  if (failed) throw failed.reason;
}

function isInstalled(folder) {
  return holds(installStamp(folder), manifestsOf(folder));
}

/** A stamp is written when all went well, and goes before anything changes: what was interrupted is done again. */
async function install(folder, started) {
  const state = manifestsOf(folder);
  rmSync(installStamp(folder), { force: true });
  if (process.platform === 'win32') moveAway(ownNode(folder));
  await run(
    'npm',
    ['ci', '--ignore-scripts', '--no-fund', '--no-audit', '--loglevel=error'],
    folder,
    started,
  );
  linkOwnNode(folder);
  requirePlatformPackages(folder);
  if (folder === root) requireNode();
  writeFileSync(installStamp(folder), state);
}

/** npm runs this when it has installed by hand. Only `npm ci` is sure to have installed just what is locked. */
function takeInstallation() {
  linkOwnNode(root);
  const isWhole = process.env.npm_command === 'ci' && missingPlatformPackages(root).length === 0;
  if (isWhole) writeFileSync(installStamp(root), manifestsOf(root));
}

/** Windows deletes no program that is running, as the Node of this script may be; but it lets it be moved. */
function moveAway(program) {
  for (const old of readdirSync(root).filter((name) => name.startsWith('.setup-old-'))) {
    try {
      rmSync(join(root, old), { force: true });
    } catch {
      // It is running still.
    }
  }
  if (existsSync(program)) renameSync(program, join(root, `.setup-old-${process.pid}.exe`));
}

/** npm passes over an optional package in silence when it cannot get it, or gets something else than was locked. */
function requirePlatformPackages(folder) {
  const missing = missingPlatformPackages(folder);
  if (missing.length > 0) {
    throw new Error(
      `npm did not install these packages of package-lock.json: ${missing.join(', ')}; try again`,
    );
  }
}

function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const suffices = major > 22 || (major === 22 && minor >= 20);
  if (!existsSync(ownNode(root)) && !suffices) {
    const platform = `${process.platform} ${process.arch}`;
    throw new Error(`npm has no Node for ${platform}; install Node 22.20 or later and try again`);
  }
}

function missingPlatformPackages(folder) {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  const libc = process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl';
  const fits = (wanted, own) => wanted === undefined || [wanted].flat().includes(own);
  return Object.keys(packages).filter((path) => {
    const { os, cpu, libc: libcs } = packages[path];
    const isOurs = os && fits(os, process.platform) && fits(cpu, process.arch) && fits(libcs, libc);
    return isOurs && !existsSync(join(folder, path));
  });
}

/** The own Node; where npm has none for the platform, the one that runs this. */
function runtime() {
  return existsSync(ownNode(root)) ? ownNode(root) : process.execPath;
}

/** In which the programs that a script starts find that Node first. */
function environment() {
  return { ...process.env, PATH: [dirname(runtime()), process.env.PATH].join(delimiter) };
}

function installStamp(folder) {
  return join(folder, 'node_modules', '.payctl-setup');
}

function manifestsOf(folder) {
  return fingerprint(['package.json', 'package-lock.json'].map((name) => join(folder, name)));
}

/** The file is the last that the build writes, which deletes dist/ first. */
function isBuilt() {
  return existsSync(join(root, 'dist', 'sbom.cdx.json')) && holds(buildStamp(), sources());
}

async function build(started) {
  const state = sources();
  rmSync(buildStamp(), { force: true });
  await run(runtime(), ['scripts/build.ts'], root, started);
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

/** A signal is passed on, so that nothing continues writing when this program has ended. */
async function run(command, args, cwd, started) {
  process.stderr.write(`payctl: ${command === 'npm' ? 'installing' : 'building'} …\n`);
  const child = spawn(command, args, {
    cwd,
    env: environment(),
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (child.pid) started(child.pid);
  const passOn = (signal) => child.kill(signal);
  for (const signal of SIGNALS) process.on(signal, passOn);
  const result = await new Promise((resolve) => {
    child.on('error', ({ message }) => resolve(message));
    child.on('exit', (code, signal) => resolve(signal ?? code));
  });
  for (const signal of SIGNALS) process.removeListener(signal, passOn);
  if (result !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${result}`);
}

function splitAt(args, word) {
  const at = args.indexOf(word);
  return at === -1 ? [args, []] : [args.slice(0, at), args.slice(at + 1)];
}
