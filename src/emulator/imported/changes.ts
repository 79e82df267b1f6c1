import { isObject, memberAt, own } from '../../json/is-object.ts';
import { applyPatch, mergePatch } from '../../json/patch.ts';
import { JSON_PATCH, MERGE_PATCH } from '../../text/media-type.ts';
import { createRandom, type Random } from '../../text/random.ts';
import { badRequest, HttpError } from '../http/response.ts';
import { createIds } from '../store/ids.ts';
import { asDocument, type Found, isId, locate, type OperationRequest } from './call.ts';
import { removeBelow } from './children.ts';
import type { Kind } from './kinds.ts';
import { writable } from './members.ts';
import { requireAmounts, setMembers } from './money/bodies.ts';
import { settlePayment, undoMove } from './money/captures-and-refunds.ts';
import { alignCurrency, begin } from './money/new-payment.ts';
import { NOTHING_KNOWN, readPayment } from './money/payment.ts';
import { moveOf } from './money/rules.ts';
import { statusAtStart, statusName } from './money/statuses.ts';
import { type Document, firstFitting, overlay } from './overlay.ts';
import type { PreparedSchema } from './prepared.ts';
import { newId as makeId, parentMember, withId } from './record-ids.ts';
import { announce, embed, save } from './save.ts';

/**
 * Creates a record of a canonical kind from a body, with the ID in the path of a PUT. A refund or capture also changes its payment, unless `moved` says what was done.
 * @throws HttpError `duplicate_record` for an ID that already exists; see also `act` and `requireAmounts`
 */
export function create(call: OperationRequest, kind: Kind, moved?: Document): Found {
  const { records, context, body, served, prepared } = call;
  const { merchantAccount: account, now } = context;
  const layout = records.layoutOf(kind);
  if (!layout) throw new HttpError('not_found');
  const { schema, idPath } = layout;
  const [holder = ''] = idPath?.split('.') ?? [];
  const parentId = parentOf(call, kind);
  const inPath =
    served.action === 'replace' && context.pathParameters[prepared.operation.pathParameters.at(-1) ?? ''];
  const inBody = idPath === undefined ? undefined : memberAt(body, idPath.split('.'));
  const isNumber = inPath && typeof makeId(records, kind, random) === 'number';
  const requested = isNumber ? Number(inPath) : inPath || inBody;
  const newId = isId(requested) ? requested : freshId(call, kind);
  const [id, parent] = [String(newId), parentId ?? ''];
  const partition = records.partition(kind, call.scope);
  const findOwn = () => records.own.get(kind.path)?.find(account, id);
  if (isId(requested) && (records.tables.find(partition, id, parent) ?? findOwn()))
    throw new HttpError('duplicate_record', { message: 'There is a record with this id', resourceId: id });
  const [status = '', start] = [statusName(schema), statusAtStart(schema)];
  const given: Document = {
    ...withId(isObject(body[holder]) ? { [holder]: body[holder] } : {}, idPath, newId),
    ...parentMember(kind, parentId && (own(context.pathParameters, kind.parentName) ?? parentId), schema),
    ...(records.takesAccount(kind) && { merchant_account_id: account }),
    ...(moved ?? settlePayment(call, kind, parentId)),
    ...(start !== undefined && !(status in body) && { [status]: start }),
  };
  const fresh = freshRecord(call, schema, given);
  const started = begin('currency' in body ? fresh : alignCurrency(fresh, schema), body, schema);
  requireAmounts(call, kind, started);
  const stored = { id, parent, createdMs: records.nextMoment(now), document: '', ...NOTHING_KNOWN };
  const change = { record: embed(call, started, schema), remembered: NOTHING_KNOWN, action: 'created' };
  return save(call, { kind, partition, schema, stored, isNew: true }, change);
}

const ID_ATTEMPTS = 10;

/** Unpredictable: different in every run. */
const random: Random = {
  ...createRandom(process.getBuiltinModule('node:crypto').randomInt(2 ** 32)),
  uuid: createIds(),
};

