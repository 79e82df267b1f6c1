import { isPaged, otherPaging, sizeParameter } from '../contract/operation.ts';
import { own } from '../json/is-object.ts';
import { quote } from '../text/format.ts';
import { countedPagesOf } from './counted-pages.ts';
import type { Declaration, OperationContext } from './declaration.ts';
import type { Envelope, ImportedOperation, Paging } from './imported-operation.ts';
import type { Parameters } from './parameters.ts';
import { kebab } from './plain-text.ts';
import { onlyReads } from './reads.ts';
import type { ResponseShape } from './response-shape.ts';
import type { ReadResponse } from './responses.ts';

/** Parameters that take the next cursor of a page, and those that take the ID of its last item, in lower case with hyphens. */
const CURSOR_PARAMETERS = [
  ...['cursor', 'page-token', 'next-token', 'page-cursor', 'next-cursor', 'next-page-token', 'start-cursor'],
  ...['continuation-token', 'marker', 'starting-after', 'page-after', 'after'],
];
const AFTER_PARAMETERS = ['starting-after', 'start-after', 'after-id', 'after'];

type Declared = Pick<Declaration, 'method' | 'path' | 'location'> & Pick<OperationContext, 'issues'>;

/** How payctl requests the next page of a list; a change has one page. Reports a list that payctl cannot follow. */
export function pagingOf(
  { query }: Parameters,
  { shape, isLinked, headers }: ReadResponse,
  { method, path, location, issues }: Declared,
) {
  const { listShape } = shape;
  const onePage = { paginated: false, ...(shape.envelope && { envelope: shape.envelope }) };
  if (!listShape || !onlyReads({ method, path })) return onePage;
  const largest = query.get('limit')?.maximum;
  const shown = largest !== undefined && { largestPage: largest };
  const beside = cursorBesideLink(query, shape);
  // What a page links to is requested with GET.
  const lead =
    listShape === 'envelope'
      ? (cursorParameterOf(query, shape) ?? (method === 'GET' ? undefined : beside))
      : undefined;
  if (lead !== undefined) {
    const envelope = envelopeOf(shape, lead);
    return { paginated: true, ...shown, ...(envelope && { envelope }) };
  }
  const header = headerCursorOf(query, headers);
  const paging = header ? { header } : otherwisePaged(query, shape, method);
  if (isLinked || (!paging && method === 'GET' && listShape === 'array' && takesCursor(query)))
    return { ...onePage, isLinked: true, ...shown };
  const problem = isPaged({ paginated: false, paging }) ? undefined : unfollowed(query, shape);
  if (problem !== undefined) issues.add(location, 'paging_not_followed', problem);
  const envelope = beside && paging && !header && !paging.counted ? envelopeOf(shape, beside) : undefined;
  return { ...onePage, ...(envelope && { envelope }), ...(paging && { paging }), ...shown };
}

type Query = Parameters['query'];
/** A parameter that takes a cursor, and the dotted path of the string in a page that it takes, unless that has a usual name. */
type Lead = { readonly parameter: string; readonly token?: string };

/** The parameters that take any string; a time is never a cursor. */
function textsOf(query: Query) {
  return [...query].flatMap(([name, { type, format, multiple }]) =>
    !multiple && type === 'string' && !/^date/.test(format ?? '') ? [{ name, plain: kebab(name) }] : [],
  );
}

/** The first of these parameters, by their plain names. */
function textNamed(names: readonly string[], query: Query): string | undefined {
  const texts = textsOf(query);
  return names.flatMap((plain) => texts.flatMap((one) => (one.plain === plain ? [one.name] : [])))[0];
}

/** Whether there is a parameter for a cursor. A page that is an array has no place for one: it is in a `Link` header. */
function takesCursor(query: Query): boolean {
  return textsOf(query).some(({ name, plain }) => {
    // A filter by an ID or a time may have these names, too.
    const isClear = !AFTER_PARAMETERS.includes(plain) && plain !== 'marker';
    const summary = query.get(name)?.summary ?? '';
    return (
      CURSOR_PARAMETERS.includes(plain) &&
      (isClear || /\b(?:cursors?|pag(?:es?|ing|ination))\b/i.test(summary))
    );
  });
}

