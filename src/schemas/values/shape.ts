import { isObject, own } from '../../json/is-object.ts';
import { oncePerObject } from '../memoize.ts';
import { definitionName, partsOf, type Schema } from '../schema-at.ts';
import { ANYTHING, both, factsOf, type SchemaFacts } from '../schema-view.ts';
import { constantsOf } from '../unions.ts';

/** A schema and the document that its references point into. */
export type RootedSchema = { readonly schema: unknown; readonly root: unknown };

/** What a schema says about a value: references, `allOf` and one branch of each union are merged. */
export type Shape = SchemaFacts & {
  /** The definitions that it refers to, by name. */
  readonly names: readonly string[];
};

/** Chooses one branch of a union: its index. */
export type ChooseBranch = (branches: readonly unknown[]) => number;

/** More schemas than any useful value has. */
const MOST_PARTS = 300;

/** The shapes of schemas by the first branch of each union, by the schema. */
const firstShapes = new WeakMap<object, { readonly root: unknown; readonly shape: Shape }>();

/** Merges the parts of a schema. `choose` decides which branch of each union counts; by default the first one. */
export function shapeOf({ schema, root }: RootedSchema, choose?: ChooseBranch): Shape {
  if (choose || !isObject(schema)) return gather({ schema, root }, choose ?? (() => 0));
  const known = firstShapes.get(schema);
  if (known && known.root === root) return known.shape;
  const shape = gather({ schema, root }, () => 0);
  firstShapes.set(schema, { root, shape });
  return shape;
}

function gather({ schema, root }: RootedSchema, choose: ChooseBranch): Shape {
  const facts: SchemaFacts[] = [];
  const names: string[] = [];
  const definitions = isObject(root) && isObject(root.$defs) ? root.$defs : {};
  const waiting: unknown[] = [schema];
  for (let left = MOST_PARTS; waiting.length > 0 && left > 0; left -= 1) {
    const part = waiting.shift();
    if (part === false) facts.push(factsOf({ enum: [] }));
    if (!isObject(part)) continue;
    facts.push(factsOf(part));
    const { $ref, allOf } = part;
    const name = definitionName($ref);
    if (name !== undefined) {
      if (!names.includes(name)) waiting.push(own(definitions, name));
      names.push(name);
    }
    if (Array.isArray(allOf)) waiting.push(...allOf);
    for (const branches of [part.anyOf, part.oneOf]) {
      if (!Array.isArray(branches) || branches.length === 0) continue;
      const branch: unknown = branches[choose(branches)];
      waiting.push(branch);
      facts.push(...discriminatorFacts(part.discriminator, { schema: branch, root }));
    }
  }
  const [first = ANYTHING, ...others] = facts;
  return { ...others.reduce(both, first), names };
}

/** What the discriminator that names a branch says: the branch itself need not have it, or says itself what the value is. */
function discriminatorFacts(
  discriminator: unknown,
  { schema: branch, root }: RootedSchema,
): readonly SchemaFacts[] {
  if (!isObject(discriminator) || !isObject(branch) || typeof branch.$ref !== 'string') return [];
  const { propertyName: name, mapping } = discriminator;
  if (typeof name !== 'string') return [];
  const mapped = Object.entries(isObject(mapping) ? mapping : {}).find(
    ([, target]) => target === branch.$ref,
  );
  if (!mapped && constantsOf(branch, root).has(name)) return [factsOf({ required: [name] })];
  const value = mapped?.[0] ?? definitionName(branch.$ref);
  return [factsOf({ properties: { [name]: { const: value } }, required: [name] })];
}

/** Whether an object with these members can be of a branch: it has no value that the branch excludes. */
export function admits({ members }: Shape, given: Readonly<Record<string, unknown>>, root: unknown): boolean {
  return Object.entries(given).every(([name, value]) => {
    const { values } = members.has(name) ? shapeOf({ schema: members.get(name), root }) : {};
    return values?.includes(value) !== false;
  });
}

/** Every member that a value can have in any branch of its unions, with the first schema of each. */
export const allMembers = oncePerObject((rooted: RootedSchema): ReadonlyMap<string, unknown> => {
  const members = new Map<string, unknown>();
  for (const { properties } of variantsOf(rooted)) {
    if (!isObject(properties)) continue;
    for (const [name, member] of Object.entries(properties))
      if (!members.has(name)) members.set(name, member);
  }
  return members;
});

/** Whether a schema explicitly allows members that it does not name. */
export function allowsOthers(rooted: RootedSchema): boolean {
  return variantsOf(rooted).some(({ additionalProperties, unevaluatedProperties, patternProperties }) => {
    const others = [additionalProperties, unevaluatedProperties, patternProperties];
    return others.some((schema) => schema !== undefined && schema !== false);
  });
}

/** The schemas that a value may have to fit: references, `allOf`, every branch of unions, and conditional schemas. */
function variantsOf({ schema, root }: RootedSchema): readonly Schema[] {
  return partsOf(schema, root, { isConditional: true });
}
