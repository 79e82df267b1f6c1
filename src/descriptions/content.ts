import { isObject } from '../json/is-object.ts';
import { FORM_TYPE, MULTIPART_TYPE } from '../text/format.ts';
import { bareType } from '../text/media-type.ts';
import type { OperationContext } from './declaration.ts';
import { type Found, type Place, placeBelow, type ReferenceProblem } from './references.ts';
import type { ConvertedSchema } from './schema-keywords.ts';

/** Media types of JSON, and ranges that it is in. */
const JSON_TYPE =
  /^(application\/json|application\/[\w.+-]+\+json|text\/json|\*\/\*|application\/\*)\s*(;.*)?$/i;

/** The media types of a body or a response. */
export type Content = {
  /** All media types. */
  readonly types: readonly string[];
  /** The best one of those that payctl reads and writes by a schema: JSON, else a form, else parts. */
  readonly best: MediaType | undefined;
};

/** A media type with its schema. */
export type MediaType = {
  readonly kind: 'json' | 'form' | 'multipart';
  /** As the document has it, with its parameters. */
  readonly type: string;
  readonly schema: unknown;
  readonly encoding: unknown;
  readonly place: Place;
};

/** Reads the media types of a body or a response. Follows references even where OpenAPI does not allow them. */
export function readContent(holder: Found, { references }: OperationContext): Content | ReferenceProblem {
  const { content } = isObject(holder.value) ? holder.value : {};
  const found = references.follow(content ?? {}, placeBelow(holder.place, 'content'));
  if ('code' in found) return found;
  const map = isObject(found.value) ? found.value : {};
  const types = Object.keys(map);
  const best = bestOf(types);
  if (!best) return { types, best: undefined };
  const media = references.follow(map[best.type], placeBelow(found.place, best.type));
  if ('code' in media) return media;
  const { schema, encoding } = isObject(media.value) ? media.value : {};
  return { types, best: { ...best, schema, encoding, place: placeBelow(media.place, 'schema') } };
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

/** A member with the name of the definition that a schema refers to; no member if it refers to none. */
export function definitionName<Member extends string>(
  member: Member,
  schema: ConvertedSchema | undefined,
): { [Name in Member]?: string } {
  const reference: unknown = typeof schema?.schema === 'object' ? schema.schema.$ref : undefined;
  return (typeof reference === 'string' ? { [member]: reference.slice('#/$defs/'.length) } : {}) as {
    [Name in Member]?: string;
  };
}
