import { existsSync } from 'node:fs';
import type { OutputFlagValues } from '../../../cli/flags/list.ts';
import type { FlagValues } from '../../../cli/flags/types.ts';
import { readOnce } from '../../../cli/money/record.ts';
import type { Runtime } from '../../../cli/runtime.ts';
import { destinationOf } from '../../../cli/session/destination.ts';
import type { Session } from '../../../cli/session/session.ts';
import type { Display } from '../../../cli/show/display.ts';
import { showRecords } from '../../../cli/show/show-document.ts';
import type { Profile } from '../../../config/profile.ts';
import { UsageError } from '../../../errors.ts';
import { stringifyExactJson } from '../../../json/exact.ts';
import { forTerminal } from '../../../output/for-terminal.ts';
import { sanitizeText } from '../../../output/sanitize.ts';
import { plural, quote } from '../../../text/format.ts';
import { shellQuote } from '../../../text/shell.ts';
import { csvRecord, type LineFile, openLineFile } from '../csv-file.ts';
import { commandFor, profilesWith } from '../destination.ts';
import { journalPath, requireNoJournals } from '../journal.ts';
import { readTotalFlags, totalLimitsOf } from '../money-totals.ts';
import { openPlanWriter, type Plan, readPlan } from '../plan-file.ts';
import { openRecordReader } from '../read-records.ts';
import { requireApart } from '../require-apart.ts';
import type { InputRow } from '../table/input-row.ts';
import { openRows } from '../table/read-rows.ts';
import type { Target } from '../target.ts';
import { inputOf, type Problem, type RowRules } from './check-row.ts';
import { Columns } from './columns.ts';
import { type Expectations, makePlan } from './make-plan.ts';
import { type checkFlags, columnOptions, missingFlag, type RowFlagValues, shownBy } from './plan-flags.ts';

/** What a plan is made with. */
export type PlanRun = {
  readonly target: Target;
  readonly session: Session;
  readonly runtime: Runtime;
  readonly flags: RowFlagValues &
    FlagValues<typeof checkFlags> &
    OutputFlagValues & {
      readonly out: string;
      readonly overwrite?: boolean | undefined;
      readonly concurrency?: number | undefined;
    };
};

/** The most rows that are listed; all are counted. */
const MOST_LISTED = 1000;

/**
 * Checks the rows of an input and writes a plan of them. Where rows are bad, they are listed on stdout.
 * @throws UsageError as `makePlan` and `openRows`; `same_file`; `bad_rows` once they are listed
 */
