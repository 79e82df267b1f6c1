import { join } from 'node:path';
import { UsageError } from '../../errors.ts';
import { type HeldLock, lockAlone } from '../../files/kernel-lock.ts';
import { makeDirectory } from '../../files/make-directory.ts';
import { windowsNameProblem } from '../../files/windows-name.ts';
import { quote } from '../../text/format.ts';
import { shellQuote } from '../../text/shell.ts';
import { isCopy, isWhole, LOCK_FILE, manifestProblem } from './manifest.ts';
import { CopyState, hasOnlyState, isCopyBegun, readHolder, stateError } from './state.ts';

/** A copy that this process alone may change. */
export type OpenCopy = { readonly state: CopyState; close(): void };

/**
 * Opens the state of the copy in a directory, which is made if `isNew`, and locks it.
 * @throws UsageError `copy_in_use`, `newer_version`, `not_empty`, `file_unwritable`
 */
export function openCopy(directory: string, { isNew }: { readonly isNew: boolean }): OpenCopy {
  let lock: HeldLock | undefined;
  try {
    if (isNew) {
      const problem = windowsNameProblem(directory);
      if (problem !== undefined) throw new Error(problem);
      makeDirectory(directory);
      requireEmpty(directory);
    }
    // A run writes the manifest as this version does.
    const problem = isNew ? undefined : manifestProblem(directory);
    if (problem?.code === 'newer_version') throw problem;
    lock = lockOf(directory);
    const state = new CopyState(directory);
    state.claim();
    const held = lock;
    return {
      state,
      close() {
        state.close();
        held.release();
      },
    };
  } catch (error) {
    lock?.release();
    throw error instanceof UsageError ? error : stateError(directory, error);
  }
}

function requireEmpty(directory: string): void {
  const holdsCopy = isCopy(directory);
  if (holdsCopy) lockOf(directory).release();
  // An export that was killed before it had begun leaves an empty state.
  const isBegun = holdsCopy && isCopyBegun(directory);
  if (!isBegun && hasOnlyState(directory)) return;
  throw new UsageError('not_empty', `The directory ${quote(directory)} is not empty`, {
    hint: isBegun
      ? isWhole(directory)
        ? `It holds an export. To bring it up to date: payctl sync --to ${shellQuote(directory)}`
        : `Choose another directory, or continue the export that it holds: payctl export --resume ${shellQuote(directory)}`
      : 'Choose another directory.',
  });
}

/** @throws UsageError `copy_in_use` */
function lockOf(directory: string): HeldLock {
  const lock = lockAlone(join(directory, LOCK_FILE));
  if (lock === undefined) throw inUse(directory);
  return lock;
}

function inUse(directory: string): UsageError {
  const holder = readHolder(directory);
  const who = holder ? ` (process ${holder.process} on ${holder.host}, since ${holder.since})` : '';
  return new UsageError('copy_in_use', `Another payctl${who} is writing to ${quote(directory)}`, {
    hint: 'Wait until it ends.',
  });
}
