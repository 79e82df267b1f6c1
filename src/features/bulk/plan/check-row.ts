import { movedBy, requireWithinLimits } from '../../../cli/money/limits.ts';
import { type Money, type NotMoney, readMoney } from '../../../cli/money/minor-units.ts';
import {
  actionOf,
  type Change,
  currencyOfRecord,
  leftFor,
  moneyText,
  paymentOf,
  sumsOf,
} from '../../../cli/money/moved.ts';
import { type ConcernedRecord, namedPayment, type ReadRecord } from '../../../cli/money/record.ts';
import { fillPath } from '../../../client/send.ts';
import type { Profile } from '../../../config/profile.ts';
import { PayctlError, UsageError } from '../../../errors.ts';
import { plainNumber, stringifyExactJson, stringifyRow, stringifyText } from '../../../json/exact.ts';
import { comparableId, quote } from '../../../text/format.ts';
import { SeenHashes } from '../../../text/seen-hashes.ts';
import { totalsJson } from '../money-totals.ts';
import type { PlanRow } from '../plan-file.ts';
import { type InputRow, type RowProblem, shown } from '../table/input-row.ts';
import { spreadsheetProblem } from '../table/spreadsheet-problem.ts';
import type { RowCall, RowDraft, Target, TargetColumn } from '../target.ts';
import type { Columns } from './columns.ts';
import { MoneyByShape } from './money-by-shape.ts';
import {
  moneyOf,
  printOfJson,
  type RowMoney,
  type RowRequest,
  RowTemplates,
  type RowTexts,
  requestText,
} from './row-templates.ts';

/** A problem of a row. The last sentence of `message` may have no full stop. */
export type Problem = Omit<RowProblem, 'code'> & {
  readonly code: string;
  /** The value may be an amount in the major unit of the row's currency. */
  readonly mayBeMajor?: boolean;
};

/** The rules for checking rows. */
export type RowRules = {
  readonly target: Target;
  readonly columns: Columns;
  /** The columns of the input in the order in which a plan keeps them; grows with JSON, whose rows name their members. */
  readonly names: string[];
  readonly allowsDuplicates: boolean;
  /** Amounts without a currency are in the major unit of the row's currency. */
  readonly takesMajor: boolean;
  /** Reads the records of rows; undefined without the preflight. */
  readonly read: ReadRecord | undefined;
  /** The profiles with limits for each change. */
  readonly limited: readonly Profile[];
  /** Whether totals are checked, so that unknown amounts are refused. */
  readonly hasTotals: boolean;
};

/** A row that can be sent, before it has its number. */
export type CheckedRow = RowRequest &
  RowMoney & {
    /** Of the record when it was read. */
    readonly version?: PlanRow['read'];
    /** What can still be captured or refunded, as the record says, and what identifies the record. */
    readonly left?: (Money & { readonly record: string }) | undefined;
  };

/** What was found about one row. */
export type RowCheck = { readonly input: InputRow } & (
  | { readonly row: CheckedRow }
  | { readonly key: string | undefined; readonly problems: readonly Problem[] }
);

/** What identifies a row in messages. */
export function keyOf(check: RowCheck): string {
  return ('row' in check ? check.row.key : check.key) ?? String(check.input.line);
}

/** Checks rows. Keeps what later rows are compared with. */
export class RowChecker {
  readonly #rules: RowRules;
  readonly #requests = new SeenHashes();
  readonly #keys = new SeenHashes();
  readonly #records = new SeenHashes();
  /** What the rows before have taken of the amount that is left, in the smallest unit, by record. */
  readonly #taken = new Map<string, bigint>();
  readonly #money: MoneyByShape;
  readonly #templates: RowTemplates | undefined;
  /** The columns of the last row, which are all in `names`. */
  #columns: readonly string[] = [];
  /** What is wrong with them. */
  #duplicate: UsageError | undefined;

  constructor(rules: RowRules) {
    this.#rules = rules;
    const { target, columns, names, read, limited } = rules;
    this.#money = new MoneyByShape(target.operation.requestSchema);
    if (!read && limited.length === 0)
      this.#templates = new RowTemplates({ columns, names, money: this.#money });
  }

  /** How many records the rows change that were accepted. */
  get records(): number {
    return this.#records.size;
  }

  /** What `check` gives for a row like an earlier one; undefined for any other. */
  checkAgain(input: InputRow): RowCheck | undefined {
    const row = this.#templates?.fill(input);
    return row && { input, row };
  }

