import { EXIT } from '../../../cli/failure/exit-code.ts';
import { dataDirectory } from '../../../config/environment.ts';
import { parseDuration } from '../../../config/values.ts';
import { UsageError } from '../../../errors.ts';
import { plural, quote } from '../../../text/format.ts';
import type { ApplyRun } from '../apply/run-apply.ts';
import { commandFor, requireDestination } from '../destination.ts';
import { type Journal, journalPath, openJournal, type RowStates, readStates } from '../journal.ts';
import { type Plan, type PlanRow, planRows } from '../plan-file.ts';
import { openRecordReader } from '../read-records.ts';
import { stateRecord, statesShown } from '../summary.ts';
import type { Finding } from './find-in-records.ts';
import { listBeside } from './list-beside.ts';
import { reconcileRows } from './reconcile.ts';

/** What a plan is reconciled with. */
export type ReconcileRun = Omit<ApplyRun, 'flags'> & {
  readonly flags: {
    readonly journal?: string | undefined;
    readonly settle?: string | undefined;
    /** What a person found out: `KEY=done` or `KEY=failed`. */
    readonly row?: readonly string[] | undefined;
  };
};

/** How many unknown rows are named. */
const MOST_NAMED = 20;

/**
 * Finds out which unknown rows of a plan were carried out, and warns about those that stay unknown.
 * @throws UsageError `other_destination`, `other_description`, `plan_in_use`, `journal_unreadable`; and as `reconcileRows` and `mark`
 */
export async function runReconcile(run: ReconcileRun) {
  const { plan, target, session, runtime, flags } = run;
  requireDestination(plan, session.settings, target.description);
  const path = flags.journal ?? journalPath(plan.path);
  const found = { done: 0, failed: 0, unknown: 0 };
  let states = await readStates(path, plan);
  // Without unknown rows, no journal is created.
  if (flags.row || unknownIn(states) > 0) {
    const journal = await openJournal(path, plan, dataDirectory(runtime.environment));
    try {
      states = journal.states;
      if (flags.row) await mark(flags.row, { plan, journal }, found);
      else await ask(run, journal, found);
    } finally {
      await journal.close();
    }
  }
  if (found.failed > 0) {
    const rows = found.failed === 1 ? '1 row was' : `${found.failed} rows were`;
    session.display.info(`${rows} not carried out. To send the remaining rows: ${commandFor('apply', plan)}`);
  }
  const record = {
    ...(await stateRecord(plan, states, path)),
    found_done: found.done,
    found_not_carried_out: found.failed,
  };
  return { record, code: unknownIn(states) > 0 ? EXIT.noResponse : EXIT.done };
}

function unknownIn(states: RowStates): number {
  return statesShown(states).unknown;
}

/**
 * Records what a person found out about rows. All of them are recorded, or none.
 * @throws UsageError `bad_flag`; `not_unknown` for a row of which it is known what became of it
 */
async function mark(
  texts: readonly string[],
  { plan, journal }: { readonly plan: Plan; readonly journal: Journal },
  found: Record<Finding['state'], number>,
): Promise<void> {
  const wanted = new Map<string, 'done' | 'failed'>();
  for (const text of texts) {
    const [, key, state] = /^(.+)=(done|failed)$/s.exec(text) ?? [];
    if (key === undefined || wanted.has(key))
      throw new UsageError(
        'bad_flag',
        `--row must be KEY=done or KEY=failed, once for each row, not ${quote(text)}`,
      );
    wanted.set(key, state === 'done' ? 'done' : 'failed');
  }
  const rows: PlanRow[] = [];
  for await (const row of planRows(plan.path)) if (wanted.has(row.key)) rows.push(row);
  const keys = rows.map(({ key }) => key);
  for (const key of wanted.keys()) {
    const count = keys.filter((one) => one === key).length;
    if (count === 1) continue;
    const has = count === 0 ? 'has no row' : `has ${count} rows`;
    throw new UsageError('bad_flag', `${quote(plan.path)} ${has} with the key ${quote(key)}`, {
      hint: `To list the keys: ${commandFor('rows', plan)} --state unknown`,
    });
  }
  for (const { row, key } of rows) {
    const state = journal.states.of(row);
    if (state === 'unknown' || state === 'sending') continue;
    throw new UsageError(
      'not_unknown',
      `The row ${quote(key)} is ${state}, and only unknown rows can be set`,
    );
  }
  for (const { row, key } of rows) {
    const state = wanted.get(key) ?? 'failed';
    await journal.add({ row, state, at: new Date().toISOString(), ...PERSON[state], by: 'person' });
    found[state] += 1;
  }
}

const PERSON = {
  done: {},
  failed: { code: 'not_carried_out', message: 'Somebody found out that the row was not carried out' },
} as const;

async function ask(
  { plan, target, session, runtime, flags }: ReconcileRun,
  journal: Journal,
  found: Record<Finding['state'], number>,
): Promise<void> {
  const { display, settings, signal } = session;
  const total = unknownIn(journal.states);
  const client = await session.client();
  const unknown: { readonly row: PlanRow; readonly code: string; readonly message: string }[] = [];
  display.progress.start(
    () => `${found.done + found.failed + found.unknown} of ${plural(total, 'row')} looked up`,
  );
  await reconcileRows({
    plan,
    target,
    journal,
    client,
    read: await openRecordReader(session, runtime),
    list: await listBeside(target, {
      environment: runtime.environment,
      profile: settings.profile.value?.name,
    }),
    settleMs: parseDuration(flags.settle ?? SETTLE, '--settle'),
    signal,
    redact: display.redact,
    onFound(row, finding) {
      found[finding.state] += 1;
      if (finding.state === 'unknown' && unknown.length < MOST_NAMED) unknown.push({ row, ...finding });
    },
  });
  await display.progress.stop();
  for (const { row, code, message } of unknown.sort((one, other) => one.row.row - other.row.row)) {
    const members = { row_key: row.key, line: row.line, reason: code };
    const line = row.key === String(row.line) ? `Line ${row.line}` : `Row ${row.key} (line ${row.line})`;
    display.warn('row_unknown', `${line}: ${message}`, members);
  }
  if (found.unknown > unknown.length)
    display.warn('row_unknown', `${plural(found.unknown, 'row')} are still unknown in total.`, {
      rows: found.unknown,
    });
}

/** The default of `--settle`. */
export const SETTLE = '60s';
