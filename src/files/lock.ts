import { statSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { UsageError } from '../errors.ts';
import { type HeldLock, lockAlone } from './kernel-lock.ts';
import { unwritable } from './private-files.ts';

const DEFAULT_TIMEOUT_MS = 10_000;

/**
 * Runs `work`, which must be synchronous, while this process holds the lock of a file; see `lockAlone`. Waits as long as the lock
 * goes from one owner to the next.
 * @throws UsageError `profiles_locked` after ten seconds of one owner, `profiles_unwritable`, and what the work throws.
 */
export async function withLock<T>(path: string, work: () => T, timeoutMs = DEFAULT_TIMEOUT_MS): Promise<T> {
  const lock = await acquire(path, timeoutMs);
  try {
    return work();
  } finally {
    lock.release();
  }
}

async function acquire(path: string, timeoutMs: number): Promise<HeldLock> {
  let held: string | undefined;
  let owners = 0;
  let waited = 0;
  for (;;) {
    const lock = tryToAcquire(path);
    if (lock) return lock;
    const now = identityOf(path);
    if (now === held && waited > timeoutMs) throw locked();
    if (now !== held) {
      held = now;
      owners += 1;
      waited = 0;
    }
    waited += await pause(owners);
  }
}

function tryToAcquire(path: string): HeldLock | undefined {
  try {
    return lockAlone(path);
  } catch (error) {
    throw unwritable(path, error);
  }
}

/**
 * Waits for some milliseconds, longer if many others wait, and returns the intended time. A busy machine makes the wait longer, as it
 * does the work of the owner; that does not count.
 */
async function pause(owners: number): Promise<number> {
  const meant = 5 + Math.random() * Math.min(20 * owners, MOST_PAUSE_MS);
  const before = performance.now();
  await wait(meant);
  return Math.min(meant, performance.now() - before);
}

const MOST_PAUSE_MS = 200;

/** Identifies a lock among those before and after it, which have files of their own; undefined if there is none by now. */
function identityOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.ino} ${stats.ctimeNs}`;
}

function locked(): UsageError {
  return new UsageError('profiles_locked', 'Another payctl is changing the profiles', {
    hint: 'Nothing was changed. Wait until it finishes, then run the command again.',
  });
}
