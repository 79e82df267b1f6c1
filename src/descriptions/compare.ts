import { isPaged, type Operation, type QueryParameter } from '../contract/operation.ts';
import { own } from '../json/is-object.ts';
import { quote } from '../text/format.ts';
import { callOf } from './command-names.ts';
import { type Change, SchemaComparison } from './compare-schemas.ts';
import type { Direction } from './compare-values.ts';
import type { OperationRecord } from './complete-operation.ts';
import type { ImportedOperation } from './imported-operation.ts';
import type { Definitions, Schema } from './schema-keywords.ts';

/** A difference between two descriptions. */
export type DescriptionChange = Change & {
  /** The words of its command, after the change. */
  readonly command: string;
  /** Method and path. */
  readonly operation: string;
};

/** The parts of a description that are compared. */
export type Comparable = { readonly records: readonly OperationRecord[]; readonly definitions: Definitions };

/**
 * Lists the differences between two descriptions: the operations in the order of the new one, then those that are gone. A difference is
 * breaking if something that scripts rely on is gone or narrower: an operation, its command, its request, its response.
 */
export function compareDescriptions(before: Comparable, after: Comparable): readonly DescriptionChange[] {
  const schemas = {
    request: new SchemaComparison(before.definitions, after.definitions, 'request'),
    response: new SchemaComparison(before.definitions, after.definitions, 'response'),
  };
  const old = new Map(before.records.map((record) => [callOf(record.operation), record]));
  const changes: DescriptionChange[] = [];
  for (const record of after.records) {
    const key = callOf(record.operation);
    const previous = old.get(key);
    old.delete(key);
    const found = previous
      ? compareOperations(previous, record, schemas)
      : [compatible('operation_added', '', 'The operation is new')];
    changes.push(...found.map((change) => ({ ...namesOf(record), ...change })));
  }
  for (const record of old.values()) {
    const change = breaking(
      'operation_gone',
      '',
      'The operation was removed, or payctl can no longer run it',
    );
    changes.push({ ...namesOf(record), ...change });
  }
  return changes;
}

function namesOf({ operation: { command, method, path } }: OperationRecord) {
  return { command, operation: `${method} ${path}` };
}

type Comparisons = Readonly<Record<Direction, SchemaComparison>>;

function compareOperations(
  old: OperationRecord,
  now: OperationRecord,
  schemas: Comparisons,
): readonly Change[] {
  const [a, b] = [old.operation, now.operation];
  return [
    ...compareNames(a, b),
    ...compareScopes(a, b),
    ...compareHeaders(a, b),
    ...compareArguments(a, b, schemas.request),
    ...compareParameters('query', [a.query, b.query], schemas.request),
    ...compareParameters('header', [a.headers ?? {}, b.headers ?? {}], schemas.request),
    ...compareBodies(a, b),
    ...(a.hasBody && b.hasBody
      ? schemas.request.changes(old.requests[0]?.schema, now.requests[0]?.schema, 'body')
      : []),
    ...compareResponses(old, now, schemas.response),
  ];
}

type Describe = (code: string, where: string, message: string) => Change;
const breaking: Describe = (code, where, message) => ({ breaking: true, code, where, message });
const compatible: Describe = (code, where, message) => ({ breaking: false, code, where, message });

/** The changes of a list in which a change that did not happen is false or undefined. */
function happened(changes: readonly (Change | false | undefined)[]): readonly Change[] {
  return changes.filter((change) => change !== false && change !== undefined);
}

function compareNames(a: ImportedOperation, b: ImportedOperation): readonly Change[] {
  const names = [b.command, ...(b.aliases ?? [])];
  const gone = [a.command, ...(a.aliases ?? [])].filter((name) => !names.includes(name));
  return happened([
    ...gone.map((name) =>
      breaking('command_gone', 'command', `The command ${quote(name)} is now ${quote(b.command)}`),
    ),
    a.id !== b.id &&
      !a.id.includes(' ') &&
      breaking('id_changed', 'id', `The operation ID ${quote(a.id)} is now ${quote(b.id)}`),
    b.isDeprecated && !a.isDeprecated && compatible('deprecated', '', 'The operation is now deprecated'),
  ]);
}

/** Compares scopes: a change is breaking if a token for the old operation is not enough for the new one. */
function compareScopes(a: Operation, b: Operation): readonly Change[] {
  const held = a.needsAllScopes ? a.scopes : a.scopes.slice(0, 1);
  const isEnough = b.needsAllScopes
    ? b.scopes.every((scope) => held.includes(scope))
    : b.scopes.length === 0 || b.scopes.some((scope) => held.includes(scope));
  const words = ({ scopes, needsAllScopes }: Operation) =>
    scopes.join(needsAllScopes ? ' and ' : ' or ') || 'none';
  if (words(a) === words(b)) return [];
  // If the old description named no scopes, users chose them.
  const describe = isEnough || held.length === 0 ? compatible : breaking;
  return [describe('scopes_changed', 'scopes', `The scopes were ${words(a)} and are now ${words(b)}`)];
}

function compareHeaders(a: Operation, b: Operation): readonly Change[] {
  const takes = (does: boolean) => (does ? 'It now takes' : 'It no longer takes');
  const [old, now] = [a.idempotencyHeader, b.idempotencyHeader];
  const isMoved = old !== undefined && now !== undefined;
  const key = isMoved
    ? 'The idempotency key is sent in another header'
    : `${takes(now !== undefined)} an idempotency key`;
  return happened([
    a.merchantAccount !== b.merchantAccount &&
      compatible('merchant_account', 'header', `${takes(b.merchantAccount)} a merchant account`),
    old !== now && (old === undefined ? compatible : breaking)('idempotency_key', 'header', key),
  ]);
}