export async function runPlan({ target, session, runtime, flags }: PlanRun): Promise<Plan> {
  const { settings, display, signal } = session;
  const { from } = flags;
  if (from === undefined) throw missingFlag('from');
  requireApart([
    ['--from', from],
    ['--out', flags.out],
    ['the journal', journalPath(flags.out)],
    ['--refused', flags.refused],
  ]);
  await requireUnapplied(flags.out, flags.overwrite === true);
  requireNoJournals([flags.out, flags.refused]);
  const options = columnOptions(flags);
  const place = destinationOf(settings);
  const expectations = expectationsOf(flags, profilesWith(settings, place.origin, 'maxTotals'));
  const source = await openRows(from, {
    stdin: () => runtime.streamStdin(),
    signal,
    ignored: [...options.ignored],
  });
  const columns = new Columns(target, options);
  if (source.columns) columns.requireKnown(source.columns);
  const rules: RowRules = {
    target,
    columns,
    names: source.columns ? [...source.columns] : [],
    allowsDuplicates: flags['allow-duplicates'] === true,
    takesMajor: flags.amounts === 'major',
    read: flags['no-preflight'] ? undefined : readOnce(await openRecordReader(session, runtime)).read,
    limited: profilesWith(settings, place.origin, 'maxAmounts'),
    hasTotals: expectations.totals.length + expectations.limits.length > 0,
  };
  const listed: Problem[] = [];
  let refused: LineFile | undefined;
  let bad = 0;
  // Rows of which nobody knows the cells.
  let unread = 0;
  let mayBeMajor = false;
  const onBad = (key: string, input: InputRow | undefined, problems: readonly Problem[]) => {
    bad += 1;
    mayBeMajor ||= problems.some((one) => one.mayBeMajor);
    if (listed.length < MOST_LISTED) listed.push(...problems);
    if (input) refused?.add(refusedLine(key, input));
    else unread += 1;
  };
  const isKey = (name: string) => columns.find(name)?.use === 'key';
  const names = rules.names.filter((name) => !isKey(name));
  // The rows of a table have its columns. Those of JSON are known only at its end, and a member such as "metadata.order" is read as one of an object.
  const refusedLine = (key: string, input: InputRow) =>
    source.columns
      ? csvRecord([key, ...inputOf(input, names)])
      : `${stringifyExactJson({ row_key: key, ...Object.fromEntries(membersOf(input)) })}\n`;
  const membersOf = ({ columns: own, values }: InputRow) =>
    own.flatMap((name, index) => (isKey(name) ? [] : [[name, values[index]] as const]));
  warnOfReplaced(source.columns ?? [], { target, columns, warn: display.warn });
  const writer = await openPlanWriter(flags.out, { overwrite: flags.overwrite === true });
  try {
    if (flags.refused !== undefined) {
      refused = await openLineFile(flags.refused, { overwrite: flags.overwrite === true });
      if (source.columns) refused.add(csvRecord(['row_key', ...names]));
    }
    let rows = 0;
    display.progress.start(() => `${plural(rows + bad, 'row')} checked${bad > 0 ? `, ${bad} invalid` : ''}`);
    const planned = await makePlan({
      rules,
      source,
      writer,
      place,
      concurrency: flags.concurrency ?? 8,
      acceptsValid: flags['accept-valid'] === true,
      expectations,
      now: new Date(),
      signal,
      onBad,
      onRow: (count) => {
        rows = count;
      },
    });
    await display.progress.stop();
    const { unreadFrom } = planned;
    const rest = unreadFrom === undefined ? plural(unread, 'row') : `the rest from line ${unreadFrom} on`;
    if (refused && unread > 0)
      display.warn('row_left_out', `${flags.refused} lacks what could not be read: ${rest}`);
    if (planned.bad > 0)
      await listBad({ listed, bad: planned.bad, isPlanned: planned.plan !== undefined }, { session, flags });
    const isSaved = refused !== undefined;
    refused?.close();
    refused = undefined;
    if (isSaved) display.info(`${plural(bad - unread, 'invalid row')} written to ${flags.refused}`);
    if (!planned.plan)
      throw unreadFrom === undefined
        ? badRows(planned.bad, { good: rows, mayBeMajor, isSaved })
        : unreadRest(unreadFrom);
    const { header } = planned.plan;
    const { firstOpen } = planned;
    if (firstOpen !== undefined && header.rows_without_amount < header.rows) {
      const open = plural(header.rows_without_amount, 'row');
      const message = `${open} of ${header.rows} without an amount, the first on line ${firstOpen}: all that is left of the record is moved.`;
      display.warn('rows_without_amount', message, { rows: header.rows_without_amount, line: firstOpen });
    }
    const line = source.unendedLine();
    if (line !== undefined) {
      const message = `The last line of the table (${line}) has no line end, so it may have been cut off. Compare it with the source.`;
      display.warn('line_not_ended', message, { line });
    }
    return { path: flags.out, ...planned.plan };
  } finally {
    writer.discard();
    refused?.close();
  }
}

/** A PUT replaces a whole field, also where a column sets a part of it. */
function warnOfReplaced(
  names: readonly string[],
  { target, columns, warn }: Pick<RowRules, 'target' | 'columns'> & { readonly warn: Display['warn'] },
): void {
  if (target.operation.method !== 'PUT') return;
  const parts = names.filter((name) => name.includes('.') && columns.find(name)?.use === 'target');
  for (const field of new Set(parts.map((name) => name.split('.')[0]))) {
    warn(
      'field_replaced',
      `Columns such as ${field}.NAME replace the whole field ${field}: what a record has in it besides is removed.`,
    );
  }
}

/**
 * A plan with a journal is needed to continue it, and to know what was sent. One without, such as that of a `bulk run` that was not confirmed, can
 * be applied or replaced.
 * @throws UsageError `plan_applied`, `file_exists`
 */
