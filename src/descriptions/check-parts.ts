import { isObject } from '../json/is-object.ts';
import { pointerSegment } from '../json/pointer.ts';
import type { AnySchema } from '../schemas/definitions.ts';
import { type SchemaView, viewsIn } from '../schemas/schema-view.ts';
import type { BodyProblem } from '../schemas/validator.ts';
import { plural } from '../text/format.ts';
import { isTextType } from '../text/media-type.ts';
import { sourceOf } from './byte-source.ts';
import { typedForm } from './form-body.ts';

/** A body of parts as its schema can check it: a file is an empty text, and texts have the types of the schema. */
export function checkableParts(body: unknown, schema: unknown): unknown {
  if (!isObject(body)) return body;
  const members = Object.entries(body).map(([name, value]) => {
    if (isObject(value) && !sourceOf(value)) return [name, value];
    const plain = withoutSources(value);
    const typed = typedForm({ [name]: plain }, schema);
    return [name, isObject(typed) ? typed[name] : plain];
  });
  return Object.fromEntries(members);
}

function withoutSources(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSources);
  return sourceOf(value) ? '' : value;
}

/**
 * The problems of a body of parts: those that its schema found, except for what it says about the empty texts in place of files, and those of
 * the files themselves.
 */
export function problemsOfParts(
  body: unknown,
  schema: unknown,
  found: readonly BodyProblem[],
): readonly BodyProblem[] {
  const files = filesOf(body, schema);
  const others = found.filter(({ pointer }) => !files.some((file) => file.pointer === pointer));
  return [...others, ...files.flatMap(problemOfFile)];
}

type PartFile = { readonly pointer: string; readonly value: unknown; readonly view: SchemaView };

/** The members that are files, or have to be. */
function filesOf(body: unknown, schema: unknown): readonly PartFile[] {
  const { members, others, viewOf } = viewsIn(schema).of(schema as AnySchema);
  return Object.entries(isObject(body) ? body : {}).flatMap(([name, value]): PartFile[] => {
    const view = viewOf(members.get(name) ?? others);
    const element = viewOf(view.items);
    const pointer = `/${pointerSegment(name)}`;
    const all = Array.isArray(value)
      ? value.map((each, index) => ({ pointer: `${pointer}/${index}`, value: each, view: element }))
      : [{ pointer, value, view }];
    return all.filter(isFile);
  });
}

function isFile({ value, view }: PartFile): boolean {
  return sourceOf(value) !== undefined || (typeof value === 'string' && view.fileType !== undefined);
}

function problemOfFile({ pointer, value, view: { fileType = '', limits } }: PartFile): BodyProblem[] {
  const source = sourceOf(value);
  if (!source) return isTextType(fileType) ? [] : [{ pointer, message: 'must be a file (-F with @FILE)' }];
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = limits;
  const { size = 0 } = source;
  if (size < minLength) return [{ pointer, message: `must have at least ${plural(minLength, 'byte')}` }];
  return size > maxLength ? [{ pointer, message: `must have at most ${plural(maxLength, 'byte')}` }] : [];
}
