import { EXIT } from '../../cli/failure/exit-code.ts';
import { sortNeedsList } from '../../cli/flags/list.ts';
import { kebabCase } from '../../cli/flags/parameters.ts';
import type { Session } from '../../cli/session/session.ts';
import type { ListRun } from '../../cli/show/list-end.ts';
import { isUnsureEnd, showList } from '../../cli/show/show-list.ts';
import { ResponseError } from '../../client/errors.ts';
import { itemsIn, rawPage } from '../../client/page.ts';
import { takesCursor } from '../../client/paging/cursor.ts';
import { type Asked, mayBeLinked } from '../../client/paging/paging.ts';
import { fetchPage, openPaging } from '../../client/paging/resource.ts';
import { isPaged, otherPaging, sizeParameter } from '../../contract/operation.ts';
import { onlyReads } from '../../descriptions/reads.ts';
import { isObject, memberAt } from '../../json/is-object.ts';
import { writesInPieces } from '../../output/format.ts';
import type { ImportedRun, Sending } from './imported-run.ts';
import { columnsOf, nounOf } from './list-look.ts';
import type { RunnableOperation } from './own-operations.ts';

/**
 * Sends a request of an operation and shows the response: a list page by page, anything else as one document. The exit code says whether the
 * record in it reports that the change failed.
 */
export async function sendAndShow(session: Session, run: ImportedRun, sending: Sending): Promise<number> {
  try {
    return await sendAndShowResponse(session, run, sending);
  } catch (error) {
    const isNotModified = error instanceof ResponseError && error.code === 'not_modified';
    if (!isNotModified || !isConditional(sending)) throw error;
    session.display.info('Not modified: the service has nothing newer.');
    return EXIT.done;
  }
}

/** Whether the request asked for nothing unless it has changed; otherwise a 304 is a response that lacks its body. */
function isConditional({ asked: { headers = {} } }: Sending): boolean {
  return Object.keys(headers).some((name) => /^if-(?:none-match|modified-since)$/i.test(name));
}

async function sendAndShowResponse(session: Session, run: ImportedRun, sending: Sending): Promise<number> {
  const { downloadTypes, listShape, isUndescribed } = run.operation;
  if (isUndescribed) {
    await (await import('./show-undescribed.ts')).showUndescribed(session, run, sending);
    return EXIT.done;
  }
  const isListFile = run.takesListFile && listShape !== undefined;
  if (downloadTypes || (sending.flags['output-file'] !== undefined && !isListFile)) {
    const { download } = await import('./download.ts');
    await download(session, run, sending);
  } else if (listShape && !isWholeResponse(session, run, sending)) await showItems(session, run, sending);
  else if (sending.flags.sort !== undefined) throw sortNeedsList();
  else return await showResponse(session, run, sending);
  return EXIT.done;
}

/** Whether one page in an envelope of its own is shown as the document that it is. */
function isWholeResponse({ display }: Session, { operation }: ImportedRun, { flags }: Sending): boolean {
  const readsMany = flags.all === true || flags['max-items'] !== undefined;
  const { columns, sort, 'output-file': file } = flags;
  if (!operation.envelope || readsMany || columns || sort !== undefined || file !== undefined) return false;
  return !writesInPieces(display.format, flags.jq !== undefined);
}

/** What is asked of a list. */
type Asking = Pick<Sending, 'argv' | 'filters'> & {
  readonly flags: Pick<Sending['flags'], 'cursor'>;
  readonly asked: Pick<Sending['asked'], 'path' | 'query'>;
};

/** What a run over a list is known by. The size of a page is no filter of it. */
export function listRunOf(
  { operation, words }: Pick<ImportedRun, 'operation' | 'words'>,
  sending: Asking,
): ListRun {
  const { argv, filters, asked } = sending;
  const { isOwn, paging, path } = operation;
  const values = Object.values(asked.path ?? {}).flat();
  const run = { words, argv, filters, path: [path, ...values], pagedBy: pagedByOf(operation, sending) };
  const hasKnownEnd = isOwn === true || isPaged(operation) || takesCursor(operation) || !onlyReads(operation);
  if (isOwn || !mayBeLinked(operation)) return { ...run, operation, hasKnownEnd };
  const { counted } = paging ?? {};
  const size = counted?.size === undefined ? undefined : kebabCase(counted.size);
  return {
    ...run,
    operation: { ...operation, paginated: true },
    hasKnownEnd,
    filters: Object.fromEntries(Object.entries(filters).filter(([flag]) => flag !== size)),
    ...(counted && { startFlag: kebabCase(counted.parameter) }),
  };
}

