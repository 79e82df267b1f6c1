import { dirname, join, resolve } from 'node:path';
import { UsageError } from '../../../errors.ts';
import { fileErrorCode } from '../../../files/file-error.ts';
import { unwritable as unwritableFile } from '../../../files/output-file.ts';
import { makePrivateDirectory, replaceFile, unwritable } from '../../../files/private-files.ts';
import { LIMITS, readRegularFile } from '../../../files/read-file.ts';
import { isObject } from '../../../json/is-object.ts';
import { shellQuote } from '../../../text/shell.ts';
import { firstLine, notOfPlan } from '../journal.ts';
import type { Plan, PlanHeader } from '../plan-file.ts';

const {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} = process.getBuiltinModule('node:fs');

const DAY = 86_400_000;
/** How long a record is kept, in milliseconds. The plan itself can be applied for a day. */
const KEPT = 400 * DAY;
/** More bytes than the first line of a journal has. */
const LONGEST_HEADER = 4096;
/** The modification time of this file is when old records were last removed. */
const CLEANED = 'cleaned';

/** A plan that is about to be applied. */
export type Applying = Omit<Plan, 'header'> & {
  readonly header: Pick<PlanHeader, 'profile' | 'origin'>;
};

type Places = {
  /** Path of the journal of this run. */
  readonly journal: string;
  /** payctl's data directory. */
  readonly directory: string;
};

/**
 * Refuses a plan that was already applied with another journal, because rows that are done would be sent again. Writes nothing.
 * @throws UsageError `plan_applied`, `journal_unreadable`
 */
export function requireNotApplied(plan: Applying, { journal, directory }: Places): void {
  examine(plan, resolve(journal), join(directory, 'applied'));
}

/**
 * Like `requireNotApplied`, and records that the plan is applied with this journal. If several processes start copies at the same time, only
 * one continues. Call it before the journal is opened. When it returns, the record and the first line of the journal are on the disk.
 * @throws UsageError `plan_applied`, `journal_unreadable`, `profiles_unwritable`, `file_unwritable` for the journal
 */
export function claimPlan(
  plan: Applying,
  { journal: given, directory, now }: Places & { readonly now: Date },
): void {
  const journal = resolve(given);
  const folder = join(directory, 'applied');
  makePrivateDirectory(folder);
  const { next, isRecorded } = examine(plan, journal, folder);
  if (isRecorded) return;
  const isNew = !existsSync(journal);
  try {
    if (isNew) makeJournal(journal, plan, now);
    if (!makeRecord(next, { plan, journal, now })) {
      const winner = readRecords(folder, plan).before ?? journal;
      if (isSameFile(winner, journal)) return;
      if (isNew) rmSync(journal, { force: true });
      throw applied(plan, winner);
    }
    removeOld(folder, now);
  } catch (error) {
    throw error instanceof UsageError ? error : unwritable(next, error);
  }
}

/** Whether a plan is recorded with this journal; if not, the path of its record. @throws UsageError as `requireNotApplied` */
function examine(plan: Applying, journal: string, folder: string) {
  const { before, next } = readRecords(folder, plan);
  if (before !== undefined && existsSync(before)) {
    if (!isSameFile(before, journal)) throw applied(plan, before);
    // The first line was on the disk before the record, so a journal without it was emptied later.
    if (!isOfPlan(journal, plan)) throw emptied(plan, journal);
    return { next, isRecorded: true };
  }
  const size = statSync(journal, { throwIfNoEntry: false })?.size;
  // An empty file is not the journal that was moved.
  if (before !== undefined && !size) throw applied(plan, before);
  if (size && !isOfPlan(journal, plan)) throw notOfPlan(journal, plan);
  return { next, isRecorded: false };
}

/**
 * The journal in the newest record of a plan, and the path of the next record. A moved journal gets a new record instead of replacing the
 * old one, because only the creation of a file decides which of two runs continues.
 */
