import { isObject } from '../../json/is-object.ts';
import type { Random } from '../../text/random.ts';
import { isMarked } from '../schema-at.ts';
import { snake } from './names.ts';
import { type Generation, LONGEST_TEXT, numberFor, textFor, type ValueLocation } from './scalars.ts';
import { admits, type Shape, shapeOf } from './shape.ts';

/** Deeper than this, only required values are generated. */
const DEEPEST = 4;

/** A value that is deeper than this never ends: every value of its schema must contain another one. */
const ENDLESS = 100;

/** The largest size of one value, in characters, and what each value inside counts besides its text. */
const LARGEST = 1_000_000;
const COST = 10;

/** Thrown for a schema that no value fits, because each must contain another one, or because no value can be generated. */
export class EndlessSchema extends Error {}

/** Generates a value of a schema for a member of this name. Keywords that describe no value, such as `not` and `if`, are ignored. */
export function generate(schema: unknown, generation: Generation, name = ''): unknown {
  const budget = { left: LARGEST };
  return value(schema, generation, { name, owner: '', depth: 0, within: [], budget });
}

function value(schema: unknown, generation: Generation, place: ValueLocation): unknown {
  const { random, isFresh } = generation;
  const shape = shapeAt(schema, generation, place);
  if (place.depth > ENDLESS)
    throw endless(place, 'a value that contains another one of its own, without an end');
  const { minLength = 0 } = shape.limits;
  place.budget.left -= COST + minLength;
  if (minLength > LONGEST_TEXT) throw endless(place, LARGER);
  requireRoom(0, place);
  const isWithin = shape.names.some((name) => place.within.includes(name));
  const inner = shape.names.length === 0 ? place : { ...place, within: [...place.within, ...shape.names] };
  const canBeNull = place.depth > 0 && shape.isNullable && shape.types !== undefined;
  if (canBeNull && (isFresh || isWithin) && shape.initial === undefined) return null;
  if (shape.values && shape.values.length > 0) return chosen(shape, generation);
  if (isFresh && shape.initial !== undefined) return shape.initial;
  const type = typeFor(shape, random);
  if (type === 'object') return object(shape, generation, inner);
  if (type === 'array') return isWithin ? [] : array(shape, generation, inner);
  if (type === 'string') return textFor(shape, generation, inner);
  if (type === 'boolean') return SUCCESS.has(snake(place.name)) || (!isFresh && random.chance(0.5));
  return type === 'null' ? null : numberFor(shape, generation, { ...inner, isInteger: type === 'integer' });
}

/** Names of members that are true in the response to a request that succeeded. */
const SUCCESS = new Set(['success', 'successful', 'is_success', 'ok', 'status']);

/** Refuses so many values before the first of them is made. */
function requireRoom(count: number, place: ValueLocation): void {
  if (count * COST > place.budget.left) throw endless(place, LARGER);
}

const LARGER = 'a value that is larger than payctl makes';

function endless({ within }: ValueLocation, required: string): EndlessSchema {
  return new EndlessSchema(`${within.at(-1) ?? 'The schema'} requires ${required}`);
}

/** Null only if nothing else is possible; otherwise any value, and for a new record the initial one. */
function chosen({ values = [], initial }: Shape, { random, isFresh }: Generation): unknown {
  if (isFresh && values.includes(initial)) return initial;
  const [first, ...others] = values.filter((one) => one !== null);
  if (first === undefined) return null;
  return isFresh ? first : random.pick([first, ...others]);
}

const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

function typeFor(shape: Shape, random: Random): string {
  const { types, members, items, limits, checks } = shape;
  if (types) {
    const [first = 'null', ...others] = TYPES.filter((name) => name !== 'null' && types.has(name));
    return random.pick([first, ...others]);
  }
  if (members.size > 0 || shape.required.size > 0 || shape.others !== undefined) return 'object';
  if (items !== undefined || checks.has('prefixItems')) return 'array';
  if (limits.minimum !== undefined || limits.maximum !== undefined) return 'number';
  return 'string';
}