/** The parameter that pages a list in a way that payctl does not follow, unless the user chose a page. */
function pagedByOf(operation: RunnableOperation, { asked, flags }: Asking): string | undefined {
  if (operation.isOwn || isPaged(operation) || flags.cursor !== undefined || !onlyReads(operation))
    return undefined;
  const name = otherPaging(operation.query);
  const [, typed] = operation.path.split('?', 2);
  const isChosen = (parameter: string) =>
    Object.hasOwn(asked.query ?? {}, parameter) || new URLSearchParams(typed).has(parameter);
  return name === undefined || isChosen(name) ? undefined : name;
}

async function showItems(session: Session, run: ImportedRun, sending: Sending): Promise<void> {
  const { operation } = run;
  const { flags, asked } = sending;
  const { query, ...call } = asked;
  const client = await session.client();
  const list = client.list(operation, { ...call, pagedBy: operation.isOwn ? undefined : 'description' });
  await showList(session, list, {
    query,
    flags,
    columns: columnsOf({ ...operation, takesShortIds: takesShortIds(run) }),
    noun: nounOf(operation),
    run: listRunOf(run, sending),
  });
}

/** Whether commands find an item by the beginning of its ID, as `withWholePath` does: in this list. */
function takesShortIds({ operation, description }: ImportedRun): boolean {
  const ofItem = `${operation.path}/{`;
  return description?.index.operations.some(({ path }) => path.startsWith(ofItem)) === true;
}

async function showResponse(session: Session, run: ImportedRun, sending: Sending): Promise<number> {
  const { operation } = run;
  const { flags, asked } = sending;
  const { documentPrinter } = await import('../../cli/show/show-document.ts');
  const print = await documentPrinter(session, flags, operation);
  const client = await session.client();
  const revealPii = flags['reveal-pii'] === true;
  const request = (one: Asked) =>
    client.request(operation, { ...asked, ...one, revealPii, signal: session.signal });
  if (!operation.listShape) {
    const document = await request({ query: asked.query });
    await print(document);
    return onlyReads(operation) ? EXIT.done : await codeOfRecord(session, run, sending, document);
  }
  const { cursor, limit } = flags;
  const size = sizeParameter(operation) ?? 'limit';
  const query = { ...asked.query, cursor, ...(limit !== undefined && { [size]: limit }) };
  const paging = await openPaging(operation, 'description');
  const send = async (one: Asked) => rawPage(await request(one));
  const { page, fetched } = await fetchPage(paging, query, { send, isSingle: true });
  await print(page.document);
  const next = await paging.next(page, fetched);
  const items = itemsIn(page.document, operation.envelope)?.length ?? 0;
  const listRun = listRunOf(run, sending);
  const isCut = Boolean(next.cursor) || next.mayHaveMore;
  const noun = nounOf(operation);
  const isUnsure = !isCut && isUnsureEnd(listRun, { pages: 1, items, cursor: null, next }, flags);
  if (!isCut && !isUnsure) return EXIT.done;
  const { printListIsCut, printListMayBeCut } = await import('../../cli/show/list-end.ts');
  if (isUnsure) printListMayBeCut(session.display, { noun, endedEarly: false }, listRun);
  else
    await printListIsCut(session.display, { noun, items, cursor: next.cursor ?? undefined, next }, listRun);
  return EXIT.done;
}

/** Warns of a record that says that the change failed, and gives the exit code for it. */
async function codeOfRecord(
  { display }: Session,
  { operation }: ImportedRun,
  { asked }: Sending,
  document: object,
): Promise<number> {
  const { failedStatus } = await import('../../cli/money/reported-failure.ts');
  const { method, path } = operation;
  const record = memberAt(document, operation.record?.response?.split('.') ?? []);
  const change = { method, path, call: { ...asked, operation } };
  const status = isObject(record) ? failedStatus(change, record) : undefined;
  if (status === undefined) return EXIT.done;
  display.warn(
    'payment_service_failed',
    `The service took the request, but its record has the status ${status}`,
  );
  return EXIT.serverError;
}