/** The header that names the next cursor, and its parameter: `X-After-Cursor` is for `after_cursor`, `X-Next-Cursor` for `cursor`. */
function headerCursorOf(query: Query, headers: readonly string[]): Paging['header'] {
  for (const { name: parameter, plain } of textsOf(query)) {
    if (!CURSOR_PARAMETERS.includes(plain) && !plain.endsWith('-cursor')) continue;
    const name = headers.find((one) => [plain, `next-${plain}`].includes(one.replace(/^x-/, '')));
    if (name !== undefined) return { name, parameter };
  }
  return undefined;
}

/** The parameter that takes the cursor which a page names, or the ID of its last item. */
function cursorParameterOf(query: Query, shape: ResponseShape): Lead | undefined {
  const { hasNextCursor, members, itemId, tokens = {} } = shape;
  const texts = textsOf(query);
  const usual = hasNextCursor ? textNamed(CURSOR_PARAMETERS, query) : undefined;
  if (usual !== undefined) return { parameter: usual };
  const starts = [...query].filter(([name, { type }]) => name === 'from' && type === 'integer');
  for (const { name, plain } of [...texts, ...starts.map(([name]) => ({ name, plain: name }))]) {
    const token = own(tokens, plain);
    if (token !== undefined) return { parameter: name, token };
  }
  const namesNext = hasNextCursor || cursorBesideLink(query, shape) !== undefined;
  const after =
    !namesNext && (members?.hasMore ?? members?.isLast) && itemId !== undefined
      ? textNamed(AFTER_PARAMETERS, query)
      : undefined;
  return after === undefined ? undefined : { parameter: after };
}

/** The parameter for a text `next` that may be a cursor as well as an address; in an object of links it is an address. */
function cursorBesideLink(query: Query, { tokens = {} }: ResponseShape): Lead | undefined {
  const { next: token } = tokens;
  if (token === undefined || /links\./i.test(token)) return undefined;
  const parameter = textNamed(CURSOR_PARAMETERS, query);
  return parameter === undefined ? undefined : { parameter, token };
}

/** A list is linked by headers whether its description names them or not. */
const ONE_PAGE = 'payctl prints one page, or follows a Link header';

/** How a list without cursors is paged: by what its pages say about the next one, or by counting. */
function otherwisePaged(
  query: Query,
  { hasNextCursor, members, itemId }: ResponseShape,
  method: ImportedOperation['method'],
): Paging | undefined {
  // A page that names a cursor begins after no item.
  const counted = countedPagesOf(query, { itemId: hasNextCursor || members?.next ? undefined : itemId });
  // What a page links to is requested with GET.
  const isTelling = (members?.next ?? members?.hasMore ?? members?.isLast) !== undefined;
  if (!counted && !(method === 'GET' && isTelling)) return undefined;
  return { ...(counted && { counted }), ...(members && { members }) };
}

function unfollowed(query: Query, { hasNextCursor, members }: ResponseShape): string | undefined {
  if (hasNextCursor) return `Its pages name a next cursor, but it takes no "cursor": ${ONE_PAGE}`;
  if (query.has('cursor')) return `It takes a "cursor", but its pages name no next cursor: ${ONE_PAGE}`;
  const other = otherPaging(Object.fromEntries(query));
  if (other !== undefined) return `It pages by ${quote(other)}, which payctl does not follow by itself`;
  const size = sizeParameter({ query: Object.fromEntries(query) });
  const isTold = (members?.hasMore ?? members?.isLast) !== undefined;
  if (size === undefined && !isTold) return undefined;
  const what =
    size === undefined ? 'Its pages say whether there are more' : `It takes a page size (${quote(size)})`;
  return `${what}, but the description does not say how to request the next page: ${ONE_PAGE}`;
}

/** The envelope of a list whose pages this parameter leads to; undefined for the usual one. */
function envelopeOf(
  { envelope, hasNextCursor, members, itemId = 'id' }: ResponseShape,
  { parameter, token }: Lead,
): Envelope | undefined {
  const isUsual = parameter === 'cursor' && token === undefined;
  if (isUsual && (!envelope || !(members?.hasMore ?? members?.isLast))) return envelope;
  const usual = { items: 'items', ...(hasNextCursor && { nextCursor: 'next_cursor' }) };
  const followsIds = !hasNextCursor && token === undefined;
  return {
    ...(envelope ?? usual),
    ...(token !== undefined && { nextCursor: token }),
    ...(members?.hasMore && { hasMore: members.hasMore.join('.') }),
    ...(!members?.hasMore && members?.isLast && { isLast: members.isLast.join('.') }),
    ...(followsIds && itemId !== 'id' && { itemId }),
    ...(parameter !== 'cursor' && { cursorParameter: parameter }),
  };
}
