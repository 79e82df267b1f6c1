import { isPaged, type Operation, type QueryParameter } from '../contract/operation.ts';
import { own } from '../json/is-object.ts';
import { quote } from '../text/format.ts';
import { callOf } from './command-names.ts';
import { type Change, compareSchemas } from './compare-schemas.ts';
import type { ImportedOperation } from './imported-operation.ts';
import type { Definitions, Schema } from './schema-keywords.ts';

/** A difference between two descriptions. */
export type DescriptionChange = Change & {
  /** Method and path. */
  readonly operation: string;
};

type OperationRecord = {
  readonly operation: ImportedOperation;
  readonly request?: { readonly schema: Schema } | undefined;
  readonly response?: { readonly schema: Schema } | undefined;
};

/** The parts of a description that are compared. */
export type Comparable = { readonly records: readonly OperationRecord[]; readonly definitions: Definitions };

/**
 * Lists the differences between two descriptions: the operations in the order of the new one, then those that are gone. A difference is
 * breaking if something that scripts rely on is gone or narrower: an operation, its command, its request, its response.
 */
export function compareDescriptions(before: Comparable, after: Comparable): readonly DescriptionChange[] {
  const old = new Map(before.records.map((record) => [callOf(record.operation), record]));
  const changes: DescriptionChange[] = [];
  for (const record of after.records) {
    const key = callOf(record.operation);
    const previous = old.get(key);
    old.delete(key);
    const operation = nameOf(record.operation);
    if (!previous)
      changes.push({
        operation,
        breaking: false,
        code: 'operation_added',
        where: '',
        message: 'The operation is new',
      });
    else
      for (const change of compareOperations([previous, before], [record, after]))
        changes.push({ operation, ...change });
  }
  for (const { operation } of old.values()) {
    changes.push({
      operation: nameOf(operation),
      breaking: true,
      code: 'operation_gone',
      where: '',
      message: 'The operation was removed, or payctl can no longer run it',
    });
  }
  return changes;
}

