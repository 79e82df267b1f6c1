import type { RequestEvent } from '../../client/call.ts';
import { type Production, productionAt } from '../../config/origin.ts';
import type { Settings } from '../../config/settings.ts';
import { MASK } from '../../contract/secret-names.ts';
import type { BodyPart } from '../../descriptions/byte-source.ts';
import { UsageError } from '../../errors.ts';
import { parseShownJson, stringifyExactJson } from '../../json/exact.ts';
import { isObject } from '../../json/is-object.ts';
import { boundText } from '../../output/bound.ts';
import { renderDetail } from '../../output/detail.ts';
import { forTerminal } from '../../output/for-terminal.ts';
import { sanitizeText } from '../../output/sanitize.ts';
import { loadColors } from '../../output/terminal.ts';
import {
  amountsOfBody,
  amountWords,
  majorFieldsOf,
  missingWords,
  recordWords,
} from '../money/change-in-words.ts';
import type { Change } from '../money/moved.ts';
import type { ConcernedRecord, ReadRecord } from '../money/record.ts';
import { requireYes } from '../prompt/prompter.ts';
import type { Runtime } from '../runtime.ts';
import { isSecretPair, namesIn } from '../secrets/form-text.ts';
import { maskData } from '../secrets/mask.ts';
import type { Display } from '../show/display.ts';
import { shorten } from './hooks.ts';

/** What `confirmWrite` decides by. */
export type ConfirmOptions = {
  readonly settings: Settings;
  readonly display: Display;
  readonly runtime: Runtime;
  /** `--yes` was given. */
  readonly confirmed: boolean;
  /** Reads the record that the change concerns; none where the command has read it, and says itself what changes. */
  readonly record: ReadRecord | undefined;
};

/** A request that is about to be sent; `below` is its path below the base URL. */
export type WriteEvent = Pick<RequestEvent, 'request' | 'call' | 'body' | 'parts' | 'attempt'> & {
  readonly below: string;
};

/**
 * What runs before a request that changes something in production, which the origin of the request decides: it says what will happen, and
 * asks once in a run. A request with another body is asked about again: nobody has said yes to it. A DELETE is asked about everywhere.
 * @throws UsageError `not_confirmed`, before anything is sent
 */
export function confirmWrite(options: ConfirmOptions): (event: WriteEvent) => Promise<void> {
  const { settings, display, runtime, confirmed } = options;
  let accepted: { readonly content: unknown } | undefined;
  return async (event) => {
    const { request, call, body, parts, attempt } = event;
    if (request.method === 'GET' || attempt > 1) return;
    const production = productionAt(settings, request.origin);
    if (!production && (request.method !== 'DELETE' || confirmed)) return;
    // Of parts, only the very same are the same: their bytes are not compared.
    const content = parts ?? body;
    const change = { method: request.method, path: event.below, call };
    const head = destination(request, production, settings);
    if (confirmed || (production && accepted?.content === content && accepted)) {
      if (!display.isSilent) await say([[head, ...(await wordsOf(change, options))].join('; ')], options);
      return;
    }
    const prompter = await runtime.prompter();
    if (!prompter) {
      if (production && !display.isSilent) await say([`${head}; ${whatHappens(change, undefined)}`], options);
      throw notConfirmed(request);
    }
    const record = await options.record?.(change.path);
    await say([head, whatHappens(change, record), ...queryLine(change)], options);
    const lines = parts ? await linesOfParts(parts) : bodyLines(change, record);
    await display.stderr.write(lines.map((line) => `${sanitizeText(display.redact(line))}\n`).join(''));
    await requireYes(prompter, 'Send it?', refused);
    accepted = { content };
  };
}

/** Stands for the word and its two blanks, of which a broken line would keep one. */
const MARK = /^PRODUCTION::/;

/** Where a change goes: the line that a question begins with. */
function destination(
  { origin, merchantAccount }: RequestEvent['request'],
  production: Production | undefined,
  { profile: { value: profile } }: Settings,
): string {
  const isOwn = production?.by === 'profile' && production.name === profile?.name;
  const account =
    merchantAccount === undefined ? 'no merchant account' : `merchant account ${merchantAccount}`;
  const reason = production && !isOwn ? ` (${production.reason})` : '';
  return `${production ? 'PRODUCTION::' : ''}${profile?.name ?? 'no profile'}, ${account}, ${origin}${reason}`;
}

