import { PAYMENT_NAMES, paymentMember } from '../text/amount-names.ts';
import { actionVerb, isStatusAfter } from './action-words.ts';
import { contraryVerb } from './command-names.ts';
import { correctionIn, mayHave } from './corrections.ts';
import { type OperationContext, pathNames } from './declaration.ts';
import { ACTIONS, type Action, type OperationModel } from './imported-operation.ts';
import { actionOfVerb, calledBy, lastWord, pathsBelow, plainPath, singular } from './path-words.ts';
import { kebab } from './plain-text.ts';
import type { Read } from './read-all.ts';
import { isReadingPath } from './reads.ts';
import { idPathOf } from './record-place.ts';

/** What a method does with the record or document at a path. */
export const ITEM_ACTIONS = {
  GET: 'get',
  DELETE: 'delete',
  POST: 'update',
  PUT: 'replace',
  PATCH: 'update',
} as const;

type Methods = ReadonlyMap<string, Read>;

/**
 * The model of a description: the action and the resource of each operation, and the member that identifies its records. A resource is a
 * collection with the records in it; `/payments/{}/refunds` is the path of one. `x-payctl-action`, `x-payctl-resource` and
 * `x-payctl-id` of an operation correct what its path and method say.
 */
export function modelOf(operations: readonly Read[], context: OperationContext): readonly OperationModel[] {
  const paths = Map.groupBy(operations, ({ operation }) => plainPath(operation.path));
  const methods = new Map(
    [...paths].map(([path, all]) => [path, new Map(all.map((one) => [one.operation.method, one]))]),
  );
  const calls = proceduresIn(operations, methods);
  const found = new Map(
    operations.map((one) => {
      const place = calls.get(one) ?? placeIn(methods, one);
      return [one, corrected(one, place, context)] as const;
    }),
  );
  const collections = Map.groupBy(operations, (one) => found.get(one)?.resource);
  const below = pathsBelow(operations.map(({ operation }) => operation.path));
  const usualFirst = ([...all]: readonly Read[]) =>
    all.sort((a, b) => (below.get(b.operation.path) ?? 0) - (below.get(a.operation.path) ?? 0));
  const facts = new Map(
    [...collections].map(
      ([resource, all]) => [resource, resource && factsOf(resource, usualFirst(all), context)] as const,
    ),
  );
  return [...found].map(([one, model]) => {
    const { recordId, statuses = [] } = facts.get(model.resource) || {};
    const newStatus = model.action === 'custom' ? statusOf(one, model, { statuses, context }) : undefined;
    const payments = paymentsInBody(one, operations);
    return {
      ...model,
      ...(recordId !== undefined && recordId !== 'id' && { recordId }),
      ...(newStatus !== undefined && { newStatus }),
      ...(payments.length > 0 && { payments }),
    };
  });
}

/** The payments that the body of a capture or a refund can name: their records say how much was captured or refunded. */
function paymentsInBody(
  { operation: { method, path }, sent }: Read,
  operations: readonly Read[],
): NonNullable<OperationModel['payments']> {
  const isMove = method === 'POST' && /^(?:capture|refund)$/.test(singular(lastWord(path)));
  if (!isMove || path.includes('{')) return [];
  const payments = operations.filter(
    ({ operation: one, record }) =>
      one.method === 'GET' &&
      /^[^{}]+\/\{[^{}]*\}$/.test(one.path) &&
      paymentMember([...PAYMENT_NAMES.captured, ...PAYMENT_NAMES.refunded], [...record.members.keys()]),
  );
  return [...sent.members.keys()].flatMap((member) => {
    const noun = kebab(member).replace(/-id$/, '');
    const found = payments.find(({ operation: one }) => kebab(singular(lastWord(one.path))) === noun);
    return found ? [{ member, collection: found.operation.path.replace(/\/[^/]*$/, '') }] : [];
  });
}

/** The status of a record after a custom action: that of `x-payctl-status`, else one that fits the verb. */
function statusOf(
  { declaration, operation }: Read,
  { resource = '' }: OperationModel,
  { statuses, context }: { readonly statuses: readonly string[]; readonly context: OperationContext },
): string | undefined {
  const given = correctionIn(declaration, context, {
    name: 'x-payctl-status',
    expected: 'a status',
    isValid: (status) => status !== '',
  });
  if (given !== undefined) return given;
  const verb = actionVerb(lastWord(operation.path), singular(lastWord(resource)));
  return statuses.find((status) => isStatusAfter(verb, status));
}

