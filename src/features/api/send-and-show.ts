import { NotShownError } from '../../cli/failure/not-shown-error.ts';
import type { Session } from '../../cli/session.ts';
import { showList } from '../../cli/show-list.ts';
import { cursorParameter, type ListCall, type ListOptions, type PageQuery } from '../../client/paging.ts';
import { responseOf } from '../../client/response.ts';
import type { ImportedRun, Sending } from './imported-run.ts';
import { columnsOf, followsCursors, nounOf } from './list-look.ts';
import type { RunnableOperation } from './own-operations.ts';

/**
 * Sends a request of an operation and shows the answer: a list page by page, anything else as one document.
 * @throws NotShownError when a change was carried out and its answer cannot be shown
 */
export async function sendAndShow(session: Session, run: ImportedRun, sending: Sending): Promise<void> {
  if (run.operation.answerTypes || sending.flags['output-file'] !== undefined) {
    const { download } = await import('./download.ts');
    await download(session, run, sending);
  } else if (run.operation.listShape && !isWholeAnswer(session, run, sending))
    await showItems(session, run, sending);
  else await showAnswer(session, run.operation, sending);
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
  const { followsCursors = true, ...asked } = call;
  const request = (query: PageQuery, { revealPii = false, signal }: ListOptions) =>
    client.request(operation, { ...asked, query, revealPii, ...(signal && { signal }) });
  return createEnvelopeResource({ operation, envelope, request, followsCursors });
}

async function showItems(
  session: Session,
  { operation, words }: ImportedRun,
  sending: Sending,
): Promise<void> {
  const { flags, argv, filters, asked } = sending;
  const { query, ...call } = asked;
  const follows = followsCursors(operation);
  const list = await listOf(session, operation, { ...call, followsCursors: follows });
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
    run: { operation, words, argv, followsCursors: follows, filters },
  });
}

async function showAnswer(
  session: Session,
  operation: RunnableOperation,
  { flags, asked }: Sending,
): Promise<void> {
  const { documentPrinter } = await import('../../cli/show-document.ts');
  const print = await documentPrinter(session, flags, operation);
  const client = await session.client();
  const revealPii = flags['reveal-pii'] === true;
  const { cursor, limit } = operation.listShape ? flags : {};
  const paging = {
    ...(cursor !== undefined && { [cursorParameter(operation)]: cursor }),
    ...(limit !== undefined && { limit }),
  };
  const query = { ...asked.query, ...paging };
  const document = await client.request(operation, { ...asked, query, revealPii, signal: session.signal });
  const isDone = responseOf(document).request.method !== 'GET';
  await print(document).catch((error: unknown) => {
    throw isDone ? new NotShownError(error, document) : error;
  });
}
