import { NotShownError } from '../../cli/failure/not-shown-error.ts';
import type { Session } from '../../cli/session.ts';
import { documentPrinter } from '../../cli/show-document.ts';
import { showList } from '../../cli/show-list.ts';
import type { Page, PagedResource, PageQuery } from '../../client/paging.ts';
import { type Received, responseOf, withResponse } from '../../client/response.ts';
import { UsageError } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import type { Column } from '../../output/columns.ts';
import type { ImportedRun, Sending } from './imported-run.ts';
import { nounOf } from './list-look.ts';

/**
 * Sends a request that no description names, and shows what comes: a list as one where rows are asked for, with columns that
 * follow from its first item, anything else as the document that it is.
 */
export async function showUndescribed(session: Session, run: ImportedRun, sending: Sending): Promise<void> {
  if (run.operation.listShape && sending.flags['output-file'] !== undefined) throw fileOfPages();
  if (run.operation.listShape) return await showPages(session, run, sending);
  const { operation } = run;
  const { flags } = sending;
  const print = await documentPrinter(session, flags, operation);
  const { receiveUndescribed } = await import('./download.ts');
  const document = await receiveUndescribed(session, run, sending);
  if (!document) return;
  const isChange = operation.method !== 'GET';
  const page = isChange ? undefined : pageOf(document);
  const wantsRows = ROWS.has(session.display.format) && flags.jq === undefined;
  if (page && wantsRows) return await show(session, run, { ...sending, list: onePage(page), first: page });
  await print(document).catch((error: unknown) => {
    throw isChange ? new NotShownError(error, document) : error;
  });
}

function fileOfPages(): UsageError {
  return new UsageError('answer_is_json', 'Pages are JSON, which --output-file does not accept', {
    hint: 'Redirect standard output, in which secrets and personal data are masked: > FILE',
  });
}

const ROWS: ReadonlySet<string> = new Set(['table', 'csv', 'ndjson']);

type Items = PagedResource<unknown, PageQuery>;
type Shown = Sending & { readonly list: Items; readonly first: Page<unknown> | undefined };

async function showPages(session: Session, run: ImportedRun, sending: Sending): Promise<void> {
  const { flags, asked } = sending;
  const { query, ...call } = asked;
  const list = (await session.client()).list(run.operation, call);
  const readsMany = flags.all === true || flags['max-items'] !== undefined;
  const wanted = { ...query, cursor: flags.cursor, limit: flags.limit };
  const options = { maxItems: flags['max-items'], signal: session.signal };
  const pages = readsMany ? list.pages(wanted, options) : one(() => list.list(wanted, options));
  const { value: first, done } = await pages.next();
  await show(session, run, {
    ...sending,
    list: restOf(done ? undefined : first, pages),
    first: first ?? undefined,
  });
}

async function* one(fetch: () => Promise<Page<unknown>>): AsyncGenerator<Page<unknown>, void, undefined> {
  yield await fetch();
}

/** The pages of a list of which the first was fetched already. */
function restOf(
  first: Page<unknown> | undefined,
  others: AsyncGenerator<Page<unknown>, void, undefined>,
): Items {
  async function* pages() {
    try {
      if (first) yield first;
      yield* others;
    } finally {
      await others.return();
    }
  }
  return { ...onePage(first ?? ({ items: [] } as unknown as Page<unknown>)), pages };
}

function onePage(page: Page<unknown>): Items {
  const items = async function* () {
    yield* page.items;
  };
  return { list: async () => page, pages: () => one(async () => page), items };
}

async function show(session: Session, run: ImportedRun, { flags, argv, list, first }: Shown): Promise<void> {
  const { operation, words } = run;
  await showList(session, list, {
    query: {},
    flags,
    columns: columnsIn(first?.items ?? []),
    fields: [],
    personalByName: operation.personalByName,
    isArray: Array.isArray(first) || undefined,
    noun: nounOf(operation),
    run: { operation: { ...operation, paginated: true }, words, argv, filters: {} },
  });
}

function pageOf(document: object & Received): Page<unknown> | undefined {
  if (Array.isArray(document)) return withResponse({ items: document }, responseOf(document));
  const isPage = 'items' in document && Array.isArray(document.items);
  return isPage ? (document as unknown as Page<unknown>) : undefined;
}

const MOST_COLUMNS = 8;

/** The scalar members of the first item. */
function columnsIn([first]: readonly unknown[]): readonly Column[] {
  if (!isObject(first)) return [{ header: 'VALUE', path: '' }];
  const scalars = Object.entries(first).filter(([, value]) => value !== null && typeof value !== 'object');
  return scalars.slice(0, MOST_COLUMNS).map(([path], index) => ({
    header: path.toUpperCase().replaceAll('_', ' '),
    path,
    priority: MOST_COLUMNS - index,
  }));
}
