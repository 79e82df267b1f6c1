import { NotShownError } from '../../cli/failure/not-shown-error.ts';
import type { Session } from '../../cli/session/session.ts';
import { documentPrinter } from '../../cli/show/show-document.ts';
import { ResponseError } from '../../client/errors.ts';
import { createReceiver } from '../../client/receive-body.ts';
import { hasNoContent, type Received, responseOf } from '../../client/response.ts';
import { OutputError, UsageError } from '../../errors.ts';
import type { PartFile } from '../../files/part-file.ts';
import { isJsonType, isTextType, mediaTypeOf } from '../../text/media-type.ts';
import { binaryOnTerminal, type DownloadTarget, fileTarget, stdoutTarget } from './download-target.ts';
import type { ImportedRun, Sending, ShownFlagValues } from './imported-run.ts';
import type { RunnableOperation } from './own-operations.ts';

/**
 * Sends a request of an operation whose response is not JSON, and writes it unchanged to stdout or to the file of
 * `--output-file`. A response that is JSON anyway is shown as a document.
 * @throws UsageError `answer_is_json`, `not_json`, `binary_on_terminal`, `file_exists`, `file_unwritable`; OutputError; NotShownError after a change
 */
export async function download(session: Session, run: ImportedRun, sending: Sending): Promise<void> {
  const { operation } = run;
  const { flags } = sending;
  if (!operation.downloadTypes) throw fileOfJson(nameOf(operation));
  const types = flags.accept === undefined ? operation.downloadTypes : [flags.accept];
  const shown = formatFlag(flags);
  if (shown !== undefined) throw notJson(shown, `and ${nameOf(operation)} returns ${types.join(' or ')}`);
  if (types.length > 0 && !types.some(isTextType)) refuseTerminal(session, flags, operation, types);
  const document = await receive(session, sending, {
    operation,
    accept: types.join(', '),
    takes: (type) => !isJsonType(type) && (type !== 'text/html' || types.includes(type)),
    typeOf: (type) => type || (types.every(isTextType) ? (types[0] ?? '') : ''),
  });
  if (document) await showDocument(session, operation, { flags, document });
}

/** Types that services send JSON under, and that pages of proxies have. */
const UNCLEAR = new Set(['', 'text/plain', 'text/html']);

/**
 * The same for a request that no description names: resolves to the response where that is JSON, or could be; its type decides.
 * @throws UsageError `not_json`; as `download`; ResponseError
 */
export async function receiveUndescribed(
  session: Session,
  { operation }: ImportedRun,
  sending: Sending,
): Promise<(object & Received) | undefined> {
  const { flags } = sending;
  const format = formatFlag(flags);
  const hasFile = flags['output-file'] !== undefined;
  if (format !== undefined && hasFile)
    throw notJson(format, 'and --output-file writes the response unchanged');
  const takes = (type: string) =>
    format === undefined && !isJsonType(type) && (hasFile || !UNCLEAR.has(type));
  const accept = format === undefined ? ANY : 'application/json';
  return await receive(session, sending, { operation, accept, takes }).catch((error: unknown) => {
    const isUnclear = error instanceof ResponseError && error.code === 'unreadable_response';
    if (operation.method !== 'GET' || !isUnclear || error.bodyExcerpt === undefined || format !== undefined)
      throw error;
    const hint =
      'To keep this response, write it to a file with --output-file FILE, or to standard output with --output-file -.';
    throw new ResponseError(error.code, error.message, { ...error, hint });
  });
}

/** JSON is better, because it is masked and formatted. */
const ANY = 'application/json, */*;q=0.5';

/** What is asked for, and which responses are written as they come. */
type Asked = {
  readonly operation: RunnableOperation;
  readonly accept: string;
  /** Whether a response of this media type is, where its text is read otherwise; empty where the response names none. */
  readonly takes: (type: string) => boolean;
  /** How a response of this media type is treated. */
  readonly typeOf?: (type: string) => string;
};

