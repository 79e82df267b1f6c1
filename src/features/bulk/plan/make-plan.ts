import { createHash, randomUUID } from 'node:crypto';
import type { Money } from '../../../cli/money/minor-units.ts';
import type { Destination } from '../../../cli/session/destination.ts';
import { limitYoungHeap } from '../../../cli/show/young-heap.ts';
import { takesKey } from '../../../contract/operation.ts';
import { AbortedError, UsageError } from '../../../errors.ts';
import { plural } from '../../../text/format.ts';
import { MoneyTotals, requireWithinTotals, type TotalLimit, totalsText } from '../money-totals.ts';
import { LIFETIME_MS, type Plan, type PlanHeader, type PlanWriter } from '../plan-file.ts';
import type { InputRow, RowItem } from '../table/input-row.ts';
import type { RowSource } from '../table/read-rows.ts';
import { keyOf, lineOf, type Problem, type RowCheck, RowChecker, type RowRules } from './check-row.ts';
import { inOrder } from './in-order.ts';
import { requestText } from './row-templates.ts';
import { uuidsIn } from './uuid-v5.ts';

/** What a plan is made of. */
export type PlanParts = {
  readonly rules: RowRules;
  readonly source: RowSource;
  readonly writer: PlanWriter;
  /** As in the header of the plan. */
  readonly place: Destination;
  /** Rows whose records are read at the same time. */
  readonly concurrency: number;
  /** Whether to leave out invalid rows. Otherwise, one invalid row means no plan. */
  readonly acceptsValid: boolean;
  readonly expectations: Expectations;
  readonly now: Date;
  readonly signal: AbortSignal;
  /** Called for each row that has a problem; `input` is undefined for one that cannot be read. */
  readonly onBad: (key: string, input: InputRow | undefined, problems: readonly Problem[]) => void;
  readonly onRow: (rows: number) => void;
};

/** The expected number of rows, totals and limits of a plan. */
export type Expectations = {
  readonly rows: number | undefined;
  readonly totals: readonly Money[];
  readonly limits: readonly TotalLimit[];
};

/** The result of `makePlan`. */
export type Planned = {
  /** Undefined if no plan was written. */
  readonly plan: Pick<Plan, 'header' | 'hash'> | undefined;
  readonly bad: number;
  /** The line from which on nobody knows what rows the file has; undefined if it was read to its end. */
  readonly unreadFrom: number | undefined;
  /** The line of the first row without an amount, which moves all that is left. */
  readonly firstOpen: number | undefined;
};

/** Rows are short-lived, as the items of a page are. */
const ROWS_OF_A_PAGE = 1000;

/**
 * Checks all rows and writes the plan, unless a row is invalid, or the rest of the file cannot be read.
 * @throws UsageError `unexpected_rows`, `unexpected_total`, `over_limit`, `no_rows`; AbortedError
 */
export async function makePlan(parts: PlanParts): Promise<Planned> {
  const { rules, writer, acceptsValid, signal } = parts;
  const checker = new RowChecker(rules);
  const totals = new MoneyTotals();
  const id = randomUUID();
  const uuidOf = uuidsIn(id);
  const requests = new RequestsHash();
  const counts = { rows: 0, bad: 0, open: 0, unknown: 0 };
  let unreadFrom: number | undefined;
  let firstOpen: number | undefined;
  const { operation } = rules.target;
  const reject = (key: string, input: InputRow | undefined, problems: readonly Problem[]) => {
    counts.bad += 1;
    parts.onBad(key, input, problems);
  };
  const take = (check: RowCheck | Problem) => {
    if (signal.aborted) throw new AbortedError();
    if ('code' in check) {
      if (check.isEnd) unreadFrom ??= check.line;
      return reject(String(check.line), undefined, [check]);
    }
    const problems = 'problems' in check ? check.problems : checker.accept(check);
    if (problems.length > 0 || !('row' in check)) return reject(keyOf(check), check.input, problems);
    const { amounts, isOpen, isUnknown } = check.row;
    counts.rows += 1;
    if (isOpen) {
      counts.open += 1;
      firstOpen ??= check.input.line;
    }
    if (isUnknown) counts.unknown += 1;
    totals.add(amounts);
    parts.onRow(counts.rows);
    if (counts.rows % ROWS_OF_A_PAGE === 0) limitYoungHeap();
    if (counts.bad > 0 && !acceptsValid) return;
    const idempotencyKey = takesKey(operation) ? uuidOf(`${counts.rows}\n${operation.id}`) : undefined;
    const texts = check.row.texts();
    requests.add(requestText(texts));
    writer.add(lineOf(check, { number: counts.rows, texts, idempotencyKey, names: rules.names }));
  };
  await checkAll(parts, checker, take);
  if (counts.rows + counts.bad === 0) throw new UsageError('no_rows', 'The input has no rows');
  const isUsable = unreadFrom === undefined && acceptsValid && counts.rows > 0;
  if (counts.bad > 0 && !isUsable) return { plan: undefined, bad: counts.bad, unreadFrom, firstOpen };
  requireExpected(parts.expectations, { rows: counts.rows, totals });
  const header = headerOf(parts, {
    id,
    counts,
    totals,
    records: checker.records,
    content: requests.digest(),
  });
  return { plan: { header, hash: await writer.finish(header) }, bad: counts.bad, unreadFrom, firstOpen };
}

