import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { UsageError } from '../../src/errors.ts';
import { type HeldLock, lockAlone } from '../../src/files/kernel-lock.ts';
import { withLock } from '../../src/files/lock.ts';
import { failureOf } from '../client/failure-of.ts';
import { freshDirectory, modeOf } from '../config/config-directory.ts';

const freshLock = () => join(freshDirectory(), 'profiles.lock');

/** Takes the lock as another process would; it is released at the end of the test at the latest. */
function hold(path: string): HeldLock {
  const lock = lockAlone(path);
  if (!lock) throw new Error('The lock is held');
  onTestFinished(() => lock.release());
  return lock;
}

describe('withLock', () => {
  it('gives what the work gives, and leaves no lock', async () => {
    const lock = freshLock();
    expect(await withLock(lock, () => 'done')).toBe('done');
    expect(readdirSync(dirname(lock))).toEqual([]);
  });

  it('holds the lock alone while the work is done, in an empty file of its owner', async () => {
    const lock = freshLock();
    const seen = await withLock(lock, () => [lockAlone(lock), readFileSync(lock, 'utf8'), modeOf(lock)]);
    expect(seen).toEqual([undefined, '', process.platform === 'win32' ? '666' : '600']);
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

  it('waits for a lock to go', { tags: 'slow' }, async () => {
    const lock = freshLock();
    const held = hold(lock);
    const work = withLock(lock, () => 'done');
    setTimeout(() => held.release(), 50);
    expect(await work).toBe('done');
  });

  it('takes a lock at once that a killed process has left', async () => {
    const lock = freshLock();
    writeFileSync(lock, '');
    expect(await withLock(lock, () => 'done', 0)).toBe('done');
    expect(existsSync(lock)).toBe(false);
  });

  it('has patience with an owner for so long, and says to wait', { tags: 'slow' }, async () => {
    const lock = freshLock();
    hold(lock);
    const started = performance.now();
    const error = await failureOf(withLock(lock, () => 'done', 100));
    expect(performance.now() - started).toBeGreaterThanOrEqual(100);
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({
      code: 'profiles_locked',
      message: 'Another payctl is changing the profiles',
      hint: 'Nothing was changed. Wait until it finishes, then run the command again.',
    });
  });

  it('waits as long as the lock goes from one owner to the next', { tags: 'slow' }, async () => {
    const lock = freshLock();
    let held = hold(lock);
    let owners = 1;
    const pass = () => {
      held.release();
      owners += 1;
      if (owners <= 12) held = hold(lock);
      else clearInterval(timer);
    };
    const timer = setInterval(pass, 40);
    expect(await withLock(lock, () => owners, 200)).toBe(13);
  });

  it('has patience with each owner, also where the next one comes when that with the last one ends', async () => {
    const lock = freshLock();
    let held = hold(lock);
    let looks = 0;
    const random = vi.spyOn(Math, 'random').mockImplementation(() => {
      looks += 1;
      held.release();
      if (looks === 1) held = hold(lock);
      return 0;
    });
    onTestFinished(() => random.mockRestore());
    expect(await withLock(lock, () => looks, 0)).toBe(2);
  });

  it.each([
    ['to 25 ms for one owner', 1, 5],
    ['to 45 ms after two of them', 2, 1 + 3],
  ])('looks again after up %s', { tags: 'slow' }, async (_, owners, pauses) => {
    const lock = freshLock();
    let held = hold(lock);
    let seen = 0;
    const random = vi.spyOn(Math, 'random').mockImplementation(() => {
      seen += 1;
      if (seen < owners) {
        held.release();
        held = hold(lock);
      }
      return 1;
    });
    onTestFinished(() => random.mockRestore());
    expect(await failureOf(withLock(lock, () => 'done', 110))).toMatchObject({ code: 'profiles_locked' });
    expect(seen).toBe(pauses);
  });

  it('does not count the time in which the machine lets nobody run', { tags: 'slow' }, async () => {
    const lock = freshLock();
    const held = hold(lock);
    const work = withLock(lock, () => 'done', 100);
    setTimeout(() => held.release(), 40);
    const end = performance.now() + 300;
    while (performance.now() < end);
    expect(await work).toBe('done');
  });

  it.each([
    ['in the place of a directory', (lock: string) => mkdirSync(lock), 'unable to open database file'],
    ['where there is no directory', (lock: string) => rmdirSync(dirname(lock)), 'no such file or directory'],
  ])('says at once that there can be no lock %s', async (_, prepare, reason) => {
    const lock = join(freshDirectory(), 'inner', 'profiles.lock');
    mkdirSync(dirname(lock));
    prepare(lock);
    const error = await failureOf(withLock(lock, () => 'done'));
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({
      code: 'profiles_unwritable',
      message: `${lock} cannot be written: ${reason}`,
    });
  });
});
