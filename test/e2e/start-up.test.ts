import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { freshHome, PAYCTL, useHome } from '../harness/run-payctl.ts';
import { startNetwork } from './network/corporate.ts';
import { against, serveBuyers } from './paged-service.ts';

const home = useHome();
const dist = pathToFileURL(join(dirname(PAYCTL), '../dist/')).href;
const recorder = join(import.meta.dirname, 'record-modules.mjs');

/** What a run loads: files of dist/ by their path there, and modules of Node. */
async function loadedBy(args: readonly string[], env: Record<string, string> = {}) {
  const file = join(home.path, 'loaded');
  rmSync(file, { force: true });
  const run = await home.payctl(args, {
    env: { ...env, LOADED_MODULES: file },
    nodeFlags: ['--import', recorder],
  });
  expect(run).toMatchObject({ stderr: '', code: 0 });
  const names = readFileSync(file, 'utf8').trim().split('\n');
  return {
    files: names
      .filter((name) => name.startsWith(dist))
      .map((name) => name.slice(dist.length))
      .sort(),
    ofNode: names
      .filter((name) => name.startsWith('NativeModule '))
      .map((name) => name.slice('NativeModule '.length)),
  };
}

const HEAVY_PARTS_OF_NODE = [
  'http',
  'https',
  'crypto',
  'sqlite',
  'internal/deps/undici/undici',
  'worker_threads',
];
const START = ['chunks/rolldown-runtime.cjs', 'chunks/start.cjs', 'main.cjs'];

describe('the start-up budget', () => {
  it.each([
    [[], ['help.cjs']],
    [['--help'], ['help.cjs']],
    [['help', 'settings'], ['help.cjs']],
    [['help', '--json'], ['help.cjs']],
    [['buyers', '--help'], ['help.cjs']],
    [['buyers', 'list', '--help'], ['help.cjs']],
    [['buyers'], START],
    [['--version'], START],
  ])('opens nothing but the start for %j', async (args, expected) => {
    const { files, ofNode } = await loadedBy(args);
    expect(files).toEqual(expected);
    expect(HEAVY_PARTS_OF_NODE.filter((name) => ofNode.includes(name))).toEqual([]);
  });

  it('opens no heavy chunk for a list as JSON with a ready-made token', async () => {
    const server = await serveBuyers(1);
    const { files, ofNode } = await loadedBy(['buyers', 'list', '-q', '-o', 'json'], against(server));
    expect(files.filter((file) => /yaml|jq|table|colour|jose|emulator/.test(file))).toEqual([]);
    expect(files).toContain('commands/buyers/list.cjs');
    expect(files.filter((file) => file.startsWith('commands/'))).toHaveLength(1);
    expect(ofNode).not.toContain('internal/deps/undici/undici');
    expect(ofNode).not.toContain('http2');
    expect(ofNode).not.toContain('sqlite');
  });

  it('opens nothing of proxies and of other certificates for a list over TLS', async () => {
    const { server, env } = await startNetwork(home);
    const { files, ofNode } = await loadedBy(['buyers', 'list', '-q', '-o', 'json'], {
      ...env,
      PAYCTL_BASE_URL: server.origin,
    });
    expect(files.filter((file) => /network|yaml|jq|table|colour|jose|emulator/.test(file))).toEqual([]);
    expect(ofNode).toContain('tls');
  });

  it('opens the chunk of proxies for a service behind one', async () => {
    const { env } = await startNetwork(home);
    const { files } = await loadedBy(['buyers', 'list', '-q', '-o', 'json'], env);
    expect(files).toContain('chunks/network.cjs');
  });

  it.each([
    ['yaml', ['-o', 'yaml'], 'chunks/yaml.cjs'],
    ['jq', ['--jq', '.limit'], 'chunks/jq-engine.cjs'],
  ])('opens the chunk of %s when it is asked for', async (_, flags, chunk) => {
    const server = await serveBuyers(1);
    const { files } = await loadedBy(['buyers', 'list', '-q', ...flags], against(server));
    expect(files).toContain(chunk);
  });
});

describe.skipIf(process.platform === 'win32')('the compile cache', () => {
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

  it.each(['000', '022'])('can be filled by its owner alone under umask %s', async (mask) => {
    const { path, shell } = freshHome();
    expect(await shell(`umask ${mask}; $PAYCTL --version`)).toMatchObject({ stderr: '', code: 0 });
    const folder = join(path, '.cache/payctl');
    expect(modeOf(folder)).toBe('700');
    expect(readdirSync(join(folder, 'compiled'))).toHaveLength(1);
  });

  it('is closed, and begun anew, where others could fill it', async () => {
    const { path, payctl } = freshHome();
    const folder = join(path, '.cache/payctl');
    mkdirSync(join(folder, 'compiled'), { recursive: true });
    writeFileSync(join(folder, 'compiled/planted'), '');
    chmodSync(folder, 0o777);
    expect(await payctl(['--version'])).toMatchObject({ stderr: '', code: 0 });
    expect(modeOf(folder)).toBe('700');
    expect(existsSync(join(folder, 'compiled/planted'))).toBe(false);
    expect(readdirSync(join(folder, 'compiled'))).toHaveLength(1);
  });

  it('is done without where there is no place for it', async () => {
    const { path, payctl } = freshHome();
    writeFileSync(join(path, '.cache'), '');
    expect(await payctl(['--version'])).toMatchObject({ stderr: '', code: 0 });
  });
});
