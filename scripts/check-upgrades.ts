/**
 * Builds payctl and runs the tests within one process with the oldest and the newest release that each library, and Node, may have, and prints a
 * table. All libraries have their oldest, then their newest release at once; each is tried by itself where that fails, or where
 * arguments name it. Works in a temporary copy, and exits with 1 if something fails.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

/**
 * The oldest releases that have what payctl needs. The newest are those of the same major version. An undici before 8.12 takes a body
 * after a status that has none for an error, and 8.0 a response without its last chunk for the whole.
 */
const OLDEST: Readonly<Record<string, string>> = {
  undici: '8.12.0',
  '@oclif/core': '5.0.0',
  jose: '6.0.0',
  conf: '16.0.0',
  chalk: '6.0.0',
  'cli-table3': '0.6.0',
};

/** What is checked: releases, the packages to install in the copy for them, and the folder that has the Node to run on. */
type Upgrade = {
  readonly name: string;
  readonly version: string;
  readonly wanted?: readonly string[];
  readonly folder?: string;
};
type Manifest = { readonly version: string; readonly optionalDependencies: Readonly<Record<string, string>> };

const root = join(import.meta.dirname, '..');
const isWindows = process.platform === 'win32';
const nodePackage = `node-${process.platform}-${process.arch}`;
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => name !== 'node' && !(name in OLDEST));
if (unknown.length > 0) {
  const names = [...Object.keys(OLDEST), 'node'].join(', ');
  throw new Error(`Nothing is called ${unknown.join(', ')}; there are ${names}`);
}

const copy = mkdtempSync(join(tmpdir(), 'payctl-upgrades-'));
process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));
const lowest = join(copy, 'test', 'runtimes', 'lowest');
copySources();
run(process.execPath, ['scripts/setup.js', '--without-build', '--with-lowest-node'], copy);
const rows = upgrades().flatMap(({ together, single }) => {
  const isAsked = ({ name }: Upgrade) => asked.includes(name);
  const row = (upgrade: Upgrade) => [upgrade.name, upgrade.version, check(upgrade)] as const;
  if (asked.length > 0) return single.filter(isAsked).map(row);
  const all = row(together);
  const others = all[2] === 'passed' ? [] : single.filter((upgrade) => upgrade !== together);
  return [all, ...others.map(row)];
});
for (const [name, version, result] of rows)
  process.stdout.write(`${name.padEnd(14)}${version.padEnd(10)}${result}\n`);
if (rows.some(([, , result]) => result !== 'passed')) process.exitCode = 1;

/** What git has, and what it does not ignore: changes that are not committed are checked, too. */
function copySources(): void {
  const listed = run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], root);
  for (const file of new Set(listed.split('\0').filter(Boolean))) {
    cpSync(join(root, file), join(copy, file), { force: true });
  }
}

/** Node first: each installation of a library begins with the locked releases of everything else. */
function upgrades(): { readonly together: Upgrade; readonly single: readonly Upgrade[] }[] {
  const current = newest(`${packageOfNode()}@latest`);
  const nodes: Upgrade[] = [
    { name: 'node', version: manifestOf(lowest).version, folder: lowest },
    { name: 'node', version: current, wanted: [`${nodePackage}@npm:${packageOfNode()}@${current}`] },
  ];
  const names = Object.keys(OLDEST);
  const releases = {
    oldest: names.map((name) => OLDEST[name] ?? ''),
    newest: names.map((name) => newest(`${name}@^${OLDEST[name]}`)),
  };
  const libraries = Object.entries(releases).map(([version, versions]) => {
    const wanted = names.map((name, at) => `${name}@${versions[at]}`);
    const single = names.map((name, at) => ({
      name,
      version: versions[at] ?? '',
      wanted: [wanted[at] ?? ''],
    }));
    return { together: { name: 'libraries', version, wanted }, single };
  });
  return [...nodes.map((node) => ({ together: node, single: [node] })), ...libraries];
}

/** The package that has the Node of this platform. */
function packageOfNode(): string {
  const wanted = manifestOf(join(copy, 'scripts', 'runtime')).optionalDependencies[nodePackage] ?? '';
  return wanted.startsWith('npm:') ? wanted.slice('npm:'.length, wanted.lastIndexOf('@')) : nodePackage;
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/** npm prints one release as a text, and several as a list, in ascending order. */
function newest(range: string): string {
  const found: string | readonly string[] = JSON.parse(
    run('npm', ['view', range, 'version', '--json', '--loglevel=error'], root),
  );
  return [found].flat().at(-1) ?? '';
}

function check({ name, version, wanted, folder = copy }: Upgrade): 'passed' | 'FAILED' {
  process.stderr.write(`payctl: checking ${name} ${version} …\n`);
  const node = join(folder, 'node_modules', nodePackage, 'bin', isWindows ? 'node.exe' : 'node');
  const env = { PATH: [dirname(node), process.env.PATH].join(delimiter) };
  try {
    if (wanted) run('npm', ['install', '--no-save', '--ignore-scripts', '--no-audit', ...wanted], copy);
    run(node, ['scripts/build.ts'], copy, env);
    run(node, ['scripts/test.ts', '--project', 'unit', '--project', 'server'], copy, env);
    return 'passed';
  } catch (error) {
    process.stderr.write(`${String(error)}\n`);
    return 'FAILED';
  }
}

/** Runs a program to its end, and returns what it printed. @throws Error with the end of what it printed if it fails */
function run(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 1024 ** 3,
    shell: isWindows && command === 'npm',
  });
  if (status === 0) return stdout;
  const printed = `${stdout}${stderr}`.split('\n').slice(-60).join('\n');
  throw new Error(`${command} ${args.join(' ')} ended with ${status}:\n${printed}`);
}
