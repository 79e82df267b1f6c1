import { isObject } from '../../json/is-object.ts';
import { isMarked } from '../schema-at.ts';
import { oncePerObject } from './memoize.ts';
import { snake } from './names.ts';
import type { Generation, ValueLocation } from './scalars.ts';
import { type ChooseBranch, isNullable, type KnownShapes, type Shape, shapeOf } from './shape.ts';

/** Whether one of the definitions around a value contains itself. */
export function isRecursive({ within }: Pick<ValueLocation, 'within'>): boolean {
  return within.length > 1 && new Set(within).size < within.length;
}

/** Shapes of schemas for new records, if the branches of their unions are always the same. */
const freshShapes: KnownShapes = new WeakMap();

/** The shape of a schema at its place, with the union branches that the generated value uses. */
export function shapeAt(
  schema: unknown,
  generation: Generation,
  place: Pick<ValueLocation, 'name' | 'depth' | 'within'>,
): Shape {
  const { root, isFresh } = generation;
  const preset = place.depth === 0 ? generation.preset : undefined;
  const within = isRecursive(place) ? place.within : [];
  const choose: ChooseBranch = (branches) => branchFor(branches, generation, { preset, within });
  const isAlike = isFresh === true && preset === undefined && within.length === 0;
  return shapeOf({ schema, root }, choose, isAlike ? freshShapes : undefined);
}

/** The value of a member of a new record, if it is always the same. */
export function fixedValue(shape: Shape): { readonly value: unknown } | undefined {
  const { values, initial, types } = shape;
  if (types !== undefined && initial === undefined && isNullable(shape)) return { value: null };
  if (values && values.length > 0) return { value: firstChosen(shape) };
  return initial === undefined ? undefined : { value: initial };
}

/** The allowed value that a new record gets. */
export function firstChosen({ values = [], initial }: Shape): unknown {
  return values.includes(initial) ? initial : (values.find((one) => one !== null) ?? null);
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
    if (!preset) return true;
    const { members } = shapeOf({ schema: branch, root });
    return Object.entries(preset).every(([name, given]) => {
      const { values } = members.has(name) ? shapeOf({ schema: members.get(name), root }) : {};
      return values?.includes(given) !== false;
    });
  });
  const isOutside = (index: number) =>
    !shapeOf({ schema: branches[index], root }).names.some((name) => within.includes(name));
  const ending = within.length > 0 ? possible.filter(isOutside) : [];
  const usable = ending.length > 0 ? ending : possible;
  const [first, ...others] = usable;
  if (first === undefined) return 0;
  return isFresh ? first : random.pick([first, ...others]);
}

/** A member of a new record. */
export type FreshMember = {
  readonly name: string;
  readonly schema: unknown;
  /** Its value, if it is always the same. */
  readonly fixed: { readonly value: unknown } | undefined;
};

/** The members that a new record must have. */
export const freshMembers = oncePerObject((shape: Shape, generation: Generation): readonly FreshMember[] =>
  [...shape.members].flatMap(([name, schema]): FreshMember[] => {
    const isRequired = shape.required.has(name);
    const isHidden = isMarked(schema, generation.root, 'writeOnly');
    if (!isRequired && (isHidden || !ALWAYS.has(snake(name)))) return [];
    const inner = shapeAt(schema, generation, { name, depth: 1, within: [] });
    return [{ name, schema, fixed: fixedValue(inner) }];
  }),
);

/** Members that every new record has if its schema names them. */
export const ALWAYS = new Set([
  ...['id', 'type', 'status', 'state', 'amount', 'currency', 'created_at', 'updated_at'],
  ...['captured_amount', 'refunded_amount', 'amount_captured', 'amount_refunded', 'merchant_account_id'],
]);
