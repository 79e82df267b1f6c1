import { NotShownError } from '../../cli/failure/not-shown-error.ts';
import type { ListRun } from '../../cli/list-end.ts';
import type { Session } from '../../cli/session.ts';
import { documentPrinter } from '../../cli/show-document.ts';
import { showList } from '../../cli/show-list.ts';
import type { Links } from '../../client/links.ts';
import type { Page, PagedResource, PageQuery } from '../../client/page.ts';
import { toPage } from '../../client/paging.ts';
import { responseOf } from '../../client/response.ts';
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
  if (operation.method !== 'GET') {
    return await print(document).catch((error: unknown) => {
      throw new NotShownError(error, document);
    });
  }
  const links = await linksOf();
  const next = links.next(responseOf(document));
  const page = toPage(document, next);
  const wantsRows = ROWS.has(session.display.format) && flags.jq === undefined;
  if (page && wantsRows)
    return await show(session, run, { ...sending, list: onePage(page), first: page, links });
  await print(document);
  if (next === undefined || !page) return;
  const { sayListIsCut } = await import('../../cli/list-end.ts');
  const end = { noun: nounOf(operation), items: page.items.length, cursor: next, dataSaySo: false };
  await sayListIsCut(session.display, end, runOf(run, sending, links));
}

/** What leads to the next page of an answer that nobody has described. */
async function linksOf(): Promise<Links> {
  return (await import('../../client/links.ts')).followLinks({ query: {} }, { orCursors: true });
}

function fileOfPages(): UsageError {
  return new UsageError('answer_is_json', 'Pages are JSON, which --output-file does not accept', {
    hint: 'Redirect standard output, in which secrets and personal data are masked: > FILE',
  });
}

const ROWS: ReadonlySet<string> = new Set(['table', 'csv', 'ndjson']);

type Items = PagedResource<unknown, PageQuery>;
type Shown = Sending & {
  readonly list: Items;
  readonly first: Page<unknown> | undefined;
  readonly links: Links;
};

async function showPages(session: Session, run: ImportedRun, sending: Sending): Promise<void> {
  const { flags, asked } = sending;
  const { query, ...call } = asked;
  const links = await linksOf();
  const list = (await session.client()).list(run.operation, { ...call, links });
  const readsMany = flags.all === true || flags['max-items'] !== undefined;
  const wanted = { ...query, cursor: flags.cursor, limit: flags.limit };
  const options = { maxItems: flags['max-items'], signal: session.signal };
  const pages = readsMany ? list.pages(wanted, options) : one(() => list.list(wanted, options));
  const { value: first, done } = await pages.next();
  await show(session, run, {
    ...sending,
    list: restOf(done ? undefined : first, pages),
    first: first ?? undefined,
    links,
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

function runOf({ operation, words }: ImportedRun, { argv }: Pick<Sending, 'argv'>, links: Links): ListRun {
  return {
    operation: { ...operation, paginated: true },
    words,
    argv,
    filters: {},
    get isLinked() {
      return links.haveLed;
    },
    links,
  };
}

async function show(
  session: Session,
  run: ImportedRun,
  { list, first, links, ...sending }: Shown,
): Promise<void> {
  const { operation } = run;
  const { flags } = sending;
  await showList(session, list, {
    query: {},
    flags,
    columns: columnsIn(first?.items ?? []),
    fields: [],
    personalByName: operation.personalByName,
    isArray: first && responseOf(first).text.trimStart().startsWith('['),
    noun: nounOf(operation),
    run: runOf(run, sending, links),
  });
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
