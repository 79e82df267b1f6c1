import { isPaged, type Operation, type QueryParameter } from '../contract/operation.ts';
import { own } from '../json/is-object.ts';
import type { AnySchema, Definitions } from '../schemas/definitions.ts';
import type { SchemaView } from '../schemas/schema-view.ts';
import { quote } from '../text/format.ts';
import { callOf } from './command-names.ts';
import { type Change, SchemaComparison } from './compare-schemas.ts';
import type { Direction } from './compare-values.ts';
import type { OperationRecord } from './complete-operation.ts';
import type { ImportedOperation } from './imported-operation.ts';
import { Issues } from './issues.ts';
import { limitsOf } from './parameter-limits.ts';
import { kebab } from './plain-text.ts';

/** A difference between two descriptions. */
export type DescriptionChange = Omit<Change, 'member'> & {
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
  const callsNow = new Set(after.records.map(({ operation }) => exactCall(operation)));
  const same = new Map(before.records.map((record) => [exactCall(record.operation), record]));
  // Parameters of a path may have other names than before.
  const others = before.records.filter(({ operation }) => !callsNow.has(exactCall(operation)));
  const renamed = new Map(others.map((record) => [callOf(record.operation), record]));
  const gone = new Set(before.records);
  const changes: DescriptionChange[] = [];
  const compared = {
    request: new SchemaComparison(before.definitions, after.definitions, 'request'),
    response: new SchemaComparison(before.definitions, after.definitions, 'response'),
  };
  for (const record of after.records) {
    const call = callOf(record.operation);
    const exact = same.get(exactCall(record.operation));
    const previous = exact ?? renamed.get(call);
    if (!exact) renamed.delete(call);
    if (previous) gone.delete(previous);
    const comparison = new Comparison(record, compared, changes);
    if (previous) comparison.compare(previous, record);
    else comparison.report(false, 'operation_added', '', 'The operation is new');
  }
  const removed = 'The operation was removed, or payctl can no longer run it';
  for (const record of gone)
    new Comparison(record, compared, changes).report(true, 'operation_gone', '', removed);
  return changes;
}

function exactCall({ method, path }: ImportedOperation): string {
  return `${method} ${path}`;
}

type Schemas = Readonly<Record<Direction, SchemaComparison>>;
type Parameters = Readonly<Record<string, QueryParameter>>;

/** Where values are sent: `query status`, `header x-trace`, `body amount`. */
type Moved = ReadonlySet<string>;

/** What is sent at a place; a field of the body that is an object is no parameter. */
type Sent = {
  readonly required: boolean;
  readonly schema: AnySchema;
  readonly parameter: () => QueryParameter | undefined;
};

/** What is sent at each place: the parameters, and the fields of the body. */
function placesOf({ query, headers = {} }: ImportedOperation, body: SchemaView): ReadonlyMap<string, Sent> {
  const places = new Map<string, Sent>();
  for (const [location, parameters] of Object.entries({ query, header: headers }))
    for (const [name, parameter] of Object.entries(parameters)) {
      const { required = false } = parameter;
      places.set(`${location} ${name}`, { required, schema: parameter, parameter: () => parameter });
    }
  for (const [name, schema] of body.members) {
    const required = body.required.has(name);
    const parameter = () => {
      const location = { above: undefined, name };
      const limits = limitsOf(body.viewOf(schema), { issues: new Issues(), location, name });
      return 'problem' in limits ? undefined : { ...limits, required };
    };
    places.set(`body ${name}`, { required, schema, parameter });
  }
  return places;
}

function keyPlaceOf({ idempotencyHeader: header, idempotencyMember: member }: Operation): string | undefined {
  if (header !== undefined) return `header ${header}`;
  return member === undefined ? undefined : `body ${member}`;
}

/** The name at a place, as any place writes it. */
function nameAt(place: string): string {
  return kebab(place.replace(/^\S+ (?:x-)?/, ''));
}

const LIST_WORDS = { envelope: 'an object with items', array: 'an array' } as const;

/** Compares two states of one operation, and reports each difference. */
class Comparison {
  readonly #add: (change: Omit<Change, 'member'>) => void;
  readonly #schemas: Schemas;

  constructor({ operation: one }: OperationRecord, schemas: Schemas, changes: DescriptionChange[]) {
    const operation = `${one.method} ${one.path}`;
    this.#add = (change) => changes.push({ command: one.command, operation, ...change });
    this.#schemas = schemas;
  }

  report(breaking: boolean, code: string, where: string, message: string): void {
    this.#add({ breaking, code, where, message });
  }

