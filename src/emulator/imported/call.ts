import { isObject, own } from '../../json/is-object.ts';
import { HttpError } from '../http/response.ts';
import type { RouteContext } from '../resources/resource.ts';
import { textIn } from './filters.ts';
import { ANYTHING, type Kind, type Served } from './kinds.ts';
import { NOTHING_KNOWN } from './money/payment.ts';
import { type Document, firstFitting } from './overlay.ts';
import type { Prepared, PreparedSchema } from './prepared.ts';
import { present } from './present.ts';
import type { Records } from './records.ts';
import type { Partition, Scope, StoredRecord } from './tables.ts';

/** One request for an operation of a description. */
export type OperationRequest = {
  readonly records: Records;
  readonly served: Served;
  readonly prepared: Prepared;
  readonly context: RouteContext;
  /** The owner of the records that the path names. */
  readonly scope: Scope;
  readonly body: Document;
};

/** A stored record, its partition and its schema. */
export type Found = {
  readonly kind: Kind;
  readonly partition: Partition;
  readonly schema: PreparedSchema;
  readonly stored: StoredRecord;
  /** A record that is not stored yet: a created one, or a document that was deleted. */
  readonly isNew?: boolean;
  readonly isDeleted?: boolean;
};

/** The request with the IDs of the records that its path leads through, which it may name by other members. */
export function withIds(call: OperationRequest): OperationRequest {
  const { records, served, prepared, context, scope } = call;
  const ids: string[] = [];
  for (const [index, kind] of served.above.entries()) {
    const id = context.pathParameters[prepared.operation.pathParameters[index] ?? ''] ?? '';
    const hasOtherKeys = kind && records.furtherKeys(kind).length > 0;
    const at = { ...call, scope: { ...scope, ids } };
    const found = hasOtherKeys ? locate(at, kind, { id, parent: ids.at(-1) }) : undefined;
    ids.push(found?.stored.id ?? id);
  }
  return { ...call, scope: { ...scope, ids } };
}

/**
 * Finds the records of these kinds that the path leads through, and returns the last one. A kind without a schema has no records.
 * @throws HttpError `not_found` if one does not exist
 */
export function requireAlong(call: OperationRequest, kinds: Served['above']): Found | undefined {
  const { records, prepared, context, scope } = call;
  const names = prepared.operation.pathParameters;
  const ids = names.map((name, index) => scope.ids[index] ?? context.pathParameters[name]);
  let last: Found | undefined;
  for (const [index, kind] of kinds.entries()) {
    if (!kind || !records.layoutOf(records.canonical(kind))) continue;
    last = locate(call, kind, { id: ids[index] ?? '', parent: ids[index - 1] });
    if (!last) throw new HttpError('not_found');
  }
  return last;
}

/**
 * Finds a record by its id; with `parent`, only below that record. A record of a kind that no operation lists or creates is generated
 * for the first request.
 */
export function locate(
  call: OperationRequest,
  kind: Kind,
  { id, parent }: { readonly id: string; readonly parent: string | undefined },
): Found | undefined {
  const { records, scope } = call;
  const canonical = records.canonical(kind);
  const layout = records.layoutOf(canonical);
  if (!layout) return undefined;
  records.prepare(kind, scope);
  const partition = records.partition(kind, scope);
  const { schema } = layout;
  const found = (stored: StoredRecord): Found => ({ kind: canonical, partition, schema, stored });
  const find = () => {
    for (const key of ['id', ...records.furtherKeys(kind).map(textIn)]) {
      const [stored] = records.tables.records(partition, { [key]: id, parent: kind.parent && parent });
      if (stored) return found(stored);
    }
    return undefined;
  };
  const known = find();
  if (known) return known;
  const own = records.own.get(canonical.path);
  if (own) {
    const stored = own.find(scope.account, id);
    if (!stored) return undefined;
    // A record of payctl's own contract, changed to fit the schema of the description.
    const document = present({ stored, schema: ANYTHING }, schema);
    return found({ id, parent: '', ...stored, document, ...NOTHING_KNOWN });
  }
  if (records.isListed(kind)) return undefined;
  records.makeOnce(partition, ` ${parent ?? ''} ${id}`, () => {
    if (canonical.isDocument) return [newDocument(call, canonical, { id })];
    const made = records.makeFirst(canonical, scope, { id, index: 0 });
    return made ? [{ ...made, parent: parent ?? '' }] : [];
  });
  return find();
}

/**
 * The record that the path ends with, or the document at the path, which is new after it was deleted; undefined if there is no such
 * record.
 */
export function findRecord(call: OperationRequest, kind: Kind): Found | undefined {
  const { records, prepared, body, context, scope } = call;
  const { pathParameters: names, key, method } = prepared.operation;
  const { pathParameters: path, query } = context;
  const given = key === undefined ? path[names.at(-1) ?? ''] : (own(body, key) ?? own(query, key));
  const id = kind.isDocument ? scope.ids.join('/') || kind.noun : String(given ?? '');
  const found = locate(call, kind, { id, parent: kind.isDocument ? undefined : scope.ids.at(-1) });
  if (found) return found;
  const layout = kind.isDocument && method !== 'GET' ? records.layoutOf(kind) : undefined;
  if (!layout) return undefined;
  const stored = newDocument(call, kind, { id, isFresh: true });
  return { kind, partition: records.partition(kind, scope), schema: layout.schema, stored, isNew: true };
}

/** A document as the operation that gets it responds. */
function newDocument(
  call: OperationRequest,
  { operations: { get } }: Kind,
  { id, isFresh = false }: { readonly id: string; readonly isFresh?: boolean },
): StoredRecord {
  const shown = get ? { ...call, prepared: call.records.operation(get) } : call;
  const document = JSON.stringify(madeUp(shown, isFresh) ?? {});
  return { id, parent: '', createdMs: 0, document, ...NOTHING_KNOWN };
}

/** Generates the response of an operation that has no record. The same path gives the same value. */
export function madeUp(call: OperationRequest, isFresh = false): unknown {
  const { records, prepared, context, scope } = call;
  const { operation, response } = prepared;
  if (!response) return undefined;
  const random = records.randomAt(`${operation.id} ${JSON.stringify(context.pathParameters)}`);
  const refer = (noun: string) => context.pathParameters[`${noun}_id`] ?? records.refer(noun, scope, random);
  const how = { random, atMs: context.now.getTime(), noun: 'document', refer };
  return firstFitting(response, (isEarly) => response.generate({ ...how, isFresh: isFresh && isEarly }));
}

/** An object as it is; an empty one for any other JSON value. */
export function asDocument(value: unknown): Document {
  return isObject(value) ? value : {};
}

/** Whether a value can be the id of a record. */
export function isId(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}
