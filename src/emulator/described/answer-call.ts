import { parseKeepingNumbers } from '../../json/exact.ts';
import type { EmulatorResponse } from '../http/response.ts';
import { HttpError } from '../http/response.ts';
import { perform } from './actions.ts';
import { recordAuditLog } from './audit.ts';
import { asDocument, type Call, madeUp, parentIn, requireAbove, requireRecord, scopeOf } from './call.ts';
import { type Changed, create, remove, update } from './changes.ts';
import { filtersOf } from './filters.ts';
import { type Kind, plainPath, type Role } from './kinds.ts';
import { listAnswer } from './lists.ts';
import { comparable, overlay } from './overlay.ts';
import { pagingOf } from './paging.ts';
import { present } from './present.ts';
import type { StoredRecord } from './tables.ts';
import { refusedVersion, versionOf } from './versions.ts';
import { writable } from './writable.ts';

/** Answers an operation. @throws HttpError and ValidationError for every expected failure */
export function answerCall(call: Call): EmulatorResponse {
  const { served } = call;
  const { kind, role } = served;
  if (role !== 'action') requireAbove(call);
  if (!kind) return role === 'one' ? answerOne(call) : answerOther(call);
  const refused = CHANGES.has(role) && served.hasVersions ? refusedRecord(call, kind) : undefined;
  if (refused) return refused;
  switch (role) {
    case 'list':
    case 'search':
      return answerList(call, kind);
    case 'get': {
      const { stored, schema } = requireRecord(call, kind);
      return answer(call, { document: stored.document, schema });
    }
    case 'create':
      return answer(call, create(call, call.records.home(kind)));
    case 'update':
      return answer(call, update(call, kind));
    case 'remove':
      return answer(call, remove(call, kind));
    case 'action':
      return answer(call, perform(call, kind));
    default:
      return answerOther(call);
  }
}

/** What is done with a record that is there. */
const CHANGES: ReadonlySet<Role> = new Set(['get', 'update', 'remove', 'action']);

function refusedRecord(call: Call, kind: Kind): EmulatorResponse | undefined {
  return refusedVersion(call, requireRecord(call, kind).stored.document);
}

function answer(call: Call, { document, schema }: Changed): EmulatorResponse {
  const { operation, response } = call.prepared;
  const body = response ? present(document, response, schema) : '';
  const headers = call.served.role === 'remove' ? {} : versionOf(call, document);
  return { status: operation.successStatus, body, headers };
}

function answerList(call: Call, kind: Kind): EmulatorResponse {
  const { records, prepared, context, body, served } = call;
  const form = records.form(kind) ?? records.form(records.home(kind));
  if (!form || !prepared.list) return answerOther(call);
  const scope = scopeOf(call);
  records.prepare(kind, scope);
  const home = records.form(records.home(kind)) ?? form;
  const query = context.query as Readonly<Record<string, unknown>>;
  const isSearch = served.role === 'search';
  const { schema } = home;
  const paging = pagingOf(prepared, schema);
  const filters = filtersOf(isSearch ? body : query, { schema, prepared, others: paging.names });
  const parent = kind.parent && kind.path.includes('{}') ? parentIn(call) : undefined;
  const shelf = records.shelf(kind, scope);
  const list = records.tables.list(shelf, parent, filters);
  const momentOf = (id: string) => records.tables.find(shelf, id, parent)?.createdMs;
  const { database, cursorSecret } = context;
  const values = isSearch ? { ...body, ...query } : query;
  return listAnswer(
    { database, cursorSecret, values, address: () => addressOf(call) },
    { prepared, list, paging, schema, records, momentOf },
  );
}

function addressOf({ prepared, path, context }: Call): string {
  const encoded = (name: string) => encodeURIComponent(path[name] ?? '');
  const filled = prepared.operation.path.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => encoded(name));
  return `http://${context.headers.host ?? 'localhost'}${filled}`;
}

/**
 * The only document at a path, such as the settings of an account: made when it is first asked for, then kept as the operation that
 * shows it says, whatever the others answer with.
 */
function answerOne(asked: Call): EmulatorResponse {
  const { records, prepared, context, path, body } = asked;
  const { operation, response } = prepared;
  const get = records.kinds.shownAt(operation.path);
  const call = get ? { ...asked, prepared: records.operation(get) } : asked;
  const schema = call.prepared.response ?? response;
  const shelf = {
    kind: plainPath(operation.path),
    account: operation.merchantAccount ? context.merchantAccount : '',
  };
  const id = JSON.stringify(operation.pathParameters.map((name) => path[name]));
  const stored = records.tables.find(shelf, id) ?? firstOne(call, shelf, id);
  const status = operation.successStatus;
  const refused = operation.method === 'GET' && !stored ? undefined : refusedVersion(asked, stored?.document);
  if (refused) return refused;
  if (operation.method === 'DELETE') {
    if (stored) records.tables.remove(shelf, stored);
    records.tables.setMade(shelf, id);
    auditOne(call, 'deleted', id);
    return { status, body: response ? JSON.stringify(madeUp(asked, true)) : '' };
  }
  if (operation.method === 'GET') {
    if (!stored) throw new HttpError('not_found');
    const body = schema ? present(stored.document, schema, schema) : '';
    return { status, body, headers: versionOf(asked, stored.document) };
  }
  if (!schema) return { status, body: '' };
  const known = stored && asDocument(parseKeepingNumbers(stored.document));
  const isKnown = known && schema.fits.problems(comparable(known)).length === 0;
  const before = isKnown ? known : overlay(asDocument(madeUp(call, true)), known ?? {}, schema);
  const document = JSON.stringify(overlay(before, writable(body, schema), schema));
  const record = {
    id,
    parent: '',
    createdMs: context.now.getTime(),
    document,
    captured: null,
    refunded: null,
  };
  if (stored) records.tables.replace(shelf, record);
  else records.tables.insert(shelf, record);
  auditOne(call, 'updated', id);
  const text = response ? present(document, response, schema) : '';
  return { status, body: text, headers: versionOf(asked, document) };
}

function firstOne(
  call: Call,
  shelf: { kind: string; account: string },
  id: string,
): StoredRecord | undefined {
  const { records } = call;
  if (records.tables.isMade(shelf, id)) return undefined;
  const document = JSON.stringify(madeUp(call) ?? null);
  const record = { id, parent: '', createdMs: 0, document, captured: null, refunded: null };
  records.transaction(() => {
    records.tables.setMade(shelf, id);
    records.tables.insert(shelf, record);
  });
  return record;
}

function auditOne({ records, context, served }: Call, action: string, id: string): void {
  recordAuditLog(records.tables.database, {
    action,
    account: context.merchantAccount,
    subject: context.subject,
    now: context.now,
    type: served.verb,
    id,
  });
}

/**
 * An operation that nothing tells about. One that answers 201 with a record of a kind has made it, such as `POST /payments` with
 * a transaction; any other answers what its schema allows, with the members of the body, and changes nothing.
 */
function answerOther(call: Call): EmulatorResponse {
  const { prepared, records, body } = call;
  const { operation, response } = prepared;
  if (operation.method === 'POST' && operation.successStatus === 201 && response?.name !== undefined) {
    const kind = records.kindOfSchema(response.name);
    if (kind) return answer(call, create(call, kind));
  }
  if (!response) return { status: operation.successStatus, body: '' };
  const made = madeUp(call, operation.method !== 'GET');
  const document =
    made instanceof Object && !Array.isArray(made)
      ? overlay(asDocument(made), writable(body, response), response)
      : made;
  return { status: operation.successStatus, body: JSON.stringify(document) };
}
