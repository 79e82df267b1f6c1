import { parseKeepingNumbers } from '../../json/exact.ts';
import { isObject } from '../../json/is-object.ts';
import { HttpError } from '../http/response.ts';
import { createRandom, type Random } from '../seed/random.ts';
import { createIds } from '../store/ids.ts';
import { recordAuditLog } from './audit.ts';
import { type Call, type Found, locate, parentIn, requireRecord } from './call.ts';
import { generate } from './generate.ts';
import type { Kind } from './kinds.ts';
import { type Change, capture, refund } from './money.ts';
import { type Document, overlay, withMember, writable } from './overlay.ts';
import { NOTHING_KNOWN } from './payment.ts';
import type { PreparedSchema } from './prepared.ts';
import { begin } from './settle.ts';

/** What a change leaves: the record and the schema of its kind. */
export type Changed = { readonly document: string; readonly schema: PreparedSchema };

/**
 * Makes a record from a body. A refund or capture of a payment also changes the payment, unless that was done.
 * @throws HttpError `duplicate_record` for an id that is taken; see also `capture` and `refund`
 */
export function create(call: Call, kind: Kind, { isSettled = false } = {}): Changed {
  const { records, context, body } = call;
  const { merchantAccount: account, now } = context;
  const form = records.form(kind);
  if (!form) throw new HttpError('not_found');
  const { schema, idName } = form;
  const home = records.home(kind);
  const parentId = parentOf(call, home);
  const wanted = idName === undefined ? undefined : body[idName];
  const isWanted = isId(wanted);
  const id = isWanted ? wanted : freshId(call, home);
  const shelf = records.shelf(home, account);
  const parent = parentId ?? '';
  if (isWanted && records.tables.find(shelf, String(id), parent)) {
    throw new HttpError('duplicate_record', {
      message: 'There is a record with this id',
      resourceId: String(id),
    });
  }
  const settled = isSettled ? {} : settlePayment(call, home, parentId);
  const given: Document = {
    ...(idName !== undefined && { [idName]: id }),
    ...(parentId !== undefined && home.parentName !== undefined && { [home.parentName]: parentId }),
    ...(records.takesAccount(home) && { merchant_account_id: account }),
    ...settled,
  };
  const told = freshRecord(call, schema, given);
  const record = embed(call, begin(told, body, schema), schema);
  const document = JSON.stringify(record);
  const createdMs = records.nextMoment(now);
  const stored = { id: String(id), parent, createdMs, document, ...NOTHING_KNOWN };
  records.tables.insert(shelf, stored);
  records.own.add(home.path, account, { record, createdMs });
  audit(call, 'created', { kind: home, stored: { ...stored, record } });
  return { document, schema };
}

function isId(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}

const ID_ATTEMPTS = 10;

/** What nobody foresees: another one in every run. */
const random: Random = {
  ...createRandom(process.getBuiltinModule('node:crypto').randomInt(2 ** 32)),
  uuid: createIds(),
};

function freshId({ records, context }: Call, kind: Kind): string | number {
  const shelf = records.shelf(kind, context.merchantAccount);
  for (let attempt = 0; attempt < ID_ATTEMPTS; attempt += 1) {
    const id = records.newId(kind, random);
    if (!records.tables.find(shelf, String(id))) return id;
  }
  return records.newId(kind, random);
}

const FRESH_ATTEMPTS = 6;

/** As little as the schema lets a record be, with the members of the body and those that are given. */
function freshRecord(call: Call, schema: PreparedSchema, given: Document): Document {
  const { records, context } = call;
  const body = writable(call.body, schema);
  const { now, merchantAccount } = context;
  for (let attempt = 1; ; attempt += 1) {
    const made = generate(schema.schema, {
      root: schema.root,
      random,
      atMs: now.getTime(),
      noun: 'record',
      isFresh: attempt <= FRESH_ATTEMPTS / 2,
      wanted: { ...body, ...given },
      refer: (noun) => records.refer(noun, merchantAccount, random),
    });
    const record = isObject(made) ? made : {};
    // Mostly everything fits at once.
    const whole = overlay(record, { ...body, ...given }, schema);
    if (whole !== record) return whole;
    if (attempt === FRESH_ATTEMPTS || schema.fits.problems(record).length === 0) {
      return overlay(overlay(record, given, schema), body, schema);
    }
  }
}

/** The id of the parent: from the path, else from the member of the body that has its parameter's name. */
function parentOf(call: Call, home: Kind): string | undefined {
  const inPath = parentIn(call);
  if (inPath !== undefined) return inPath;
  const inBody = home.parentName === undefined ? undefined : call.body[home.parentName];
  return home.parent && isId(inBody) ? String(inBody) : undefined;
}

