import type { Action } from '../../descriptions/imported-operation.ts';
import { plainNumber } from '../../json/exact.ts';
import { isObject } from '../../json/is-object.ts';
import { oncePerObject } from '../../schemas/memoize.ts';
import { elementSchemas, isMarked, partsOf } from '../../schemas/schema-at.ts';
import { generate } from '../../schemas/values/generate.ts';
import { memberNamed, snake } from '../../schemas/values/names.ts';
import {
  admits,
  allMembers,
  allowsOthers,
  type RootedSchema,
  type Shape,
  shapeOf,
} from '../../schemas/values/shape.ts';
import { paymentName } from '../../text/amount-names.ts';
import { createRandom } from '../../text/random.ts';
import type { Served } from './kinds.ts';
import { DERIVED_AMOUNTS } from './money/amounts.ts';
import { STATUS_NAMES, statusesOf } from './money/statuses.ts';
import { type Document, mapParts } from './overlay.ts';
import type { Prepared, PreparedSchema } from './prepared.ts';

/** Members that the emulator derives. Their defaults are ignored, because the `intent` of a body may require another value. */
const DERIVED: ReadonlySet<string> = new Set([...DERIVED_AMOUNTS, ...STATUS_NAMES]);

/** The actions of operations whose bodies get no defaults. */
const UNFILLED: ReadonlySet<Action> = new Set(['replace', 'update', 'delete']);

/**
 * Adds the default of each missing member to a body, also in nested objects. The body of an update stays as it is, because a missing
 * member means no change. Neither null nor an amount of zero counts as a default.
 */
export function withDefaults(body: Document, { request }: Prepared, { action }: Served): Document {
  if (!request || (action !== undefined && UNFILLED.has(action))) return body;
  const defaults = (shape: Shape) => defaultsOf(shape, request.root);
  return filled(body, request, defaults) as Document;
}

/** A body with the members that the record writes in another way, such as `friendly_name` for `FriendlyName`, also by those names. */
export function inRecordNames(body: Document, { members }: Pick<PreparedSchema, 'members'>): Document {
  const others = Object.entries(body).flatMap(([name, value]) => {
    const known = memberNamed(members, name);
    return known === undefined || Object.hasOwn(body, known) ? [] : [[known, value] as const];
  });
  return others.length === 0 ? body : { ...body, ...Object.fromEntries(others) };
}

/** Members that a value may lack, by its shape. */
type MembersOf = (shape: Shape, value: object) => readonly (readonly [name: string, value: unknown])[];

/** A value with the members that it lacks, at any depth. Returns the same object if nothing is missing. */
export function filled(value: unknown, { schema, root }: RootedSchema, membersOf: MembersOf): unknown {
  if (typeof value !== 'object' || value === null || plainNumber(value) !== undefined) return value;
  const shape = shapeOf({ schema, root }, (branches) => branchOf(branches, value, root));
  const parts = mapParts(value, (part, name) => {
    const inner = Array.isArray(value) ? shape.items : shape.members.get(name);
    return [filled(part, { schema: inner, root }, membersOf)];
  });
  if (Array.isArray(value)) return parts;
  const missing = membersOf(shape, value).filter(([name]) => !Object.hasOwn(value, name));
  return missing.length === 0 ? parts : { ...parts, ...Object.fromEntries(missing) };
}

type Default = readonly [name: string, value: unknown];

const defaultsOf = oncePerObject((shape: Shape, root: unknown): readonly Default[] =>
  [...shape.members].flatMap(([name, schema]): Default[] => {
    const { initial } = shapeOf({ schema, root });
    const isAmount = initial === 0 && /(^|_)amount(_|$)/.test(snake(name));
    if (initial === undefined || initial === null || isAmount) return [];
    return DERIVED.has(paymentName(name)) || isMarked(schema, root, 'readOnly') ? [] : [[name, initial]];
  }),
);

