import { isObject } from '../json/is-object.ts';
import { pointerSegment } from '../json/pointer.ts';
import { plural } from '../text/format.ts';
import { isTextType } from '../text/media-type.ts';
import { sourceOf } from './byte-source.ts';
import type { BodyProblem } from './check-body.ts';
import { typedForm } from './form-body.ts';
import { elementSchemas, isBinary, memberSchemas, partsOf, type Schema } from './schema-at.ts';

/** A body of parts as its schema can check it: a file is an empty text, and texts have the types of the schema. */
export function checkableParts(body: unknown, schema: unknown): unknown {
  if (!isObject(body)) return body;
  const members = Object.entries(body).map(([name, value]): [string, unknown] => {
    const isPlain = !isObject(value) || sourceOf(value) !== undefined;
    return [name, isPlain ? withoutSources(value) : value];
  });
  const plain = Object.fromEntries(members.filter(([, value]) => !isObject(value)));
  const typed = typedForm(plain, schema);
  return Object.fromEntries(
    members.map(([name, value]) => [
      name,
      isObject(typed) && Object.hasOwn(typed, name) ? typed[name] : value,
    ]),
  );
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

type PartFile = { readonly pointer: string; readonly value: unknown; readonly parts: readonly Schema[] };

/** The members that are files, or have to be. */
function filesOf(body: unknown, schema: unknown): readonly PartFile[] {
  const below = (schemas: readonly unknown[]) => schemas.flatMap((one) => partsOf(one, schema));
  return Object.entries(isObject(body) ? body : {}).flatMap(([name, value]): PartFile[] => {
    const parts = below(memberSchemas(partsOf(schema, schema), name));
    const pointer = `/${pointerSegment(name)}`;
    if (!Array.isArray(value)) return isFile(value, parts) ? [{ pointer, value, parts }] : [];
    const elements = below(elementSchemas(parts));
    return value.flatMap((each, index) =>
      isFile(each, elements) ? [{ pointer: `${pointer}/${index}`, value: each, parts: elements }] : [],
    );
  });
}

function isFile(value: unknown, parts: readonly Schema[]): boolean {
  return sourceOf(value) !== undefined || (typeof value === 'string' && isBinary(parts));
}

function problemOfFile({ pointer, value, parts }: PartFile): BodyProblem[] {
  const source = sourceOf(value);
  if (!source) {
    const isText = parts.some(({ contentMediaType }) => isTextType(String(contentMediaType)));
    return isText ? [] : [{ pointer, message: 'must be a file (-F with @FILE)' }];
  }
  const { size = 0 } = source;
  const limits = (name: string) => parts.map((part) => part[name]).filter((one) => typeof one === 'number');
  const least = Math.max(0, ...limits('minLength'));
  const most = Math.min(Number.POSITIVE_INFINITY, ...limits('maxLength'));
  if (size < least) return [{ pointer, message: `must have at least ${plural(least, 'byte')}` }];
  return size > most ? [{ pointer, message: `must have at most ${plural(most, 'byte')}` }] : [];
}
