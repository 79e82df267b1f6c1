import { isObject } from '../json/is-object.ts';
import { FORM_TYPE, MULTIPART_TYPE } from '../text/format.ts';
import { bareType, isTextType } from '../text/media-type.ts';
import type { OperationContext } from './declaration.ts';
import { type DocumentLocation, type Found, locationBelow, type ReferenceProblem } from './references.ts';

/** Media types of JSON, and ranges that it is in. */
const JSON_TYPE = /^(?:(?:application|text)\/json|application\/[\w.+*-]+\+json|\*\/\*|application\/\*)$/;
/** Preferred to a JSON patch (RFC 6902), which is an array: users type objects. */
const MERGE_PATCH = 'application/merge-patch+json';
export const JSON_PATCH = 'application/json-patch+json';

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
  const mediaAt = (type: string) => {
    const media = references.follow(map[type], locationBelow(found.location, type));
    if ('code' in media) return media;
    const { schema, encoding } = isObject(media.value) ? media.value : {};
    return { schema, encoding, location: locationBelow(media.location, 'schema') };
  };
  const [first, ...rest] = ranked(types);
  const others = rest.flatMap((one) => {
    const media = mediaAt(one.type);
    return 'code' in media ? [] : [{ ...one, ...media }];
  });
  const type = first?.type ?? types.find(isTextType);
  const media = type === undefined ? undefined : mediaAt(type);
  if (!media || (!first && 'code' in media)) return { types, best: undefined, others };
  if ('code' in media) return media;
  return first
    ? { types, best: { ...first, ...media }, others }
    : { types, best: undefined, others, text: media };
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
  const order = [['application/json'], [MERGE_PATCH], [], [JSON_PATCH]];
  const place = order.findIndex((names) => names.includes(bare));
  return { kind: 'json', rank: place === -1 ? 2 : place };
}
