import { isObject, own } from '../../json/is-object.ts';
import { commonTypes, definitionName, LIMITS, partsOf, type Schema } from '../schema-at.ts';

/** A schema and the document that its references point into. */
export type RootedSchema = { readonly schema: unknown; readonly root: unknown };

/** What a schema says about a value: references, `allOf` and one branch of each union are merged. */
export type Shape = {
  /** Undefined if any type is allowed. */
  readonly types: ReadonlySet<string> | undefined;
  readonly values: readonly unknown[] | undefined;
  readonly members: ReadonlyMap<string, unknown>;
  readonly required: ReadonlySet<string>;
  /** The schema of members that are not named; undefined if there is none. */
  readonly others: unknown;
  readonly items: unknown;
  readonly firstItems: readonly unknown[];
  readonly patterns: readonly string[];
  readonly format: string | undefined;
  readonly examples: readonly unknown[];
  readonly initial: unknown;
  /** `minimum`, `maxLength` and the like; the strictest of each. */
  readonly limits: Readonly<Record<string, number>>;
  readonly isUnique: boolean;
  /** The definitions that it refers to, by name. */
  readonly names: readonly string[];
};

/** Chooses one branch of a union: its index. */
export type ChooseBranch = (branches: readonly unknown[], root: unknown) => number;

type Gathered = { -readonly [Name in keyof Shape]: Shape[Name] } & {
  members: Map<string, unknown>;
  required: Set<string>;
  names: string[];
};

/** More schemas than any useful value has. */
const MOST_PARTS = 300;

/** Shapes of schemas without unions, which are the same every time. */
const known = new WeakMap<object, { readonly root: unknown; readonly shape: Shape }>();

/** Merges the parts of a schema. `choose` decides which branch of each union counts; by default the first one. */
export function shapeOf({ schema, root }: RootedSchema, choose: ChooseBranch = () => 0): Shape {
  const before = isObject(schema) ? known.get(schema) : undefined;
  if (before && before.root === root) return before.shape;
  let hasChosen = false;
  const shape = gather({ schema, root }, (branches) => {
    hasChosen = true;
    return choose(branches, root);
  });
  if (!hasChosen && isObject(schema)) known.set(schema, { root, shape });
  return shape;
}

function gather({ schema, root }: RootedSchema, choose: ChooseBranch): Shape {
  const gathered: Gathered = {
    types: undefined,
    values: undefined,
    members: new Map(),
    required: new Set(),
    others: undefined,
    items: undefined,
    firstItems: [],
    patterns: [],
    format: undefined,
    examples: [],
    initial: undefined,
    limits: {},
    isUnique: false,
    names: [],
  };
  const definitions = isObject(root) && isObject(root.$defs) ? root.$defs : {};
  const waiting: unknown[] = [schema];
  for (let left = MOST_PARTS; waiting.length > 0 && left > 0; left -= 1) {
    const part = waiting.shift();
    if (part === false) gathered.values = [];
    if (!isObject(part)) continue;
    add(gathered, part);
    const { $ref, allOf } = part;
    const name = definitionName($ref);
    if (name !== undefined) {
      if (!gathered.names.includes(name)) waiting.push(own(definitions, name));
      gathered.names.push(name);
    }
    if (Array.isArray(allOf)) waiting.push(...allOf);
    for (const branches of [part.anyOf, part.oneOf]) {
      if (!Array.isArray(branches) || branches.length === 0) continue;
      const branch: unknown = branches[choose(branches, root)];
      waiting.push(branch);
      addDiscriminator(gathered, part.discriminator, branch);
    }
  }
  return gathered;
}

/** Adds the value of the discriminator that names the branch: the branch itself need not have it. */
function addDiscriminator(gathered: Gathered, discriminator: unknown, branch: unknown): void {
  if (!isObject(discriminator) || !isObject(branch) || typeof branch.$ref !== 'string') return;
  const { propertyName: name, mapping } = discriminator;
  if (typeof name !== 'string') return;
  const [value = branch.$ref.split('/').at(-1)] =
    Object.entries(isObject(mapping) ? mapping : {}).find(([, target]) => target === branch.$ref) ?? [];
  addMember(gathered, name, { const: value });
  gathered.required.add(name);
}

function addMember(gathered: Gathered, name: string, schema: unknown): void {
  const other = gathered.members.get(name);
  gathered.members.set(name, other === undefined ? schema : { allOf: [other, schema] });
}

function add(gathered: Gathered, part: Schema): void {
  if (part.type !== undefined) {
    const types = new Set([part.type].flat().map(String));
    gathered.types = gathered.types ? commonTypes(gathered.types, types) : types;
  }
  const values = Array.isArray(part.enum) ? part.enum : 'const' in part ? [part.const] : undefined;
  if (values) {
    const texts = gathered.values?.map((value) => JSON.stringify(value));
    gathered.values = texts ? values.filter((value) => texts.includes(JSON.stringify(value))) : values;
  }
  if (isObject(part.properties)) {
    for (const [name, schema] of Object.entries(part.properties)) addMember(gathered, name, schema);
  }
  if (Array.isArray(part.required)) for (const name of part.required) gathered.required.add(String(name));
  gathered.others ??= part.additionalProperties;
  gathered.items ??= part.items;
  if (Array.isArray(part.prefixItems)) gathered.firstItems = part.prefixItems;
  if (typeof part.pattern === 'string') gathered.patterns = [...gathered.patterns, part.pattern];
  if (typeof part.format === 'string') gathered.format ??= part.format;
  if (Array.isArray(part.examples)) gathered.examples = [...gathered.examples, ...part.examples];
  gathered.initial ??= part.default;
  gathered.isUnique ||= part.uniqueItems === true;
  gathered.limits = { ...gathered.limits, ...limitsOf(part, gathered.limits) };
}

function limitsOf(part: Schema, narrowest: Readonly<Record<string, number>>): Record<string, number> {
  const found = LIMITS.flatMap((name): [string, number][] => {
    const value = part[name];
    if (typeof value !== 'number') return [];
    const other = narrowest[name] ?? value;
    const isUpper = /^(?:max|exclusiveMax)/.test(name);
    return [[name, isUpper ? Math.min(value, other) : Math.max(value, other)]];
  });
  return Object.fromEntries(found);
}

/** Whether null is allowed. */
export function isNullable({ types, values }: Shape): boolean {
  return types?.has('null') !== false && values?.includes(null) !== false;
}

/** Every member that a value can have in any branch of its unions, with the first schema of each. */
export function allMembers(rooted: RootedSchema): ReadonlyMap<string, unknown> {
  const members = new Map<string, unknown>();
  for (const { properties } of variantsOf(rooted)) {
    if (!isObject(properties)) continue;
    for (const [name, member] of Object.entries(properties))
      if (!members.has(name)) members.set(name, member);
  }
  return members;
}

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
