import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { Script } from 'node:vm';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createCodeCache } from '../../src/start/code-cache.ts';
import { createLoader } from '../../src/start/loader.ts';
import { folderForTest } from '../harness/temporary-folder.ts';

let home: string;
let program: string;
let folder: string;
beforeEach(() => {
  home = folderForTest();
  program = `${join(home, 'dist')}/`;
  folder = join(home, 'compiled', 'this');
  mkdirSync(join(program, 'commands'), { recursive: true });
  writeFileSync(join(program, 'main.cjs'), "exports.run = (name) => require('./commands/' + name).run();");
  for (const name of ['list', 'get']) {
    writeFileSync(join(program, `commands/${name}.cjs`), `exports.run = () => '${name}';`);
  }
});

const kept = (name: string) => join(folder, name);

/** One run of the program: a command and its flags. `used` names the files whose code was kept, and accepted by V8. */
function run(...argv: string[]) {
  const cache = createCodeCache({ folder, program, argv });
  const used: string[] = [];
  const { load, scripts } = createLoader({
    inside: program,
    code: (name) => readFileSync(join(program, name), 'latin1'),
    compiled(name) {
      const code = cache.compiled(name);
      if (code) used.push(name);
      return code;
    },
    require: () => undefined,
  });
  const main = load('main.cjs') as { run(name: string): string };
  cache.begin(scripts);
  const result = main.run(`${argv[0]}.cjs`);
  return { used, result, scripts, learn: (from: typeof scripts = scripts) => cache.learn(from) };
}

function runToEnd(...argv: string[]) {
  const { used, result, scripts, learn } = run(...argv);
  learn();
  return { used: used.filter((name) => scripts.get(name)?.cachedDataRejected === false), result };
}

/** The scripts of a run, of which V8 has this code now. */
function withCode(scripts: ReadonlyMap<string, Script>, code: (name: string) => Buffer) {
  const changed = [...scripts].map(([name, { cachedDataRejected }]) => {
    return [name, { cachedDataRejected, createCachedData: () => code(name) } as unknown as Script] as const;
  });
  return new Map(changed);
}

/** What a file of the cache holds after its two parts of 128 bytes: the same code twice. */
function codeIn(name: string): Buffer {
  const bytes = readFileSync(kept(name));
  return bytes.subarray(256, 256 + (bytes.length - 256) / 2);
}

