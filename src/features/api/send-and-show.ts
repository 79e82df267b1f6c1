import { NotShownError } from '../../cli/failure/not-shown-error.ts';
import { kebabCase } from '../../cli/flags/parameters.ts';
import type { ListRun } from '../../cli/list-end.ts';
import type { Session } from '../../cli/session.ts';
import { showList } from '../../cli/show-list.ts';
import type { Call, RequestOptions } from '../../client/call.ts';
import { ResponseError } from '../../client/errors.ts';
import type { Links } from '../../client/links.ts';
import type { ListOptions, PageQuery } from '../../client/page.ts';
import { cursorParameter, type ListCall, mayBeLinked } from '../../client/paging.ts';
import { responseOf } from '../../client/response.ts';
import { isPaged, otherPaging, sizeParameter } from '../../contract/operation.ts';
import type { ImportedRun, Sending } from './imported-run.ts';
import { columnsOf, followsCursors, nounOf } from './list-look.ts';
import type { RunnableOperation } from './own-operations.ts';

/**
 * Sends a request of an operation and shows the answer: a list page by page, anything else as one document.
 * @throws NotShownError when a change was carried out and its answer cannot be shown
 */
export async function sendAndShow(session: Session, run: ImportedRun, sending: Sending): Promise<void> {
  try {
    await sendAndShowAnswer(session, run, sending);
  } catch (error) {
    if (!(error instanceof ResponseError && error.code === 'not_modified')) throw error;
    session.display.info('Not modified: the service has nothing newer.');
  }
}

async function sendAndShowAnswer(session: Session, run: ImportedRun, sending: Sending): Promise<void> {
  if (run.operation.answerTypes || sending.flags['output-file'] !== undefined) {
    const { download } = await import('./download.ts');
    await download(session, run, sending);
  } else if (run.operation.listShape && !isWholeAnswer(session, run, sending))
    await showItems(session, run, sending);
  else await showAnswer(session, run, sending);
}

/** Whether one page in an envelope of its own is shown as the document that it is. */
function isWholeAnswer({ display }: Session, { operation }: ImportedRun, { flags }: Sending): boolean {
  const readsMany = flags.all === true || flags['max-items'] !== undefined;
  if (!operation.envelope || readsMany || flags.columns) return false;
  const { format } = display;
  return format === 'json' || format === 'yaml' || (flags.jq !== undefined && format !== 'ndjson');
}

/** The list of an operation. What reads an envelope of its own is loaded where there is one. */
async function listOf(session: Session, operation: RunnableOperation, call: ListCall) {
  const client = await session.client();
  const { envelope } = operation;
  if (!envelope) return client.list(operation, call);
  const { createEnvelopeResource } = await import('../../client/envelope.ts');
  const { followsCursors = true, links, ...asked } = call;
  const request = (query: PageQuery, { revealPii = false, signal, target }: RequestedPage) =>
    client.request(operation, { ...asked, query, target, revealPii, ...(signal && { signal }) });
  return createEnvelopeResource({ operation, envelope, request, followsCursors, links });
}

type RequestedPage = ListOptions & Pick<RequestOptions, 'target'>;

/** What leads from page to page of a list without cursors. What follows links and counts is loaded for such a list. */
async function linksOf(operation: RunnableOperation): Promise<Links | undefined> {
  if (operation.isOwn || !mayBeLinked(operation)) return undefined;
  return (await import('../../client/links.ts')).followLinks(operation);
}

/** The filters, of which the size of a page is none. */
function withoutSize(filters: Sending['filters'], { counted }: Links): Sending['filters'] {
  const size = counted?.size === undefined ? undefined : kebabCase(counted.size);
  return Object.fromEntries(Object.entries(filters).filter(([flag]) => flag !== size));
}

/** What a run over a list is known by. Pages with links have an end that is known. */
function runOf({ operation, words }: ImportedRun, sending: Sending, links: Links | undefined): ListRun {
  const follows = followsCursors(operation);
  const { argv, filters } = sending;
  const pagedBy = pagedByOf(operation, sending);
  const run = { words, argv, filters, pagedBy };
  if (!links) return { ...run, operation, followsCursors: follows };
  return {
    ...run,
    operation: { ...operation, paginated: true },
    filters: withoutSize(filters, links),
    isLinked: true,
    ...(links.counted && { startFlag: kebabCase(links.counted.parameter) }),
    links,
    get followsCursors() {
      return isPaged(operation) || links.haveLed || follows;
    },
  };
}

/** The parameter that pages a list in a way that payctl does not follow, unless the user chose a page. */
function pagedByOf(operation: RunnableOperation, { asked, flags }: Sending): string | undefined {
  if (operation.isOwn || isPaged(operation) || flags.cursor !== undefined) return undefined;
  const name = otherPaging(Object.keys(operation.query));
  const [, typed] = operation.path.split('?', 2);
  const isChosen = (parameter: string) =>
    Object.hasOwn(asked.query ?? {}, parameter) || new URLSearchParams(typed).has(parameter);
  return name === undefined || isChosen(name) ? undefined : name;
}

async function showItems(session: Session, run: ImportedRun, sending: Sending): Promise<void> {
  const { operation } = run;
  const { flags, asked } = sending;
  const { query, ...call } = asked;
  const links = await linksOf(operation);
  const follows = followsCursors(operation);
  const list = await listOf(session, operation, { ...call, followsCursors: follows, links });
  await showList(session, list, {
    query,
    flags,
    columns: columnsOf(operation),
    fields: operation.fields,
    personalData: operation.personalData,
    personalByName: operation.personalByName,
    isArray: operation.listShape === 'array',
    listName: operation.envelope?.items,
    noun: nounOf(operation),
    run: runOf(run, sending, links),
  });
}

async function showAnswer(session: Session, run: ImportedRun, sending: Sending): Promise<void> {
  const { operation } = run;
  const { flags, asked } = sending;
  const { documentPrinter } = await import('../../cli/show-document.ts');
  const print = await documentPrinter(session, flags, operation);
  const client = await session.client();
  const revealPii = flags['reveal-pii'] === true;
  const { cursor, limit } = operation.listShape ? flags : {};
  const links = await linksOf(operation);
  const size = sizeParameter(operation) ?? 'limit';
  const paging = {
    ...(cursor !== undefined && { [links?.counted ? 'cursor' : cursorParameter(operation)]: cursor }),
    ...(limit !== undefined && { [size]: limit }),
  };
  const query = { ...asked.query, ...paging };
  const request = (asks: Pick<Call, 'query' | 'target'>) =>
    client.request(operation, { ...asked, ...asks, revealPii, signal: session.signal });
  const document = await (links?.fetch(query, request, { isAlone: true }) ?? request({ query }));
  const isDone = responseOf(document).request.method !== 'GET';
  await print(document).catch((error: unknown) => {
    throw isDone ? new NotShownError(error, document) : error;
  });
  const next = links?.next(responseOf(document));
  if (next === undefined && !links?.isUnsure) return;
  const { sayListIsCut } = await import('../../cli/list-end.ts');
  const items: unknown = Reflect.get(document, operation.envelope?.items ?? 'items');
  const count = Array.isArray(items) ? items.length : 0;
  const end = { noun: nounOf(operation), items: count, cursor: next, dataSaySo: false };
  await sayListIsCut(session.display, end, runOf(run, sending, links));
}
