import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { UsageError } from '../errors.ts';
import { shellQuote } from '../text/format.ts';
import { fileErrorCode } from './file-error.ts';
import { unwritable } from './private-files.ts';
import { LIMITS, readRegularFile } from './read-file.ts';

const DEFAULT_TIMEOUT_MS = 10_000;

/**
 * Runs `work` while holding a lock, a file that contains the process ID of its owner. The work must be synchronous, so that only
 * a killed process can leave the lock behind; such a lock is reported to the user, and payctl does not guess whether it is
 * stale.
 * @throws UsageError `profiles_locked` after ten seconds, `profiles_unwritable`, and what the work throws.
 */
export async function withLock<T>(path: string, work: () => T, timeoutMs = DEFAULT_TIMEOUT_MS): Promise<T> {
  await acquire(path, timeoutMs);
  try {
    return work();
  } finally {
    rmSync(path, { force: true });
  }
}

async function acquire(path: string, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!tryToAcquire(path)) {
    if (performance.now() > deadline) throw locked(path);
    await wait(5 + Math.random() * 20);
  }
}

function tryToAcquire(path: string): boolean {
  const descriptor = open(path);
  if (descriptor === undefined) return false;
  try {
    writeSync(descriptor, String(process.pid));
    return true;
  } catch (error) {
    rmSync(path, { force: true });
    throw unwritable(path, error);
  } finally {
    closeSync(descriptor);
  }
}

/** Undefined where there is a lock already. */
function open(path: string): number | undefined {
  try {
    return openSync(path, 'wx', 0o600);
  } catch (error) {
    if (fileErrorCode(error) === 'EEXIST') return undefined;
    throw unwritable(path, error);
  }
}

function locked(path: string): UsageError {
  return new UsageError('profiles_locked', `Another payctl${ownerOf(path)} is changing the profiles`, {
    hint: `If no other payctl is running, remove the stale lock: rm ${shellQuote(path)}`,
  });
}

/** Nothing where the lock is gone by now, or its owner was killed before it had written its name. */
function ownerOf(path: string): string {
  try {
    const owner = readRegularFile(path, LIMITS.record);
    return /^\d+$/.test(owner) ? ` (process ${owner})` : '';
  } catch {
    return '';
  }
}
