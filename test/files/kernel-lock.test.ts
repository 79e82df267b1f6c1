import { afterEach, expect, it, vi } from 'vitest';
import { loadSqlite } from '../../src/files/kernel-lock.ts';

afterEach(() => vi.restoreAllMocks());

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
