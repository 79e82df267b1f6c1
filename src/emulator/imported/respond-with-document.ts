import { plainPath } from '../../descriptions/path-words.ts';
import { parseKeepingNumbers } from '../../json/exact.ts';
import { type EmulatorResponse, HttpError } from '../http/response.ts';
import { recordEvent } from '../webhooks/record-event.ts';
import { recordAuditLog } from './audit.ts';
import { asDocument, madeUp, type OperationRequest } from './call.ts';
import { NOTHING_KNOWN } from './money/payment.ts';
import { comparable, overlay } from './overlay.ts';
import type { PreparedSchema } from './prepared.ts';
import { present, presentDeleted } from './present.ts';
import type { StoredRecord } from './tables.ts';
import { refusedVersion, versionOf } from './versions.ts';
import { writable } from './writable.ts';

/**
 * Answers an operation on a path that has a single document, such as the settings of an account. The document is generated for the
 * first request, and stored with the schema of the operation that gets it, even if the others respond with another schema.
 * @throws HttpError `not_found` for a document that was deleted
 */
export function answerDocument(call: OperationRequest): EmulatorResponse {
  const { records, prepared, context, path, served } = call;
  const { tables } = records;
  const { operation, response } = prepared;
  const { method, successStatus: status } = operation;
  const get = records.kinds.shownAt(operation.path);
  const getCall = get ? { ...call, prepared: records.operation(get) } : call;
  const schema = getCall.prepared.response ?? response;
  // A record without a parent, named by the ids in the path.
  const partition = {
    kind: plainPath(operation.path),
    owner: operation.merchantAccount ? context.merchantAccount : '',
  };
  const id = JSON.stringify(operation.pathParameters.map((name) => path[name]));
  const named = {
    type: served.verb.replaceAll('_', '-'),
    id: operation.pathParameters.map((name) => path[name]).join('/') || served.verb,
  };
  const recordOf = (document: string, createdMs: number) => {
    return { id, parent: '', createdMs, document, ...NOTHING_KNOWN };
  };
  const first = () => recordOf(JSON.stringify(madeUp(getCall) ?? null), 0);
  const stored = tables.find(partition, id) ?? records.madeOnce(partition, id, first);
  const refused = method === 'GET' && !stored ? undefined : refusedVersion(call, stored?.document);
  if (refused) return refused;
  if (method === 'DELETE') {
    if (stored) tables.remove(partition, stored);
    tables.setMade(partition, id);
    recordAuditLog(context, { action: 'deleted', type: served.verb, id });
    if (stored) recordEvent(context, { ...named, past: 'deleted', document: stored.document });
    if (!response) return { status, body: '' };
    const document = stored?.document ?? JSON.stringify(madeUp(getCall, true) ?? null);
    return { status, body: presentDeleted(document, response, schema ?? response) };
  }
  if (method === 'GET') {
    if (!stored) throw new HttpError('not_found');
    const body = schema ? present(stored.document, schema, schema) : '';
    return { status, body, headers: versionOf(call, stored.document) };
  }
  if (!schema) return { status, body: '' };
  const document = changed(getCall, schema, stored);
  if (stored) tables.replace(partition, { ...stored, document });
  else tables.insert(partition, recordOf(document, context.now.getTime()));
  recordAuditLog(context, { action: 'updated', type: served.verb, id });
  recordEvent(context, { ...named, past: 'updated', document });
  const body = response ? present(document, response, schema) : '';
  return { status, body, headers: versionOf(call, document) };
}

/** The document with the members of the body. */
function changed(call: OperationRequest, schema: PreparedSchema, stored: StoredRecord | undefined): string {
  const known = stored && asDocument(parseKeepingNumbers(stored.document));
  const fits = known && schema.accepts(comparable(known));
  const before = fits ? known : overlay(asDocument(madeUp(call, true)), known ?? {}, schema);
  return JSON.stringify(overlay(before, writable(call.body, schema), schema));
}