function nameOf({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

type Side = readonly [record: OperationRecord, source: Comparable];

function compareOperations([old, before]: Side, [now, after]: Side): readonly Change[] {
  const [a, b] = [old.operation, now.operation];
  return [
    ...compareNames(old, now),
    ...compareScopes(a, b),
    ...compareHeaders(a, b),
    ...compareParameters('path', a.pathValues, b.pathValues),
    ...compareParameters('query', a.query, b.query),
    ...compareParameters('header', a.headers ?? {}, b.headers ?? {}),
    ...compareBodies(a, b),
    ...(a.hasBody && b.hasBody
      ? compareSchemas(
          { schema: old.request?.schema, definitions: before.definitions },
          { schema: now.request?.schema, definitions: after.definitions },
          'request',
        )
      : []),
    ...compareAnswers([old, before], [now, after]),
  ];
}

const breaking = (code: string, where: string, message: string): Change => ({
  breaking: true,
  code,
  where,
  message,
});
const compatible = (code: string, where: string, message: string): Change => ({
  breaking: false,
  code,
  where,
  message,
});

function compareNames(
  { operation: a }: OperationRecord,
  { operation: b }: OperationRecord,
): readonly Change[] {
  const names = [b.command, ...(b.aliases ?? [])];
  const isId = (id: string) => !id.includes(' ');
  return [
    ...[a.command, ...(a.aliases ?? [])]
      .filter((name) => !names.includes(name))
      .map((name) =>
        breaking('command_gone', 'command', `The command ${quote(name)} is now ${quote(b.command)}`),
      ),
    ...(a.id !== b.id && isId(a.id)
      ? [breaking('id_changed', 'id', `The operation ID ${quote(a.id)} is now ${quote(b.id)}`)]
      : []),
    ...(b.isDeprecated && !a.isDeprecated
      ? [compatible('deprecated', '', 'The operation is now deprecated')]
      : []),
  ];
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
  const message = `The scopes were ${words(a)} and are now ${words(b)}`;
  // If the old description named no scopes, users chose them.
  return [
    isEnough || held.length === 0
      ? compatible('scopes_changed', 'scopes', message)
      : breaking('scopes_changed', 'scopes', message),
  ];
}

function compareHeaders(a: Operation, b: Operation): readonly Change[] {
  const changes: Change[] = [];
  if (a.merchantAccount !== b.merchantAccount) {
    changes.push(
      compatible(
        'merchant_account',
        'header',
        b.merchantAccount ? 'It now takes a merchant account' : 'It no longer takes a merchant account',
      ),
    );
  }
  if (a.idempotencyHeader === b.idempotencyHeader) return changes;
  if (a.idempotencyHeader === undefined)
    return [...changes, compatible('idempotency_key', 'header', 'It now takes an idempotency key')];
  return [
    ...changes,
    breaking(
      'idempotency_key',
      'header',
      b.idempotencyHeader
        ? 'The idempotency key is sent in another header'
        : 'It no longer takes an idempotency key',
    ),
  ];
}

type Parameters = Readonly<Record<string, QueryParameter>>;

function compareParameters(location: string, before: Parameters, after: Parameters): readonly Change[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  // Arguments are positional, so a new name changes nothing.
  if (location === 'path')
    return [...Object.values(before)].flatMap((old, index) => {
      const [name, now] = Object.entries(after)[index] ?? [];
      return name === undefined || !now ? [] : compareParameter(`path ${name}`, old, now);
    });
  return [...names].flatMap((name) => {
    const old = own(before, name);
    const now = own(after, name);
    const where = `${location} ${name}`;
    if (old && now) return compareParameter(where, old, now);
    if (old) return [breaking('parameter_gone', where, 'The parameter was removed')];
    return [
      now?.required
        ? breaking('parameter_required', where, 'The parameter is new and required')
        : compatible('parameter_added', where, 'The parameter is new'),
    ];
  });
}

function compareParameter(where: string, old: QueryParameter, now: QueryParameter): readonly Change[] {
  return [
    ...(now.required && !old.required
      ? [breaking('parameter_required', where, 'The parameter is now required')]
      : []),
    ...(old.required && !now.required
      ? [compatible('parameter_optional', where, 'The parameter is no longer required')]
      : []),
    ...(old.multiple && !now.multiple
      ? [breaking('parameter_single', where, 'The parameter now takes only one value')]
      : []),
    ...(now.pairs !== old.pairs
      ? [
          breaking(
            'parameter_pairs',
            where,
            `The parameter now takes ${now.pairs ? 'KEY=VALUE' : 'one value'}`,
          ),
        ]
      : []),
    ...(now.multiple && !old.multiple
      ? [compatible('parameter_multiple', where, 'The parameter now takes several values')]
      : []),
    ...(now.pattern !== old.pattern
      ? [
          now.pattern === undefined
            ? compatible('pattern_gone', where, 'The pattern was removed')
            : breaking('pattern_changed', where, `The value must now match ${quote(now.pattern)}`),
        ]
      : []),
    ...compareSchemas(asSchema(old), asSchema(now), 'request').map((change) => ({ ...change, where })),
  ];
}

function asSchema({
  required: _,
  multiple: _multiple,
  separator: _separator,
  pairs: _pairs,
  orInteger: _orInteger,
  summary: _summary,
  ...schema
}: QueryParameter) {
  return { schema, definitions: new Map() };
}

function compareBodies(a: OperationRecord['operation'], b: OperationRecord['operation']): readonly Change[] {
  if (a.hasBody && !b.hasBody) return [breaking('body_gone', 'body', 'It no longer takes a body')];
  if (b.bodyRequired && !a.bodyRequired) return [breaking('body_required', 'body', 'A body is now required')];
  if (b.hasBody && !a.hasBody) return [compatible('body_added', 'body', 'It now takes a body')];
  return compareBodyTypes(a, b);
}

/** JSON, a form and parts take the same flags, except for files, which only parts take. */
function compareBodyTypes(
  { bodyKind: before, bodyTypes = [] }: OperationRecord['operation'],
  { bodyKind: now, bodyTypes: types = [], bodyType = 'JSON' }: OperationRecord['operation'],
): readonly Change[] {
  const message = `Its body is now ${bodyType}`;
  const isOther = before !== now || bodyTypes.some((type) => !types.includes(type));
  if (!isOther) return [];
  const takesSame = before === undefined && now === 'multipart';
  return [(takesSame ? compatible : breaking)('body_type', 'body', message)];
}

function compareAnswers([old, before]: Side, [now, after]: Side): readonly Change[] {
  const [a, b] = [old.operation, now.operation];
  const types = compareAnswerTypes(old, now);
  if (types.length > 0) return types;
  if (old.response && !now.response)
    return [breaking('answer_gone', 'answer', 'The response is no longer described')];
  if (a.listShape !== b.listShape) {
    const words = { envelope: 'an object with items', array: 'an array' } as const;
    const word = (shape: keyof typeof words | undefined) => (shape ? words[shape] : 'one document');
    return [
      breaking(
        'list_changed',
        'answer',
        `The response was ${word(a.listShape)} and is now ${word(b.listShape)}`,
      ),
    ];
  }
  return [
    ...(isPaged(a) && !isPaged(b) ? [breaking('paging_gone', 'answer', 'The list is no longer paged')] : []),
    ...(isPaged(b) && !isPaged(a)
      ? [compatible('paging_added', 'answer', 'The list is now paged: --all fetches every page')]
      : []),
    ...(old.response
      ? compareSchemas(
          { schema: old.response.schema, definitions: before.definitions },
          { schema: now.response?.schema, definitions: after.definitions },
          'answer',
        )
      : []),
  ];
}

/** Compares media types, if one of the responses is not JSON. */
function compareAnswerTypes(old: OperationRecord, now: OperationRecord): readonly Change[] {
  if (!old.operation.answerTypes && !now.operation.answerTypes) return [];
  const typesOf = ({ operation, response }: OperationRecord) =>
    operation.answerTypes ?? (response ? ['JSON'] : []);
  const [before, after] = [typesOf(old), typesOf(now)];
  return [
    ...before
      .filter((type) => !after.includes(type))
      .map((type) => breaking('answer_type_gone', 'answer', `It no longer returns ${type}`)),
    ...after
      .filter((type) => !before.includes(type))
      .map((type) => compatible('answer_type_added', 'answer', `It now returns ${type}`)),
  ];
}
