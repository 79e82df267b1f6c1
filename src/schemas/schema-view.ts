import { isObject } from '../json/is-object.ts';
import type { AnySchema, Definitions } from './definitions.ts';
import { isBinary } from './file-schema.ts';
import { commonTypes, definitionName, LIMITS } from './schema-at.ts';

/** What a schema says about a value, references and combinations followed. */
export type SchemaFacts = {
  /** The types, without null; undefined where any is possible. */
  readonly types: ReadonlySet<string> | undefined;
  readonly isNullable: boolean;
  readonly members: ReadonlyMap<string, AnySchema>;
  readonly required: ReadonlySet<string>;
  readonly items: AnySchema | undefined;
  /** The schema of members that are not named; undefined where nothing says. */
  readonly others: AnySchema | undefined;
  readonly values: readonly unknown[] | undefined;
  readonly format: string | undefined;
  /** The media type of a file, empty where the schema does not name it; undefined for what is not a file. */
  readonly fileType: string | undefined;
  readonly patterns: readonly string[];
  /** `minimum`, `maxLength` and the like; the strictest of each. */
  readonly limits: Readonly<Record<string, number>>;
  /** Every other keyword that can refuse a value; none for a union. */
  readonly checks: ReadonlyMap<string, unknown>;
  /** What the document gives as examples and as the default. */
  readonly examples: readonly unknown[];
  readonly initial: unknown;
  /** The branches, where it is one of several schemas. */
  readonly branches: readonly AnySchema[];
  readonly description: string | undefined;
  /** Whether it is one of several schemas with members or elements of their own. */
  readonly isUnion: boolean;
  readonly isPersonal: boolean | undefined;
  /** It is a password, or what only requests have. */
  readonly isSecret: boolean;
  /** The service decides it: no request has it. */
  readonly isReadOnly: boolean;
};

/** The facts of a schema as a whole. */
export type SchemaView = Omit<SchemaFacts, 'types'> & {
  /** The types, without null; empty where any is possible. */
  readonly types: ReadonlySet<string>;
  /** The name of the definition that it is, where it is one. */
  readonly name: string | undefined;
  /** The view of a part of it, such as a member. */
  readonly viewOf: (part: AnySchema | undefined) => SchemaView;
};

/** How many schemas one view looks at: more than any that is written by hand. */
const MOST_PARTS = 300;

/** Views schemas that have their definitions below `$defs` of a schema. */
export function viewsIn(schema: unknown): SchemaViews {
  const { $defs } = isObject(schema) ? schema : {};
  const all = Object.entries(isObject($defs) ? $defs : {}) as [string, AnySchema][];
  return new SchemaViews(new Map(all.map(([name, part]) => [name, { schema: part, references: [] }])));
}

/** The views of schemas that do not change any more; each schema is looked at once. */
export class SchemaViews {
  readonly #definitions: Definitions;
  /** By the schema, or by the reference that it consists of. */
  readonly #known = new Map<unknown, SchemaView>();

  constructor(definitions: Definitions) {
    this.#definitions = definitions;
  }

  /** What a schema that is only a reference leads to, by way of other references; any other schema itself. */
  target(schema: AnySchema | undefined): AnySchema | undefined {
    let found = schema;
    for (let hops = 0; hops < MOST_PARTS; hops += 1) {
      const name = definitionName(bareReference(found));
      if (name === undefined) return found;
      found = this.#definitions.get(name)?.schema;
    }
    return undefined;
  }

