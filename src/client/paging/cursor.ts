import type {
  Paging as Described,
  Envelope,
  ImportedOperation,
} from '../../descriptions/imported-operation.ts';
import { memberAt } from '../../json/is-object.ts';
import type { NextPage } from '../page.ts';
import type { PagedOperation, Paging } from './paging.ts';

type Enveloped = { readonly envelope?: Partial<Envelope> | undefined };

/** Follows the cursors that the pages of a list name, if a parameter takes them. */
export function followCursors({
  envelope,
  hasParameter = true,
}: {
  readonly envelope?: Envelope | undefined;
  readonly hasParameter?: boolean | undefined;
} = {}): Paging {
  const lacksParameter = !hasParameter;
  return {
    canPrefetch: hasParameter && !envelope,
    request: requestWith(envelope),
    next: ({ document }) => ({ lacksParameter, ...cursorIn(document, envelope) }),
  };
}

/** Follows the cursors that a header of each page names. */
export function followHeader({ name, parameter }: NonNullable<Described['header']>): Paging {
  return {
    request: requestWith({ cursorParameter: parameter }),
    next: ({ response }) => ({ cursor: response.headers[name] ?? null }),
  };
}

/** The parameter of an operation that takes the cursor of a page, whether the description names it or not. */
export function cursorParameter({ envelope }: Enveloped): string {
  return envelope?.cursorParameter ?? 'cursor';
}

/** Whether the description of a list names the parameter for a cursor: without one, no cursor leads to a second page. */
export function takesCursor(operation: Pick<PagedOperation, 'query' | 'envelope'>): boolean {
  return Object.hasOwn(operation.query, cursorParameter(operation));
}

/** Whether the text that may be the address of the next page may also be a cursor, which a parameter takes. */
export function mayBeCursor({ envelope, paging }: Pick<ImportedOperation, 'envelope' | 'paging'>): boolean {
  const { nextCursor } = envelope ?? {};
  return paging?.members?.next?.some((path) => path.join('.') === nextCursor) === true;
}

/** Asks for the page of a cursor by the parameter that takes it. */
export function requestWith(envelope: Partial<Envelope> | undefined): Paging['request'] {
  return (asked) => {
    if (!envelope) return { query: asked };
    const { cursor, limit, ...query } = asked;
    const from = cursor === undefined ? {} : { [cursorParameter({ envelope })]: cursor };
    return { query: { ...query, ...from, limit } };
  };
}

function cursorIn(page: object, envelope: Envelope | undefined): NextPage {
  if (!envelope) {
    const cursor = memberAt(page, ['next_cursor']);
    const isUsable = cursor === undefined || cursor === null || typeof cursor === 'string';
    return isUsable ? { cursor } : { cursor: undefined, badMember: 'next_cursor' };
  }
  const { nextCursor } = envelope;
  // Some services give a cursor with the last page, too.
  if (nextCursor === undefined || saysMore(page, envelope) === false) return { cursor: null };
  return usable(memberAt(page, nextCursor.split('.')) ?? null, nextCursor);
}

/** What a page says about whether more items follow: only true and false count. */
export function saysMore(page: object, { hasMore, isLast }: Envelope): unknown {
  if (isLast !== undefined) return memberAt(page, isLast.split('.')) !== true;
  return hasMore === undefined ? undefined : memberAt(page, hasMore.split('.'));
}

/** A value of a page as a cursor, if it is a text or a number: one that JavaScript would round is a bigint. */
export function usable(cursor: unknown, badMember: string): NextPage {
  if (cursor === null || typeof cursor === 'string') return { cursor };
  const isNumber = typeof cursor === 'number' || typeof cursor === 'bigint';
  return isNumber ? { cursor: String(cursor) } : { cursor: undefined, badMember };
}