  /** Checks one row by itself, and reads its record. Several calls can run at the same time. @throws AbortedError */
  async check(input: InputRow): Promise<RowCheck> {
    const { target } = this.#rules;
    const problems: Problem[] = [];
    const report = (column: string | undefined, code: string, message: string, mayBeMajor = false) =>
      problems.push({ line: input.line, column, code, message, ...(mayBeMajor && { mayBeMajor }) });
    const draft = target.draft();
    const cells = this.#cells(input, report);
    const { key, currency } = cells;
    for (const { name, column, value } of cells.targets) {
      const text = this.#amountText(value, { column, currency, name, report });
      if (text === undefined) continue;
      try {
        column.set(draft, text, currency);
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        report(name, error.code, error.problem, this.#mayBeMajor(text, { column, currency }));
      }
    }
    if (problems.length > 0) return { input, key, problems };
    try {
      return { input, row: await this.#rowOf(draft, { input, key, currency }) };
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      const { code, problem } = error;
      return { input, key, problems: [{ line: input.line, column: undefined, code, message: problem }] };
    }
  }

  /** The problems of a row because of earlier rows. Call it in the order of the rows. */
  accept({ input, row }: Extract<RowCheck, { readonly row: CheckedRow }>): readonly Problem[] {
    const { allowsDuplicates } = this.#rules;
    const problem = (code: string, message: string): readonly Problem[] => [
      { line: input.line, column: undefined, code, message },
    ];
    const { key, request, record } = row;
    const first = allowsDuplicates ? undefined : this.#requests.addPrint(request, input.line);
    if (first !== undefined)
      return problem(
        'duplicate_row',
        `The row sends the same request as line ${first}; add --allow-duplicates to send both`,
      );
    const isNamed = key !== undefined && key !== String(input.line);
    const sameKey = isNamed ? this.#keys.add(key, input.line) : undefined;
    if (isNamed && sameKey !== undefined)
      return problem('duplicate_key', `Line ${sameKey} has the same row key ${quote(key)}`);
    const excess = this.#excess(row);
    if (excess !== undefined) return problem('too_much', excess);
    if (record) this.#records.addPrint(record, input.line);
    return [];
  }

  /** The problem if the amount is more than the record has left after earlier rows. */
  #excess({ left, amounts }: CheckedRow): string | undefined {
    if (left === undefined) return undefined;
    const { record } = left;
    const taken = this.#taken.get(record) ?? 0n;
    const moved = sumsOf(amounts).find(({ currency }) => currency === left.currency)?.minor ?? 0n;
    if (taken + moved > left.minor) {
      const before =
        taken === 0n ? '' : `, of which earlier rows take ${moneyText({ ...left, minor: taken })}`;
      return `The row moves ${moneyText({ ...left, minor: moved })}, but only ${moneyText(left)} is left${before}`;
    }
    this.#taken.set(record, taken + moved);
    return undefined;
  }

  /** Sorts the cells of a row by their use. */
  #cells(
    { columns: own, values }: InputRow,
    report: (column: string | undefined, code: string, message: string) => void,
  ) {
    const { columns, names } = this.#rules;
    let key: string | undefined;
    let currency: string | undefined;
    const targets: { readonly name: string; readonly column: TargetColumn; readonly value: unknown }[] = [];
    // The rows of a table share their columns; each object may have its own.
    if (own !== this.#columns) {
      names.push(...own.filter((name) => !names.includes(name)));
      this.#duplicate = columns.duplicateColumn(own);
    }
    this.#columns = own;
    if (this.#duplicate) report(undefined, this.#duplicate.code, this.#duplicate.problem);
    for (const [index, name] of own.entries()) {
      const value = values[index];
      if (value === undefined) continue;
      const column = columns.find(name);
      if (!column) report(name, 'unknown_column', columns.unknownColumn([name]).problem);
      else if (column.use === 'key') key = String(value);
      else if (column.use === 'currency') {
        currency = String(value);
        if (column.target) targets.push({ name, column: column.target, value });
      } else if (column.use === 'target') targets.push({ name, column: column.target, value });
    }
    return { key, currency, targets };
  }

  /** A value as it is set; with its currency, where amounts are in the major unit. Undefined for one with a problem. */
  #amountText(given: unknown, { column: { kind }, currency, name, report }: CellParts): unknown {
    const isMajor = kind === 'amount' && this.#rules.takesMajor;
    const value = isMajor && plainNumber(given) !== undefined ? stringifyExactJson(given) : given;
    if (typeof value !== 'string') return value;
    const money = kind === 'amount' ? readMoney(value) : undefined;
    if (money && 'minor' in money) return value;
    const problem = valueProblem(value, { kind, money, currency });
    if (problem !== undefined) {
      report(name, 'spreadsheet_value', problem);
      return undefined;
    }
    if (!isMajor || !BARE.test(value)) return value;
    if (currency !== undefined) return `${value}${currency}`;
    report(
      name,
      'no_currency',
      '--amounts major needs the currency of the amount: add a column currency, or write the amount such as 5.00EUR',
    );
    return undefined;
  }

