import fs, { existsSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { loadSqlite, lockAlone, tryLock } from '../../src/files/kernel-lock.ts';
import { folderForTest } from '../harness/temporary-folder.ts';

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

it('holds back the warning of SQLite, lets others through, and leaves the function as it was', () => {
  const emitted = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  const before = process.emitWarning;
  const real = process.getBuiltinModule('node:sqlite');
  vi.spyOn(process, 'getBuiltinModule').mockImplementation(() => {
    process.emitWarning(
      'SQLite is an experimental feature and might change at any time',
      'ExperimentalWarning',
    );
    process.emitWarning('SQLite is an experimental feature', 'Warning');
    process.emitWarning('Another is an experimental feature', 'ExperimentalWarning');
    process.emitWarning(new Error('SQLite'));
    return real;
  });
  expect(loadSqlite()).toBe(real);
  expect(process.emitWarning).toBe(before);
  expect(emitted.mock.calls).toEqual([
    ['SQLite is an experimental feature', 'Warning'],
    ['Another is an experimental feature', 'ExperimentalWarning'],
    [new Error('SQLite')],
  ]);
});

it('leaves the function as it was when loading fails', () => {
  const before = process.emitWarning;
  vi.spyOn(process, 'getBuiltinModule').mockImplementation(() => {
    throw new Error('no such module');
  });
  expect(() => loadSqlite()).toThrow('no such module');
  expect(process.emitWarning).toBe(before);
});

it('removes the file of a lock after its release where files that are open cannot be removed', () => {
  const path = join(folderForTest(), 'lock');
  const first = lockAlone(path);
  const remove = fs.rmSync;
  // As on Windows.
  vi.spyOn(fs, 'rmSync').mockImplementation((...args) => {
    const free = tryLock(path, 'exclusive');
    free?.release();
    if (!free) throw Object.assign(new Error('EBUSY: resource busy or locked'), { code: 'EBUSY' });
    remove(...args);
  });
  syncBuiltinESMExports();
  first?.release();
  expect(fs.rmSync).toHaveBeenCalledTimes(2);
  expect(existsSync(path)).toBe(false);
});
