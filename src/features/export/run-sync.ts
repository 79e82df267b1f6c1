import { rm } from 'node:fs/promises';
import type { FlagValues } from '../../cli/flags/types.ts';
import { destinationOf } from '../../cli/session/destination.ts';
import type { Session } from '../../cli/session/session.ts';
import { timeFilterOf } from '../../descriptions/time-filters.ts';
import { UsageError } from '../../errors.ts';
import { plural, quote } from '../../text/format.ts';
import { compactList } from './compact.ts';
import { type Counts, nextSync } from './copy-list.ts';
import { copyLists, type ListJob, type ListResult } from './copy-lists.ts';
import type { readingFlags } from './export-flags.ts';
import { finishCopy, finishLists } from './finish-copy.ts';
import { type CopySettings, incomplete, type ListEntry, manifestProblem } from './manifest.ts';
import { openCopy } from './open-copy.ts';
import { requireSame, requireSameReading } from './run-export.ts';
import { type CopyState, type ListState, stateWriteError } from './state.ts';
import { type CopyTarget, queryFrom } from './target.ts';

/** What the flags of `sync` parse to. */
export type SyncFlagValues = FlagValues<typeof readingFlags> & {
  readonly full?: boolean | undefined;
  readonly compact?: boolean | undefined;
};

/** What is synced. */
export type SyncRun = {
  readonly session: Session;
  readonly version: string;
  readonly directory: string;
  readonly flags: SyncFlagValues;
  /** The time before the newest change of the copy from which changes are asked for, in milliseconds. */
  readonly overlapMs: number;
  readonly targets: readonly CopyTarget[];
  readonly settings: CopySettings;
};

/**
 * Adds to a copy what is new or changed since it was made or synced.
 * @throws IncompleteListError; UsageError `copy_incomplete`, `other_copy`, `not_in_copy`
 */
export async function runSync(run: SyncRun): Promise<readonly ListResult[]> {
  const { directory, session, targets, flags, settings } = run;
  const { profile, origin } = destinationOf(session.settings);
  const copy = openCopy(directory, { isNew: false });
  try {
    const { state } = copy;
    const lists = state.lists();
    const accounts = flags['merchant-account'];
    const unknown = accounts?.find((one) => !lists.some(({ entry }) => entry.merchant_account === one));
    if (unknown !== undefined) throw notInCopy(unknown, directory);
    const isChosen = ({ merchant_account: account }: ListEntry) =>
      accounts === undefined || (account !== null && accounts.includes(account));
    const jobs = targets.flatMap((target) => {
      const found = lists.flatMap((list) =>
        list.entry.resource === target.resource && isChosen(list.entry) ? [jobOf(list, target, run)] : [],
      );
      if (found.length === 0) throw notInCopy(target.resource, directory);
      return found;
    });
    requireSame(directory, settings, { ...settings, profile, origin });
    requireSameReading(directory, { settings, lists: lists.map(({ entry }) => entry) }, targets);
    warnOfDamagedManifest(session, directory);
    // A run that was killed may have recorded parts that the manifest does not know yet.
    await finishCopy({ ...run, state });
    const copied = await copyLists(jobs, { ...flags, session, directory, settings });
    for (const { entry, counts } of copied) {
      if (counts.withoutId > 0) warnOfRowsWithoutId(session, entry, counts.withoutId);
      if (counts.unsure > 0) warnOfUnsureRows(session, entry, counts.unsure);
      warnOfManyGone(session, entry, counts);
    }
    const results = await finishLists(copied, { ...run, state });
    if (flags.compact && results.every(({ error }) => error === undefined))
      await compact(
        jobs.map(({ list }) => list),
        state,
        run,
      );
    return results;
  } catch (error) {
    throw stateWriteError(directory, error);
  } finally {
    copy.close();
  }
}

/** Compacts lists of a copy that is whole: the manifest names the new files before the old ones are deleted. */
async function compact(lists: readonly ListState[], state: CopyState, run: SyncRun): Promise<void> {
  const { directory, settings, session } = run;
  const { progress, info } = session.display;
  const old: string[] = [];
  let made = 0;
  let resource = '';
  progress.start(() => `Rewriting ${resource}`);
  try {
    for (const list of lists) {
      ({ resource } = list.entry);
      const files = await compactList({ state: list, directory, settings, signal: session.signal });
      old.push(...(files ?? []));
      if (files) made += list.parts().length;
    }
  } finally {
    await progress.stop();
    if (old.length > 0) await finishCopy({ ...run, state });
    for (const file of old) await rm(file, { force: true });
  }
  info(
    old.length > 0
      ? `Compacted: ${plural(old.length, 'file')} became ${made}.`
      : 'Nothing to compact: no sync has added a file.',
  );
}

function jobOf(list: ListState, target: CopyTarget, { directory, flags, overlapMs }: SyncRun): ListJob {
  if (!list.entry.complete) throw incomplete(directory);
  const filter = flags.full ? undefined : timeFilterOf(target.operation, 'updated');
  const { changes_until: until } = list.entry;
  const since = filter && until !== null ? queryFrom(filter, Date.parse(until) - overlapMs) : undefined;
  return {
    list,
    target,
    pass: nextSync(list),
    query: { ...list.entry.request.query, ...since },
    readsAll: since === undefined,
  };
}

function warnOfRowsWithoutId(
  { display }: Session,
  { resource, id_path: path }: ListEntry,
  count: number,
): void {
  display.warn(
    'rows_without_id',
    `${plural(count, 'row')} of ${quote(resource)} ${count === 1 ? 'has' : 'have'} no ${quote(path)}. A sync cannot tell which of these are new, so it leaves them out. To have them, export to another directory.`,
    { resource, rows: count },
  );
}

function warnOfUnsureRows({ display }: Session, { resource, id_path: path }: ListEntry, count: number): void {
  const [were, they, them] = count === 1 ? ['was', 'it is', 'it'] : ['were', 'they are', 'them'];
  display.warn(
    'gone_unknown',
    `${plural(count, 'row')} of ${quote(resource)} ${were} not listed. payctl cannot tell whether ${they} gone, because rows came without ${quote(path)}, and keeps ${them}.`,
    { resource, rows: count },
  );
}

/** Fewer records may well be deleted in a day. */
const FEW_GONE = 10;

/** A service that fails may list fewer records than it has, and calls that the whole list. */
function warnOfManyGone({ display }: Session, { resource }: ListEntry, counts: Counts): void {
  const { gone } = counts;
  const known = gone + counts.changed + counts.unchanged;
  if (gone < FEW_GONE || gone * 2 <= known) return;
  display.warn(
    'many_gone',
    `${gone} of ${known} rows of ${quote(resource)} are gone from the service. If it still has them, sync again when it lists them.`,
    { resource, gone, rows: known },
  );
}

/** The state says the same, so a sync writes the manifest again. */
function warnOfDamagedManifest({ display }: Session, directory: string): void {
  const problem = manifestProblem(directory);
  if (problem?.code === 'manifest_damaged')
    display.warn('manifest_rewritten', `${problem.message}. It is written again.`);
}

function notInCopy(resource: string, directory: string): UsageError {
  return new UsageError('not_in_copy', `${quote(resource)} is not in ${quote(directory)}`, {
    hint: 'Name resources and merchant accounts that were exported to it, or none for all of them.',
  });
}