  /** Whether `--amounts major` would read a value that was refused. */
  #mayBeMajor(
    value: unknown,
    { column: { kind }, currency }: Pick<CellParts, 'column' | 'currency'>,
  ): boolean {
    const isAmount = kind === 'amount' && !this.#rules.takesMajor && currency !== undefined;
    return isAmount && /^-?\d+\.\d+$/.test(String(value));
  }

  async #rowOf(
    draft: RowDraft,
    { input, key, currency }: Pick<CellParts, 'currency'> & Pick<RowCheck, 'input'> & Pick<RowRequest, 'key'>,
  ): Promise<CheckedRow> {
    const { target, limited, hasTotals, read: preflight } = this.#rules;
    const call = await target
      .call(draft, preflight ?? (async () => NO_RECORD))
      .catch(async (error: unknown) => {
        // If the record does not exist, that is the better error.
        const missing = recordOf(target, draft);
        if (preflight && missing !== undefined) {
          const { operation } = target;
          const path = fillPath(operation.path, draft.path);
          requireRecord(await preflight({ path, call: { operation, body: draft.body } }), undefined);
        }
        throw error;
      });
    const change = changeOf(target, call);
    const identity = recordOf(target, call);
    const record = preflight && identity !== undefined ? await preflight(change) : NO_RECORD;
    requireRecord(record, currency);
    const { moved, isLeft } = preflight
      ? { moved: await movedBy(change, async () => record), isLeft: false }
      : await this.#money.of(change);
    if (limited.length > 0) await requireWithinLimits(change, limited, async () => record);
    if (isLeft)
      throw new UsageError(
        'open_amount',
        'The row has no amount, and --no-preflight does not read how much is left. Add an amount, or remove --no-preflight',
      );
    if ('unknown' in moved && hasTotals) await refuseUnknown(change, record);
    const value = record.state === 'read' ? record.value : undefined;
    const known = {
      ...(typeof value?.updated_at === 'string' && { updated_at: value.updated_at }),
      ...(record.state === 'read' && record.etag !== undefined && { etag: record.etag }),
    };
    const version = Object.keys(known).length > 0 ? known : undefined;
    const texts = {
      path: stringifyRow(call.path),
      query: Object.keys(call.query).length > 0 ? stringifyRow(call.query) : undefined,
      body: call.body === undefined ? undefined : stringifyRow(call.body),
    };
    const row = {
      key,
      request: printOfJson(requestOf({ path: call.path, texts })),
      record: identity === undefined ? undefined : printOfJson(identity),
      texts: () => texts,
      ...moneyOf(moved),
    };
    this.#templates?.learn({ input, call, change, row });
    const money = preflight && leftFor(actionOf(change), paymentOf(record));
    const left = money && identity !== undefined ? { ...money, record: identity } : undefined;
    return { ...row, version, left };
  }
}

/** What the line of a row has besides what was found out about it. */
type Line = {
  /** As in `PlanRow`. */
  readonly number: number;
  readonly texts: RowTexts;
  readonly idempotencyKey: string | undefined;
  /** As in `RowRules`. */
  readonly names: readonly string[];
};

/** The JSON of a `PlanRow`. */
export function lineOf(
  check: Extract<RowCheck, { readonly row: CheckedRow }>,
  { number, texts: { path, query, body }, idempotencyKey, names }: Line,
): string {
  const { input, row } = check;
  const { version, amounts } = row;
  let line = `{"row":${number},"line":${input.line},"key":${stringifyText(keyOf(check))},"arguments":${path}`;
  if (query !== undefined) line += `,"query":${query}`;
  if (body !== undefined) line += `,"body":${body}`;
  if (version !== undefined) line += `,"read":${stringifyRow(version)}`;
  if (amounts.length > 0) line += `,"moves":${totalsJson(amounts)}`;
  line += `,"input":${stringifyRow(inputOf(input, names))}`;
  return idempotencyKey === undefined ? `${line}}` : `${line},"idempotency_key":"${idempotencyKey}"}`;
}