  /** Looks at a schema as a whole. Of a union it shows every member that any branch has; required is what all require. */
  readonly of = (schema: AnySchema | undefined): SchemaView => {
    const key = bareReference(schema) ?? schema;
    const known = this.#known.get(key);
    if (known) return known;
    const reader = { definitions: this.#definitions, left: MOST_PARTS, within: new Set<string>() };
    const gathered = gather(schema, reader);
    const name = isObject(schema) ? definitionName(schema.$ref) : undefined;
    const view = { ...gathered, types: gathered.types ?? new Set<string>(), name, viewOf: this.of };
    this.#known.set(key, view);
    return view;
  };
}

/** The reference that a schema consists of; undefined for any other schema. */
export function bareReference(schema: AnySchema | undefined): string | undefined {
  const isBare = isObject(schema) && typeof schema.$ref === 'string' && Object.keys(schema).length === 1;
  return isBare ? String(schema.$ref) : undefined;
}

/** Whether a schema takes null alone. */
export function isNull(schema: AnySchema): boolean {
  return (
    isObject(schema) &&
    (schema.type === 'null' || [schema.enum ?? schema.const].flat().every((value) => value === null))
  );
}

type Reader = { readonly definitions: Definitions; left: number; readonly within: Set<string> };

function gather(schema: AnySchema | undefined, reader: Reader): SchemaFacts {
  reader.left -= 1;
  if (!isObject(schema) || reader.left < 0) return ANYTHING;
  const parts = [factsOf(schema)];
  const name = definitionName(schema.$ref);
  if (name !== undefined && !reader.within.has(name)) {
    reader.within.add(name);
    parts.push(gather(reader.definitions.get(name)?.schema, reader));
    reader.within.delete(name);
  }
  for (const part of listOf(schema.allOf)) parts.push(gather(part, reader));
  for (const choices of [schema.anyOf, schema.oneOf]) {
    const branches = listOf(choices).map((part) => gather(part, reader));
    if (branches.length > 0) parts.push(either(branches));
  }
  return parts.reduce(both);
}

type Limits = SchemaFacts['limits'];

const NO_CHECKS: SchemaFacts['checks'] = new Map();
const NO_LIMITS: Limits = {};

function checksIn(schema: Readonly<Record<string, unknown>>): ReadonlyMap<string, unknown> {
  const given = CHECKS.filter((name) => schema[name] !== undefined);
  return given.length === 0 ? NO_CHECKS : new Map(given.map((name) => [name, schema[name]]));
}

const CHECKS = [
  'uniqueItems',
  'prefixItems',
  'contains',
  'minContains',
  'maxContains',
  'unevaluatedItems',
  'patternProperties',
  'propertyNames',
  'unevaluatedProperties',
  'dependentRequired',
  'dependentSchemas',
  'not',
  'if',
  'then',
  'else',
];

function listOf(value: unknown): readonly AnySchema[] {
  return Array.isArray(value) ? value : [];
}

/** What a part of a schema says by itself. */
export function factsOf(schema: Readonly<Record<string, unknown>>): SchemaFacts {
  const types = schema.type === undefined ? undefined : new Set([schema.type].flat() as string[]);
  const isNullable = types ? types.delete('null') : true;
  const values = Array.isArray(schema.enum) ? schema.enum : 'const' in schema ? [schema.const] : undefined;
  return {
    types,
    isNullable: isNullable && (values?.includes(null) ?? true),
    members: new Map(
      isObject(schema.properties) ? (Object.entries(schema.properties) as [string, AnySchema][]) : [],
    ),
    required: new Set(Array.isArray(schema.required) ? (schema.required as string[]) : []),
    items: schema.items as AnySchema | undefined,
    others: schema.additionalProperties as AnySchema | undefined,
    values,
    format: schema.format as string | undefined,
    fileType: isBinary([schema]) ? ((schema.contentMediaType as string | undefined) ?? '') : undefined,
    patterns: schema.pattern === undefined ? [] : [schema.pattern as string],
    limits: limitsIn(schema),
    checks: checksIn(schema),
    examples: listOf(schema.examples),
    initial: schema.default,
    branches: listOf(schema.oneOf ?? schema.anyOf),
    description: schema.description as string | undefined,
    isUnion: false,
    isPersonal: schema['x-personal-data'] as boolean | undefined,
    isSecret: schema.format === 'password' || schema.writeOnly === true,
    isReadOnly: schema.readOnly === true,
  };
}

/** The facts of a schema that says nothing. */
export const ANYTHING = factsOf({});

/** What holds where both schemas apply; the first one describes it. */
export function both(a: SchemaFacts, b: SchemaFacts): SchemaFacts {
  const types = a.types && b.types ? commonTypes(a.types, b.types) : (a.types ?? b.types);
  const members = new Map(a.members);
  for (const [name, schema] of b.members) {
    const other = members.get(name);
    members.set(name, other === undefined ? schema : { allOf: [other, schema] });
  }
  return {
    types,
    isNullable: a.isNullable && b.isNullable,
    members,
    required: new Set([...a.required, ...b.required]),
    items: a.items ?? b.items,
    others: a.others ?? b.others,
    values: a.values && b.values ? commonValues(a.values, b.values) : (a.values ?? b.values),
    format: a.format ?? b.format,
    fileType: a.fileType || b.fileType || (a.fileType ?? b.fileType),
    patterns: joined(a.patterns, b.patterns),
    limits: strictest(a.limits, b.limits),
    checks: b.checks.size === 0 ? a.checks : new Map([...b.checks, ...a.checks]),
    examples: joined(a.examples, b.examples),
    initial: a.initial ?? b.initial,
    branches: a.branches.length > 0 ? a.branches : b.branches,
    description: a.description ?? b.description,
    isUnion: a.isUnion || b.isUnion,
    isPersonal: a.isPersonal ?? b.isPersonal,
    isSecret: a.isSecret || b.isSecret,
    isReadOnly: a.isReadOnly || b.isReadOnly,
  };
}

function joined<T>(a: readonly T[], b: readonly T[]): readonly T[] {
  return b.length === 0 ? a : [...a, ...b];
}

function commonValues(a: readonly unknown[], b: readonly unknown[]): readonly unknown[] {
  const texts = new Set(a.map((value) => JSON.stringify(value)));
  return b.filter((value) => texts.has(JSON.stringify(value)));
}

function limitsIn(schema: Readonly<Record<string, unknown>>): Limits {
  const given = LIMITS.filter((name) => typeof schema[name] === 'number');
  return given.length === 0
    ? NO_LIMITS
    : Object.fromEntries(given.map((name) => [name, Number(schema[name])]));
}

function strictest(a: Limits, b: Limits): Limits {
  if (b === NO_LIMITS) return a;
  const narrowed = Object.entries(b).map(([name, value]) => {
    const strict = /^(?:max|exclusiveMax)/.test(name) ? Math.min : Math.max;
    return [name, strict(value, a[name] ?? value)] as const;
  });
  return { ...a, ...Object.fromEntries(narrowed) };
}

/** What holds where one of several schemas applies. */
function either(all: readonly SchemaFacts[]): SchemaFacts {
  const isNull = ({ types, isNullable, values }: SchemaFacts) =>
    (types?.size === 0 && isNullable) || (values?.length === 1 && values[0] === null);
  const branches = all.filter((branch) => !isNull(branch));
  const isNullable = all.some((branch) => branch.isNullable);
  const [first] = branches;
  if (!first) return { ...ANYTHING, isNullable };
  if (branches.length === 1) return { ...first, isNullable };
  const members = new Map<string, AnySchema>();
  for (const branch of branches) {
    for (const [name, schema] of branch.members) if (!members.has(name)) members.set(name, schema);
  }
  return {
    ...ANYTHING,
    types: branches.every(({ types }) => types)
      ? new Set(branches.flatMap(({ types }) => [...(types ?? [])]))
      : undefined,
    isNullable,
    members,
    required: new Set([...first.required].filter((name) => branches.every((one) => one.required.has(name)))),
    items: branches.find(({ items }) => items !== undefined)?.items,
    others: branches.find(({ others }) => others !== undefined)?.others,
    values: branches.every(({ values }) => values)
      ? branches.flatMap(({ values }) => values ?? [])
      : undefined,
    format: first.format,
    fileType: first.fileType,
    isUnion: branches.some(({ members: own, items }) => own.size > 0 || items !== undefined),
    isPersonal: branches.find(({ isPersonal }) => isPersonal)?.isPersonal,
    isSecret: branches.some(({ isSecret }) => isSecret),
    isReadOnly: branches.every(({ isReadOnly }) => isReadOnly),
  };
}
