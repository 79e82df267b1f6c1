import { createHash } from 'node:crypto';
import { actionVerb } from '../../descriptions/action-words.ts';
import type { Action } from '../../descriptions/imported-operation.ts';
import { plainPath } from '../../descriptions/path-words.ts';
import { parseKeepingNumbers } from '../../json/exact.ts';
import { isObject } from '../../json/is-object.ts';
import { type EmulatorResponse, errorBody, HttpError } from '../http/response.ts';
import { asDocument, madeUp, type OperationRequest, requireAlong, requireRecord } from './call.ts';
import { create, remove, removeAll, update } from './changes.ts';
import type { Kind } from './kinds.ts';
import { respondWithList } from './lists.ts';
import { writable } from './members.ts';
import { setMembers } from './money/bodies.ts';
import { amountOfMove, type Moved, undoMove } from './money/captures-and-refunds.ts';
import { NOTHING_KNOWN, paymentOf, readPayment } from './money/payment.ts';
import { act, isMove } from './money/rules.ts';
import { statusAfter, timesOf } from './money/statuses.ts';
import { comparable, overlay, withMember } from './overlay.ts';
import { type Changed, present } from './present.ts';
import { recordChange, save } from './save.ts';

/** Responds to an operation. @throws HttpError and ValidationError for every expected failure */
export function respondTo(call: OperationRequest): EmulatorResponse {
  const { served, records } = call;
  const { kind, action } = served;
  if (action !== 'custom') requireAlong(call, served.above);
  if (action === 'document') return respondWithDocument(call);
  if (!kind || !action) return respondOtherwise(call);
  const isVersioned = served.hasVersions && ON_RECORD.has(action);
  const refused = isVersioned && refusedVersion(call, requireRecord(call, kind).stored.document);
  if (refused) return refused;
  switch (action) {
    case 'list':
    case 'search':
      return respondWithList(call, kind) ?? respondOtherwise(call);
    case 'get': {
      const { stored, schema } = requireRecord(call, kind);
      return respond(call, { document: stored.document, schema });
    }
    case 'create':
      return respond(call, create(call, records.canonical(kind)));
    case 'replace':
    case 'update':
      return respond(call, update(call, kind));
    case 'delete':
      return respond(call, remove(call, kind));
    case 'delete-all':
      removeAll(call, kind);
      return respondOtherwise(call);
    case 'custom':
      return respond(call, perform(call, kind));
  }
}

/** The actions on one record, for which a request can require a version. */
const ON_RECORD: ReadonlySet<Action> = new Set(['get', 'replace', 'update', 'delete', 'custom']);

/** Responds with a record, and names its version where the description knows versions at the path. */
function respond({ prepared, served }: OperationRequest, changed: Changed): EmulatorResponse {
  const { operation, response } = prepared;
  const body = response ? present(changed, response) : '';
  const isNamed = served.hasVersions && !changed.isDeleted;
  return {
    status: operation.successStatus,
    body,
    headers: isNamed ? { etag: etagOf(changed.document) } : {},
  };
}

/**
 * Responds to an operation whose path and method do not say what it does. A POST that responds with 201 and the record of a kind creates
 * it, such as `POST /payments` with a transaction. Any other changes nothing: it responds with a generated document and the
 * members of the body.
 */
function respondOtherwise(call: OperationRequest): EmulatorResponse {
  const { prepared, records, body } = call;
  const { operation, response } = prepared;
  const { method, successStatus: status } = operation;
  if (!response) return { status, body: '' };
  const isCreation = method === 'POST' && status === 201 && response.name !== undefined;
  const kind = isCreation ? records.kindOfSchema(response.name) : undefined;
  if (kind) return respond(call, create(call, kind));
  const made = madeUp(call, method !== 'GET');
  const document = isObject(made) ? overlay(made, writable(body, response), response) : made;
  return { status, body: JSON.stringify(document) };
}

/**
 * Responds to an operation on a path that has a single document, such as the settings of an account. The document is generated for the
 * first request, and stored with the schema of the operation that gets it, even if the others respond with another schema.
 * @throws HttpError `not_found` for a document that was deleted
 */