/** Compares the parameters of paths. Arguments are positional, so a new name changes nothing. */
function compareArguments(
  a: ImportedOperation,
  b: ImportedOperation,
  schemas: SchemaComparison,
): readonly Change[] {
  const after = Object.entries(b.pathValues);
  return Object.values(a.pathValues).flatMap((old, index) => {
    const [name, now] = after[index] ?? [];
    return now ? compareParameter(`path ${name}`, [old, now], schemas) : [];
  });
}

type Parameters = Readonly<Record<string, QueryParameter>>;

function compareParameters(
  location: string,
  [before, after]: readonly [Parameters, Parameters],
  schemas: SchemaComparison,
): readonly Change[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => {
    const [old, now] = [own(before, name), own(after, name)];
    const where = `${location} ${name}`;
    if (old && now) return compareParameter(where, [old, now], schemas);
    if (old) return [breaking('parameter_gone', where, 'The parameter was removed')];
    if (now?.required) return [breaking('parameter_required', where, 'The parameter is new and required')];
    return [compatible('parameter_added', where, 'The parameter is new')];
  });
}

function compareParameter(
  where: string,
  [old, now]: readonly [QueryParameter, QueryParameter],
  schemas: SchemaComparison,
): readonly Change[] {
  const takes = `The parameter now takes ${now.pairs ? 'KEY=VALUE' : 'one value'}`;
  return happened([
    now.required && !old.required && breaking('parameter_required', where, 'The parameter is now required'),
    old.required &&
      !now.required &&
      compatible('parameter_optional', where, 'The parameter is no longer required'),
    old.multiple &&
      !now.multiple &&
      breaking('parameter_single', where, 'The parameter now takes only one value'),
    now.pairs !== old.pairs && breaking('parameter_pairs', where, takes),
    now.multiple &&
      !old.multiple &&
      compatible('parameter_multiple', where, 'The parameter now takes several values'),
    ...schemas.changes(asSchema(old), asSchema(now), where),
  ]);
}

function asSchema({
  required: _,
  multiple: _multiple,
  separator: _separator,
  pairs: _pairs,
  orInteger: _orInteger,
  summary: _summary,
  ...schema
}: QueryParameter): Schema {
  return schema;
}

function compareBodies(a: ImportedOperation, b: ImportedOperation): readonly Change[] {
  if (a.hasBody && !b.hasBody) return [breaking('body_gone', 'body', 'It no longer takes a body')];
  if (b.bodyRequired && !a.bodyRequired) return [breaking('body_required', 'body', 'A body is now required')];
  if (b.hasBody && !a.hasBody) return [compatible('body_added', 'body', 'It now takes a body')];
  return compareBodyTypes(a, b);
}

/** JSON, a form and parts take the same flags, except for files, which only parts take. */
function compareBodyTypes(
  { bodyKind: before, bodyTypes = [] }: ImportedOperation,
  { bodyKind: now, bodyTypes: types = [], bodyType = 'JSON' }: ImportedOperation,
): readonly Change[] {
  if (before === now && bodyTypes.every((type) => types.includes(type))) return [];
  const takesSame = before === undefined && now === 'multipart';
  return [(takesSame ? compatible : breaking)('body_type', 'body', `Its body is now ${bodyType}`)];
}

const LIST_WORDS = { envelope: 'an object with items', array: 'an array' } as const;

/** Compares responses, and their schemas where nothing else makes these two different things. */
function compareResponses(
  old: OperationRecord,
  now: OperationRecord,
  schemas: SchemaComparison,
): readonly Change[] {
  const [a, b] = [old.operation, now.operation];
  const types = compareResponseTypes(old, now);
  if (types.length > 0) return types;
  if (old.response && !now.response)
    return [breaking('response_gone', 'response', 'The response is no longer described')];
  if (a.listShape !== b.listShape) {
    const word = ({ listShape }: ImportedOperation) => (listShape ? LIST_WORDS[listShape] : 'one document');
    return [breaking('list_changed', 'response', `The response was ${word(a)} and is now ${word(b)}`)];
  }
  const [was, is] = [isPaged(a), isPaged(b)];
  return happened([
    was && !is && breaking('paging_gone', 'response', 'The list is no longer paged'),
    is && !was && compatible('paging_added', 'response', 'The list is now paged: --all fetches every page'),
    ...(old.response ? schemas.changes(old.response.schema, now.response?.schema, 'response') : []),
  ]);
}

/** Compares media types, if one of the responses is not JSON. */
function compareResponseTypes(old: OperationRecord, now: OperationRecord): readonly Change[] {
  if (!old.operation.answerTypes && !now.operation.answerTypes) return [];
  const typesOf = ({ operation, response }: OperationRecord) =>
    operation.answerTypes ?? (response ? ['JSON'] : []);
  const [before, after] = [typesOf(old), typesOf(now)];
  const gone = before.filter((type) => !after.includes(type));
  const added = after.filter((type) => !before.includes(type));
  return [
    ...gone.map((type) => breaking('response_type_gone', 'response', `It no longer returns ${type}`)),
    ...added.map((type) => compatible('response_type_added', 'response', `It now returns ${type}`)),
  ];
}
