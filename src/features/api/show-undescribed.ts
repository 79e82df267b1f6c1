import { sortNeedsList } from '../../cli/flags/list.ts';
import type { Session } from '../../cli/session/session.ts';
import type { ListRun } from '../../cli/show/list-end.ts';
import { documentPrinter } from '../../cli/show/show-document.ts';
import { showList } from '../../cli/show/show-list.ts';
import { type FetchedPage, itemsIn, rawPage, toPage } from '../../client/page.ts';
import { openPaging } from '../../client/paging/resource.ts';
import { UsageError } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import type { Column } from '../../output/columns.ts';
import type { ImportedRun, Sending } from './imported-run.ts';
import { nounOf, WHOLE_ITEM } from './list-look.ts';

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
  if (operation.method !== 'GET') return await print(document);
  const paging = await openPaging(operation, 'pages');
  const page = rawPage(document);
  const next = await paging.next(page, { query: {}, asked: {}, send: async () => page });
  const items = itemsIn(document);
  const wantsRows =
    flags.sort !== undefined || (!session.display.format.isDocument && flags.jq === undefined);
  if (items && wantsRows) {
    const first = toPage(page, { ...next, badMember: undefined });
    return await show(session, run, { ...sending, first });
  }
  if (flags.sort !== undefined) throw sortNeedsList();
  await print(document);
  if (!items || !next.cursor) return;
  const { printListIsCut } = await import('../../cli/show/list-end.ts');
  const end = { noun: nounOf(operation), items: items.length, cursor: next.cursor, next };
  await printListIsCut(session.display, end, runOf(run, sending));
}

function fileOfPages(): UsageError {
  return new UsageError('answer_is_json', 'Pages are JSON, which --output-file does not accept', {
    hint: 'Redirect standard output, in which secrets and personal data are masked: > FILE',
  });
}

type Pages = AsyncGenerator<FetchedPage<unknown>, void, undefined>;
type Shown = Sending & {
  readonly first: FetchedPage<unknown> | undefined;
  /** The pages after it. */
  readonly others?: Pages;
};

async function showPages(session: Session, run: ImportedRun, sending: Sending): Promise<void> {
  const { flags, asked } = sending;
  const { query, ...call } = asked;
  const list = (await session.client()).list(run.operation, { ...call, pagedBy: 'pages' });
  const readsMany = flags.all === true || flags['max-items'] !== undefined;
  const wanted = { ...query, cursor: flags.cursor, limit: flags.limit };
  const options = { maxItems: flags['max-items'], signal: session.signal, isSingle: !readsMany };
  const others = list.fetch(wanted, options);
  const { value } = await others.next();
  await show(session, run, { ...sending, first: value ?? undefined, others });
}

async function* pagesOf({ first, others }: Shown): Pages {
  try {
    if (first) yield first;
    if (others) yield* others;
  } finally {
    await others?.return();
  }
}

function runOf({ operation, words }: ImportedRun, { argv }: Pick<Sending, 'argv'>): ListRun {
  return { operation: { ...operation, paginated: true }, words, argv, filters: {} };
}

async function show(session: Session, run: ImportedRun, shown: Shown): Promise<void> {
  const { operation } = run;
  const { first } = shown;
  const isArray = first?.response.text.trimStart().startsWith('[');
  await showList(
    session,
    { fetch: () => pagesOf(shown) },
    {
      query: {},
      flags: shown.flags,
      columns: columnsIn(first?.items() ?? []),
      noun: nounOf(operation),
      run: runOf({ ...run, operation: { ...operation, listShape: isArray ? 'array' : 'envelope' } }, shown),
    },
  );
}

const MOST_COLUMNS = 8;

/** The scalar members of the first item. */
function columnsIn([first]: readonly unknown[]): readonly Column[] {
  if (!isObject(first)) return [WHOLE_ITEM];
  const scalars = Object.entries(first).filter(([, value]) => value !== null && typeof value !== 'object');
  return scalars.slice(0, MOST_COLUMNS).map(([path], index) => ({
    header: path.toUpperCase().replaceAll('_', ' '),
    path,
    priority: MOST_COLUMNS - index,
  }));
}
