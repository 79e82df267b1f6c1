import type { Listing } from '../client/listing.ts';
import type { Page, PageQuery } from '../client/pages.ts';
import { replyOf } from '../client/reply.ts';
import type { Column } from '../output/column.ts';
import { createListPage, type ListPage, type ListWriter } from '../output/list-page.ts';
import { createListWriter } from '../output/list-writer.ts';
import { chooseColumns } from './choose-columns.ts';
import { IncompleteListError } from './incomplete-list-error.ts';
import type { OutputFlagValues, PagingFlagValues } from './list-flags.ts';
import type { Session } from './session.ts';

type ListRequest = {
  readonly query: PageQuery;
  readonly flags: OutputFlagValues & PagingFlagValues;
  readonly revealPii?: boolean;
  /** The columns of the resource, where --columns names none. */
  readonly columns: readonly Column[];
  /** What the items are called, in the plural. */
  readonly noun: string;
};

/** How far a run has come: what was printed, and where the rest begins. */
type Position = {
  pages: number;
  items: number;
  /** The cursor of the next page; null at the end, undefined at the start of a listing. */
  cursor: string | null | undefined;
};

/**
 * Prints one page, or page after page as each arrives. Whatever was printed before a failure is complete and well-formed.
 * @throws IncompleteListError when a run over several pages fails after its first one
 */
export async function showList<T>(
  session: Session,
  listing: Listing<T, PageQuery>,
  request: ListRequest,
): Promise<void> {
  const { flags } = request;
  const { display, signal } = session;
  const writer = await openWriter(session, request);
  const position: Position = { pages: 0, items: 0, cursor: flags.cursor };
  try {
    for await (const page of fetchPages(listing, request, signal)) {
      const missing = (flags['max-items'] ?? Number.POSITIVE_INFINITY) - position.items;
      const kept = toListPage(page, missing);
      await writer.page(kept);
      advance(position, page, kept);
      display.progress.update(position);
    }
  } catch (error) {
    display.progress.stop();
    await writer.end({ nextCursor: position.cursor ?? null });
    throw position.pages === 0
      ? error
      : new IncompleteListError(error, { ...position, resumeCursor: position.cursor ?? undefined });
  }
  display.progress.stop();
  await writer.end({ nextCursor: position.cursor ?? null });
  sayWhatIsLeft(session, request, position);
}

async function openWriter({ display }: Session, { flags, columns }: ListRequest): Promise<ListWriter> {
  return await createListWriter({
    format: display.format,
    whole: wantsWhole(flags),
    columns: flags.columns ? chooseColumns(flags.columns, columns) : columns,
    explicitColumns: flags.columns !== undefined,
    header: !flags['no-header'],
    jq: flags.jq === undefined ? undefined : await (await import('../output/jq.ts')).createJq(flags.jq),
    stdout: display.stdout,
    terminal: display.stdoutTerminal,
    note: display.note,
  });
}

function wantsWhole(flags: PagingFlagValues): boolean {
  return flags.all === true || flags['max-items'] !== undefined;
}

async function* fetchPages<T>(listing: Listing<T, PageQuery>, request: ListRequest, signal: AbortSignal) {
  const { flags, revealPii = false } = request;
  const query = { ...request.query, cursor: flags.cursor, limit: flags.limit };
  if (wantsWhole(flags)) yield* listing.pages(query, { maxItems: flags['max-items'], revealPii, signal });
  else yield await listing.list(query, { revealPii, signal });
}

/** A page for the writer; cut to `most` items where the service sends more than it was asked for. */
function toListPage<T>(page: Page<T>, most: number): ListPage {
  const text = replyOf(page)?.text ?? JSON.stringify(page);
  return createListPage(text, page.items.length > most ? page.items.slice(0, most) : page.items);
}

function advance(position: Position, page: Page<unknown>, kept: ListPage): void {
  position.pages += 1;
  position.items += kept.items.length;
  // A page that was cut is fetched again by whoever goes on: rather an item twice than one never.
  if (kept.items.length === page.items.length) position.cursor = page.next_cursor ?? null;
}

function sayWhatIsLeft({ display }: Session, { flags, noun }: ListRequest, position: Position): void {
  if (position.items === 0 && display.format === 'table') {
    display.note(position.cursor ? `No ${noun} on this page.` : `No ${noun} found.`);
  }
  if (!position.cursor || !display.stdoutTerminal.isTerminal || wantsWhole(flags)) return;
  display.note(`There are more ${noun}. Next page: --cursor ${position.cursor}  Everything: --all`);
}
