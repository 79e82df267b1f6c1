import { isObject } from '../json/is-object.ts';
import { definitionName } from './schema-at.ts';
import type { Definitions, Schema } from './schema-keywords.ts';
import { definitionsIn, type SchemaView, viewSchema } from './schema-view.ts';
import { matchesPattern } from './within-time.ts';

/** A body that a schema accepts as far as its types, enumerations, limits and required members go. */
export type ExampleBody = {
  /** The name of its branch of a union; undefined without a union. */
  readonly branch?: string;
  readonly value: unknown;
};

const MOST_BRANCHES = 20;
const DEEPEST = 8;
/** The number of members that an object without required ones has. */
const FEW = 5;

/**
 * One example, or one for each branch if the body is a union. `schema` contains its own `$defs`. A body of parts has `EXAMPLE_FILE` in
 * place of files.
 */
export function exampleBodies(schema: unknown, hasFiles = false): readonly ExampleBody[] {
  if (schema === undefined) return [];
  const { $defs: _, ...top } = isObject(schema) ? schema : {};
  const definitions = definitionsIn(schema);
  const view = viewSchema(top as Schema, definitions);
  const branches = view.branches.filter((branch) => !isNull(viewSchema(branch, definitions)));
  if (branches.length < 2)
    return [{ value: exampleOf(top as Schema, { definitions, depth: 0, within: [], hasFiles }) }];
  return branches.slice(0, MOST_BRANCHES).map((branch, index) => ({
    branch: nameOf(branch, index),
    value: exampleOf(branch, { definitions, depth: 0, within: [], hasFiles }),
  }));
}

function nameOf(branch: Schema, index: number): string {
  const { $ref, title } = isObject(branch) ? branch : {};
  return definitionName($ref) ?? (typeof title === 'string' ? title : String(index + 1));
}

function isNull({ types, isNullable, values }: SchemaView): boolean {
  return (
    (types.size === 0 && isNullable && values?.every((value) => value === null) === true) ||
    (types.size === 1 && types.has('null'))
  );
}

type Context = {
  readonly definitions: Definitions;
  readonly depth: number;
  readonly within: readonly string[];
  readonly hasFiles: boolean;
};

function exampleOf(schema: Schema | undefined, context: Context): unknown {
  const view = viewSchema(schema, context.definitions);
  if (view.example !== undefined) return view.example;
  const [value] = view.values?.filter((each) => each !== null) ?? [];
  if (value !== undefined) return value;
  const branch = view.members.size === 0 || view.isUnion ? view.branches[0] : undefined;
  const isAgain = view.name !== undefined && context.within.includes(view.name);
  if (isAgain || context.depth > DEEPEST) return view.items === undefined ? {} : [];
  const below = { ...context, depth: context.depth + 1, within: [...context.within, view.name ?? ''] };
  if (branch !== undefined) return exampleOf(branch, below);
  if (view.members.size > 0) return objectOf(view, below);
  if (view.items !== undefined || view.types.has('array'))
    return view.items === undefined ? [] : [exampleOf(view.items, below)];
  return context.hasFiles && view.fileType !== undefined ? EXAMPLE_FILE : scalarOf(view);
}

function objectOf({ members, required }: SchemaView, context: Context): unknown {
  const needed = [...members].filter(([name]) => required.has(name));
  const shown =
    needed.length > 0 ? needed : [...members].filter(([, schema]) => isShort(schema, context)).slice(0, FEW);
  return Object.fromEntries(shown.map(([name, schema]) => [name, exampleOf(schema, context)]));
}

function isShort(schema: Schema, { definitions }: Context): boolean {
  const { members, items, isReadOnly } = viewSchema(schema, definitions);
  return members.size === 0 && items === undefined && !isReadOnly;
}

const BY_FORMAT: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
  time: '12:00:00Z',
  email: 'person@example.com',
  uuid: '00000000-0000-4000-8000-000000000000',
  uri: 'https://example.com',
  url: 'https://example.com',
};

/** Usual texts in payments, which are tried for a schema with a pattern. */
const USUAL_TEXTS = [
  'EUR',
  'GB',
  'en',
  'en-GB',
  '12.50',
  '1250',
  '12',
  '2026',
  '0123456789',
  '+441134960000',
  'ABC123',
  'abc123',
];

function textOf({ format, limits, pattern }: SchemaView): string {
  const byFormat = (format !== undefined && Object.hasOwn(BY_FORMAT, format) && BY_FORMAT[format]) || 'text';
  const [least, most] = [limits.get('minLength') ?? 0, limits.get('maxLength') ?? Number.POSITIVE_INFINITY];
  const text = byFormat.padEnd(Math.min(least, 100), 'x').slice(0, most);
  if (pattern === undefined || matchesPattern(pattern, text)) return text;
  const fits = (usual: string) =>
    usual.length >= least && usual.length <= most && matchesPattern(pattern, usual);
  return USUAL_TEXTS.find(fits) ?? text;
}

/** What an example has in the place of a file. */
export const EXAMPLE_FILE = '@FILE';

function scalarOf(view: SchemaView): unknown {
  const { types, limits } = view;
  if (types.has('string') || types.size === 0) return textOf(view);
  if (types.has('integer') || types.has('number'))
    return Math.max(limits.get('minimum') ?? 1, (limits.get('exclusiveMinimum') ?? 0) + 1);
  return types.has('boolean') ? true : {};
}
