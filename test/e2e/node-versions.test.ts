import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Run } from '../harness/follow-process.ts';
import { oldNode, versionOf } from '../harness/old-node.ts';
import { freshHome, useHome } from '../harness/run-payctl.ts';
import { useEmulator } from './shared-emulator.ts';

const root = join(import.meta.dirname, '../..');
const lowest = nodeIn('test/runtimes/lowest');
/** What a checkout installs for itself, and old Nodes hand over to. */
const own = nodeIn('.');
const home = useHome();
useEmulator(home, { buyers: 25 });
const LIST = ['buyers', 'list', '--profile', 'emulator', '--limit', '2'];

const FORMATS = [
  [],
  ['-o', 'json'],
  ['-o', 'csv'],
  ['-o', 'yaml'],
  ['-o', 'ndjson', '--columns', 'id'],
  ['--jq', '.items[].display_name'],
];

/** The Node that npm installed below a folder of the project. */
function nodeIn(folder: string): string {
  const { platform, arch } = process;
  const path = `node_modules/node-${platform}-${arch}/bin/node${platform === 'win32' ? '.exe' : ''}`;
  return join(root, folder, path);
}

function inEveryFormat(node: string): Promise<Run[]> {
  return Promise.all(FORMATS.map((flags) => home.payctl([...LIST, ...flags], { node })));
}

const old = oldNode();
const runtimes: readonly [name: string, node: string, runsOn: string][] = [
  ['the lowest supported Node', lowest, versionOf(lowest)],
  ...(old ? [[`Node ${versionOf(old)}, which hands over`, old, versionOf(own)] as const] : []),
].map(([name = '', node = '', runsOn = '']) => [name, node, runsOn]);

it('has Nodes of its own: the lowest supported, and one for every script', () => {
  // Not every platform has a package of each version.
  expect(versionOf(lowest)).toMatch(/^v22\.2[0-3]\./);
  expect(versionOf(own)).toBe(process.version);
});

it('passes tests whose outcome depends on the Node on the lowest one, too', () => {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const files = [
    'test/client/whole-response.server.test.ts',
    'test/output/parts/read-part.test.ts',
    'test/features/export/verify.test.ts',
  ];
  const report = join(home.path, 'report.json');
  const projects = ['--project', 'unit', '--project', 'server'];
  const args = ['run', ...projects, '--reporter', 'json', '--outputFile', report, ...files];
  const run = spawnSync(lowest, [vitest, ...args], { encoding: 'utf8', cwd: root, env: home.env });
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  expect(testResults, run.stderr).toHaveLength(files.length);
  expect(run).toMatchObject({ stderr: '', status: 0 });
});

/** What the Node of the project prints, which every other test of this folder runs on. */
let expected: Promise<Run[]> | undefined;

describe.each(runtimes)('on %s', (_, node, runsOn) => {
  it('says version and help', async () => {
    const version = await home.payctl(['--version'], { node });
    expect(version.stdout).toMatch(new RegExp(`^payctl/\\S+ \\S+ node-${runsOn.replaceAll('.', '\\.')}\\n$`));
    expect(version).toMatchObject({ stderr: '', code: 0 });
    const help = await home.payctl(['--help'], { node });
    expect(help.stdout).toMatch(/^Administer /);
  });

  it('gives the same bytes in every format as the Node of the project', async () => {
    expected ??= inEveryFormat(process.execPath);
    expect(await inEveryFormat(node)).toEqual(await expected);
    expect((await expected).filter(({ stdout, code }) => stdout === '' || code !== 0)).toEqual([]);
  });

  it('runs the emulator inside the command, without a warning of Node', async () => {
    const args = ['buyers', 'list', '--limit', '1', '--profile', 'emulator', '-o', 'json', '-q'];
    const run = await freshHome().payctl(args, { node });
    expect(JSON.parse(run.stdout).items[0].id).toBe('ef28fde9-5d24-429e-af7b-494ed25fc77c');
    expect(run).toMatchObject({ stderr: '', code: 0 });
  });

  it('draws the table on a terminal', async () => {
    const terminal = { columns: 120 };
    const run = await home.payctl([...LIST, '-q'], { node, terminal });
    expect(run).toEqual(await home.payctl([...LIST, '-q'], { terminal }));
  });

  it('exits with the codes of errors', async () => {
    const unknown = await home.payctl(['buyers', 'lst'], { node });
    expect(unknown).toMatchObject({ stdout: '', code: 2, signal: null });
    expect(unknown.stderr).toMatch(/^Error: [^\n]*"buyers lst" \(unknown_command\)\n[^\n]+\n$/);
    const refused = await home.payctl([...LIST, '--cursor', 'made-up'], { node });
    expect(refused).toMatchObject({ stdout: '', code: 6 });
  });

  it('ends an emulator with 0 when it is told to terminate', async () => {
    const running = freshHome().start(['emulator', 'start'], { node });
    await running.sees('stdout', '\n');
    running.kill('SIGTERM');
    expect(await running.done).toMatchObject({ code: 0, signal: null });
  });
});

it.each([['the Node of the project', process.execPath, ''], ...runtimes])(
  'reads all frames of a log file in zstd, or refuses the file where Node would lose some: %s',
  async (_, node) => {
    const path = join(home.path, 'logs.zst');
    const frames = ['1', '2'].map((id) => zstdCompressSync(`{"type":"api-log","id":"${id}"}\n`));
    writeFileSync(path, Buffer.concat(frames));
    const args = ['api-logs', 'list', '--file', path, '-o', 'csv', '--columns', 'id', '--no-header', '-q'];
    const run = await home.payctl(args, { node });
    const refusal = `Error: --file cannot read ${path}: it is compressed with zstd (unreadable_file)\nUnpack it first: zstd -dc FILE | payctl api-logs list --file -\n`;
    expect(run).toMatchObject(
      node === lowest
        ? { stdout: '', stderr: refusal, code: 2 }
        : { stdout: '1\r\n2\r\n', stderr: '', code: 0 },
    );
  },
);

describe('a clone that was never set up, which npm links nevertheless', () => {
  function runOn(node: string, { isClone }: { readonly isClone: boolean }) {
    const { path } = freshHome();
    const folder = join(path, 'payctl');
    cpSync(join(root, 'bin'), join(folder, 'bin'), { recursive: true });
    if (isClone) mkdirSync(join(folder, 'scripts'));
    if (isClone) writeFileSync(join(folder, 'scripts/setup.js'), '');
    const run = spawnSync(node, [join(folder, 'bin/run.js'), 'buyers', 'list'], { encoding: 'utf8' });
    expect(run).toMatchObject({ stdout: '', status: 1 });
    return run.stderr.replaceAll(path, '');
  }
  const REMEDY = 'To set it up, run: npm start --prefix "/payctl"\n';

  it.runIf(process.platform !== 'win32')('names the command that sets it up', () => {
    expect(runOn(process.execPath, { isClone: true })).toBe(`payctl has not been built yet. ${REMEDY}`);
  });

  it.runIf(old)('names it on an old Node, too, and where to get another Node if it is no clone', () => {
    const node = String(old);
    const needs = `payctl needs Node 22.20 or later; this is Node ${versionOf(node).slice(1)}. `;
    expect(runOn(node, { isClone: true })).toBe(`${needs}${REMEDY}`);
    expect(runOn(node, { isClone: false })).toBe(`${needs}Get one from https://nodejs.org\n`);
  });
});
