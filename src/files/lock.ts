import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { uptime } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { UsageError } from '../errors.ts';
import { removeCommand } from '../text/shell.ts';
import { fileErrorCode } from './file-error.ts';
import { unwritable } from './private-files.ts';
import { LIMITS, readRegularFile } from './read-file.ts';

const DEFAULT_TIMEOUT_MS = 10_000;

/**
 * Runs `work` while holding a lock, a file that contains the process ID of its owner. The work must be synchronous, so that only
 * a killed process can leave the lock behind; such a lock is reported to the user, and payctl does not guess whether it is
 * stale. Waits as long as the lock goes from one owner to the next.
 * @throws UsageError `profiles_locked` after ten seconds of one owner, `profiles_unwritable`, and what the work throws.
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
  let held: string | undefined;
  let owners = 0;
  let waited = 0;
  while (!tryToAcquire(path)) {
    const now = identityOf(path);
    if (now === held && waited > timeoutMs) throw locked(path);
    if (now !== held) {
      held = now;
      owners += 1;
      waited = 0;
    }
    waited += await pause(owners);
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

/** Identifies a lock among those before and after it; undefined if there is none by now. */
function identityOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.ino} ${stats.ctimeNs}`;
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
  const owner = ownerOf(path);
  const named = owner === undefined ? '' : ` (process ${owner})`;
  return new UsageError('profiles_locked', `Another payctl${named} is changing the profiles`, {
    hint: hintFor(path, owner),
  });
}

/** Advises to remove only a lock whose owner, as far as this machine can tell, has ended. */
function hintFor(path: string, owner: number | undefined): string {
  if (owner === undefined)
    return `Its lock names no process. When no payctl is running on any machine that uses this directory, remove it: ${removeCommand(path)}`;
  if (isGone(path, owner))
    return `No process ${owner} exists on this machine any more. If no other machine uses this directory, remove its lock: ${removeCommand(path)}`;
  return 'Nothing was changed. Wait until it finishes, then run the command again.';
}

/** Undefined where the lock is gone by now, or its owner was stopped before it had written its ID. */
function ownerOf(path: string): number | undefined {
  try {
    const owner = readRegularFile(path, LIMITS.record);
    return /^[1-9]\d{0,9}$/.test(owner) ? Number(owner) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the owner of a lock has certainly ended, if it ran on this machine. Since a restart, its ID may be that of another process. */
function isGone(path: string, owner: number): boolean {
  const written = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
  return written < Date.now() - uptime() * 1000 || !isRunning(owner);
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return fileErrorCode(error) !== 'ESRCH';
  }
}