type CellParts = {
  readonly column: TargetColumn;
  readonly currency: string | undefined;
  readonly name: string;
  readonly report: (column: string, code: string, message: string) => void;
};

/** What is wrong with a value, before the schema is asked. */
function valueProblem(
  value: string,
  {
    kind,
    money,
    currency,
  }: Pick<CellParts, 'currency'> & {
    readonly kind: TargetColumn['kind'];
    readonly money: NotMoney | undefined;
  },
) {
  if (kind === 'other') return undefined;
  // Values with a currency are parsed as on the command line.
  if (money && !money.isBare && MONEY.test(value))
    return `${shown(value)} ${money.problem}. Write it such as 1234.56EUR.`;
  return spreadsheetProblem(value, kind, currency);
}

/** An amount with what may be the code of a currency. */
const MONEY = /^(?:[A-Z]{3} ?[-\d][\d.,]*|-?\d[\d.,]* ?[A-Z]{3})$/;

/** A number without a currency. */
const BARE = /^-?[\d.,]+$/;

const NO_RECORD: ConcernedRecord = { state: 'none' };

/** @throws UsageError for a record that is not there, or in another currency than the row says; PayctlError `record_not_read` */
function requireRecord(record: ConcernedRecord, currency: string | undefined): void {
  if (record.state === 'not_read' && record.why === 'not found')
    throw new UsageError('record_not_found', `The record ${quote(record.id)} does not exist`);
  // It says nothing about the row.
  if (record.state === 'not_read' && record.why !== 'no GET is described') {
    throw new PayctlError('record_not_read', `The record ${quote(record.id)} cannot be read: ${record.why}`, {
      hint: 'No plan was written. To plan without reading the records, add --no-preflight',
    });
  }
  const actual = currencyOfRecord(record);
  if (currency === undefined || actual === undefined || actual === currency) return;
  throw new UsageError(
    'other_currency',
    `The currency of the row is ${quote(currency)}, but the currency of its record is ${actual}`,
  );
}

/** @throws UsageError `unknown_amount` with the reason */
async function refuseUnknown(change: Change, record: ConcernedRecord): Promise<void> {
  const moved = await movedBy(change, async () => record);
  if ('unknown' in moved)
    throw new UsageError('unknown_amount', `payctl cannot tell how much the row moves: ${moved.unknown}`);
}

/** The values of a row in the order of these columns; null for one that it does not have. */
export function inputOf({ columns, values }: InputRow, names: readonly string[]): readonly unknown[] {
  // The rows of a CSV file have all columns.
  if (columns.length === names.length && columns.every((name, index) => name === names[index]))
    return values.map((value) => value ?? null);
  return names.map((name) => values[columns.indexOf(name)] ?? null);
}

/** A request as the rules of money see it. */
export function changeOf({ operation, shared }: Target, { path, target, body }: RowCall): Change {
  return { method: operation.method, path: target, call: { operation, path, headers: shared.headers, body } };
}

/** The request of a row of a plan as the rules of money see it. */
export function changeOfRow(target: Target, { arguments: path, body }: PlanRow): Change {
  return changeOf(target, { path, query: {}, target: fillPath(target.operation.path, path), body });
}

/** What identifies the record that a request changes: the payment that its body names, else what its path has up to its last argument. */
export function recordOf(
  { operation }: Pick<Target, 'operation'>,
  { path, body }: Pick<RowCall, 'path' | 'body'>,
): string | undefined {
  const named = namedPayment({ operation, body });
  const values = named ? [named.collection, named.id] : operation.pathParameters.map((name) => path[name]);
  return values.length === 0 || values.includes(undefined)
    ? undefined
    : JSON.stringify(values.map(comparable));
}

/** What is the same for two rows that send the same request, also where a UUID is once in upper and once in lower case. */
export function requestOf({
  path,
  texts,
}: {
  readonly path: RowCall['path'];
  readonly texts: RowTexts;
}): string {
  const compared = Object.fromEntries(Object.entries(path).map(([name, value]) => [name, comparable(value)]));
  return requestText({ ...texts, path: stringifyRow(compared) });
}

function comparable<T>(value: T): T | string {
  return typeof value === 'string' ? comparableId(value) : value;
}
