import { isDeepStrictEqual } from 'node:util';
import { fillPath, queryString } from '../../../client/send.ts';
import { takesKey } from '../../../contract/operation.ts';
import { UsageError } from '../../../errors.ts';
import { stringifyRow } from '../../../json/exact.ts';
import { quote } from '../../../text/format.ts';
import { SeenHashes } from '../../../text/seen-hashes.ts';
import { MoneyTotals, readTotals, totalsText } from '../money-totals.ts';
import { type Plan, type PlanRow, planChanged, planRows } from '../plan-file.ts';
import type { Target } from '../target.ts';
import { changeOf, recordOf } from './check-row.ts';
import { RequestsHash } from './make-plan.ts';
import { MoneyByShape } from './money-by-shape.ts';
import { requestText } from './row-templates.ts';
import { uuidsIn } from './uuid-v5.ts';

/**
 * Derives from the rows of a plan what its header and the rows themselves state, because anybody can write a plan and its hash by hand:
 * the numbers of the rows and the totals; and with the `target` also what each request moves, its arguments, its idempotency key, and the
 * hash and the records of all requests. What only the service knows is taken as stated: the currency of a record, and what it has left.
 * @throws UsageError `plan_changed`
 */
export async function requireDerived(plan: Plan, target: Target | undefined): Promise<void> {
  const { path, header } = plan;
  const totals = new MoneyTotals();
  const requests = target && new RequestChecker(plan, target);
  let rows = 0;
  for await (const row of planRows(path)) {
    rows += 1;
    if (row.row !== rows) throw planChanged(path, `its row ${rows} has the number ${row.row}`);
    totals.add(readTotals(row.moves ?? {}));
    await requests?.add(row);
  }
  if (!isDeepStrictEqual(totals.toJSON(), header.totals)) {
    const stated = totalsText(readTotals(header.totals)) || 'nothing';
    const counted = totalsText(totals.all()) || 'nothing';
    throw planChanged(path, `its rows move ${counted}, but its header says ${stated}`);
  }
  requests?.end();
}

/** Compares the requests of a plan with what the plan states about them. */
class RequestChecker {
  readonly #plan: Plan;
  readonly #target: Target;
  readonly #money: MoneyByShape;
  readonly #uuidOf: (name: string) => string;
  readonly #hash = new RequestsHash();
  readonly #records = new SeenHashes();
  #open = 0;
  #unknown = 0;

  constructor(plan: Plan, target: Target) {
    const { operation, shared } = target;
    this.#plan = plan;
    this.#target = { ...target, shared: { ...shared, headers: plan.header.headers } };
    this.#money = new MoneyByShape(operation.requestSchema);
    this.#uuidOf = uuidsIn(plan.header.id);
    const { id, method, path } = operation;
    if (!isDeepStrictEqual(plan.header.operation, { id, method, path }))
      throw planChanged(plan.path, 'its operation is not the one of its command');
  }

  /** @throws UsageError `plan_changed` */
  async add(row: PlanRow): Promise<void> {
    const { operation } = this.#target;
    const { body } = row;
    const query = row.query as Parameters<typeof queryString>[0] | undefined;
    const key = takesKey(operation) ? this.#uuidOf(`${row.row}\n${operation.id}`) : undefined;
    if (key !== row.idempotency_key) throw this.#changed(row, 'has another idempotency key than the plan');
    const filled = await this.#pathOf(row);
    await this.#compareMoney(row, filled + queryString(query ?? {}, operation.query));
    this.#hash.add(
      requestText({
        path: stringifyRow(row.arguments),
        query: query && stringifyRow(query),
        body: body === undefined ? undefined : stringifyRow(body),
      }),
    );
    const record = recordOf(this.#target, { path: row.arguments, body });
    if (record !== undefined) this.#records.add(record, row.row);
  }

  /** The path of a request, whose arguments have to be those that the command takes. */
  async #pathOf(row: PlanRow): Promise<string> {
    try {
      const taken = await this.#target.arguments(row.arguments);
      if (isDeepStrictEqual({ ...taken }, row.arguments)) return fillPath(this.#target.operation.path, taken);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      throw this.#changed(row, `cannot be sent: ${error.problem}`);
    }
    throw this.#changed(row, 'has other arguments than its command');
  }

  async #compareMoney(row: PlanRow, target: string): Promise<void> {
    const { arguments: path, body, moves = {} } = row;
    const stated = readTotals(moves);
    const [first, ...others] = stated;
    const currency = others.length === 0 ? first?.currency : undefined;
    const { moved } = await this.#money.of(
      changeOf(this.#target, { path, query: {}, target, body }),
      currency,
    );
    const own = new MoneyTotals();
    // The last amount of an open row is what its record has left.
    if ('amounts' in moved) own.add(moved.isOpen ? moved.amounts.slice(0, -1) : moved.amounts);
    const isOpen = 'amounts' in moved && moved.isOpen && first !== undefined;
    if (isOpen && first.minor >= own.of(first.currency)) this.#open += 1;
    else if (first === undefined && ('unknown' in moved || own.all().length > 0)) this.#unknown += 1;
    else if ('unknown' in moved || isOpen || !isDeepStrictEqual(own.toJSON(), moves)) {
      const [actual, said] = [own.all(), stated].map((money) => totalsText(money) || 'another amount');
      throw this.#changed(row, `moves ${actual}, but the plan says ${said}`);
    }
  }

  /** @throws UsageError `plan_changed` where the header states something else than all rows show */
  end(): void {
    const { path, header } = this.#plan;
    const found = {
      requests_sha256: this.#hash.digest(),
      records: this.#records.size,
      rows_without_amount: this.#open,
      rows_with_unknown_amount: this.#unknown,
    };
    for (const [name, value] of Object.entries(found))
      if (header[name as keyof typeof found] !== value)
        throw planChanged(path, `its rows have another ${name} than its header says`);
  }

  #changed({ key }: PlanRow, problem: string): UsageError {
    return planChanged(this.#plan.path, `the row ${quote(key)} ${problem}`);
  }
}
