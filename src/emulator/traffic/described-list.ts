import { parseKeepingNumbers } from '../../json/exact.ts';
import { isMarked } from '../../schemas/schema-at.ts';
import { generate } from '../../schemas/values/generate.ts';
import { shapeOf } from '../../schemas/values/shape.ts';
import { HttpError, isRefusal } from '../http/response.ts';
import { findRecord, type OperationRequest } from '../imported/call.ts';
import { remove, update } from '../imported/changes.ts';
import { TOP } from '../imported/fill.ts';
import { timeMembersOf } from '../imported/filters.ts';
import { afterOthers, type ImportedService } from '../imported/imported.ts';
import type { Kind } from '../imported/kinds.ts';
import { statusName } from '../imported/money/statuses.ts';
import type { PreparedSchema } from '../imported/prepared.ts';
import { newId } from '../imported/record-ids.ts';
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
  const names = changeable(schema, [layout.idPath, key, kind.parentName]);
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
  return {
    rows: () => records.tables.rows(partition),
    change: (work) => records.change(work),
    create(random, now) {
      const id = String(newId(records, canonical, random));
      if (records.tables.find(partition, id)) return undefined;
      const atMs = records.nextMoment(now);
      const made = records.makeFirst(canonical, TOP, { id, index: random.below(30), atMs });
      if (!made) return undefined;
      const record = parseKeepingNumbers(made.document);
      const found = { kind: canonical, partition, schema, stored: made, isNew: true };
      save(call(now), found, { record, remembered: made, action: 'created' });
      return records.tables.find(partition, id)?.row;
    },
    update(row, random, now) {
      const id = records.tables.idAt(row);
      if (id === undefined) return false;
      const [first, ...others] = names;
      const name = first === undefined ? undefined : random.pick([first, ...others]);
      const generation = { root: schema.root, random, noun: kind.noun, atMs: now.getTime() };
      const body = name === undefined ? {} : { [name]: generate(schema.members.get(name), generation, name) };
      try {
        change(update, call(now, id, body));
      } catch (error) {
        // The amounts of a payment cannot change in every way.
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

/** The members that changes set: single values other than IDs, times, the status, and what a caller cannot set. */
function changeable(schema: PreparedSchema, fixed: readonly (string | undefined)[]): readonly string[] {
  const { created, updated } = timeMembersOf(schema);
  const others = new Set([...fixed, created, updated, statusName(schema)]);
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
