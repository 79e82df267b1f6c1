import { isObject } from '../json/is-object.ts';
import type { AnySchema } from '../schemas/definitions.ts';
import { oncePerObject } from '../schemas/memoize.ts';
import { definitionName } from '../schemas/schema-at.ts';
import { isNull, type SchemaView, type SchemaViews } from '../schemas/schema-view.ts';
import { compareValues, type Direction } from './compare-values.ts';

/** A schema that a value may have, of several. */
export type Branch = {
  readonly schema: AnySchema | undefined;
  readonly view: SchemaView;
  /** The name of its definition, the value that selects it, its title, or its number. */
  readonly name: string;
};

/**
 * The branches of a schema, without the one for null: of `oneOf` or `anyOf`, each with the other keywords of the schema. A schema
 * that is not a union is its own only branch, and so is a union of listed values only.
 */
export function branchesOf(schema: AnySchema | undefined, views: SchemaViews): readonly Branch[] {
  const union = views.target(schema);
  if (!isObject(union)) return [{ schema, view: views.of(schema), name: '' }];
  return branchesBy(views)(union, schema);
}

/** The branches of one union are always the same objects: they are compared by their identity. */
const branchesBy = oncePerObject((views: SchemaViews) =>
  oncePerObject((union: Readonly<Record<string, unknown>>, schema: AnySchema | undefined) =>
    readBranches(union, schema, views),
  ),
);

function readBranches(
  union: Readonly<Record<string, unknown>>,
  schema: AnySchema | undefined,
  views: SchemaViews,
): readonly Branch[] {
  const { oneOf, anyOf, discriminator, ...rest } = union;
  const isOne = Array.isArray(oneOf);
  const all = (isOne ? oneOf : (anyOf ?? [])) as readonly AnySchema[];
  const branches = all.filter((branch) => !isNull(branch));
  if (branches.length < 2 || branches.every((branch) => isEnumeration(views.of(branch))))
    return [{ schema, view: views.of(schema), name: '' }];
  const member = isObject(discriminator) ? discriminator.propertyName : undefined;
  const beside = [
    ...(Object.keys(rest).some((name) => CHECKED_BESIDE.has(name)) ? [rest] : []),
    ...(isOne && anyOf !== undefined ? [{ anyOf }] : []),
    ...(typeof member === 'string' ? [{ required: [member] }] : []),
  ];
  return branches.map((branch, index) => {
    const whole = beside.length === 0 ? branch : { allOf: [branch, ...beside] };
    const view = views.of(whole);
    return { schema: whole, view, name: nameOf(branch, view, index) };
  });
}

function isEnumeration({ values, members, items, patterns, format, limits, checks }: SchemaView): boolean {
  const isFree = patterns.length + checks.size + Object.keys(limits).length === 0 && format === undefined;
  return values !== undefined && isFree && members.size === 0 && items === undefined;
}

const CHECKED_BESIDE = new Set([
  '$ref',
  'allOf',
  'type',
  'properties',
  'required',
  'additionalProperties',
  'enum',
]);

function nameOf(branch: AnySchema, view: SchemaView, index: number): string {
  const { $ref, title } = isObject(branch) ? branch : {};
  const [selected] = constantsOf(view);
  const types = [...view.types].join(' or ');
  return definitionName($ref) ?? selected ?? (typeof title === 'string' ? title : types || String(index + 1));
}

/** The members that can only have one value, as `name=value`. */
function constantsOf({ members, values }: SchemaView): readonly string[] {
  const own = values?.length === 1 ? [String(values[0])] : [];
  const ofMembers = [...members].flatMap(([name, schema]) => {
    const { const: fixed, enum: listed } = isObject(schema) ? schema : {};
    const only = fixed ?? (Array.isArray(listed) && listed.length === 1 ? listed[0] : undefined);
    return only === undefined ? [] : [`${name}=${String(only)}`];
  });
  return [...own, ...ofMembers];
}

type Test = (old: Branch, now: Branch) => boolean;

/**
 * Finds out which branch became which: the same schema, one of the same name or with the same constants, a value that the
 * other accepts as well, or an object with mostly the same members, in this order.
 */
export function pairBranches(
  old: readonly Branch[],
  now: readonly Branch[],
  direction: Direction,
): {
  readonly both: readonly (readonly [Branch, Branch])[];
  readonly gone: readonly Branch[];
  readonly added: readonly Branch[];
} {
  const both: [Branch, Branch][] = [];
  const [before, after] = [new Set(old), new Set(now)];
  const covers: Test = (a, b) => isCovered(a, b, direction);
  for (const test of [isSame, hasSameName, hasSameConstant, covers, isAlike]) {
    for (const a of before) {
      const b = [...after].find((one) => test(a, one));
      if (!b) continue;
      both.push([a, b]);
      before.delete(a);
      after.delete(b);
    }
  }
  const added = [...after].filter((b) => direction === 'request' || !old.some((a) => covers(a, b)));
  return { both, gone: [...before], added };
}

const isSame: Test = (a, b) => JSON.stringify(a.schema) === JSON.stringify(b.schema);
const hasSameName: Test = (a, b) => a.view.name !== undefined && a.view.name === b.view.name;
const hasSameConstant: Test = (a, b) => {
  const constants = constantsOf(b.view);
  return constantsOf(a.view).some((one) => constants.includes(one));
};

/** Whether a value without members that one branch describes fits the other. */
function isCovered(a: Branch, b: Branch, direction: Direction): boolean {
  const hasInside = ({ members, items, others, types }: SchemaView) =>
    members.size > 0 || items !== undefined || others !== undefined || types.size === 0;
  if (hasInside(a.view) || hasInside(b.view)) return false;
  let isBroken = false;
  compareValues(a.view, b.view, direction, (breaking) => {
    isBroken ||= breaking;
  });
  return !isBroken;
}

const isAlike: Test = ({ view: a }, { view: b }) => {
  if (a.types.size > 0 && b.types.size > 0 && ![...a.types].some((type) => b.types.has(type))) return false;
  if (a.members.size === 0 || b.members.size === 0)
    return a.members.size === b.members.size && a.items !== undefined && b.items !== undefined;
  const shared = [...a.members.keys()].filter((name) => b.members.has(name));
  const differs = [...a.members].some(([name, schema]) => hasOther(schema, b.members.get(name)));
  return !differs && shared.length * 2 >= Math.min(a.members.size, b.members.size);
};

/** Whether two members can only have different values, so that they tell branches apart. */
function hasOther(a: AnySchema, b: AnySchema | undefined): boolean {
  return isObject(a) && isObject(b) && a.const !== undefined && b.const !== undefined && a.const !== b.const;
}
