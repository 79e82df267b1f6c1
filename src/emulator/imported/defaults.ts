import type { Action } from '../../descriptions/imported-operation.ts';
import { isMarked } from '../../descriptions/schema-at.ts';
import { oncePerObject } from '../../descriptions/values/memoize.ts';
import { snake } from '../../descriptions/values/names.ts';
import { type RootedSchema, type Shape, shapeOf } from '../../descriptions/values/shape.ts';
import { plainNumber } from '../../json/exact.ts';
import type { Served } from './kinds.ts';
import { DERIVED_AMOUNTS } from './money/amounts.ts';
import { STATUS_NAMES } from './money/statuses.ts';
import { type Document, mapParts } from './overlay.ts';
import type { Prepared } from './prepared.ts';

/** Members that the emulator derives. Their defaults are ignored, because the `intent` of a body may require another value. */
const DERIVED = new Set([...DERIVED_AMOUNTS, ...STATUS_NAMES]);

/** The actions of operations whose bodies get no defaults. */
const UNFILLED: ReadonlySet<Action> = new Set(['replace', 'update', 'delete', 'document']);

/**
 * Adds the default of each missing member to a body, also in nested objects. The body of an update stays as it is, because a missing
 * member means no change. Neither null nor an amount of zero counts as a default.
 */
export function withDefaults(body: Document, { request }: Prepared, { action }: Served): Document {
  if (!request || (action !== undefined && UNFILLED.has(action))) return body;
  const defaults = (shape: Shape) => defaultsOf(shape, request.root);
  return filled(body, request, defaults) as Document;
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
    return DERIVED.has(snake(name)) || isMarked(schema, root, 'readOnly') ? [] : [[name, initial]];
  }),
);

/** The branch of a union that fits an object: the object has the required members, and no value that the branch excludes. */
function branchOf(branches: readonly unknown[], value: object, root: unknown): number {
  const found = branches.findIndex((schema) => {
    const { types, members, required } = shapeOf({ schema, root });
    if (types && !types.has(Array.isArray(value) ? 'array' : 'object')) return false;
    return (
      [...required].every((name) => Object.hasOwn(value, name)) &&
      Object.entries(value).every(([name, given]) => {
        const { values } = members.has(name) ? shapeOf({ schema: members.get(name), root }) : {};
        return values?.includes(given) !== false;
      })
    );
  });
  return Math.max(found, 0);
}