/** A new refund or capture changes the payment that it is below; gives its amount, and the currency of the payment. */
function settlePayment(call: Call, kind: Kind, parentId: string | undefined): Document {
  const change = kind.noun === 'refund' ? refund : kind.noun === 'capture' ? capture : undefined;
  if (!change || !kind.parent || parentId === undefined) return {};
  const found = locate(call, kind.parent, { id: parentId, parent: undefined });
  if (!found) return {};
  const record = parseKeepingNumbers(found.stored.document);
  const changed = change(record, {
    schema: found.schema,
    body: call.body,
    remembered: found.stored,
  });
  save(call, found, { ...changed, record: stamped(call, changed.record, found.schema) });
  const { amount } = changed;
  const { currency } = record;
  return { ...(amount !== undefined && { amount }), ...(currency !== undefined && { currency }) };
}

/** Changes the record at the end of the path by the members of the body. @throws HttpError `not_found` */
export function update(call: Call, kind: Kind): Changed {
  const found = requireRecord(call, kind);
  const record = parseKeepingNumbers(found.stored.document);
  const idName = call.records.form(found.kind)?.idName;
  const body = Object.fromEntries(Object.entries(call.body).filter(([name]) => name !== idName));
  const changed = stamped(call, overlay(record, writable(body, found.schema), found.schema), found.schema);
  const document = save(call, found, {
    record: embed(call, changed, found.schema),
    remembered: found.stored,
  });
  audit(call, 'updated', found);
  return { document, schema: found.schema };
}

/** Deletes the record at the end of the path. @throws HttpError `not_found` */
export function remove(call: Call, kind: Kind): Changed {
  const found = requireRecord(call, kind);
  const { records, context } = call;
  records.tables.remove(found.shelf, found.stored);
  records.own.remove(found.kind.path, context.merchantAccount, found.stored.id);
  audit(call, 'deleted', found);
  return { document: found.stored.document, schema: found.schema };
}

/** The record with the time of its last change, where it has a member for that. */
export function stamped({ context }: Call, record: Document, schema: PreparedSchema): Document {
  const name = ['updated_at', 'modified_at', 'date_modified', 'update_time'].find((one) =>
    schema.members.has(one),
  );
  return name === undefined ? record : withMember(record, name, context.now.toISOString(), schema);
}

/** A record that another one contains is shown as it is: `buyer` of what was made with a `buyer_id`. */
function embed(call: Call, record: Document, schema: PreparedSchema): Document {
  let result = record;
  for (const [name, id] of Object.entries(call.body)) {
    const member = name.replace(/_id$/, '');
    if (member === name || !isId(id) || !schema.members.has(member)) continue;
    const kind = call.records.kinds.called(member);
    const found = kind && locate(call, kind, { id: String(id), parent: undefined });
    const whole = found ? withMember(result, member, JSON.parse(found.stored.document), schema) : result;
    const old = result[member];
    result = whole === result && isObject(old) ? withMember(result, member, { ...old, id }, schema) : whole;
  }
  return result;
}

/** Stores a changed record; gives its document. */
export function save(
  { records, context }: Call,
  { kind, shelf, stored }: Found,
  { record, remembered }: Change,
): string {
  const document = JSON.stringify(record);
  const { captured, refunded } = remembered;
  const changed = { ...stored, document, captured, refunded };
  if (records.tables.find(shelf, stored.id, stored.parent)) records.tables.replace(shelf, changed);
  else records.tables.insert(shelf, { ...changed, createdMs: records.nextMoment(context.now) });
  records.own.replace(kind.path, context.merchantAccount, { record, createdMs: stored.createdMs });
  return document;
}

/** Writes a change into the audit log. */
export function audit(
  { records, context }: Call,
  action: string,
  { kind, stored }: { readonly kind: Kind; readonly stored: Audited },
): void {
  recordAuditLog(records.tables.database, {
    action,
    account: context.merchantAccount,
    subject: context.subject,
    now: context.now,
    type: kind.noun.replaceAll('_', '-'),
    id: stored.id,
    name: nameIn(stored.record ?? (JSON.parse(stored.document) as Document)),
  });
}

type Audited = { readonly id: string; readonly document: string; readonly record?: Document | undefined };

function nameIn(record: Document): string | undefined {
  const names = [record.display_name, record.name, record.label];
  return names.find((name) => typeof name === 'string');
}
