import { execFileSync } from 'node:child_process';
import fs, { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readAtOnce, readTwofold } from '../../src/start/read-at-once.ts';
import { folderForTest } from '../harness/temporary-folder.ts';

let folder: string;
beforeEach(() => {
  folder = folderForTest();
});
afterEach(() => vi.restoreAllMocks());

describe('readAtOnce', () => {
  const write = (name: string, text: string) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };

  it('reads each file whole, into the memory of the one before', () => {
    const first = readAtOnce(write('a', 'first file'));
    expect(first.toString()).toBe('first file');
    const second = readAtOnce(write('b', '2nd'));
    expect(second.toString()).toBe('2nd');
    expect(second.buffer).toBe(first.buffer);
  });

  it('takes more memory for a larger file', () => {
    const text = 'x'.repeat(3 * 1024 * 1024);
    expect(readAtOnce(write('large', text)).toString('latin1')).toBe(text);
    expect(readAtOnce(write('empty', ''))).toHaveLength(0);
  });

  it.skipIf(process.platform === 'win32')('finds a named pipe empty, and does not wait for it', () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(readAtOnce(pipe)).toHaveLength(0);
  });

  it('goes on where the system gives a part of the file at a time', () => {
    const file = write('parts', 'some parts of a file');
    const { readSync } = fs;
    vi.spyOn(fs, 'readSync').mockImplementation(((...args: [number, Buffer, number, number, null]) => {
      const [descriptor, target, at, length, position] = args;
      expect(at + length).toBeLessThanOrEqual(target.length);
      return readSync(descriptor, target, at, Math.min(length, 3), position);
    }) as typeof fs.readSync);
    expect(readAtOnce(file).toString()).toBe('some parts of a file');
  });

  it('ends where the file has become shorter', () => {
    const file = write('short', 'short');
    vi.spyOn(fs, 'fstatSync').mockReturnValue({ size: 50 } as never);
    expect(readAtOnce(file).toString()).toBe('short');
  });

  it('closes what it has opened, also where it cannot be read', () => {
    const closed = vi.spyOn(fs, 'closeSync');
    readAtOnce(write('closed', 'x'));
    expect(closed).toHaveBeenCalledTimes(1);
    vi.spyOn(fs, 'fstatSync').mockReturnValue({ size: 50 } as never);
    expect(() => readAtOnce(folder)).toThrow('EISDIR');
    expect(closed).toHaveBeenCalledTimes(2);
  });

  it('fails for what is not there', () => {
    expect(() => readAtOnce(join(folder, 'none'))).toThrow('ENOENT');
  });
});

describe('readTwofold', () => {
  const write = (text: string | Buffer) => {
    const file = join(folder, 'twofold');
    writeFileSync(file, text);
    return file;
  };

  it('gives the head and what follows it twice', () => {
    expect(readTwofold(write('HEADabcabc'), 4)?.toString()).toBe('HEADabc');
    const large = Buffer.alloc(200_001, 'xyz');
    const read = readTwofold(write(Buffer.concat([Buffer.from('HEAD'), large, large])), 4);
    expect(read?.subarray(4).equals(large)).toBe(true);
  });

  it.each(['', 'HE', 'HEAD', 'HEADabcab', 'HEADabcabd', 'HEADabcabca'])('takes nothing else: %j', (text) => {
    expect(readTwofold(write(text), 4)).toBeUndefined();
  });

  it('does not read a file that is larger than any that is kept', () => {
    const file = write('');
    truncateSync(file, 64 * 1024 * 1024 + 4);
    expect(readTwofold(file, 4)).toBeUndefined();
  });
});
