import fs, { readFileSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renamePatiently } from '../../src/files/rename.ts';
import { folderForTest } from '../harness/temporary-folder.ts';

const { renameSync } = fs;

/** Makes the first renames fail as another program makes them fail, and counts all. */
function refuse(code: string, times: number): { count: number } {
  const tries = { count: 0 };
  fs.renameSync = (from, to) => {
    tries.count += 1;
    if (tries.count <= times) throw Object.assign(new Error(code), { code });
    renameSync(from, to);
  };
  syncBuiltinESMExports();
  return tries;
}

function files(): { from: string; to: string } {
  const folder = folderForTest();
  const [from, to] = [join(folder, 'new'), join(folder, 'old')];
  writeFileSync(from, 'new');
  writeFileSync(to, 'old');
  return { from, to };
}

afterEach(() => {
  fs.renameSync = renameSync;
  syncBuiltinESMExports();
  vi.restoreAllMocks();
});

describe('a rename on Windows', () => {
  it.each(['EACCES', 'EBUSY', 'EPERM'])('is tried again after %s', (code) => {
    vi.spyOn(process, 'platform', 'get').mockReturnValue('win32');
    const { from, to } = files();
    refuse(code, 2);
    renamePatiently(from, to);
    expect(readFileSync(to, 'utf8')).toBe('new');
  });

  it('fails where the other program stays, and for any other reason at once', () => {
    vi.spyOn(process, 'platform', 'get').mockReturnValue('win32');
    const { from, to } = files();
    const waiting = vi.spyOn(Atomics, 'wait').mockReturnValue('timed-out');
    const tries = refuse('EPERM', 99);
    expect(() => renamePatiently(from, to)).toThrow('EPERM');
    expect(tries.count).toBe(9);
    expect(waiting.mock.calls.map((call) => call[3])).toEqual([4, 8, 16, 32, 64, 128, 256, 512]);
    expect(() => renamePatiently(`${from}-missing`, to)).toThrow();
    const others = refuse('ENOSPC', 99);
    expect(() => renamePatiently(from, to)).toThrow('ENOSPC');
    expect(others.count).toBe(1);
  });
});

it('fails at once on other systems', () => {
  vi.spyOn(process, 'platform', 'get').mockReturnValue('linux');
  const { from, to } = files();
  const tries = refuse('EPERM', 1);
  expect(() => renamePatiently(from, to)).toThrow('EPERM');
  expect(tries.count).toBe(1);
});