  compare(old: OperationRecord, now: OperationRecord): void {
    const [a, b] = [old.operation, now.operation];
    this.#compareNames(a, b);
    this.#compareScopes(a, b);
    const bodies = [old.requests[0]?.schema, now.requests[0]?.schema] as const;
    const moved = this.#compareMoves(a, b, this.#schemas.request.views(...bodies));
    // Arguments are positional, so a new name changes nothing.
    const after = Object.entries(b.pathValues);
    for (const [index, value] of Object.values(a.pathValues).entries()) {
      const [name, other] = after[index] ?? [];
      if (other) this.#compareParameter(`path ${name}`, value, other);
    }
    this.#compareParameters('query', a.query, b.query, moved);
    this.#compareParameters('header', a.headers ?? {}, b.headers ?? {}, moved);
    this.#compareBodies(a, b);
    if (a.hasBody && b.hasBody) this.#compareSchemas('request', 'body', bodies, moved);
    this.#compareResponses(old, now);
  }

  #compareSchemas(
    direction: Direction,
    where: string,
    [old, now]: readonly (AnySchema | undefined)[],
    moved?: Moved,
  ): void {
    for (const { member, ...change } of this.#schemas[direction].changes(old, now, where))
      if (change.where !== 'body' || !moved?.has(`body ${member}`)) this.#add(change);
  }

  #compareNames(a: ImportedOperation, b: ImportedOperation): void {
    const names = [b.command, ...(b.aliases ?? [])];
    const gone = [a.command, ...(a.aliases ?? [])].filter((name) => !names.includes(name));
    for (const name of gone)
      this.report(true, 'command_gone', 'command', `The command ${quote(name)} is now ${quote(b.command)}`);
    if (a.id !== b.id && !a.id.includes(' '))
      this.report(true, 'id_changed', 'id', `The operation ID ${quote(a.id)} is now ${quote(b.id)}`);
    if (b.isDeprecated && !a.isDeprecated)
      this.report(false, 'deprecated', '', 'The operation is now deprecated');
  }

  /** Compares scopes: a change is breaking if a token for the old operation is not enough for the new one. */
  #compareScopes(a: Operation, b: Operation): void {
    const held = a.needsAllScopes ? a.scopes : a.scopes.slice(0, 1);
    const isEnough = b.needsAllScopes
      ? b.scopes.every((scope) => held.includes(scope))
      : b.scopes.length === 0 || b.scopes.some((scope) => held.includes(scope));
    const words = ({ scopes, needsAllScopes }: Operation) =>
      scopes.join(needsAllScopes ? ' and ' : ' or ') || 'none';
    if (words(a) === words(b)) return;
    // If the old description named no scopes, users chose them.
    const message = `The scopes were ${words(a)} and are now ${words(b)}`;
    this.report(!isEnough && held.length > 0, 'scopes_changed', 'scopes', message);
  }

  /** Compares where the values of requests are sent, and those that moved. Returns the places that they moved from and to. */
  #compareMoves(
    a: ImportedOperation,
    b: ImportedOperation,
    bodies: readonly [SchemaView, SchemaView],
  ): Moved {
    const takes = (does: boolean) => (does ? 'It now takes' : 'It no longer takes');
    if (a.merchantAccount !== b.merchantAccount)
      this.report(false, 'merchant_account', 'header', `${takes(b.merchantAccount)} a merchant account`);
    const moved = new Set<string>();
    const [before, after] = [placesOf(a, bodies[0]), placesOf(b, bodies[1])];
    const move = (code: string, what: string, places: readonly [from: string, to: string]) => {
      for (const place of places) moved.add(place);
      const [, location, name = ''] = /^(\S+) (.*)$/s.exec(places[1]) ?? [];
      this.report(true, code, places[1], `${what} is now sent in the ${location}, as ${quote(name)}`);
    };
    const [old, now] = [keyPlaceOf(a), keyPlaceOf(b)];
    if (old !== undefined && now !== undefined && old !== now)
      move('idempotency_key', 'The idempotency key', [old, now]);
    else if (old !== now)
      this.report(
        old !== undefined,
        'idempotency_key',
        now ?? old ?? '',
        `${takes(now !== undefined)} an idempotency key`,
      );
    for (const [place, was] of before) {
      if (after.has(place) || moved.has(place)) continue;
      const isSame = ([one]: readonly [string, Sent]) =>
        nameAt(one) === nameAt(place) && !before.has(one) && !moved.has(one);
      const [target, is] = [...after].find(isSame) ?? [];
      if (target === undefined || !is) continue;
      move('parameter_moved', 'The parameter', [place, target]);
      this.#compareMoved(target, was, is);
    }
    return moved;
  }

  /** Schemas of a body say more than a parameter does, so a parameter is compared with what a field would be as one. */
  #compareMoved(where: string, old: Sent, now: Sent): void {
    const [was, is] = [old.parameter(), now.parameter()];
    if (was && is) this.#compareParameter(where, was, is);
    else {
      this.#compareRequired(where, old.required, now.required);
      this.#compareSchemas('request', where, [old.schema, now.schema]);
    }
  }

  #compareParameters(location: string, before: Parameters, after: Parameters, moved: Moved): void {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const [old, now] = [own(before, name), own(after, name)];
      const where = `${location} ${name}`;
      if (moved.has(where)) continue;
      if (old && now) this.#compareParameter(where, old, now);
      else if (old) this.report(true, 'parameter_gone', where, 'The parameter was removed');
      else if (now?.required)
        this.report(true, 'parameter_required', where, 'The parameter is new and required');
      else this.report(false, 'parameter_added', where, 'The parameter is new');
    }
  }

  #compareParameter(where: string, old: QueryParameter, now: QueryParameter): void {
    this.#compareRequired(where, old.required, now.required);
    if (old.multiple && !now.multiple)
      this.report(true, 'parameter_single', where, 'The parameter now takes only one value');
    const takes = `The parameter now takes ${now.pairs ? 'KEY=VALUE' : 'one value'}`;
    if (now.pairs !== old.pairs) this.report(true, 'parameter_pairs', where, takes);
    if (now.multiple && !old.multiple)
      this.report(false, 'parameter_multiple', where, 'The parameter now takes several values');
    // What a parameter has besides limits is no keyword of a schema.
    this.#compareSchemas('request', where, [old, now]);
  }

  #compareRequired(where: string, was = false, is = false): void {
    if (is && !was) this.report(true, 'parameter_required', where, 'The parameter is now required');
    if (was && !is) this.report(false, 'parameter_optional', where, 'The parameter is no longer required');
  }

  #compareBodies(a: ImportedOperation, b: ImportedOperation): void {
    if (a.hasBody && !b.hasBody) this.report(true, 'body_gone', 'body', 'It no longer takes a body');
    else if (b.bodyRequired && !a.bodyRequired)
      this.report(true, 'body_required', 'body', 'A body is now required');
    else if (b.hasBody && !a.hasBody) this.report(false, 'body_added', 'body', 'It now takes a body');
    else this.#compareBodyTypes(a, b);
  }

  /** JSON, a form and parts take the same flags, except for files, which only parts take. */
  #compareBodyTypes(
    { bodyKind: before, bodyTypes = [] }: ImportedOperation,
    { bodyKind: now, bodyTypes: types = [], bodyType = 'JSON' }: ImportedOperation,
  ): void {
    if (before === now && bodyTypes.every((type) => types.includes(type))) return;
    const takesSame = before === undefined && now === 'multipart';
    this.report(!takesSame, 'body_type', 'body', `Its body is now ${bodyType}`);
  }

  /** Compares responses, and their schemas where nothing else makes these two different things. */
  #compareResponses(old: OperationRecord, now: OperationRecord): void {
    const [a, b] = [old.operation, now.operation];
    if (this.#compareResponseTypes(old, now)) return;
    if (old.response && !now.response) {
      this.report(true, 'response_gone', 'response', 'The response is no longer described');
      return;
    }
    if (a.listShape !== b.listShape) {
      const word = ({ listShape }: ImportedOperation) => (listShape ? LIST_WORDS[listShape] : 'one document');
      this.report(true, 'list_changed', 'response', `The response was ${word(a)} and is now ${word(b)}`);
      return;
    }
    const [was, is] = [isPaged(a), isPaged(b)];
    if (was && !is) this.report(true, 'paging_gone', 'response', 'The list is no longer paged');
    if (is && !was)
      this.report(false, 'paging_added', 'response', 'The list is now paged: --all fetches every page');
    if (old.response)
      this.#compareSchemas('response', 'response', [old.response.schema, now.response?.schema]);
  }

  /** Compares media types, if one of the responses is not JSON. Returns whether they differ. */
  #compareResponseTypes(old: OperationRecord, now: OperationRecord): boolean {
    if (!old.operation.downloadTypes && !now.operation.downloadTypes) return false;
    const typesOf = ({ operation, response }: OperationRecord) =>
      operation.downloadTypes ?? (response ? ['JSON'] : []);
    const [before, after] = [typesOf(old), typesOf(now)];
    const gone = before.filter((type) => !after.includes(type));
    const added = after.filter((type) => !before.includes(type));
    for (const type of gone)
      this.report(true, 'response_type_gone', 'response', `It no longer returns ${type}`);
    for (const type of added) this.report(false, 'response_type_added', 'response', `It now returns ${type}`);
    return gone.length + added.length > 0;
  }
}