/** @throws HttpError `duplicate_record` if every ID that the description allows is taken */
function freshId(call: OperationRequest, kind: Kind): string | number {
  const { records } = call;
  const partition = records.partition(kind, call.scope);
  for (let attempt = 0; attempt < ID_ATTEMPTS; attempt += 1) {
    const id = makeId(records, kind, random);
    if (!records.tables.find(partition, String(id))) return id;
  }
  throw new HttpError('duplicate_record', {
    message: 'Every ID that the description allows is already taken',
  });
}

/** Generates the smallest record that the schema allows, with the members of the body and the given ones. */
function freshRecord(call: OperationRequest, schema: PreparedSchema, given: Document): Document {
  const { records, context, scope } = call;
  const all = { ...writable(call.body, schema), ...given };
  const refer = (noun: string) => records.refer(noun, scope, random);
  const how = { random, atMs: context.now.getTime(), noun: 'record', preset: all, refer };
  const made = firstFitting(schema, (isFresh) =>
    overlay(asDocument(schema.generate({ ...how, isFresh })), all, schema),
  );
  // What does not fit together may fit alone.
  return overlay(asDocument(made), given, schema);
}

/** The id of the parent: from the path, else from the member of the body that has its parameter's name. */
function parentOf(call: OperationRequest, canonical: Kind): string | undefined {
  const inPath = call.scope.ids.at(-1);
  if (inPath !== undefined) return inPath;
  const inBody = canonical.parentName === undefined ? undefined : call.body[canonical.parentName];
  return canonical.parent && isId(inBody) ? String(inBody) : undefined;
}

/** Sets the members of the body in a record. @throws HttpError as `setMembers` */
export function update(call: OperationRequest, found: Found): Found {
  const { kind: of, schema } = found;
  const payment = readPayment(found);
  const { record } = payment;
  const { key } = call.prepared.operation;
  const fixed = [call.records.layoutOf(of)?.idPath, key, moveOf(of) ? of.parentName : undefined];
  const given = Object.entries(membersIn(call, record)).filter(([name]) => !fixed.includes(name));
  const change = setMembers(call, payment, { kind: of, given: Object.fromEntries(given) });
  undoMove(call, found, change);
  return save(call, found, { ...change, record: embed(call, change.record, schema), action: 'updated' });
}

/** The members that a body sets; null for one that a patch removes. @throws HttpError `bad_request` for a JSON Patch that cannot be applied */
function membersIn({ prepared, context, body }: OperationRequest, record: Document): Document {
  const { bodyType } = prepared.operation;
  if (bodyType !== JSON_PATCH && bodyType !== MERGE_PATCH) return body;
  const refuse = (pointer: string, message: string) =>
    badRequest('body', 'value_error.json_patch', message, pointer);
  const isMerged = bodyType === MERGE_PATCH;
  const after = asDocument(
    isMerged ? mergePatch(record, body) : applyPatch(record, JSON.parse(context.body.toString()), refuse),
  );
  const gone = Object.keys(record).filter((name) => !Object.hasOwn(after, name));
  const set = Object.entries(after).filter(([name, value]) => value !== record[name]);
  return Object.fromEntries([...gone.map((name) => [name, null] as const), ...set]);
}

/** Deletes the records of a collection. @throws HttpError as `undoMove` */
export function removeAll(call: OperationRequest, kind: Kind): void {
  const { records, scope } = call;
  records.prepare(kind, scope);
  const parent = kind.parent && scope.ids.at(-1);
  for (const { id } of records.tables.records(records.partition(kind, scope), { parent })) {
    const found = locate(call, kind, { id, parent });
    if (found) remove(call, found);
  }
}

/** Deletes a record. @throws HttpError as `undoMove` */
export function remove(call: OperationRequest, found: Found): Found {
  const { kind, stored, isNew } = found;
  const { records, context } = call;
  const deleted = { ...found, isDeleted: true };
  if (isNew) return deleted;
  undoMove(call, found);
  records.tables.remove(stored);
  removeBelow(call, found);
  records.own.get(kind.path)?.remove(context.merchantAccount, stored.id);
  announce(call, 'deleted', found);
  return deleted;
}
