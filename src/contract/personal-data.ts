import { isObject } from '../json/is-object.ts';
import type { MemberMarks } from '../json/mask.ts';
import { nameOfSegment } from '../json/pointer.ts';

/** The extension that says about a schema that its values are personal data (`true`), or that they are not after all (`false`). */
const EXTENSION = 'x-personal-data';

/**
 * The personal data of the values that a schema describes, by the marks `x-personal-data` in it and in what it refers to:
 * within a schema that is marked everything is personal but what is marked `false`. Undefined where nothing is. A schema
 * that holds itself is read once.
 */
export function personalDataOf(schema: unknown, document: unknown): MemberMarks | undefined {
  const mark = markOf(schema, { document, within: [] });
  return mark === true ? { '*': true } : mark || undefined;
}

type MarkContext = {
  readonly document: unknown;
  /** The references that lead here; one of them again is a schema within itself. */
  readonly within: readonly string[];
};

type Mark = MemberMarks | boolean | undefined;

function markOf(schema: unknown, context: MarkContext): Mark {
  if (!isObject(schema)) return undefined;
  if (typeof schema.$ref === 'string') {
    if (context.within.includes(schema.$ref)) return undefined;
    const own = markOf({ ...schema, $ref: undefined }, context);
    const within = [...context.within, schema.$ref];
    return merge([own, markOf(find(context.document, schema.$ref), { ...context, within })]);
  }
  const parts = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((part) =>
    Array.isArray(part) ? part : [],
  );
  const marks = [
    membersOf(schema, context),
    ...[schema.items, ...parts].map((part) => markOf(part, context)),
  ];
  const own = schema[EXTENSION];
  if (own === false) return false;
  return own === true ? wholly(merge(marks)) : merge(marks);
}

function membersOf(schema: Record<string, unknown>, context: MarkContext): MemberMarks | undefined {
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  const members = [...properties, ['*', schema.additionalProperties] as const].flatMap(([name, member]) => {
    const mark = markOf(member, context);
    return mark === undefined ? [] : [[name, mark] as const];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

/** Marks everything but what is excepted by name. */
function wholly(mark: Mark): Mark {
  if (typeof mark !== 'object') return true;
  const members = Object.entries(mark).map(([name, part]) => [name, part === false ? false : wholly(part)]);
  const all: MemberMarks = { ...Object.fromEntries(members), '*': true };
  return Object.values(all).every((part) => part === true) ? true : all;
}

/** What any of several schemas of one value marks is marked. */
function merge(marks: readonly Mark[]): Mark {
  const trees = marks.filter((mark) => mark !== undefined && mark !== false);
  if (trees.length === 0) return marks.includes(false) ? false : undefined;
  if (trees.includes(true)) return true;
  const all: Record<string, MemberMarks | boolean> = {};
  for (const tree of trees as MemberMarks[]) {
    for (const [name, mark] of Object.entries(tree)) all[name] = merge([all[name], mark]) ?? mark;
  }
  return all;
}

/** What a reference within the document points to. */
function find(document: unknown, reference: string): unknown {
  let found = document;
  for (const segment of reference.replace(/^#\//, '').split('/')) {
    const name = nameOfSegment(segment);
    found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return found;
}
