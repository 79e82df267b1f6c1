import { isObject } from '../json/is-object.ts';
import { FORM_TYPE, MULTIPART_TYPE } from '../text/format.ts';
import { bareType, isTextType } from '../text/media-type.ts';
import type { OperationContext } from './declaration.ts';
import { type DocumentLocation, type Found, locationBelow, type ReferenceProblem } from './references.ts';

/** Media types of JSON, and ranges that it is in. */
const JSON_TYPE =
  /^(application\/json|application\/[\w.+-]+\+json|text\/json|\*\/\*|application\/\*)\s*(;.*)?$/i;

/** The media types of a body or a response. */
export type Content = {
  /** All media types. */
  readonly types: readonly string[];
  /** The best one of those that payctl reads and writes by a schema: JSON, else a form, else parts. */
  readonly best: MediaType | undefined;
  /** The schema of a text, if there is no better type. */
  readonly text?: { readonly schema: unknown; readonly location: DocumentLocation } | undefined;
};

/** A media type with its schema. */
export type MediaType = {
  readonly kind: 'json' | 'form' | 'multipart';
  /** As the document has it, with its parameters. */
  readonly type: string;
  readonly schema: unknown;
  readonly encoding: unknown;
  readonly location: DocumentLocation;
};

/** Reads the media types of a body or a response. Follows references even where OpenAPI does not allow them. */
export function readContent(holder: Found, { references }: OperationContext): Content | ReferenceProblem {
  const { content } = isObject(holder.value) ? holder.value : {};
  const found = references.follow(content ?? {}, locationBelow(holder.location, 'content'));
  if ('code' in found) return found;
  const map = isObject(found.value) ? found.value : {};
  const types = Object.keys(map);
  const best = bestOf(types);
  const type = best?.type ?? types.find(isTextType);
  if (type === undefined) return { types, best: undefined };
  const media = references.follow(map[type], locationBelow(found.location, type));
  if ('code' in media) return best ? media : { types, best };
  const { schema, encoding } = isObject(media.value) ? media.value : {};
  const location = locationBelow(media.location, 'schema');
  return best
    ? { types, best: { ...best, schema, encoding, location } }
    : { types, best, text: { schema, location } };
}

function bestOf(types: readonly string[]): Pick<MediaType, 'kind' | 'type'> | undefined {
  const all = types.filter((each) => JSON_TYPE.test(each));
  const json = all.find((each) => /^application\/json/i.test(each)) ?? all[0];
  if (json !== undefined) return { kind: 'json', type: json };
  const withType = (wanted: string) => types.find((each) => bareType(each) === wanted);
  const form = withType(FORM_TYPE);
  if (form !== undefined) return { kind: 'form', type: form };
  const multipart = withType(MULTIPART_TYPE);
  return multipart === undefined ? undefined : { kind: 'multipart', type: multipart };
}