function object(shape: Shape, generation: Generation, place: ValueLocation): Record<string, unknown> {
  const { random, isFresh } = generation;
  const { members, required, limits, others } = shape;
  const made = new Map<string, unknown>();
  const below = (name: string): ValueLocation => ({
    ...place,
    name,
    owner: place.name,
    depth: place.depth + 1,
  });
  const isDeep = place.depth >= DEEPEST || isRecursive(place);
  // A body has no members that only the service sets, and a record none that it does not show.
  const hidden = generation.isBody ? 'readOnly' : 'writeOnly';
  for (const [name, schema] of members) {
    const isWanted = required.has(name) || ALWAYS.has(snake(name));
    const isLeft = isFresh || isDeep || (isObject(schema) && schema.deprecated === true);
    // A second body with the same ID would be refused.
    if (generation.isBody && place.depth === 0 && OWN_IDS.has(snake(name)) && !required.has(name)) continue;
    if (!isWanted && (isLeft || random.chance(0.1))) continue;
    if (isMarked(schema, generation.root, hidden) && !required.has(name)) continue;
    made.set(name, value(schema, generation, below(name)));
  }
  for (const name of required) if (!members.has(name)) made.set(name, value(others, generation, below(name)));
  const least = Math.max(limits.minProperties ?? 0, isObject(others) && !isFresh && !isDeep ? 1 : 0);
  if (others !== false) requireRoom(least - made.size, place);
  const names = shape.checks.get('propertyNames');
  for (let attempt = 1; others !== false && made.size < least && attempt <= least * 20; attempt += 1) {
    const name = isNamed(names)
      ? String(value(names, { ...generation, isFresh: false }, below('key')))
      : `key_${attempt}`;
    if (!made.has(name)) made.set(name, value(others, generation, below(name)));
  }
  return Object.fromEntries(made);
}

/** Whether a schema of names does not take every name. */
function isNamed(names: unknown): boolean {
  return isObject(names) && Object.keys(names).some((keyword) => !PLAIN.has(keyword));
}

const PLAIN = new Set(['type', 'title', 'description', 'examples']);

function array(shape: Shape, generation: Generation, place: ValueLocation): unknown[] {
  const { limits, items, checks } = shape;
  const isUnique = checks.get('uniqueItems') === true;
  const firstItems = (checks.get('prefixItems') ?? []) as readonly unknown[];
  const least = limits.minItems ?? 0;
  const isDeep = place.depth >= DEEPEST;
  const usual = generation.isFresh || isDeep || items === undefined ? 0 : 1 + generation.random.below(2);
  const count = Math.max(least, Math.min(usual, limits.maxItems ?? usual));
  requireRoom(count, place);
  const below = { ...place, depth: place.depth + 1, owner: place.name };
  const made = firstItems.map((schema) => value(schema, generation, below));
  const seen = new Set(made.map((one) => JSON.stringify(one)));
  const isAlike = generation.isFresh === true && isUnique;
  for (let attempt = 0; made.length < count && attempt < count * 20; attempt += 1) {
    // Values for new records are always the same, but unique elements must differ.
    const one = value(items, isAlike && attempt > 0 ? { ...generation, isFresh: false } : generation, below);
    const key = JSON.stringify(one);
    if (isUnique && seen.has(key)) continue;
    seen.add(key);
    made.push(one);
  }
  return made;
}

/** Whether one of the definitions around a value contains itself. */
function isRecursive({ within }: Pick<ValueLocation, 'within'>): boolean {
  return within.length > 1 && new Set(within).size < within.length;
}

/** The shape of a schema at its place, with the union branches that the generated value uses. */
function shapeAt(schema: unknown, generation: Generation, place: ValueLocation): Shape {
  const preset = place.depth === 0 ? generation.preset : undefined;
  const within = isRecursive(place) ? place.within : [];
  return shapeOf({ schema, root: generation.root }, (branches) =>
    branchFor(branches, generation, { preset, within }),
  );
}

/** The branch to generate a value for: one that fits the preset members, is not null and does not recurse without end. */
function branchFor(
  branches: readonly unknown[],
  { root, random, isFresh }: Generation,
  { preset, within }: { readonly preset: Generation['preset']; readonly within: readonly string[] },
): number {
  const possible = [...branches.keys()].filter((index) => {
    const branch = branches[index];
    if (branch === false || (isObject(branch) && branch.type === 'null')) return false;
    return !preset || admits(shapeOf({ schema: branch, root }), preset, root);
  });
  const isOutside = (index: number) =>
    !shapeOf({ schema: branches[index], root }).names.some((name) => within.includes(name));
  const ending = within.length > 0 ? possible.filter(isOutside) : [];
  const nothing = branches.findIndex((branch) => isObject(branch) && branch.type === 'null');
  if (within.length > 0 && ending.length === 0 && nothing !== -1) return nothing;
  const usable = ending.length > 0 ? ending : possible;
  const [first, ...others] = usable;
  if (first === undefined) return 0;
  return isFresh ? first : random.pick([first, ...others]);
}

/** Members that identify a new record, which the service chooses if they are left out. */
const OWN_IDS = new Set(['id', 'uuid', 'guid', 'uid', 'token']);

/** Members that every new record has if its schema names them. */
const ALWAYS = new Set([
  ...['id', 'type', 'status', 'state', 'amount', 'currency', 'created_at', 'updated_at'],
  ...['captured_amount', 'refunded_amount', 'amount_captured', 'amount_refunded', 'merchant_account_id'],
]);
