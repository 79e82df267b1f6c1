import { realpathSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLoader, wrapped } from '../../src/start/loader.ts';
import { folderForTest } from '../harness/temporary-folder.ts';

/** A loader of these files, and the names of those whose code it has asked for. */
function loaderOf(files: Readonly<Record<string, string>>, compiled: Readonly<Record<string, Buffer>> = {}) {
  const read: string[] = [];
  const loader = createLoader({
    inside: '/bin/payctl/',
    code(name) {
      read.push(name);
      const code = files[name];
      if (code === undefined) throw new Error(`no ${name}`);
      return code;
    },
    compiled: (name) => compiled[name],
    require: (name) => ({ package: name }),
  });
  return { ...loader, read };
}

describe('the loader of an executable', () => {
  it('runs a file when it is first required, and once', () => {
    const { load, read } = loaderOf({
      'main.cjs': "exports.late = () => require('./chunks/a.cjs');",
      'chunks/a.cjs':
        "exports.times = (globalThis.timesRun ?? 0) + 1; exports.main = require('../main.cjs');",
    });
    const main = load('main.cjs') as { late(): { times: number; main: unknown } };
    expect(read).toEqual(['main.cjs']);
    expect(main.late()).toMatchObject({ times: 1 });
    // Files that require each other have what is there so far.
    expect(main.late().main).toBe(main);
    expect(read).toEqual(['main.cjs', 'chunks/a.cjs']);
  });

  it('runs wrapped files where there is a global module, as in a thread', () => {
    const global = globalThis as { module?: unknown };
    global.module = { exports: {} };
    try {
      const { load } = loaderOf({ 'main.cjs': wrapped('exports.main = 1;') });
      expect(load('main.cjs')).toEqual({ main: 1 });
      expect(global.module).toEqual({ exports: {} });
    } finally {
      delete global.module;
    }
  });

  it('finds files beside and above the one that requires them', () => {
    const { load } = loaderOf({
      'commands/buyers/list.cjs': "exports.found = [require('./get.cjs'), require('../../chunks/cli.cjs')];",
      'commands/buyers/get.cjs': "exports.get = require('../whoami.cjs').one;",
      'commands/whoami.cjs': 'exports.one = 1;',
      'chunks/cli.cjs': "exports.cli = require('./start.cjs').start;",
      'chunks/start.cjs': 'exports.start = 2;',
    });
    expect(load('commands/buyers/list.cjs')).toEqual({ found: [{ get: 1 }, { cli: 2 }] });
  });

  it('finds files by a path, modules of Node, and packages', () => {
    const { load } = loaderOf({
      'main.cjs': `module.exports = [require('/bin/payctl/commands\\\\x.cjs'), require('node:path').sep, require('url').URL,
        require('@napi-rs/keyring'), __filename, this === exports];`,
      'commands/x.cjs': 'exports.x = 1;',
    });
    const { sep } = process.getBuiltinModule('node:path');
    const packaged = { package: '@napi-rs/keyring' };
    expect(load('main.cjs')).toEqual([{ x: 1 }, sep, URL, packaged, '/bin/payctl/main.cjs', true]);
  });

  it('uses code that V8 has compiled, and does without where V8 refuses it', () => {
    const files = { 'main.cjs': 'exports.answer = () => 42;' };
    const first = loaderOf(files);
    (first.load('main.cjs') as { answer(): number }).answer();
    const compiled = first.scripts.get('main.cjs')?.createCachedData() ?? Buffer.alloc(0);
    const second = loaderOf(files, { 'main.cjs': compiled });
    expect(second.load('main.cjs')).toMatchObject({ answer: expect.any(Function) });
    expect(second.scripts.get('main.cjs')?.cachedDataRejected).toBe(false);
    // Other code: V8 remembers what it has just compiled.
    const others = { 'main.cjs': 'exports.answer = () => 6 * 7;' };
    const third = loaderOf(others, { 'main.cjs': Buffer.from('not compiled code') });
    expect((third.load('main.cjs') as { answer(): number }).answer()).toBe(42);
    expect(third.scripts.get('main.cjs')?.cachedDataRejected).toBe(true);
  });

  it('runs a file that the build has wrapped, as Node does', () => {
    const code = wrapped('module.exports = [typeof require, __filename, this === exports];');
    expect(loaderOf({ 'main.cjs': code }).load('main.cjs')).toEqual([
      'function',
      '/bin/payctl/main.cjs',
      true,
    ]);
    const folder = folderForTest();
    const file = join(folder, 'main.cjs');
    writeFileSync(file, code);
    expect(createRequire(import.meta.url)(file)).toEqual(['function', realpathSync(file), false]);
  });

  it.each([
    ['is wrapped', wrapped, `:1:${wrapped('').indexOf('\n') + 30}`],
    ['is not', (code: string) => code, ':1:30'],
  ])('shows where an error comes from in a file that %s', (_, as, place) => {
    const { load } = loaderOf({ 'main.cjs': as("exports.fail = () => { throw new Error('x'); };") });
    const { fail } = load('main.cjs') as { fail(): void };
    let stack = '';
    try {
      fail();
    } catch (error) {
      stack = String((error as Error).stack);
    }
    expect(stack).toContain(`/bin/payctl/main.cjs${place}`);
  });
});