async function requireUnapplied(path: string, overwrite: boolean): Promise<void> {
  const isApplied = existsSync(journalPath(path));
  if (!isApplied && (overwrite || !existsSync(path))) return;
  const plan = await readPlan(path).catch(() => undefined);
  const apply = plan ? commandFor('apply', plan) : `payctl bulk apply ${shellQuote(path)}`;
  if (!isApplied) {
    // Any other file is refused where it is opened.
    if (!plan) return;
    throw new UsageError('file_exists', `${quote(path)} is a plan that was not applied`, {
      hint: `To send it: ${apply}. To replace it, add --overwrite`,
    });
  }
  throw new UsageError('plan_applied', `${quote(path)} has already been applied: its journal is next to it`, {
    hint: `Use another file for --out. To continue this plan: ${apply}`,
  });
}

type Bad = { readonly listed: readonly Problem[]; readonly bad: number; readonly isPlanned: boolean };

/** Lists the problems: on stderr if a plan is written, else on stdout. */
async function listBad(
  { listed, bad, isPlanned }: Bad,
  { session: { display }, flags }: Pick<PlanRun, 'session' | 'flags'>,
): Promise<void> {
  const isRead = display.format.isForPeople && display.stdoutTerminal.isTerminal;
  if (!isPlanned && isRead && flags.jq === undefined && !flags.columns) {
    display.page();
    for (const one of listed)
      await display.stdout.write(`${forTerminal(problemText(one), display.stdout)}\n`);
    return;
  }
  if (!isPlanned) {
    const records = listed.map(({ line, column = null, code, message }) => ({ line, column, code, message }));
    return await showRecords(display, records, { flags: shownBy(flags), columns: PROBLEM_COLUMNS });
  }
  for (const one of listed.slice(0, MOST_NAMED)) {
    const { line, column = null, code } = one;
    display.warn('row_left_out', problemText(one), { line, column, problem: code });
  }
  if (bad > MOST_NAMED)
    display.warn('row_left_out', `${plural(bad, 'row')} were left out in total.`, { rows: bad });
}

/** What is wrong, for people: a reason is too long for a column of a table. */
function problemText({ line, column, message }: Problem): string {
  const where = column === undefined ? `Line ${line}` : `Line ${line}, column ${column}`;
  return sanitizeText(`${where}: ${message}`);
}

const MOST_NAMED = 20;

/** The table of invalid rows. */
const PROBLEM_COLUMNS = [
  { header: 'LINE', path: 'line' },
  { header: 'COLUMN', path: 'column' },
  { header: 'CODE', path: 'code' },
  { header: 'REASON', path: 'message' },
];

type BadRows = { readonly good: number; readonly mayBeMajor: boolean; readonly isSaved: boolean };

function badRows(bad: number, { good, mayBeMajor, isSaved }: BadRows): UsageError {
  const major = mayBeMajor
    ? "To read amounts such as 5.00 in the major unit of their row's currency, add --amounts major. "
    : '';
  const save = isSaved ? '' : ' To save the invalid rows, add --refused FILE.';
  const correct =
    good === 0
      ? 'Correct the rows.'
      : `Correct the rows, or add --accept-valid to plan the ${plural(good, 'valid row')}.${save}`;
  const hint = `${major}${correct}`;
  const are = bad === 1 ? 'is' : 'are';
  return new UsageError('bad_rows', `${plural(bad, 'row')} ${are} invalid; no plan was written`, { hint });
}

function unreadRest(line: number): UsageError {
  const where = line === 1 ? '' : ` from line ${line} on`;
  return new UsageError('bad_rows', `The table cannot be read${where}; no plan was written`, {
    hint: 'Correct the file. --accept-valid leaves out single rows, and not the rest of a file.',
  });
}

function expectationsOf(flags: RowFlagValues, limited: readonly Profile[]): Expectations {
  const most = readTotalFlags('--max-total', flags['max-total']);
  const byFlag = most.length === 0 ? [] : [{ by: '--max-total', most }];
  return {
    rows: flags['expect-rows'],
    totals: readTotalFlags('--expect-total', flags['expect-total']),
    limits: [...byFlag, ...totalLimitsOf(limited)],
  };
}