function respondWithDocument(call: OperationRequest): EmulatorResponse {
  const { records, prepared, context, path, served } = call;
  const { tables } = records;
  const {
    method,
    path: template,
    pathParameters,
    merchantAccount,
    successStatus: status,
  } = prepared.operation;
  const get = records.shownAt(template);
  const getCall = get ? { ...call, prepared: records.operation(get) } : call;
  const schema = getCall.prepared.response ?? prepared.response;
  // A record without a parent, named by the ids in the path.
  const kind = { path: plainPath(template), noun: served.verb } as Kind;
  const partition = { kind: kind.path, owner: merchantAccount ? context.merchantAccount : '' };
  const ids = pathParameters.map((name) => path[name]);
  const id = JSON.stringify(ids);
  const of = (value: unknown, createdMs = 0) => {
    return { id, parent: '', createdMs, document: JSON.stringify(value ?? null), ...NOTHING_KNOWN };
  };
  const stored = tables.find(partition, id) ?? records.madeOnce(partition, id, () => of(madeUp(getCall)));
  const isGet = method === 'GET';
  if (isGet && !stored) throw new HttpError('not_found');
  const refused = refusedVersion(call, stored?.document);
  if (refused) return refused;
  const isDeleted = method === 'DELETE';
  if (isDeleted) tables.setMade(partition, id);
  if (isDeleted && stored) {
    tables.remove(stored);
    record('deleted', stored.document);
  }
  if (!schema) return { status, body: '' };
  if (isGet || isDeleted) {
    const { document } = stored ?? of(madeUp(getCall, true));
    return respond(call, { document, schema, isDeleted });
  }
  const known = stored && asDocument(parseKeepingNumbers(stored.document));
  const fits = known && schema.accepts(comparable(known));
  const before = fits ? known : overlay(asDocument(madeUp(getCall, true)), known ?? {}, schema);
  const after = of(overlay(before, writable(call.body, schema), schema), context.now.getTime());
  if (stored) tables.replace({ ...stored, document: after.document });
  else tables.insert(partition, after);
  record('updated', after.document);
  return respond(call, { document: after.document, schema });

  function record(action: string, document: string): void {
    recordChange(call, action, { kind, stored: { id: ids.join('/') || served.verb, document } });
  }
}

function etagOf(document: string): string {
  return `"${createHash('sha256').update(document).digest('base64url').slice(0, 22)}"`;
}

/**
 * The response to a request whose conditions the record does not meet (RFC 9110): 412 to `If-Match` with other versions, and to
 * `If-None-Match` with this one, which with GET is a 304. Without a record, none meets `If-Match`. Undefined where the request is
 * to be carried out.
 */
function refusedVersion(
  { served, context, prepared }: OperationRequest,
  document: string | undefined,
): EmulatorResponse | undefined {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = context.headers;
  if (!served.hasVersions) return undefined;
  const etag = document === undefined ? undefined : etagOf(document);
  const isOther = ifMatch !== undefined && !names(ifMatch, etag);
  // A weak tag names the same version where nothing is changed by it.
  if (!isOther && !names(ifNoneMatch?.replaceAll('W/"', '"'), etag)) return undefined;
  const headers = etag === undefined ? {} : { etag };
  if (!isOther && prepared.operation.method === 'GET') return { status: 304, body: '', headers };
  const message = 'The record has another version than the request asks for';
  const body = errorBody({ type: 'error', code: 'precondition_failed', status: 412, message });
  return { status: 412, body, headers };
}

/** Whether a header names a version, which is undefined where there is no record. */
function names(header: string | undefined, etag: string | undefined): boolean {
  if (header === undefined || etag === undefined) return false;
  return header.trim() === '*' || header.match(/(?:W\/)?"[^"]*"/g)?.includes(etag) === true;
}

/** Performs the action that the last word of the path names on the record before it. @throws HttpError `not_found`, and as `act` */
function perform(call: OperationRequest, kind: Kind): Changed {
  const { served, body, records, context } = call;
  const found = requireRecord(call, kind);
  const { schema, stored } = found;
  const verb = actionVerb(served.verb, found.kind.noun);
  const { newStatus = statusAfter(verb, schema) } = served;
  const payment = readPayment(found);
  const acted = act({ verb, newStatus }, payment, body);
  const after = () => paymentOf(acted.record, schema, acted.remembered);
  const changed = isMove(verb) ? acted : setMembers(call, after(), { kind: found.kind, given: body });
  // The member that says when an action happened, such as `captured_at`.
  const dateName = timesOf(schema).find(({ word }) => word === newStatus)?.name;
  const isUnchanged = JSON.stringify(acted.record) === stored.document;
  const now = context.now.toISOString();
  const dated = isUnchanged ? changed.record : withMember(changed.record, dateName, now, schema);
  undoMove(call, found, changed);
  const document = save(call, found, { ...changed, record: dated });
  recordChange(call, verb, { kind: found.kind, stored: { id: stored.id, document } });
  const called = verb === 'refund' ? records.called('refund') : undefined;
  const refunds = called && records.canonical(called);
  if (refunds?.parent !== found.kind) return { document, schema };
  const made = recordRefund(call, refunds, { id: stored.id, payment, amount: acted.amount });
  const { name } = call.prepared.response ?? {};
  return name !== undefined && name === made.schema.name ? made : { document, schema };
}

/** A refund that an action makes is found in the list of refunds, too. */
function recordRefund(call: OperationRequest, kind: Kind, { id, ...moved }: Moved & { id: string }): Changed {
  const body = { ...call.body, ...amountOfMove(call, kind, moved), [kind.parentName ?? '']: id };
  return create({ ...call, body }, kind, { isSettled: true });
}
