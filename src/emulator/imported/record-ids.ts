import { oncePerObject } from '../../schemas/memoize.ts';
import { checkOf } from '../../schemas/validator.ts';
import { generate } from '../../schemas/values/generate.ts';
import { type Shape, shapeOf } from '../../schemas/values/shape.ts';
import type { Random } from '../../text/random.ts';
import type { Kind, Kinds } from './kinds.ts';
import { type Document, withValueAt } from './overlay.ts';
import type { PreparedSchema } from './prepared.ts';

/** Makes an id for a record of a kind, as its schema and the paths to it require. */
export function newId(
  layouts: Kinds & { readonly endMs: number },
  kind: Kind,
  random: Random,
): string | number {
  const { schemas, root, idName } = rulesOf(kind, layouts);
  const { noun } = kind;
  const name = idName === 'name' ? noun : idName;
  for (const schema of schemas) {
    const { types, values, limits } = shapeOf({ schema, root });
    if (!values && (types?.has('integer') || types?.has('number'))) return numberWithin(limits, random);
    const made = generate(schema, { root, random, noun, atMs: layouts.endMs, isKey: true }, name);
    if (made !== '') return typeof made === 'number' ? made : String(made);
  }
  return random.uuid();
}

/** How many numbers are IDs of a kind, if its description allows as many. */
const MOST_NUMBERS = 1_000_000;

/** A whole number within limits, from 1 on if they allow it. */
function numberWithin(
  { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }: Shape['limits'],
  random: Random,
): number {
  const [none, all] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const low = Math.max(Math.ceil(minimum ?? none), Math.floor(exclusiveMinimum ?? none) + 1);
  const high = Math.min(Math.floor(maximum ?? all), Math.ceil(exclusiveMaximum ?? all) - 1);
  const step = multipleOf !== undefined && Number.isInteger(multipleOf) ? multipleOf : 1;
  const first = Math.ceil(Math.max(low, Math.min(1, high)) / step) * step;
  const count = Math.floor((high - first) / step) + 1;
  return first + step * random.below(Math.max(1, Math.min(count, MOST_NUMBERS)));
}

/** Whether a text can be the id of a record of a kind. */
export function canBeId(layouts: Kinds, kind: Kind, id: string): boolean {
  const { schemas, root } = rulesOf(kind, layouts);
  return schemas.every((schema) => checkOf(schema, root)(id));
}

/** A record with an id in its place. */
export function withId(record: Document, idPath: string | undefined, id: string | number): Document {
  return idPath === undefined ? record : (withValueAt(record, idPath.split('.'), id) as Document);
}

/** The member of a record that names its parent, of the type that it has there; nothing where the parent has no name or ID. */
export function parentMember(kind: Kind, id: string | undefined, schema: PreparedSchema): Document {
  const { parentName: name } = kind;
  if (name === undefined || id === undefined) return {};
  const { types } = shapeOf({ schema: schema.schemaAt(name), root: schema.root });
  const isNumber = types?.has('integer') === true && !types.has('string') && Number.isSafeInteger(Number(id));
  return { [name]: isNumber ? Number(id) : id };
}

const LIMITS = ['enum', 'minLength', 'maxLength', 'minimum', 'maximum', 'pattern', 'format'] as const;

/** The schema of the member that holds the id, combined with the limits of the path parameter that names the record. */
const rulesOf = oncePerObject((kind: Kind, layouts: Kinds) => {
  const { get, replace, update, delete: remove } = kind.operations;
  const item = get ?? replace ?? update ?? remove;
  const parameter = item && Object.values(layouts.operation(item).operation.pathValues).at(-1);
  const layout = layouts.layoutOf(kind);
  const limits = Object.fromEntries(
    LIMITS.flatMap((name) => (parameter?.[name] === undefined ? [] : [[name, parameter[name]]])),
  );
  const isLimited = Object.keys(limits).length > 0;
  const member = layout?.schema.schemaAt(...(layout.idPath?.split('.') ?? []));
  const inPath = isLimited ? [{ type: 'string', ...limits }] : [];
  const both = isLimited ? [{ allOf: [member, limits] }] : [];
  return {
    /** The schemas of an id, strictest first: a later one counts if no text fits those before it. Empty: any text. */
    schemas: member === undefined ? inPath : [...both, member],
    root: layout?.schema.root ?? {},
    /** The name of the member with the id. */
    idName: layout?.idPath?.split('.').at(-1) ?? 'id',
  };
});
