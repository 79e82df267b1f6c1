import { createHash } from 'node:crypto';
import { actionVerb } from '../../descriptions/action-words.ts';
import type { Action } from '../../descriptions/imported-operation.ts';
import { isObject } from '../../json/is-object.ts';
import { type EmulatorResponse, errorBody, HttpError } from '../http/response.ts';
import { type Found, findRecord, madeUp, type OperationRequest, requireAlong } from './call.ts';
import { create, remove, removeAll, update } from './changes.ts';
import { respondWithList } from './lists.ts';
import { writable } from './members.ts';
import { setMembers } from './money/bodies.ts';
import { membersOfMove, undoMove } from './money/captures-and-refunds.ts';
import { paymentOf, readPayment } from './money/payment.ts';
import { act, isMove } from './money/rules.ts';
import { statusAfter, timesOf } from './money/statuses.ts';
import { overlay } from './overlay.ts';
import { present } from './present.ts';
import { save } from './save.ts';

/** Responds to an operation. @throws HttpError and ValidationError for every expected failure */
export function respondTo(call: OperationRequest): EmulatorResponse {
  const { served, records } = call;
  const { kind, action } = served;
  if (action !== 'custom') requireAlong(call, served.above);
  if (!kind || !action) return respondOtherwise(call);
  const change = ON_RECORD[action];
  if (change) {
    const found = findRecord(call, kind);
    // Where no POST creates records, a PUT of an ID that is not there does.
    const isUpsert = action === 'replace' && !records.aliases(kind).some((one) => one.operations.create);
    if (!found && !isUpsert) throw new HttpError('not_found');
    const refused = served.hasVersions && refusedVersion(call, found);
    return refused || respond(call, found ? change(call, found) : create(call, records.canonical(kind)));
  }
  if (action === 'create') return respond(call, create(call, records.canonical(kind)));
  if (action !== 'delete-all') return respondWithList(call, kind) ?? respondOtherwise(call);
  removeAll(call, kind);
  return respondOtherwise(call);
}

/** The actions on one record or document, for which a request can require a version. */
const ON_RECORD: { readonly [action in Action]?: (call: OperationRequest, found: Found) => Found } = {
  get: (_, found) => found,
  replace: update,
  update,
  delete: remove,
  custom: perform,
};

/** Responds with a record, and names its version where the description knows versions at the path. */
function respond({ prepared, served, body }: OperationRequest, found: Found): EmulatorResponse {
  const { operation, response } = prepared;
  const sent = response && found.isNew && served.action !== 'get' ? { sent: writable(body, response) } : {};
  const isNamed = served.hasVersions && !found.isDeleted;
  return {
    status: operation.successStatus,
    body: response ? present({ ...found, ...sent }, response) : '',
    headers: isNamed ? { etag: etagOf(found.stored.document) } : {},
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

function etagOf(document: string): string {
  return `"${createHash('sha256').update(document).digest('base64url').slice(0, 22)}"`;
}

/**
 * The response to a request whose conditions the record does not meet (RFC 9110): 412 to `If-Match` with other versions, and to
 * `If-None-Match` with this one, which with GET is a 304. Without a record, none meets `If-Match`. Undefined where the request is
 * to be carried out.
 */
function refusedVersion(
  { context, prepared }: OperationRequest,
  found: Found | undefined,
): EmulatorResponse | undefined {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = context.headers;
  const etag = found && !found.isNew ? etagOf(found.stored.document) : undefined;
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

/** Performs the action that the last word of the path names on the record before it. @throws HttpError and ValidationError as `act` */
function perform(call: OperationRequest, found: Found): Found {
  const { served, body, records, context } = call;
  const { kind, schema, stored } = found;
  const verb = actionVerb(served.verb, kind.noun);
  const { newStatus = statusAfter(verb, schema) } = served;
  const payment = readPayment(found);
  const acted = act({ verb, newStatus }, payment, body);
  const after = () => paymentOf(acted.record, schema, acted.remembered);
  const changed = isMove(verb) ? acted : setMembers(call, after(), { kind, given: body });
  // The member that says when an action happened, such as `captured_at`.
  const { name: dateName = '' } = timesOf(schema).find(({ word }) => word === newStatus) ?? {};
  const date = acted.record === payment.record ? {} : { [dateName]: context.now.toISOString() };
  const record = overlay(changed.record, date, schema);
  undoMove(call, found, changed);
  const saved = save(call, found, { ...changed, record, action: verb });
  const called = verb === 'refund' ? records.called('refund') : undefined;
  const refunds = called && records.canonical(called);
  if (refunds?.parent !== kind) return saved;
  // A refund that an action makes is found in the list of refunds, too.
  const ofPayment = { ...call, body: { ...body, [refunds.parentName ?? '']: stored.id } };
  const made = create(ofPayment, refunds, membersOfMove(call, refunds, { payment, amount: acted.amount }));
  const { name } = call.prepared.response ?? {};
  return name !== undefined && name === made.schema.name ? made : saved;
}
