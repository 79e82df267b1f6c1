import type { ReadRecord } from '../../../cli/money/record.ts';
import type { Client } from '../../../client/client.ts';
import { ApiError } from '../../../client/errors.ts';
import { AbortedError, CredentialsError, PayctlError } from '../../../errors.ts';
import { type Journal, OTHER_RECORD } from '../journal.ts';
import { changeOfRow, recordOf } from '../plan/check-row.ts';
import { inOrder } from '../plan/in-order.ts';
import { type Plan, type PlanRow, planRows } from '../plan-file.ts';
import type { Target } from '../target.ts';
import { findInRecord, showsInRecord } from './find-in-record.ts';
import { type Finding, RecordSearch, type Timing, unknown } from './find-in-records.ts';
import { type ListBeside, readList } from './list-beside.ts';
import { offsetBy } from './service-clock.ts';
import { type JournalFacts, readFacts, type UnknownRow } from './unknown-rows.ts';

/** The inputs of `reconcileRows`. */
export type ReconcileParts = {
  readonly plan: Plan;
  readonly target: Target;
  readonly journal: Journal;
  readonly client: Pick<Client, 'list'>;
  /** Reads the record that a row changes. */
  readonly read: ReadRecord;
  /** The list at the path of the operation; undefined where there is none, or where the operation makes no record. */
  readonly list: ListBeside | undefined;
  /** How long the service may take to carry out a row after it was sent, in milliseconds. */
  readonly settleMs: number;
  readonly signal: AbortSignal;
  /** Masks the credentials of this run in a text. */
  readonly redact: (text: string) => string;
  /** Called for each row after its line is on the disk. */
  readonly onFound: (row: PlanRow, finding: Finding) => void;
};

/** Lists or records that are read at the same time. */
const CONCURRENCY = 8;

/** Rows that are looked for together: in one list, or one row about its record. */
type Group = {
  /** Any of them. */
  readonly first: PlanRow;
  rows: UnknownRow[];
  /** Rows of the plan about the same list or record, whatever became of them. */
  all: number;
  done: number;
  unnamed: number;
};

/**
 * Asks the service about each row that may have been carried out, by reads alone, and writes what was found to the journal.
 * @throws UsageError `journal_unreadable`; OutputError where the journal cannot be written; ApiError, CredentialsError for refused credentials; AbortedError
 */
export async function reconcileRows(parts: ReconcileParts): Promise<void> {
  const { plan, journal, settleMs, list } = parts;
  const facts = await readFacts(journal.path, plan, journal.states);
  const timing: Timing = { offsetThen: facts.offset, settleMs };
  const groups = await groupRows(parts, facts);
  const work = async (group: Group) => {
    const contradicted = group.rows.filter(({ contradiction }) => contradiction !== undefined);
    for (const unknown of contradicted) await record(unknown, contradictionOf(unknown), parts, facts);
    group.rows = group.rows.filter(({ contradiction }) => contradiction === undefined);
    if (group.rows.length === 0) return;
    const find = list
      ? () => findInList(list, group, parts, facts, timing)
      : () => findByRecord(group, parts, timing);
    const findings = await find().catch((error: unknown) => refused(error, group, parts.redact));
    for (const [index, unknown] of group.rows.entries()) {
      const finding = findings[index];
      if (finding) await record(unknown, finding, parts, facts);
    }
  };
  for await (const _ of inOrder(groups, CONCURRENCY, work)) void _;
}

/** Groups the rows by the list or the record to read, and counts the other rows of each group. */
async function groupRows(parts: ReconcileParts, facts: JournalFacts): Promise<Iterable<Group>> {
  const { plan, target, list } = parts;
  // All payments that bodies name are in one list, but each has a record.
  const keyOf = ({ arguments: path, body }: PlanRow) =>
    recordOf(target, { path, body: list ? undefined : body }) ?? '';
  const groups = new Map<string, Group>();
  for await (const row of planRows(plan.path)) {
    const times = facts.sent.get(row.row);
    if (!times) continue;
    const group = groups.get(keyOf(row)) ?? { first: row, rows: [], all: 0, done: 0, unnamed: 0 };
    group.rows.push({ row, ...times });
    groups.set(keyOf(row), group);
  }
  for await (const row of planRows(plan.path)) {
    const group = groups.get(keyOf(row));
    if (!group) continue;
    group.all += 1;
    if (parts.journal.states.of(row.row) === 'done') group.done += 1;
    if (facts.unnamed.has(row.row)) group.unnamed += 1;
  }
  return groups.values();
}

async function findInList(
  list: ListBeside,
  { first, rows, done, unnamed }: Group,
  { target, client, plan, signal }: ReconcileParts,
  { claimed, unfit }: JournalFacts,
  timing: Timing,
): Promise<readonly Finding[]> {
  const { operation, description } = target;
  const search = new RecordSearch({
    rows,
    operation,
    isClaimed: (id) => claimed.has(id),
    isUnfit: (id) => unfit.has(id),
    done,
    unnamed,
  });
  const { 'if-match': _match, 'if-none-match': _noneMatch, ...headers } = plan.header.headers;
  const parts = { client, path: first.arguments, headers, isOwn: description === undefined, signal };
  const read = await readList(list, parts, (item) => search.add(item));
  return search.findings(read, timing);
}

async function findByRecord(
  { first, rows, all }: Group,
  { target, read }: ReconcileParts,
  timing: Timing,
): Promise<readonly Finding[]> {
  if (!showsInRecord(target)) {
    const message = 'The API description has no list or record that shows whether the row was carried out';
    return rows.map(() => unknown('not_described', message));
  }
  const sentMs = Date.now();
  const record = await read(changeOfRow(target, first));
  const receivedMs = Date.now();
  const offset = record.state === 'read' ? offsetBy(record.date, { sentMs, receivedMs }) : undefined;
  const clock = { offset, beganMs: offset && offset.least + receivedMs };
  const looked = { target, record, isShared: all > 1, read: clock };
  return rows.map((row) => findInRecord(row, looked, timing));
}

/** The findings if a list cannot be read. @throws errors that concern the whole run */
function refused(error: unknown, { rows }: Group, redact: ReconcileParts['redact']): readonly Finding[] {
  const isEnd =
    error instanceof AbortedError ||
    error instanceof CredentialsError ||
    (error instanceof ApiError && error.status === 401);
  if (isEnd || !(error instanceof PayctlError)) throw error;
  const message = redact(`The list could not be read: ${error.message}`);
  return rows.map(() => unknown('list_not_read', message));
}

function contradictionOf({ contradiction = '' }: UnknownRow): Finding {
  return unknown(OTHER_RECORD, `${contradiction}. Look at it, and record what you find with --row`);
}

async function record(
  { row, attempt }: UnknownRow,
  finding: Finding,
  { journal, onFound }: ReconcileParts,
  { claimed }: JournalFacts,
): Promise<void> {
  if (finding.state === 'done' && finding.id !== undefined) claimed.add(finding.id, row.row);
  const at = new Date().toISOString();
  await journal.add({
    row: row.row,
    at,
    ...finding,
    ...(attempt !== undefined && { attempt }),
    by: 'reconcile',
  });
  onFound(row, finding);
}
