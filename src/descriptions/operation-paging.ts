import { otherPaging } from '../contract/operation.ts';
import { quote } from '../text/format.ts';
import type { OperationContext } from './declaration.ts';
import type { Envelope } from './imported-operation.ts';
import type { Parameters } from './parameters.ts';
import type { Place } from './references.ts';
import type { ReadResponse } from './responses.ts';

/** Parameters that take the next cursor of a page, and those that take the ID of its last item. */
const CURSOR_PARAMETERS = ['cursor', 'page_token', 'pageToken', 'next_token', 'nextToken'];
const AFTER_PARAMETERS = ['starting_after', 'startingAfter'];

/** How the pages of a list lead to one another. Reports a list that payctl cannot follow. */
export function pagingOf(
  { query }: Parameters,
  { answer, ...response }: ReadResponse,
  { place, context }: { readonly place: Place; readonly context: OperationContext },
) {
  const largest = query.get('limit')?.maximum;
  const names = answer.hasNextCursor ? CURSOR_PARAMETERS : answer.hasMore ? AFTER_PARAMETERS : [];
  const parameter = answer.listShape === 'envelope' ? names.find((name) => query.has(name)) : undefined;
  const paginated = parameter !== undefined;
  const isLinked = !paginated && answer.listShape !== undefined && response.isLinked;
  const report = (message: string) => context.issues.add(place, { code: 'paging_not_followed', message });
  if (isLinked) {
    // Its links lead to the next page, whatever its parameters are.
  } else if (!paginated && answer.hasNextCursor) {
    report('Its pages name a next cursor, but it takes no "cursor": payctl prints one page');
  } else if (!paginated && answer.listShape && query.has('cursor')) {
    report('It takes a "cursor", but its pages name no next cursor: payctl prints one page');
  } else if (!paginated && answer.listShape) {
    const other = otherPaging(query.keys());
    if (other !== undefined) report(`It pages by ${quote(other)}, which payctl does not follow by itself`);
  }
  const envelope = paginated ? envelopeOf(answer, parameter) : answer.envelope;
  return {
    paginated,
    ...(isLinked && { isLinked }),
    ...(answer.listShape && largest !== undefined && { largestPage: largest }),
    ...(envelope && { envelope }),
  };
}

/** The envelope of a list whose pages this parameter leads to; undefined for the usual one. */
function envelopeOf(
  { envelope, hasNextCursor, hasMore }: ReadResponse['answer'],
  cursorParameter: string,
): Envelope | undefined {
  if (cursorParameter === 'cursor') return envelope;
  const usual = { items: 'items', ...(hasNextCursor && { nextCursor: 'next_cursor' }) };
  return { ...(envelope ?? usual), ...(hasMore !== undefined && { hasMore }), cursorParameter };
}