/** The branch of a union that fits an object: the object has the required members, and no value that the branch excludes. */
function branchOf(branches: readonly unknown[], value: object, root: unknown): number {
  const found = branches.findIndex((schema) => {
    const shape = shapeOf({ schema, root });
    if (shape.types && !shape.types.has(Array.isArray(value) ? 'array' : 'object')) return false;
    const hasRequired = [...shape.required].every((name) => Object.hasOwn(value, name));
    return hasRequired && admits(shape, value as Document, root);
  });
  return Math.max(found, 0);
}

/**
 * The members that a caller can set: those that the schema of the body names, and others if it allows any. A member that the emulator
 * derives, or that is `readOnly` in the record, can be set only if the body has a schema of its own that names it. An idempotency
 * key is always taken.
 */
export function takenFrom(body: Document, prepared: Prepared): Document {
  const isTaken = choiceOf(prepared);
  return mapParts(body, (member, name) => (isTaken(name) ? [member] : [])) as Document;
}

const choiceOf = oncePerObject(({ operation, request, response }: Prepared): ((name: string) => boolean) => {
  const named = request?.members ?? new Map<string, unknown>();
  const statuses = response ? statusesOf(response) : [];
  const dates = [...TIMES, ...statuses.map((word) => `${snake(word)}_at`)];
  const derived = new Set([...DERIVED, ...dates]);
  const { idempotencyMember } = operation;
  const isRecord = request?.name !== undefined && request.name === response?.name;
  const allowsAny = named.size === 0 || (request !== undefined && allowsOthers(request));
  return (name) => {
    if (name === idempotencyMember) return true;
    const of = named.has(name) ? request : response;
    if (of && isMarked(of.members.get(name), of.root, 'readOnly')) return false;
    if (named.has(name)) return !isRecord || STATUS_NAMES.includes(name) || !derived.has(snake(name));
    return allowsAny && !derived.has(snake(name));
  };
});

const TIMES = [
  ...['created_at', 'updated_at', 'modified_at', 'date_created', 'date_modified'],
  ...['create_time', 'update_time'],
];

/** The members and elements that a schema names, in any branch of its unions, and whether a value may have other members. */
const namedBy = oncePerObject((schema: object, root: unknown) => {
  const rooted = { schema, root };
  const parts = partsOf(schema, root);
  const members = allMembers(rooted);
  const required = new Set(parts.flatMap((part) => (Array.isArray(part.required) ? part.required : [])));
  const [items] = elementSchemas(parts);
  return { members, required, isOpen: members.size === 0 || allowsOthers(rooted), items };
});

/**
 * The members of a body that a record stores. Leaves out, at any depth, members that the schema neither names nor allows, and those that
 * are never shown (`writeOnly`). A required one gets a generated value, and so does what elements of lists lack, such as an ID. It is the
 * same object if nothing changes.
 */
export function writable<Body>(body: Body, { schema, root }: RootedSchema): Body {
  if (!isObject(schema) || (!isObject(body) && !Array.isArray(body))) return body;
  const { members, required, isOpen, items } = namedBy(schema, root);
  const kept = mapParts(body, (part, name) => {
    if (Array.isArray(body)) {
      const of = { schema: items, root };
      return [completed(writable(part, of), of, { atMs: Date.now(), key: name })];
    }
    if (!members.has(name)) return isOpen ? [part] : [];
    const of = members.get(name);
    if (!isMarked(of, root, 'writeOnly')) return [writable(part, { schema: of, root })];
    const how = { root, random: createRandom(1, name), atMs: 0, noun: 'record' };
    return required.has(name) ? [generate(of, how, name)] : [];
  });
  return kept as Body;
}

/** A value with the members that its schema requires in addition, which are the same for the same value. */
export function completed(
  value: unknown,
  rooted: RootedSchema,
  { atMs, key = '' }: { readonly atMs: number; readonly key?: string },
): unknown {
  const random = createRandom(1, `${key}${JSON.stringify(value)}`.slice(0, 200));
  const how = { root: rooted.root, random, atMs, noun: 'record', isFresh: true };
  return filled(value, rooted, ({ members, required }, holder) =>
    [...members].flatMap(([name, schema]) =>
      required.has(name) && !Object.hasOwn(holder, name)
        ? [[name, generate(schema, how, name)] as const]
        : [],
    ),
  );
}