describe('the cache of compiled code', () => {
  it('keeps what a run has loaded, for the next one', () => {
    expect(runToEnd('list')).toEqual({ used: [], result: 'list' });
    expect(readdirSync(folder, { recursive: true }).sort()).toEqual([
      'commands',
      join('commands', 'list.cjs'),
      'main.cjs',
    ]);
    expect(runToEnd('list')).toEqual({ used: ['main.cjs', 'commands/list.cjs'], result: 'list' });
    expect(runToEnd('get')).toEqual({ used: ['main.cjs'], result: 'get' });
    expect(runToEnd('get').used).toEqual(['main.cjs', 'commands/get.cjs']);
  });

  it.skipIf(process.platform === 'win32')('can be read by its owner alone', () => {
    runToEnd('list');
    expect(statSync(kept('main.cjs')).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(kept('commands')).mode & 0o777).toBe(0o700);
  });

  it('is written once for each command, flag and format, and never for their values', () => {
    const writes = (...argv: string[]) => {
      const past = new Date(0);
      for (const name of ['main.cjs', 'commands/list.cjs']) utimesSync(kept(name), past, past);
      runToEnd(...argv);
      return statSync(kept('main.cjs')).mtimeMs > 0;
    };
    runToEnd('list');
    expect(writes('list')).toBe(false);
    expect(writes('list', '--search', 'Jürgen')).toBe(true);
    expect(writes('list', '--search', 'Maria')).toBe(false);
    expect(writes('list', '--search=Maria')).toBe(false);
    expect(writes('list', '-o', 'json')).toBe(true);
    expect(writes('list', '-o', 'csv')).toBe(true);
    expect(writes('list', '-o', 'json')).toBe(false);
    expect(writes('list', '--', '--flag')).toBe(false);
    expect(writes('list', '--output', 'yaml')).toBe(true);
    expect(writes('list', '--output', 'yaml')).toBe(false);
    expect(writes('list', '--output', 'table')).toBe(true);
    expect(writes('list', '--columns', 'id')).toBe(true);
    expect(writes('get')).toBe(true);
    expect(writes('get')).toBe(false);
    const many = Array.from({ length: 80 }, (_, index) => `--flag-${index}`);
    expect(writes('list', ...many)).toBe(true);
    expect(many.filter((flag) => writes('list', flag))).toEqual([]);
    // What it has learned is not forgotten.
    expect(writes('list', '-o', 'csv', '--search', 'x')).toBe(false);
    expect(readFileSync(kept('main.cjs'), 'latin1')).not.toMatch(/Maria|search|csv/);
  });

  it.each<readonly [string, (bytes: Buffer) => Buffer]>([
    ['nothing', () => Buffer.alloc(0)],
    ['only its beginning', (bytes) => bytes.subarray(0, 100)],
    ['all but its end', (bytes) => bytes.subarray(0, -2)],
    ['zeros at its end', (bytes) => bytes.fill(0, bytes.length - 64)],
    ['one bit less', (bytes) => bytes.fill((bytes[400] ?? 0) ^ 1, 400, 401)],
    ['another layout', (bytes) => bytes.fill('payctl-code-9', 0, 13)],
    ['something else', () => Buffer.from('exports.run = () => "planted";'.repeat(100))],
  ])('does without a file that has %s, and replaces it', (_, change) => {
    runToEnd('list');
    const whole = readFileSync(kept('main.cjs'));
    writeFileSync(kept('main.cjs'), change(Buffer.from(whole)));
    expect(runToEnd('list')).toEqual({ used: ['commands/list.cjs'], result: 'list' });
    expect(runToEnd('list').used).toEqual(['main.cjs', 'commands/list.cjs']);
  });

  it('does without code that V8 refuses, whatever version its header names, and replaces it', () => {
    runToEnd('list');
    const [layout] = readFileSync(kept('main.cjs'), 'latin1').split(' ');
    const file = join(program, 'main.cjs');
    // Other code: V8 remembers what it has just compiled.
    writeFileSync(file, `${readFileSync(file, 'latin1')}\n// ${home}`);
    const { size, mtimeMs } = statSync(file);
    const refused = Buffer.from('not compiled code');
    const header = Buffer.from(`${layout} ${size} ${mtimeMs} 4711 `.padEnd(256, '\0'));
    writeFileSync(kept('main.cjs'), Buffer.concat([header, refused, refused]));
    expect(runToEnd('list')).toEqual({ used: ['commands/list.cjs'], result: 'list' });
    expect(codeIn('main.cjs').equals(refused)).toBe(false);
    expect(runToEnd('list').used).toEqual(['main.cjs', 'commands/list.cjs']);
  });

  it('is not written again for a file that no command is, beside those that have it already', () => {
    const list =
      "exports.run = () => { if (globalThis.payctlTest) require('../chunk.cjs'); return 'list'; };";
    writeFileSync(join(program, 'commands/list.cjs'), list);
    writeFileSync(join(program, 'chunk.cjs'), 'exports.chunk = 1;');
    runToEnd('list');
    utimesSync(kept('main.cjs'), 1, 1);
    vi.stubGlobal('payctlTest', true);
    onTestFinished(() => void vi.unstubAllGlobals());
    runToEnd('list');
    expect(statSync(kept('main.cjs')).mtimeMs).toBe(1000);
    expect(runToEnd('list').used).toContain('chunk.cjs');
  });

  it.each([
    ['less', -1, false],
    ['as much', 0, true],
    ['more', 1, true],
  ])('takes the code of a run that has %s of it: V8 drops what is not called', (_, difference, isTaken) => {
    runToEnd('list');
    const before = Buffer.from(codeIn('main.cjs'));
    const made = Buffer.alloc(before.length + difference, 'x');
    const { scripts, learn } = run('list', '--flag');
    learn(withCode(scripts, () => made));
    expect(codeIn('main.cjs').equals(isTaken ? made : before)).toBe(true);
    // Either way it has learned the flag.
    utimesSync(kept('main.cjs'), 1, 1);
    runToEnd('list', '--flag');
    expect(statSync(kept('main.cjs')).mtimeMs).toBe(1000);
  });

  it('does without the code of a file that has changed', () => {
    runToEnd('list');
    const file = join(program, 'commands/list.cjs');
    // As long as the one before: V8 would not see the difference.
    writeFileSync(file, "exports.run = () => 'LIST';");
    utimesSync(file, 1, 1);
    expect(runToEnd('list')).toEqual({ used: ['main.cjs'], result: 'LIST' });
    expect(runToEnd('list')).toEqual({ used: ['main.cjs', 'commands/list.cjs'], result: 'LIST' });
  });

  it('keeps nothing of a run that has changed the flags of V8', () => {
    const { learn } = run('list');
    setFlagsFromString('--semi-space-growth-factor=3');
    try {
      learn();
      expect(readdirSync(home)).toEqual(['dist']);
    } finally {
      setFlagsFromString('--semi-space-growth-factor=2');
    }
  });

  it('leaves no drafts behind, and keeps the folders of four other versions', () => {
    for (const [index, name] of ['a', 'b', 'c', 'd', 'e', 'f'].entries()) {
      mkdirSync(join(home, 'compiled', name, 'chunks'), { recursive: true });
      utimesSync(join(home, 'compiled', name), index + 1, index + 1);
    }
    runToEnd('list');
    expect(readdirSync(join(home, 'compiled')).sort()).toEqual(['c', 'd', 'e', 'f', 'this']);
    expect(readdirSync(folder, { recursive: true }).filter((name) => /new/.test(String(name)))).toEqual([]);
  });

  it('fails no run where it cannot be written', () => {
    writeFileSync(join(home, 'compiled'), '');
    expect(runToEnd('list')).toEqual({ used: [], result: 'list' });
    rmSync(join(home, 'compiled'));
    mkdirSync(kept('main.cjs'), { recursive: true });
    expect(runToEnd('list')).toEqual({ used: [], result: 'list' });
    expect(readdirSync(folder)).toEqual(['main.cjs']);
  });
});
