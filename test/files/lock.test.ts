import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/errors.ts';
import { withLock } from '../../src/files/lock.ts';
import { failureOf } from '../client/failure-of.ts';
import { freshDirectory, modeOf } from '../config/config-directory.ts';

const freshLock = () => join(freshDirectory(), 'profiles.json.lock');

describe('withLock', () => {
  it('gives what the work gives, and leaves no lock', async () => {
    const lock = freshLock();
    expect(await withLock(lock, () => 'done')).toBe('done');
    expect(existsSync(lock)).toBe(false);
  });

  it('holds a lock of its owner alone, with the id of this process, while the work is done', async () => {
    const lock = freshLock();
    const seen = await withLock(lock, () => [readFileSync(lock, 'utf8'), modeOf(lock)]);
    expect(seen).toEqual([String(process.pid), process.platform === 'win32' ? '666' : '600']);
  });

  it('throws what the work throws, and leaves no lock', async () => {
    const lock = freshLock();
    const error = new Error('no');
    const failing = withLock(lock, () => {
      throw error;
    });
    expect(await failureOf(failing)).toBe(error);
    expect(existsSync(lock)).toBe(false);
  });

  it('does the work of all who wait', async () => {
    const lock = freshLock();
    const works = Array.from({ length: 20 }, (_, number) => withLock(lock, () => number));
    expect(await Promise.all(works)).toEqual(Array.from({ length: 20 }, (_, number) => number));
  });

  it('waits for a lock to go', async () => {
    const lock = freshLock();
    writeFileSync(lock, '1');
    const work = withLock(lock, () => readFileSync(lock, 'utf8'));
    setTimeout(() => rmSync(lock), 50);
    expect(await work).toBe(String(process.pid));
  });

  it.each([
    ['4711', ' (process 4711)'],
    ['', ''],
    ['\u001b[2J', ''],
  ])(
    'refuses after its patience, and leaves the lock of another process that wrote %j',
    async (owner, named) => {
      const lock = freshLock();
      writeFileSync(lock, owner);
      const started = performance.now();
      const error = await failureOf(withLock(lock, () => 'done', 100));
      expect(performance.now() - started).toBeGreaterThanOrEqual(100);
      expect(error).toBeInstanceOf(UsageError);
      expect(error).toMatchObject({
        code: 'profiles_locked',
        message: `Another payctl${named} is changing the profiles`,
        hint: `If no other payctl is running, remove the stale lock: rm ${lock}`,
      });
      expect(readFileSync(lock, 'utf8')).toBe(owner);
    },
  );

  it('says at once that there can be no lock where there is no directory', async () => {
    const lock = join(freshDirectory(), 'none', 'lock');
    const error = await failureOf(withLock(lock, () => 'done'));
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({
      code: 'profiles_unwritable',
      message: `${lock} cannot be written: no such file or directory`,
    });
  });
});
