import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ar, type Entry, tarGz, zip } from '../../../scripts/package/archive.ts';
import { folderForAll } from '../../harness/temporary-folder.ts';

const folder = folderForAll();

const ENTRIES: readonly Entry[] = [
  { path: 'payctl-1/payctl', bytes: Buffer.alloc(100_000, 'program '), runs: true },
  { path: 'payctl-1/man/man1/payctl.1', bytes: Buffer.from('.TH') },
  { path: 'payctl-1/empty', bytes: Buffer.alloc(0) },
];

const has = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;

function unpack(name: string, bytes: Buffer, command: readonly string[]): string {
  writeFileSync(join(folder, name), bytes);
  const [program = '', ...args] = command;
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  return stdout;
}

function expectEntries(): void {
  for (const { path, bytes, runs = false } of ENTRIES) {
    expect(readFileSync(join(folder, path)).equals(bytes)).toBe(true);
    if (process.platform !== 'win32') {
      expect((statSync(join(folder, path)).mode & 0o777).toString(8)).toBe(runs ? '755' : '644');
    }
  }
  rmSync(join(folder, 'payctl-1'), { recursive: true });
}

describe('the archives', () => {
  it.skipIf(!has('tar', '--version'))('are unpacked by tar', () => {
    unpack('a.tar.gz', tarGz(ENTRIES), ['tar', '-xzf', 'a.tar.gz']);
    expectEntries();
  });

  it.skipIf(!has('unzip', '-v'))('are unpacked by unzip', () => {
    unpack('a.zip', zip(ENTRIES), ['unzip', '-q', 'a.zip']);
    expectEntries();
  });

  it.skipIf(!has('ar', '--version'))('are listed by ar', () => {
    const entries = [
      { path: 'debian-binary', bytes: Buffer.from('2.0\n') },
      { path: 'odd', bytes: Buffer.from('1') },
      { path: 'last', bytes: Buffer.from('22') },
    ];
    expect(unpack('a.deb', ar(entries), ['ar', 't', 'a.deb'])).toBe('debian-binary\nodd\nlast\n');
    expect(unpack('a.deb', ar(entries), ['ar', 'p', 'a.deb', 'last'])).toBe('22');
  });

  it('have the same bytes whatever the order of the files', () => {
    expect(tarGz(ENTRIES.toReversed()).equals(tarGz(ENTRIES))).toBe(true);
    expect(zip(ENTRIES.toReversed()).equals(zip(ENTRIES))).toBe(true);
  });

  it('refuse a path that the header has no room for', () => {
    const path = `${'long/'.repeat(20)}x`;
    expect(() => tarGz([{ path, bytes: Buffer.alloc(0) }])).toThrow('is too long for the archive');
  });
});