/** The operation in the words of its description, and the record that it concerns. */
function whatHappens({ method, path, call }: Change, record: ConcernedRecord | undefined): string {
  const [own = ''] = path.split('?', 1);
  const summary = call.operation.summary.replace(/\.$/, '');
  const words = [summary || `${method} ${own}`, recordWords(record) ?? (summary && `${method} ${own}`)];
  return words.filter(Boolean).join(': ');
}

function queryLine({ method, path }: Change): readonly string[] {
  return path.includes('?') ? [`  ${method} ${path}`] : [];
}

/** All that is said about a change where nobody is asked. */
async function wordsOf(change: Change, { record: read }: ConfirmOptions): Promise<readonly string[]> {
  const record = await read?.(change.path);
  const lines = queryLine(change).map((line) => line.trim());
  return [whatHappens(change, record), ...lines, ...amountWords(change, record)];
}

/** Lines of a body that a question shows: with what is said above it, they fit on a screen of 24 lines. */
const MOST_LINES = 18;
/** Characters of one of them. */
const LONGEST_LINE = 300;

/** A body by its fields, of a long one the beginning and the end, where additions are. What is not given comes first. */
function bodyLines(change: Change, record: ConcernedRecord | undefined): readonly string[] {
  const { body } = change.call;
  const missing = missingWords(change, record);
  const shown = body === undefined ? {} : parseShownJson(maskData(stringifyExactJson(body), {}).text);
  if (typeof shown !== 'object' || shown === null) return indentedLines([String(shown)]);
  const fields = isObject(shown) ? Object.fromEntries(Object.entries(shown).map(hideSecret)) : shown;
  const all = isObject(fields) ? { ...missing, ...fields, ...amountsOfBody(change, record) } : fields;
  const text = renderDetail(all, { width: Number.POSITIVE_INFINITY, majorFields: majorFieldsOf(change) });
  return indentedLines(text.split('\n').slice(0, -1));
}

function hideSecret([name, value]: [string, unknown]): [string, unknown] {
  const isSecret = typeof value === 'string' && isSecretPair({ names: namesIn(name), text: value });
  return [name, isSecret ? MASK : value];
}

async function linesOfParts(parts: readonly BodyPart[]): Promise<readonly string[]> {
  const { partLines } = await import('../show/show-parts.ts');
  return indentedLines(partLines(parts, 'secrets'));
}

function indentedLines(lines: readonly string[]): readonly string[] {
  const half = MOST_LINES / 2;
  const isLong = lines.length > MOST_LINES + 1;
  const shown = isLong
    ? [...lines.slice(0, half), `... (${lines.length - MOST_LINES} more lines)`, ...lines.slice(-half)]
    : lines;
  return shown.map((line) => `  ${shorten(line, LONGEST_LINE)}`);
}

/** Prints sentences on stderr, also where --quiet silences everything else: a question needs its facts. */
async function say(lines: readonly string[], { display }: ConfirmOptions): Promise<void> {
  const { stderr, stderrTerminal, redact } = display;
  const { bold, red } = await loadColors(stderrTerminal.color);
  const isOne = lines.length === 1;
  const texts = lines
    .map((line) => sanitizeText(boundText(line, redact)))
    .map((line) => (isOne ? line : forTerminal(line, stderr)));
  const marked = texts.map((text) => text.replace(MARK, `${red(bold('PRODUCTION'))}  `));
  await stderr.write(marked.map((text) => `${text}\n`).join(''));
}

/** The error where there is nobody to ask. */
function notConfirmed({ method, path }: RequestEvent['request']): UsageError {
  return new UsageError('not_confirmed', `Nothing was sent: ${method} ${path} was not confirmed`, {
    hint: 'Add --yes to send it without confirmation, or --dry-run to see it first.',
  });
}

/** The error for a person who has said no, and so needs no advice. */
function refused(): UsageError {
  return new UsageError('not_confirmed', 'The change was not confirmed', { hint: 'Nothing was sent.' });
}