/**
 * The operations that are remote procedure calls on a resource, each with the member or parameter that has the ID of the record. A single
 * one on a resource does not indicate this style, nor does one on a resource with paths of its own.
 */
function proceduresIn(
  operations: readonly Read[],
  methods: ReadonlyMap<string, Methods>,
): ReadonlyMap<Read, OperationModel> {
  const calls = operations.flatMap((one) => {
    const { method, path, isList } = one.operation;
    const called = calledBy(path);
    const isCall = called && (method === 'POST' || (method === 'GET' && /get|list/.test(called.action)));
    if (!isCall || (called.action === 'list' && !isList)) return [];
    return [{ one, ...called, ...(isList && { action: 'list' as const }) }];
  });
  const resources = Map.groupBy(calls, ({ resource }) => resource);
  const found = new Map<Read, OperationModel>();
  for (const [resource, all] of resources) {
    const isOther = all.length < 2 || isResource(methods, resource) || isResource(methods, `${resource}s`);
    if (isOther) continue;
    for (const { one, action } of all) {
      const isSearch = action === 'list' && one.operation.method === 'POST';
      const key = action === 'list' || action === 'create' ? undefined : keyOf(one, resource);
      if (key === undefined && action !== 'list' && action !== 'create') continue;
      found.set(one, { action: isSearch ? 'search' : action, resource, ...(key !== undefined && { key }) });
    }
  }
  return found;
}

/** The member of a body, or the query parameter, that has the ID of a record. */
function keyOf({ operation, sent }: Read, resource: string): string | undefined {
  const noun = kebab(lastWord(resource));
  const names = operation.method === 'GET' ? Object.keys(operation.query) : [...sent.members.keys()];
  const wanted = [`${noun}-id`, 'id', noun, `${noun}-token`, 'token', 'name'];
  return wanted.flatMap((one) => names.filter((name) => kebab(name) === one))[0];
}

/** The action of a method on a path, and its resource. */
function placeIn(
  methods: ReadonlyMap<string, Methods>,
  { id, sent, record: shown, operation: { method, path: written, isList } }: Read,
): OperationModel {
  const path = plainPath(written);
  const contrary = contraryVerb({ id, method, path: written });
  const outer = path.slice(0, path.lastIndexOf('/'));
  const isCollection = (at: string) => isResource(methods, at);
  if (path.endsWith('/{}')) {
    // One with a body says in it what becomes of the record.
    const isDeletion = contrary === 'delete' && sent.members.size === 0;
    const resource = otherKeyIn(methods, written) ?? outer;
    return { action: isDeletion ? contrary : ITEM_ACTIONS[method], resource };
  }
  const all = methods.get(path);
  const isOwn = isCollection(path);
  // `/payments/search` lists what `/payments/{id}` shows.
  const item = methods.get(`${outer}/{}`)?.get('GET')?.record;
  const isSame = shown.name !== undefined && shown.name === item?.name;
  const isOfOuter =
    isList &&
    !methods.has(`${path}/{}`) &&
    (isSame || (isReadingPath(written) && hasRecords(methods, outer)));
  if (isOwn && method === 'GET') return { action: 'list', resource: isOfOuter ? outer : path };
  if (isOwn && contrary === 'delete') return {};
  if (isOwn && contrary === 'create') return { action: contrary, resource: path };
  if (isOwn && method === 'POST') return { action: isList ? 'search' : 'create', resource: path };
  if (isOwn && method === 'DELETE') return { action: 'delete-all', resource: path };
  const above = outer.endsWith('/{}') ? outer.slice(0, -'/{}'.length) : undefined;
  const record = above !== undefined && isCollection(above) ? above : undefined;
  if (method === 'POST' && isList && isCollection(outer)) return { action: 'search', resource: outer };
  const isDocument = method === 'GET' || all?.has('GET') === true || method === 'DELETE';
  if (!isOwn && isDocument) return { action: 'document' };
  if (record === undefined) return {};
  if (isOwn) return { resource: record };
  // `/customers/{id}/delete` deletes the record.
  return { action: actionOfVerb(kebab(lastWord(path))) === 'delete' ? 'delete' : 'custom', resource: record };
}

