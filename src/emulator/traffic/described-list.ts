import { parseKeepingNumbers } from '../../json/exact.ts';
import { isMarked } from '../../schemas/schema-at.ts';
import { generate } from '../../schemas/values/generate.ts';
import { shapeOf } from '../../schemas/values/shape.ts';
import { currencyRank } from '../../text/amount-names.ts';
import type { Random } from '../../text/random.ts';
import { HttpError, isRefusal } from '../http/response.ts';
import { findRecord, type OperationRequest } from '../imported/call.ts';
import { create as createFrom, remove, update } from '../imported/changes.ts';
import { TOP } from '../imported/fill.ts';
import { timeMembersOf } from '../imported/filters.ts';
import { afterOthers, type ImportedService } from '../imported/imported.ts';
import type { Kind } from '../imported/kinds.ts';
import { amountNames } from '../imported/money/amounts.ts';
import { isPayment } from '../imported/money/captures-and-refunds.ts';
import { unrefunded } from '../imported/money/new-payment.ts';
import { NOTHING_KNOWN } from '../imported/money/payment.ts';
import { moveOf } from '../imported/money/rules.ts';
import { statusName, timesOf } from '../imported/money/statuses.ts';
import type { PreparedSchema } from '../imported/prepared.ts';
import { newId, withId } from '../imported/record-ids.ts';
import { save } from '../imported/save.ts';
import type { RouteContext } from '../resources/resource.ts';
import type { EmulatorDatabase } from '../store/database.ts';
import { type ChangingList, TRAFFIC } from './changing-list.ts';

/** A list of an imported description; undefined if no operation has a schema of its records. */
export async function describedList(
  database: EmulatorDatabase,
  { records }: ImportedService,
  kind: Kind,
): Promise<ChangingList | undefined> {
  await afterOthers(() => records.prepare(kind, TOP));
  const canonical = records.canonical(kind);
  const partition = records.partition(kind, TOP);
  const layout = records.layoutOf(canonical);
  const indexed = kind.operations.get ?? kind.operations.list ?? kind.operations.search;
  if (!layout || !indexed) return undefined;
  const { schema } = layout;
  const prepared = records.operation(indexed);
  const { pathParameters, key } = prepared.operation;
  const isRefundable = isPayment(canonical, records) && records.hasBelow(canonical, ['refund', 'refunds']);
  const isMoney = moveOf(canonical) !== undefined || isPayment(canonical, records);
  const fixed = [layout.idPath, key, canonical.parentName, ...(isMoney ? moneyNames(schema) : [])];
  const names = changeable(schema, fixed);
  const payments = moveOf(canonical) && canonical.parent;
  if (payments) await afterOthers(() => records.prepare(payments, TOP));
  const call = (now: Date, id = '', body: Readonly<Record<string, unknown>> = {}): OperationRequest => ({
    records,
    served: records.serve(indexed),
    prepared,
    context: { ...contextAt(database, now), pathParameters: { [pathParameters.at(-1) ?? '']: id } },
    scope: TOP,
    body: key === undefined ? body : { ...body, [key]: id },
  });
  const change = (make: typeof update, of: OperationRequest) => {
    const found = findRecord(of, kind);
    if (!found) throw new HttpError('not_found');
    return make(of, found);
  };
  /** A new capture or refund moves money of a payment, as one that a request makes. */
  const createMove = (id: string | number, random: Random, now: Date) => {
    if (!payments) return;
    const [first, ...others] = records.tables.rows(records.partition(payments, TOP));
    const payment = first === undefined ? undefined : records.tables.idAt(random.pick([first, ...others]));
    if (payment === undefined) return;
    const body = withId({ [canonical.parentName ?? '']: payment }, layout.idPath, id);
    try {
      createFrom(call(now, '', body), canonical);
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  };
  return {
    rows: () => records.tables.rows(partition),
    change: (work) => records.change(work),
    create(random, now) {
      const own = newId(records, canonical, random);
      const id = String(own);
      if (records.tables.find(partition, id)) return undefined;
      if (payments) {
        createMove(own, random, now);
        return records.tables.find(partition, id)?.row;
      }
      const atMs = records.nextMoment(now);
      const made = records.makeFirst(canonical, TOP, { id, index: random.below(30), atMs });
      if (!made) return undefined;
      const first = parseKeepingNumbers(made.document);
      const change = isRefundable
        ? { record: unrefunded(first, schema), remembered: NOTHING_KNOWN }
        : { record: first, remembered: made };
      const found = { kind: canonical, partition, schema, stored: made, isNew: true };
      save(call(now), found, { ...change, action: 'created' });
      return records.tables.find(partition, id)?.row;
    },
    update(row, random, now) {
      const id = records.tables.idAt(row);
      if (id === undefined) return false;
      const [first, ...others] = names;
      const name = first === undefined ? undefined : random.pick([first, ...others]);
      const atMs = now.getTime();
      const generation = { root: schema.root, random, noun: kind.noun, atMs, untilMs: atMs };
      const body = name === undefined ? {} : { [name]: generate(schema.members.get(name), generation, name) };
      try {
        change(update, call(now, id, body));
      } catch (error) {
        // What other records say may forbid a change.
        if (!isRefusal(error)) throw error;
        change(update, call(now, id));
      }
      return true;
    },
    remove(row, now) {
      const id = records.tables.idAt(row);
      if (id === undefined) return;
      try {
        change(remove, call(now, id));
      } catch (error) {
        if (!isRefusal(error)) throw error;
      }
    },
  };
}

const SCALARS = new Set(['string', 'integer', 'number', 'boolean', 'null']);

/** The members of a payment, capture or refund that change only together, as its money moves. */
function moneyNames(schema: PreparedSchema): readonly (string | undefined)[] {
  const { amount, captured, refunded } = amountNames(schema);
  const currencies = [...schema.members.keys()].filter(
    (name) => currencyRank(name, amount ?? '') !== undefined,
  );
  return [amount, captured, refunded, ...currencies];
}

/** The members that changes set: single values other than IDs, the status and its times, and what a caller cannot set. */
function changeable(schema: PreparedSchema, fixed: readonly (string | undefined)[]): readonly string[] {
  const { created, updated } = timeMembersOf(schema);
  const ofStatus = [statusName(schema), ...timesOf(schema).map(({ name }) => name)];
  const others = new Set([...fixed, created, updated, ...ofStatus]);
  return [...schema.members].flatMap(([name, member]) => {
    const { types } = shapeOf({ schema: member, root: schema.root });
    const isScalar = types !== undefined && [...types].every((type) => SCALARS.has(type));
    const isFixed = others.has(name) || /(?:^|_)id$/.test(name) || isMarked(member, schema.root, 'readOnly');
    return isScalar && !isFixed ? [name] : [];
  });
}

/** The context of a request of another program. */
function contextAt(database: EmulatorDatabase, now: Date): RouteContext {
  return {
    database,
    cursorSecret: Buffer.alloc(0),
    // The operation gets no parameters.
    query: {} as RouteContext['query'],
    cursor: undefined,
    pathParameters: {},
    merchantAccount: TOP.account,
    isRevealed: true,
    body: Buffer.alloc(0),
    now,
    forgetsKey: false,
    subject: TRAFFIC,
    request: undefined,
    headers: {},
    startedAt: now,
  };
}
