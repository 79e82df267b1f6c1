import { isObject } from '../json/is-object.ts';
import { FORM_TYPE, MULTIPART_TYPE } from '../text/format.ts';
import { bareType, isTextType, JSON_PATCH, MERGE_PATCH, typesIn } from '../text/media-type.ts';
import type { OperationContext } from './declaration.ts';
import { type DocumentLocation, type Found, locationBelow, type Needed } from './references.ts';

/** Media types of JSON, and ranges that it is in. */
const JSON_TYPE = /^(?:(?:application|text)\/json|application\/[\w.+*-]+\+json|\*\/\*|application\/\*)$/;

/** The media types of a body or a response. */
export type Content = {
  /** All media types. */
  readonly types: readonly string[];
  /** The best one of those that payctl reads and writes by a schema: JSON, else a form, else parts. */
  readonly best: MediaType | undefined;
  /** The others of these. */
  readonly others: readonly MediaType[];
  /** The schema of a text, if there is no better type. */
  readonly text?: { readonly schema: unknown; readonly location: DocumentLocation } | undefined;
};

/** A media type with its schema. */
export type MediaType = {
  readonly kind: 'json' | 'form' | 'multipart';
  /** As the document has it, with its parameters. */
  readonly type: string;
  /** The name to send and to ask for, unless it is `application/json` or a range. */
  readonly ownType?: string;
  readonly schema: unknown;
  readonly encoding: unknown;
  readonly location: DocumentLocation;
};

/**
 * Reads the media types of a body or a response. Follows references even where OpenAPI does not allow them.
 * @throws NotRunnable
 */
export function readContent(holder: Found, needed: Needed, { references }: OperationContext): Content {
  const { content } = isObject(holder.value) ? holder.value : {};
  const found = references.require(content ?? {}, locationBelow(holder.location, 'content'), needed);
  const map = isObject(found.value) ? found.value : {};
  const types = Object.keys(map);
  const mediaOf = <T extends { readonly type: string }>(one: T, isNeeded: boolean) => {
    const at = locationBelow(found.location, one.type);
    const media = isNeeded
      ? references.require(map[one.type], at, needed)
      : references.follow(map[one.type], at);
    if ('code' in media) return [];
    const { schema, encoding } = isObject(media.value) ? media.value : {};
    const [bare] = one.type.includes('*') ? [] : typesIn(one.type);
    const ownType = bare !== undefined && bare !== 'application/json' && { ownType: bare };
    return [{ ...one, ...ownType, schema, encoding, location: locationBelow(media.location, 'schema') }];
  };
  const [best, ...others] = ranked(types).flatMap((one, index) => mediaOf(one, index === 0));
  const texts = best ? [] : types.filter(isTextType).slice(0, 1);
  const [text] = texts.flatMap((type) => mediaOf({ type }, false));
  return { types, best, others, text };
}

/** The types that payctl reads and writes by a schema, the best first; of those that differ in parameters only, the first. */
function ranked(types: readonly string[]): readonly Pick<MediaType, 'kind' | 'type'>[] {
  const known = types.flatMap((type) => {
    const bare = bareType(type);
    const rank = rankOf(bare);
    return rank === undefined ? [] : [{ type, bare, ...rank }];
  });
  const distinct = known.filter(({ bare }, index) => known.findIndex((one) => one.bare === bare) === index);
  return distinct.toSorted((a, b) => a.rank - b.rank).map(({ kind, type }) => ({ kind, type }));
}

function rankOf(bare: string): { readonly kind: MediaType['kind']; readonly rank: number } | undefined {
  if (bare === FORM_TYPE) return { kind: 'form', rank: 4 };
  if (bare === MULTIPART_TYPE) return { kind: 'multipart', rank: 5 };
  if (!JSON_TYPE.test(bare)) return undefined;
  // A JSON patch is a list, and users type objects.
  const place = ['application/json', MERGE_PATCH, '', JSON_PATCH].indexOf(bare);
  return { kind: 'json', rank: place === -1 ? 2 : place };
}