/** The collection of `/users/{id}` for `/users/email/{email}`, which names a record by another member. */
function otherKeyIn(methods: ReadonlyMap<string, Methods>, written: string): string | undefined {
  const path = plainPath(written);
  const [, collection = '', member = ''] = /^(.+)\/([^/{}]+)\/\{\}$/.exec(path) ?? [];
  const name = kebab(pathNames(written).at(-1) ?? '');
  const shown = methods.get(path)?.get('GET')?.record.members.keys() ?? [];
  const isOther = !methods.has(`${collection}/${member}`) && methods.get(`${collection}/{}`)?.has('GET');
  const isKey = kebab(member).replace(/^by-/, '') === name && [...shown].some((one) => kebab(one) === name);
  return isOther && isKey ? collection : undefined;
}

/** Whether a path is that of a collection: its records have paths, it is listed, or it is searched. */
function isResource(methods: ReadonlyMap<string, Methods>, path: string): boolean {
  const isSearch = methods.get(path)?.get('POST')?.operation.isList === true;
  const outer = path.slice(0, path.lastIndexOf('/'));
  return hasRecords(methods, path) || (isSearch && !hasRecords(methods, outer));
}

function hasRecords(methods: ReadonlyMap<string, Methods>, path: string): boolean {
  return methods.get(path)?.get('GET')?.operation.isList === true || methods.has(`${path}/{}`);
}

function corrected({ declaration }: Read, model: OperationModel, context: OperationContext): OperationModel {
  const action = correctionIn(declaration, context, {
    name: 'x-payctl-action',
    expected: `one of ${ACTIONS.join(', ')}`,
    isValid: isAction,
  });
  const resource = correctionIn(declaration, context, {
    name: 'x-payctl-resource',
    expected: 'the path of a collection, such as /orders',
    isValid: (path) => /^\/[^\p{Cc}]+$/u.test(path),
  });
  return {
    ...model,
    ...(action !== undefined && isAction(action) && { action }),
    ...(resource !== undefined && { resource: plainPath(resource) }),
  };
}

function isAction(text: string): text is Action {
  return (ACTIONS as readonly string[]).includes(text);
}

/** What the operations on a resource tell about its records: the member with the ID, and the values of the status. */
function factsOf(
  resource: string,
  operations: readonly Read[],
  context: OperationContext,
): { readonly recordId: string | undefined; readonly statuses: readonly string[] } {
  const item = operations.find(({ operation }) => plainPath(operation.path) === `${resource}/{}`);
  const isOn = (path: string) =>
    [resource, `${resource}/{}`].includes(plainPath(path)) || calledBy(path)?.resource === resource;
  const shown = operations.filter(({ operation: { path } }) => isOn(path));
  // A deletion often returns its outcome, not a record.
  const records = [...(item ? [item] : []), ...shown]
    .filter(({ operation: { method } }) => method !== 'DELETE')
    .map(({ record }) => record);
  const known = records.filter(({ members }) => members.size > 0);
  const isField = (path: string) =>
    known.length === 0 ? path !== '' : known.some((record) => mayHave(record, path));
  const given = operations.flatMap(({ declaration }) => {
    const rule = { name: 'x-payctl-id', expected: 'a field of the record', isValid: isField } as const;
    return correctionIn(declaration, context, rule) ?? [];
  });
  const [name, parameter] = Object.entries(item?.operation.pathValues ?? {}).at(-1) ?? [];
  const of = name === undefined ? undefined : { name, isInteger: parameter?.type === 'integer' };
  const noun = kebab(singular(lastWord(resource)));
  const [recordId] = [
    ...given,
    ...known.flatMap((record) => idPathOf(record, { noun, parameter: of }) ?? []),
  ];
  const [first] = known;
  const status = ['status', 'state'].find((one) => first?.members.has(one));
  const values = status === undefined ? undefined : first?.viewOf(first.members.get(status)).values;
  return { recordId, statuses: (values ?? []).filter((value) => typeof value === 'string') };
}
