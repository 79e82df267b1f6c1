import type { Action } from '../../descriptions/imported-operation.ts';
import { isObject } from '../../json/is-object.ts';
import type { EmulatorResponse } from '../http/response.ts';
import { perform } from './actions.ts';
import { madeUp, type OperationRequest, requireAbove, requireRecord } from './call.ts';
import { type Changed, create, remove, removeAll, update } from './changes.ts';
import { answerList } from './lists.ts';
import { overlay } from './overlay.ts';
import { present, presentDeleted } from './present.ts';
import { answerDocument } from './respond-with-document.ts';
import { refusedVersion, versionOf } from './versions.ts';
import { writable } from './writable.ts';

/** Answers an operation. @throws HttpError and ValidationError for every expected failure */
export function answerCall(call: OperationRequest): EmulatorResponse {
  const { served } = call;
  const { kind, action } = served;
  if (action !== 'custom') requireAbove(call);
  if (action === 'document') return answerDocument(call);
  if (!kind || !action) return answerOther(call);
  const isVersioned = served.hasVersions && ON_RECORD.has(action);
  const refused = isVersioned && refusedVersion(call, requireRecord(call, kind).stored.document);
  if (refused) return refused;
  switch (action) {
    case 'list':
    case 'search':
      return answerList(call, kind) ?? answerOther(call);
    case 'get': {
      const { stored, schema } = requireRecord(call, kind);
      return answer(call, { document: stored.document, schema });
    }
    case 'create':
      return answer(call, create(call, call.records.canonical(kind)));
    case 'replace':
    case 'update':
      return answer(call, update(call, kind));
    case 'delete':
      return answer(call, remove(call, kind));
    case 'delete-all':
      removeAll(call, kind);
      return answerOther(call);
    case 'custom':
      return answer(call, perform(call, kind));
  }
}

/** The actions on one record, for which a request can require a version. */
const ON_RECORD: ReadonlySet<Action> = new Set(['get', 'replace', 'update', 'delete', 'custom']);

function answer(call: OperationRequest, { document, schema }: Changed): EmulatorResponse {
  const { operation, response } = call.prepared;
  const isRemoved = call.served.action === 'delete';
  const shown = isRemoved ? presentDeleted : present;
  const body = response ? shown(document, response, schema) : '';
  const headers = isRemoved ? {} : versionOf(call, document);
  return { status: operation.successStatus, body, headers };
}

/**
 * Answers an operation whose path and method do not say what it does. A POST that responds with 201 and the record of a kind creates
 * it, such as `POST /payments` with a transaction. Any other changes nothing: it responds with a generated document and the
 * members of the body.
 */
function answerOther(call: OperationRequest): EmulatorResponse {
  const { prepared, records, body } = call;
  const { operation, response } = prepared;
  if (operation.method === 'POST' && operation.successStatus === 201 && response?.name !== undefined) {
    const kind = records.kindOfSchema(response.name);
    if (kind) return answer(call, create(call, kind));
  }
  if (!response) return { status: operation.successStatus, body: '' };
  const made = madeUp(call, operation.method !== 'GET');
  const document = isObject(made) ? overlay(made, writable(body, response), response) : made;
  return { status: operation.successStatus, body: JSON.stringify(document) };
}
