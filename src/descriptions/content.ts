import { isObject } from '../json/is-object.ts';
import { FORM_TYPE, MULTIPART_TYPE } from '../text/format.ts';
import { bareType } from '../text/media-type.ts';
import type { OperationContext } from './declaration.ts';
import { type Found, type Place, placeBelow, type ReferenceProblem } from './references.ts';
import type { ConvertedSchema } from './schema-keywords.ts';

/** Media types that payctl can write, the best one first. */
const JSON_TYPE =
  /^(application\/json|application\/[\w.+-]+\+json|text\/json|\*\/\*|application\/\*)\s*(;.*)?$/i;

/** The media types of a body or a response. */
export type Content = {
  /** All media types. */
  readonly types: readonly string[];
  /** The JSON among them. */
  readonly json: MediaType | undefined;
  /** Without JSON, the form among them. */
  readonly form: MediaType | undefined;
  /** Without JSON and a form, the parts among them. */
  readonly multipart: MediaType | undefined;
};

/** A media type with its schema. */
export type MediaType = {
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
  const all = types.filter((each) => JSON_TYPE.test(each));
  const json = all.find((each) => /^application\/json/i.test(each)) ?? all[0];
  const withType = (wanted: string) => types.find((each) => bareType(each) === wanted);
  const form = withType(FORM_TYPE);
  const type = json ?? form ?? withType(MULTIPART_TYPE);
  const none = { types, json: undefined, form: undefined, multipart: undefined };
  if (type === undefined) return none;
  const media = references.follow(map[type], placeBelow(found.place, type));
  if ('code' in media) return media;
  const { schema, encoding } = isObject(media.value) ? media.value : {};
  const one = { type, schema, encoding, place: placeBelow(media.place, 'schema') };
  if (type === json) return { ...none, json: one };
  return type === form ? { ...none, form: one } : { ...none, multipart: one };
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
