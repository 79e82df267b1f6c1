import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  globSync,
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
import { largeDescription } from '../descriptions/large-description.ts';
import { PROMPTLY } from '../harness/promptly.ts';
import { freshHome, PAYCTL, useHome } from '../harness/run-payctl.ts';
import { startNetwork } from './network/corporate.ts';
import { against, buyer, page, serveBuyers } from './paged-service.ts';

const home = useHome();
const dist = pathToFileURL(join(dirname(PAYCTL), '../dist/')).href;
const recorder = join(import.meta.dirname, 'record-modules.mjs');

/** What a run loads: files of dist/ by their path there, and modules of Node. */
async function loadedBy(
  args: readonly string[],
  env: Record<string, string> = {},
  { path, payctl }: Pick<typeof home, 'path' | 'payctl'> = home,
) {
  const file = join(path, 'loaded');
  rmSync(file, { force: true });
  const run = await payctl(args, {
    // Files that payctl loads itself are not known to Node.
    env: { ...env, LOADED_MODULES: file, NODE_DISABLE_COMPILE_CACHE: '1' },
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
/** Modules of Node that few runs need. */
const NEEDED_BY_FEW = [
  'v8',
  'perf_hooks',
  'timers/promises',
  'os',
  'tty',
  'zlib',
  'assert',
  'internal/fs/dir',
];
/** What Node loads for the stream of its stdout: longer than help and completion take otherwise. */
const PARTS_OF_STREAMS = new Set(['stream', 'net', 'tty']);
const START = ['chunks/base.cjs', 'chunks/rolldown-runtime.cjs', 'main.cjs', 'start.cjs'];

it('chunks that need each other can be loaded in any order: each is the first once', () => {
  const folder = join(dirname(PAYCTL), '../dist/chunks');
  const files = readdirSync(folder).filter((file) => file.endsWith('.cjs'));
  const script = `for (const file of ${JSON.stringify(files)}) {
    for (const known of Object.keys(require.cache)) delete require.cache[known];
    require('./' + file);
  }`;
  expect(files.length).toBeGreaterThan(30);
  execFileSync(process.execPath, ['-e', script], { cwd: folder, stdio: 'pipe' });
});

describe('the start-up budget', () => {
  it.each([
    [[], ['help.cjs']],
    [['--help'], ['help.cjs']],
    [['help', 'settings'], ['help.cjs']],
    [['help', '--json'], ['help.cjs']],
    [['buyers', '--help'], ['help.cjs']],
    [['buyers', 'list', '--help'], ['help.cjs']],
    [['__complete', '--', ''], ['complete.cjs']],
    [['__complete', '--', 'buyers', 'list', '--columns', 'id,'], ['complete.cjs']],
    [['buyers'], START],
    [['--version'], START],
  ])('opens nothing but the start for %j', async (args, expected) => {
    const { files, ofNode } = await loadedBy(args);
    expect(files).toEqual(expected);
    expect(HEAVY_PARTS_OF_NODE.filter((name) => ofNode.includes(name))).toEqual([]);
    if (expected !== START) expect(ofNode.filter((name) => PARTS_OF_STREAMS.has(name))).toEqual([]);
  });

  it('opens nothing but a small program for the prompt of a shell', async () => {
    const { files, ofNode } = await loadedBy(['profiles', 'show', '--jq', '.name'], {
      PAYCTL_PROFILE: 'emulator',
    });
    expect(files).toEqual(['profile-name.cjs']);
    expect(ofNode.filter((name) => PARTS_OF_STREAMS.has(name))).toEqual([]);
  });

  it.each([[['roles', 'list', '--']], [['payouts', '']]])(
    'opens nothing but completion for a tab after %j, with an active profile and an import',
    async (words) => {
      const { path, payctl } = freshHome();
      const file = join(path, 'openapi.json');
      writeFileSync(file, JSON.stringify(largeDescription()));
      await payctl(['profiles', 'set', 'sandbox', '--base-url', 'https://api.example.com']);
      await payctl(['profiles', 'use', 'sandbox']);
      await payctl(['api', 'import', file]);
      const { files } = await loadedBy(['__complete', '--', ...words], {}, { path, payctl });
      expect(files).toEqual(['complete.cjs']);
    },
  );

  it('opens no heavy chunk for a list as JSON with a ready-made token', async () => {
    const server = await serveBuyers(1);
    const { files, ofNode } = await loadedBy(['buyers', 'list', '-q', '-o', 'json'], against(server));
    expect(files.filter((file) => /yaml|jq|table|colour|jose|emulator/.test(file))).toEqual([]);
    expect(files).toContain('commands/buyers/list.cjs');
    expect(files.filter((file) => file.startsWith('commands/'))).toHaveLength(1);
    expect(ofNode).not.toContain('internal/deps/undici/undici');
    expect(ofNode).not.toContain('http2');
    expect(ofNode).not.toContain('sqlite');
    expect(NEEDED_BY_FEW.filter((name) => ofNode.includes(name))).toEqual([]);
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

describe('the start-up budget with an imported description', () => {
  const list = ['-q', '-o', 'json'];

  it('opens three chunks more for a list of the description than for a list of payctl itself', async () => {
    const { path, payctl } = freshHome();
    const server = await serveBuyers(1);
    writeFileSync(join(path, 'openapi.json'), JSON.stringify(largeDescription()));
    expect(await payctl(['api', 'import', join(path, 'openapi.json'), '-q'])).toMatchObject({ code: 0 });
    const loaded = (args: readonly string[]) =>
      loadedBy([...args, ...list], against(server), { path, payctl });
    const own = await loaded(['buyers', 'list']);
    const imported = await loaded(['payouts', 'list']);
    const shared = own.files.filter((file) => !file.startsWith('commands/'));
    const more = ['chunks/cells.cjs', 'chunks/described.cjs', 'chunks/imported.cjs'];
    expect(imported.files).toEqual([...shared, ...more].sort());
    expect(imported.ofNode.filter((name) => !own.ofNode.includes(name))).toEqual([]);
  });
});

describe('the cache of compiled code', () => {
  /** The files that are kept, by their path in dist/. */
  const keptOf = (path: string) => {
    const folder = join(path, '.cache/payctl/compiled');
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .map((name) => name.split(/[\\/]/).slice(1).join('/'))
      .sort();
  };

  it('is of the files that a run loads, and changes nothing that it prints', async () => {
    const server = await serveBuyers(1);
    const { path, payctl } = freshHome({ isCold: true });
    const list = ['buyers', 'list', '-q', '-o', 'json'];
    const env = against(server);
    const [first, second] = [await payctl(list, { env }), await payctl(list, { env })];
    expect(first).toMatchObject({ stderr: '', code: 0 });
    expect(second).toEqual(first);
    const { files } = await loadedBy(list, env);
    expect(keptOf(path)).toEqual(files.filter((name) => name !== 'start.cjs'));
  });

  it('holds nothing of what a run was given or has received', async () => {
    const server = await serveBuyers(3);
    const { path, payctl } = freshHome({ isCold: true });
    const env = { ...against(server), PAYCTL_TOKEN: 'token-of-nobody-else' };
    const run = await payctl(['buyers', 'list', '-q', '-o', 'json', '--search', 'searched-by-nobody'], {
      env,
    });
    expect(run.code).toBe(0);
    const [id = ''] = JSON.parse(run.stdout).items.map((buyer: { id: string }) => buyer.id);
    const folder = join(path, '.cache/payctl/compiled');
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const bytes = readFileSync(join(entry.parentPath, entry.name));
      for (const text of ['token-of-nobody-else', 'searched-by-nobody', id, path, server.origin]) {
        expect(bytes.includes(text)).toBe(false);
        expect(bytes.includes(Buffer.from(text, 'utf16le'))).toBe(false);
      }
    }
  });

  it.skipIf(process.platform === 'win32')('does not wait for a named pipe in its place', async () => {
    const { path, payctl } = freshHome({ isCold: true });
    const version = await payctl(['--version']);
    const [kept = ''] = globSync(join(path, '.cache/payctl/compiled/*/main.cjs'));
    rmSync(kept);
    execFileSync('mkfifo', [kept]);
    expect(await payctl(['--version'])).toEqual(version);
  });

  it('is not made by a run that fails, nor where Node is told to keep none', async () => {
    const { path, payctl } = freshHome({ isCold: true });
    expect(await payctl(['buyers', 'lst'])).toMatchObject({ code: 2 });
    expect(await payctl(['--version'], { env: { NODE_DISABLE_COMPILE_CACHE: '1' } })).toMatchObject({
      code: 0,
    });
    expect(existsSync(join(path, '.cache/payctl/compiled'))).toBe(false);
  });

  it('leaves it to Node where Node has a place for it', async () => {
    const { path, payctl } = freshHome({ isCold: true });
    const folder = join(path, 'of-node');
    expect(await payctl(['--version'], { env: { NODE_COMPILE_CACHE: folder } })).toMatchObject({ code: 0 });
    expect(readdirSync(folder)).toHaveLength(1);
    expect(existsSync(join(path, '.cache/payctl'))).toBe(false);
  });

  it('is replaced where its files are damaged', async () => {
    const { path, payctl } = freshHome({ isCold: true });
    const version = await payctl(['--version']);
    const folder = join(path, '.cache/payctl/compiled');
    const [name = ''] = readdirSync(folder);
    const file = join(folder, name, 'main.cjs');
    const whole = readFileSync(file);
    writeFileSync(file, Buffer.from(whole).fill(0xff, whole.length - 20_000, whole.length - 10_000));
    expect(await payctl(['--version'])).toEqual(version);
    const [header, ...expected] = [readFileSync(file), whole].map((bytes) => bytes.toString('latin1', 0, 13));
    expect([header]).toEqual(expected);
    expect(
      readFileSync(file)
        .subarray(-10)
        .some((byte) => byte !== 0xff),
    ).toBe(true);
    expect(await payctl(['--version'])).toEqual(version);
  });

  it('is whole whatever runs at the same time', async () => {
    const { path, payctl } = freshHome({ isCold: true });
    const runs = await Promise.all(Array.from({ length: 4 }, () => payctl(['--version'])));
    expect(new Set(runs.map(({ stdout, stderr, code }) => stdout + stderr + code)).size).toBe(1);
    expect(keptOf(path)).toEqual(START.filter((name) => name !== 'start.cjs'));
    expect(await payctl(['--version'])).toEqual(runs[0]);
  });
});

describe.skipIf(process.platform === 'win32')('the folder of compiled code', () => {
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

  it.each(['000', '022'])('can be filled by its owner alone under umask %s', async (mask) => {
    const { path, shell } = freshHome({ isCold: true });
    expect(await shell(`umask ${mask}; $PAYCTL --version`)).toMatchObject({ stderr: '', code: 0 });
    const folder = join(path, '.cache/payctl');
    expect(modeOf(folder)).toBe('700');
    expect(readdirSync(join(folder, 'compiled'))).toHaveLength(1);
  });

  it('is closed, and emptied, where others could fill it', async () => {
    const { path, payctl } = freshHome({ isCold: true });
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
    const { path, payctl } = freshHome({ isCold: true });
    writeFileSync(join(path, '.cache'), '');
    expect(await payctl(['--version'])).toMatchObject({ stderr: '', code: 0 });
  });
});

describe('the end of a list', () => {
  it('waits for no connection that its service would keep open', async () => {
    const server = await serveBuyers(1, {
      1: (_, response) => {
        response.setHeader('keep-alive', 'timeout=60');
        response.end(JSON.stringify(page([buyer(1)])));
      },
    });
    const started = performance.now();
    const run = await home.payctl(['buyers', 'list', '-q', '-o', 'json'], { env: against(server) });
    expect(run).toMatchObject({ stderr: '', code: 0 });
    expect(performance.now() - started).toBeLessThan(PROMPTLY);
  });
});