function readRecords(folder: string, { hash, path }: Applying): { before: string | undefined; next: string } {
  let before: string | undefined;
  for (let count = 0; ; count += 1) {
    const next = join(folder, `${hash}${count === 0 ? '' : `.${count}`}.json`);
    if (!existsSync(next)) return { before, next };
    before = journalIn(next, path);
  }
}

function journalIn(record: string, plan: string): string {
  try {
    const value: unknown = JSON.parse(readRegularFile(record, LIMITS.record));
    if (isObject(value) && typeof value.journal === 'string') return value.journal;
  } catch {
    // A damaged record is handled like one without a journal.
  }
  throw new UsageError(
    'plan_applied',
    `${plan} was already applied, but ${record} does not name its journal`,
    {
      hint: 'The file is damaged. Make a new plan for the remaining rows.',
    },
  );
}

function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}

/** Whether the first line of a journal names the plan. */
function isOfPlan(journal: string, { hash }: Applying): boolean {
  const start = Buffer.alloc(LONGEST_HEADER);
  const descriptor = openSync(journal, 'r');
  try {
    const length = readSync(descriptor, start, 0, start.length, 0);
    const [line = ''] = start.subarray(0, length).toString().split('\n', 1);
    const value: unknown = JSON.parse(line);
    return isObject(value) && value.plan === hash;
  } catch {
    return false;
  } finally {
    closeSync(descriptor);
  }
}

/** Creates a journal with its first line. Another process may do so at the same time. */
function makeJournal(path: string, { hash }: Applying, now: Date): void {
  const { O_WRONLY, O_CREAT, O_NOFOLLOW = 0 } = constants;
  try {
    const descriptor = openSync(path, O_WRONLY | O_CREAT | O_NOFOLLOW, 0o600);
    try {
      // Two processes may write it at the same time; both write the same number of bytes.
      writeSync(descriptor, firstLine(hash, now));
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    syncFolder(dirname(path));
  } catch (error) {
    throw unwritableFile(UsageError, path, error);
  }
}

/** Creates a record in one step; false if another run has created it. */
function makeRecord(
  path: string,
  { plan, journal, now }: { readonly plan: Applying; readonly journal: string; readonly now: Date },
): boolean {
  const { profile, origin } = plan.header;
  const draft = `${path}.${process.pid}.${crypto.randomUUID()}.new`;
  replaceFile(draft, `${JSON.stringify({ journal, profile, origin, started_at: now.toISOString() })}\n`);
  try {
    linkSync(draft, path);
    syncFolder(dirname(path));
    return true;
  } catch (error) {
    if (fileErrorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Writes the entries of a folder to the disk; Windows does that by itself. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Removes old records, once a day. */
function removeOld(folder: string, now: Date): void {
  const cleaned = join(folder, CLEANED);
  const ageOf = (path: string) => {
    return now.getTime() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY);
  };
  if (ageOf(cleaned) < DAY) return;
  replaceFile(cleaned, '');
  utimesSync(cleaned, now, now);
  for (const path of readdirSync(folder).map((name) => join(folder, name))) {
    if (Number.isFinite(ageOf(path)) && ageOf(path) > KEPT) rmSync(path, { force: true });
  }
}

function emptied({ path }: Applying, journal: string): UsageError {
  return new UsageError(
    'plan_applied',
    `${path} was already applied, but the first line of its journal ${journal} is missing or damaged`,
    { hint: 'Restore the journal: without it, rows that are done would be sent again.' },
  );
}

function applied({ path }: Applying, journal: string): UsageError {
  const problem = existsSync(journal)
    ? `${path} is a copy of a plan that was already applied: its journal is ${journal}`
    : `${path} was already applied, but its journal ${journal} no longer exists`;
  const hint = existsSync(journal)
    ? `To continue with that journal: payctl bulk apply ${shellQuote(path)} --journal ${shellQuote(journal)}`
    : `Without the journal, rows that are done would be sent again. If you moved it: payctl bulk apply ${shellQuote(path)} --journal FILE`;
  return new UsageError('plan_applied', problem, { hint });
}