/** Sends the request. Resolves to the response where it was not written unchanged. */
async function receive(
  session: Session,
  { flags, asked }: Sending,
  { operation, accept, takes, typeOf = (type) => type }: Asked,
): Promise<(object & Received) | undefined> {
  const { display, signal } = session;
  const path = flags['output-file'] === '-' ? undefined : flags['output-file'];
  const { overwrite = false } = flags;
  const file = path === undefined ? undefined : await openFile(path, overwrite);
  try {
    const target =
      file && path !== undefined ? fileTarget(file, path, display) : stdoutTarget(display, nameOf(operation));
    let type = '';
    const receiver = createReceiver({
      canBeginAgain: file !== undefined,
      takes({ headers }) {
        const sent = mediaTypeOf(headers['content-type']);
        type = typeOf(sent);
        return takes(sent);
      },
      begin: () => target.begin(type),
      write: (piece) => target.write(piece),
    });
    const client = await session.client();
    const call = { ...asked, accept, receiver, signal };
    const document = await client.request(operation, call).catch((error: unknown) => {
      if (receiver.hasPassedOn && !display.stdout.closed)
        display.warn('answer_cut', 'The response on standard output is incomplete');
      throw error === receiver.failure ? afterChange(operation, error) : error;
    });
    const { bytes } = responseOf(document);
    if (bytes === undefined) {
      if (file && !hasNoContent(responseOf(document))) throw afterChange(operation, isJson());
      if (file) display.warn('no_content', 'The response has no content, so no file was written.');
      return document;
    }
    await finish(target, file, { path, bytes, type, session }).catch((error: unknown) => {
      throw afterChange(operation, error);
    });
    return undefined;
  } finally {
    file?.discard();
  }
}

async function openFile(path: string, overwrite: boolean): Promise<PartFile> {
  const { openPartFile } = await import('../../files/part-file.ts');
  return await openPartFile(path, { overwrite, resume: false, check: () => {} });
}

async function finish(
  target: DownloadTarget,
  file: PartFile | undefined,
  { path, bytes, type, session }: { path: string | undefined; bytes: number; type: string; session: Session },
): Promise<void> {
  const { display } = session;
  await target.end();
  await file?.finish();
  const named = type === '' ? '' : ` (${type})`;
  if (file) display.info(`Wrote ${bytes} bytes${named} to ${path}.`);
}

async function showDocument(
  session: Session,
  operation: RunnableOperation,
  { flags, document }: { readonly flags: ShownFlagValues; readonly document: object & Received },
): Promise<void> {
  const print = await documentPrinter(session, flags, operation);
  await print(document).catch((error: unknown) => {
    throw operation.method === 'GET' ? error : new NotShownError(error, document);
  });
}

function isJson(): OutputError {
  return new OutputError('answer_is_json', 'The response is JSON, so it was not written to a file', {
    hint: 'Remove --output-file to show it, with secrets and personal data masked.',
  });
}

/** A change was carried out although its response could not be written. */
function afterChange({ method }: RunnableOperation, error: unknown): unknown {
  return method === 'GET' ? error : new NotShownError(error, {});
}

function nameOf({ method, path }: RunnableOperation): string {
  return `${method} ${path.replace(/\?.*/s, '')}`;
}

/** The first flag that shows JSON. What --dry-run shows has a format of its own. */
function formatFlag(flags: ShownFlagValues): string | undefined {
  const isShown = isDryRun(flags);
  const given = [
    flags.output !== undefined && !isShown && '--output',
    flags.json && !isShown && '--json',
    flags.jq !== undefined && '--jq',
    flags.columns && '--columns',
    flags['no-header'] && '--no-header',
    flags.sort !== undefined && '--sort',
  ];
  return given.find((flag) => typeof flag === 'string');
}

function notJson(flag: string, why: string): UsageError {
  return new UsageError('not_json', `${flag} shows JSON, ${why}`, {
    hint: `Remove ${flag}. A response that is not JSON is written unchanged; --output-file FILE writes it to a file.`,
  });
}

function fileOfJson(name: string): UsageError {
  return new UsageError('answer_is_json', `${name} returns JSON, which --output-file does not accept`, {
    hint: 'Redirect standard output, in which secrets and personal data are masked: > FILE',
  });
}

function isDryRun(flags: ShownFlagValues & { readonly 'dry-run'?: boolean }): boolean {
  return flags['dry-run'] === true;
}

/** @throws UsageError `binary_on_terminal`; nothing was sent */
function refuseTerminal(
  { display }: Session,
  flags: ShownFlagValues,
  operation: RunnableOperation,
  types: readonly string[],
): void {
  const path = flags['output-file'];
  if ((path !== undefined && path !== '-') || !display.stdoutTerminal.isTerminal || isDryRun(flags)) return;
  throw binaryOnTerminal(UsageError, nameOf(operation), types.join(' or '));
}
