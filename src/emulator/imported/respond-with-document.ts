import { plainPath } from '../../descriptions/path-words.ts';
import { parseKeepingNumbers } from '../../json/exact.ts';
import { type EmulatorResponse, HttpError } from '../http/response.ts';
import { recordAuditLog } from './audit.ts';
import { asDocument, madeUp, type OperationRequest } from './call.ts';
import { NOTHING_KNOWN } from './money/payment.ts';
import { comparable, overlay } from './overlay.ts';
import type { PreparedSchema } from './prepared.ts';
import { present, presentDeleted } from './present.ts';
import type { Partition, StoredRecord } from './tables.ts';
import { refusedVersion, versionOf } from './versions.ts';
import { writable } from './writable.ts';

/** Where the document of a path is stored: a record without a parent, named by the ids in the path. */
type DocumentKey = { readonly partition: Partition; readonly id: string };

/**
 * Answers an operation on a path that has a single document, such as the settings of an account. The document is generated for the
 * first request, and stored with the schema of the operation that gets it, even if the others respond with another schema.
 * @throws HttpError `not_found` for a document that was deleted
 */
export function answerDocument(call: OperationRequest): EmulatorResponse {
  const { records, prepared, context, path } = call;
  const { operation, response } = prepared;
  const get = records.kinds.shownAt(operation.path);
  const getCall = get ? { ...call, prepared: records.operation(get) } : call;
  const schema = getCall.prepared.response ?? response;
  const owner = operation.merchantAccount ? context.merchantAccount : '';
  const place = {
    partition: { kind: plainPath(operation.path), owner },
    id: JSON.stringify(operation.pathParameters.map((name) => path[name])),
  };
  const stored = records.tables.find(place.partition, place.id) ?? generateFirst(getCall, place);
  const refused = operation.method === 'GET' && !stored ? undefined : refusedVersion(call, stored?.document);
  if (refused) return refused;
  const status = operation.successStatus;
  if (operation.method === 'DELETE') {
    removeDocument(call, place, stored);
    if (!response) return { status, body: '' };
    const document = stored?.document ?? JSON.stringify(madeUp(getCall, true) ?? null);
    return { status, body: presentDeleted(document, response, schema ?? response) };
  }
  if (operation.method === 'GET') {
    if (!stored) throw new HttpError('not_found');
    const body = schema ? present(stored.document, schema, schema) : '';
    return { status, body, headers: versionOf(call, stored.document) };
  }
  if (!schema) return { status, body: '' };
  const document = changed(getCall, schema, stored);
  replaceDocument(call, place, { document, isNew: stored === undefined });
  const body = response ? present(document, response, schema) : '';
  return { status, body, headers: versionOf(call, document) };
}

/** Undefined if the document was deleted before. */
function generateFirst(call: OperationRequest, { partition, id }: DocumentKey): StoredRecord | undefined {
  const { tables } = call.records;
  if (tables.isMade(partition, id)) return undefined;
  const document = JSON.stringify(madeUp(call) ?? null);
  const record = { id, parent: '', createdMs: 0, document, ...NOTHING_KNOWN };
  call.records.transaction(() => {
    tables.setMade(partition, id);
    tables.insert(partition, record);
  });
  return record;
}

/** The document with the members of the body. */
function changed(call: OperationRequest, schema: PreparedSchema, stored: StoredRecord | undefined): string {
  const known = stored && asDocument(parseKeepingNumbers(stored.document));
  const fits = known && schema.fits.accepts(comparable(known));
  const before = fits ? known : overlay(asDocument(madeUp(call, true)), known ?? {}, schema);
  return JSON.stringify(overlay(before, writable(call.body, schema), schema));
}

function removeDocument(
  call: OperationRequest,
  { partition, id }: DocumentKey,
  stored: StoredRecord | undefined,
): void {
  const { tables } = call.records;
  if (stored) tables.remove(partition, stored);
  tables.setMade(partition, id);
  recordAuditLog(call, { action: 'deleted', type: call.served.verb, id });
}

function replaceDocument(
  call: OperationRequest,
  { partition, id }: DocumentKey,
  { document, isNew }: { readonly document: string; readonly isNew: boolean },
): void {
  const { tables } = call.records;
  const record = { id, parent: '', createdMs: call.context.now.getTime(), document, ...NOTHING_KNOWN };
  if (isNew) tables.insert(partition, record);
  else tables.replace(partition, record);
  recordAuditLog(call, { action: 'updated', type: call.served.verb, id });
}
