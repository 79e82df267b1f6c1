// Makes a fresh clone ready: installs what package-lock.json names and builds, each only when something changed. Then,
// with `--then FILE ARGS`, runs a script on the Node that was just installed: the shell that started this file may go on
// finding the system's.
// It must run on the system's Node, whichever that is, and imports nothing that is not part of Node 20.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const [wanted, then] = splitAt(process.argv.slice(2), '--then');

/** What a folder needs before its installation can be skipped: the same manifest and lock file as last time. */
function install(folder) {
  const stamp = join(folder, 'node_modules', '.payctl-setup');
  const state = fingerprint(['package.json', 'package-lock.json'].map((name) => join(folder, name)));
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === state) return;
  // Not `npm ci`: it refuses a lock file that does not hold the binaries of every platform, and a registry need not have
  // them all. --no-save leaves the lock file as it is; what it names is installed exactly.
  run('npm', ['install', '--no-save', '--no-fund', '--no-audit', '--loglevel=error'], folder);
  writeFileSync(stamp, state);
}

function build() {
  const stamp = join(root, 'node_modules', '.payctl-built');
  const sources = ['src', 'openapi', 'scripts'].flatMap((folder) => filesBelow(join(root, folder)));
  const state = fingerprint([...sources, join(root, 'package.json'), join(root, 'package-lock.json')]);
  const built = existsSync(join(root, 'dist', 'main.js'));
  if (built && existsSync(stamp) && readFileSync(stamp, 'utf8') === state) return;
  run(ownNode(), ['scripts/build.ts'], root);
  writeFileSync(stamp, state);
}

function fingerprint(files) {
  const hash = createHash('sha256');
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

function run(command, args, cwd) {
  process.stderr.write(`payctl: ${command === 'npm' ? 'installing' : 'building'} …\n`);
  const { status, error } = spawnSync(command, args, {
    cwd,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status === 0) return;
  process.stderr.write(`payctl: ${command} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}\n`);
  process.exit(status || 1);
}

function splitAt(args, word) {
  const at = args.indexOf(word);
  return at === -1 ? [args, []] : [args.slice(0, at), args.slice(at + 1)];
}

install(root);
if (wanted.includes('--with-lowest-node')) install(join(root, 'test', 'runtimes', 'lowest'));
build();
if (then.length > 0) {
  const env = { ...process.env, PATH: [dirname(ownNode()), process.env.PATH].join(delimiter) };
  const { status } = spawnSync(ownNode(), then, { cwd: root, env, stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
