import type { QueryParameter } from '../../contract/operation.ts';
import { generate } from '../../descriptions/values/generate.ts';
import { oncePerObject } from '../../descriptions/values/memoize.ts';
import { shapeOf } from '../../descriptions/values/shape.ts';
import type { Random } from '../../text/random.ts';
import type { Kind } from './kinds.ts';
import type { RecordLayout, RecordLayouts } from './record-layouts.ts';

/** What the schemas allow as the id of a record of a kind. */
type IdRules = {
  /** The only allowed ids; undefined if the description does not list them. */
  readonly allowed: readonly string[] | undefined;
  /** The schemas of an id, strictest first: a later one counts if no text fits those before it. Empty: any text. */
  readonly schemas: readonly unknown[];
  readonly root: unknown;
  readonly idName: string;
};

type EndingLayouts = RecordLayouts & { readonly endMs: number };

/** Makes an id for a record of a kind, as its schema and the paths to it require. */
export function newId(layouts: EndingLayouts, kind: Kind, random: Random): string | number {
  const { allowed, schemas, root, idName } = rulesOf(kind, layouts);
  if (allowed?.[0] !== undefined) return random.pick([allowed[0], ...allowed.slice(1)]);
  const [schema] = schemas;
  const { types } = shapeOf({ schema, root });
  if (types?.has('integer') || types?.has('number')) return 1 + random.below(1_000_000);
  for (const one of schemas) {
    const made = generate(one, { root, random, noun: kind.noun, atMs: layouts.endMs }, idName);
    if (made !== '') return String(made);
  }
  return random.uuid();
}

/** Whether any text can be the id of a record of a kind. */
export function takesAnyId(layout: RecordLayout | undefined): boolean {
  if (!layout?.idName) return false;
  const { schema } = layout;
  const { format, patterns, types } = shapeOf({
    schema: schema.members.get(layout.idName),
    root: schema.root,
  });
  return format === undefined && patterns.length === 0 && types?.has('integer') !== true;
}

const rulesOf = oncePerObject((kind: Kind, layouts: RecordLayouts): IdRules => {
  const { get, update, remove } = kind.operations;
  const item = get ?? update ?? remove;
  const parameter = item && Object.values(layouts.operation(item).operation.pathValues).at(-1);
  return combine(parameter, layouts.layoutOf(kind));
});

const LIMITS = ['minLength', 'maxLength', 'minimum', 'maximum', 'pattern', 'format'] as const;

/** Combines the schema of the member that holds the id with the limits of the path parameter that names the record. */
function combine(parameter: QueryParameter | undefined, layout: RecordLayout | undefined): IdRules {
  const limits = Object.fromEntries(
    LIMITS.flatMap((name) => (parameter?.[name] === undefined ? [] : [[name, parameter[name]]])),
  );
  const isLimited = Object.keys(limits).length > 0;
  const member = layout?.idName === undefined ? undefined : layout.schema.members.get(layout.idName);
  const inPath = isLimited ? [{ type: 'string', ...limits }] : [];
  const both = isLimited ? [{ allOf: [member, limits] }] : [];
  return {
    allowed: parameter?.enum,
    schemas: member === undefined ? inPath : [...both, member],
    root: layout?.schema.root ?? {},
    idName: layout?.idName ?? 'id',
  };
}