/** SHA-256 of the requests of a plan. */
export class RequestsHash {
  readonly #hash = createHash('sha256');
  /** Requests that are not in it yet: few large texts are faster than many small ones. */
  #waiting = '';

  add(request: string): void {
    this.#waiting += `${request}\n`;
    if (this.#waiting.length > HASHED_AT_ONCE) this.#flush();
  }

  digest(): string {
    this.#flush();
    return this.#hash.digest('hex');
  }

  #flush(): void {
    this.#hash.update(this.#waiting);
    this.#waiting = '';
  }
}

/** In characters. */
const HASHED_AT_ONCE = 16_384;

/** Checks all rows, and gives the results in their order. Without the preflight nothing is waited for, so that one row at a time is faster. */
async function checkAll(
  { source, rules, concurrency }: PlanParts,
  checker: RowChecker,
  take: (check: RowCheck | Problem) => void,
): Promise<void> {
  const check = async (row: RowItem) => ('code' in row ? row : await checker.check(row));
  if (rules.read) {
    for await (const found of inOrder(rowsIn(source), concurrency, check)) take(found);
    return;
  }
  for await (const rows of source.batches())
    for (const row of rows) take(('values' in row && checker.checkAgain(row)) || (await check(row)));
}

async function* rowsIn(source: RowSource): AsyncGenerator<RowItem, void, undefined> {
  for await (const rows of source.batches()) yield* rows;
}

type Sums = { readonly rows: number; readonly totals: MoneyTotals };

function requireExpected({ rows, totals, limits }: Expectations, found: Sums): void {
  if (rows !== undefined && rows !== found.rows) {
    throw new UsageError(
      'unexpected_rows',
      `The input has ${plural(found.rows, 'row')}, but --expect-rows is ${rows}`,
      {
        hint: 'No plan was written.',
      },
    );
  }
  const named = new Set(totals.map(({ currency }) => currency));
  const others = totals.length === 0 ? [] : found.totals.all().filter(({ currency }) => !named.has(currency));
  const wrong = totals.filter(({ minor, currency }) => found.totals.of(currency) !== minor);
  if (wrong.length + others.length > 0) {
    const actual = totalsText(found.totals.all()) || 'nothing';
    const problem = `The rows move ${actual}, but --expect-total is ${totalsText(totals)}`;
    throw new UsageError('unexpected_total', problem, { hint: 'No plan was written.' });
  }
  requireWithinTotals(found.totals.all(), limits, 'No plan was written.');
}

type Found = {
  readonly id: string;
  readonly counts: { readonly rows: number; readonly open: number; readonly unknown: number };
  readonly totals: MoneyTotals;
  readonly records: number;
  readonly content: string;
};

function headerOf(
  { rules, place, now }: PlanParts,
  { id, counts, totals, records, content }: Found,
): PlanHeader {
  const { target, names, read } = rules;
  const { operation, shared } = target;
  return {
    payctl_plan: 1,
    id,
    command: target.command,
    operation: { id: operation.id, method: operation.method, path: operation.path },
    description: target.description ?? null,
    ...place,
    created_at: now.toISOString(),
    expires_at: new Date(now.getTime() + LIFETIME_MS).toISOString(),
    rows: counts.rows,
    records,
    requests_sha256: content,
    totals: totals.toJSON(),
    rows_without_amount: counts.open,
    rows_with_unknown_amount: counts.unknown,
    preflight: read !== undefined,
    columns: names,
    key_column: names.find((name) => rules.columns.find(name)?.use === 'key') ?? null,
    headers: { ...shared.headers },
    scopes: shared.scopes ? [...shared.scopes] : null,
    content_type: shared.contentType ?? null,
  };
}
