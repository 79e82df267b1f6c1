import { spawnSync } from 'node:child_process';
import fs, {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
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

  it('gives what the work gives where the lock was removed meanwhile', async () => {
    const lock = freshLock();
    const work = () => {
      rmSync(lock);
      return 'done';
    };
    expect(await withLock(lock, work)).toBe('done');
  });

  it('leaves no open file', async () => {
    const lock = freshLock();
    const nextDescriptor = () => {
      const descriptor = openSync(`${lock}.other`, 'w');
      closeSync(descriptor);
      return descriptor;
    };
    const before = nextDescriptor();
    await withLock(lock, () => 'done');
    expect(nextDescriptor()).toBe(before);
  });

  it.each([
    ['leaves no lock that it could not write its ID to', () => {}],
    ['reports that it could not write its ID where the lock is gone by then', rmSync],
  ])('%s', async (_, meanwhile: (lock: string) => void) => {
    const lock = freshLock();
    const write = vi.spyOn(fs, 'writeSync').mockImplementation(() => {
      meanwhile(lock);
      throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    });
    onTestFinished(() => {
      write.mockRestore();
      syncBuiltinESMExports();
    });
    syncBuiltinESMExports();
    expect(await failureOf(withLock(lock, () => 'done'))).toMatchObject({
      code: 'profiles_unwritable',
      message: expect.stringContaining(lock),
    });
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

  const refused = async (lock: string, owner: string) => {
    writeFileSync(lock, owner);
    const started = performance.now();
    const error = await failureOf(withLock(lock, () => 'done', 100));
    expect(performance.now() - started).toBeGreaterThanOrEqual(100);
    expect(error).toBeInstanceOf(UsageError);
    expect(readFileSync(lock, 'utf8')).toBe(owner);
    return error;
  };

  it('says to wait where the owner still runs, and never to remove its lock', async () => {
    for (const id of [process.pid, process.ppid, 1]) {
      expect(await refused(freshLock(), String(id))).toMatchObject({
        code: 'profiles_locked',
        message: `Another payctl (process ${id}) is changing the profiles`,
        hint: 'Nothing was changed. Wait until it finishes, then run the command again.',
      });
    }
  });

  it('says which process was killed, and how to remove its lock', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    const lock = freshLock();
    expect(await refused(lock, String(pid))).toMatchObject({
      code: 'profiles_locked',
      message: `Another payctl (process ${pid}) is changing the profiles`,
      hint: `No process ${pid} exists on this machine any more. If no other machine uses this directory, remove its lock: rm ${lock}`,
    });
  });

  it('takes the owner of a lock from before the start of the machine for killed, whoever has its ID now', async () => {
    const lock = freshLock();
    const before = new Date(Date.now() - uptime() * 1000 - 60_000);
    writeFileSync(lock, String(process.pid));
    utimesSync(lock, before, before);
    const error = await failureOf(withLock(lock, () => 'done', 20));
    expect(error).toMatchObject({
      hint: expect.stringContaining(`exists on this machine any more. If no other machine uses`),
    });
  });

  it.each(['', '\u001b[2J', '0', '-1', '12345678901', 'x1', '1x', '01'])(
    'names no process for the lock of one that wrote %j',
    async (owner) => {
      const lock = freshLock();
      expect(await refused(lock, owner)).toMatchObject({
        message: 'Another payctl is changing the profiles',
        hint: `Its lock names no process. When no payctl is running on any machine that uses this directory, remove it: rm ${lock}`,
      });
    },
  );

  it('waits as long as the lock goes from one owner to the next', async () => {
    const lock = freshLock();
    let owners = 0;
    const pass = () => {
      rmSync(lock, { force: true });
      owners += 1;
      if (owners <= 12) writeFileSync(lock, '1');
      else clearInterval(timer);
    };
    writeFileSync(lock, '1');
    const timer = setInterval(pass, 40);
    expect(await withLock(lock, () => owners, 200)).toBe(13);
  });

  it('has patience with each owner, also where the next one comes when that with the last one ends', async () => {
    const lock = freshLock();
    writeFileSync(lock, '1');
    let looks = 0;
    const random = vi.spyOn(Math, 'random').mockImplementation(() => {
      looks += 1;
      rmSync(lock);
      if (looks === 1) writeFileSync(lock, '12');
      return 0;
    });
    onTestFinished(() => random.mockRestore());
    expect(await withLock(lock, () => looks, 0)).toBe(2);
  });

  it.each([
    ['to 25 ms for one owner', 1, 5],
    ['to 45 ms after two of them', 2, 1 + 3],
  ])('looks again after up %s', async (_, owners, pauses) => {
    const lock = freshLock();
    writeFileSync(lock, '1');
    let seen = 0;
    const random = vi.spyOn(Math, 'random').mockImplementation(() => {
      seen += 1;
      if (seen < owners) {
        rmSync(lock);
        writeFileSync(lock, '12');
      }
      return 1;
    });
    onTestFinished(() => random.mockRestore());
    expect(await failureOf(withLock(lock, () => 'done', 110))).toMatchObject({ code: 'profiles_locked' });
    expect(seen).toBe(pauses);
  });

  it('takes the owner of another user, whose process it may not signal, for running', async () => {
    const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
      throw Object.assign(new Error('not permitted'), { code: 'EPERM' });
    });
    onTestFinished(() => kill.mockRestore());
    expect(await refused(freshLock(), '4194304')).toMatchObject({
      hint: 'Nothing was changed. Wait until it finishes, then run the command again.',
    });
  });

  it('does not count the time in which the machine lets nobody run', async () => {
    const lock = freshLock();
    writeFileSync(lock, '1');
    const work = withLock(lock, () => 'done', 100);
    setTimeout(() => rmSync(lock), 40);
    const end = performance.now() + 300;
    while (performance.now() < end);
    expect(await work).toBe('done');
  });

  it('names no process for a lock that is no file', async () => {
    const lock = freshLock();
    mkdirSync(lock);
    expect(await failureOf(withLock(lock, () => 'done', 10))).toMatchObject({
      code: 'profiles_locked',
      message: 'Another payctl is changing the profiles',
    });
  });

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
