import type { RequestEvent } from '../../client/call.ts';
import { type Production, productionAt } from '../../config/origin.ts';
import type { Settings } from '../../config/settings.ts';
import { MASK } from '../../contract/secret-names.ts';
import type { BodyPart } from '../../descriptions/byte-source.ts';
import { UsageError } from '../../errors.ts';
import { parseShownJson, stringifyExactJson } from '../../json/exact.ts';
import { isObject } from '../../json/is-object.ts';
import { renderDetail } from '../../output/detail.ts';
import { sanitizeText } from '../../output/sanitize.ts';
import { displayWidth } from '../../output/width.ts';
import { currencyRank, isAmountMember } from '../../text/amount-names.ts';
import { amountsInChange, bodyInWords, missingWords, recordWords } from '../money/change-in-words.ts';
import { type Change, isMoneyHeader } from '../money/moved.ts';
import type { ConcernedRecord, ReadRecord } from '../money/record.ts';
import { isSecretPair, namesIn } from '../secrets/form-text.ts';
import { maskData } from '../secrets/mask.ts';
import type { RunParts } from '../show/display.ts';
import { shorten } from './hooks.ts';
import { brokenFact, PRODUCTION_MARK, printFacts } from './mark-production.ts';

/** What `confirmWrite` decides by. */
export type ConfirmOptions = RunParts & {
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
 * asks once in a run. A request with another body is asked about again: nobody has said yes to it. A deletion is asked about everywhere.
 * @throws UsageError `not_confirmed`, before anything is sent
 */
export function confirmWrite(options: ConfirmOptions): (event: WriteEvent) => Promise<void> {
  const { settings, display, runtime, confirmed } = options;
  let accepted: { readonly content: unknown } | undefined;
  return async (event) => {
    const { request, call, body, parts, attempt } = event;
    if (request.method === 'GET' || attempt > 1) return;
    const production = productionAt(settings, request.origin);
    const isDeletion = request.method === 'DELETE' || call.operation.isDeletion === true;
    if (!production && (!isDeletion || confirmed)) return;
    // Of parts, only the very same are the same: their bytes are not compared.
    const content = parts ?? body;
    const change = { method: request.method, path: event.below, call };
    const head = destination(request, production, settings);
    if (confirmed || (production && accepted?.content === content && accepted)) {
      if (!display.isSilent)
        await printFacts([[head, ...(await wordsOf(change, options))].join('; ')], display);
      return;
    }
    const prompter = await runtime.prompter();
    if (!prompter) {
      if (production && !display.isSilent)
        await printFacts([`${head}; ${whatHappens(change, undefined)}`], display);
      throw notConfirmed(request);
    }
    const record = await options.record?.(change);
    await printFacts(
      [head, whatHappens(change, record), ...queryLine(change), ...headerLines(change)],
      display,
    );
    const lines = parts ? await linesOfParts(parts) : bodyLines(change, record);
    const texts = lines.flatMap((line) => brokenFact(sanitizeText(display.redact(line)), display.stderr));
    await display.stderr.write(texts.map((text) => `${text}\n`).join(''));
    if (!(await prompter.confirm('Send it?'))) throw refused();
    accepted = { content };
  };
}

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
  return `${production ? PRODUCTION_MARK : ''}${profile?.name ?? 'no profile'}, ${account}, ${origin}${reason}`;
}

/** The summary of the operation, and the record that it changes, or that it changes all records. */
function whatHappens({ method, path, call }: Change, record: ConcernedRecord | undefined): string {
  const { summary: described, isForAll = false } = call.operation;
  const request = `${method} ${path.split('?', 1)[0]}${isForAll ? ' (for all items, not for one)' : ''}`;
  const summary = described.replace(/\.$/, '');
  // The record in such a path is the parent of the collection.
  const words = [summary || request, (isForAll ? undefined : recordWords(record)) ?? (summary && request)];
  return words.filter(Boolean).join(': ');
}

function queryLine({ method, path }: Change): readonly string[] {
  return path.includes('?') ? [`  ${method} ${path}`] : [];
}

/** The amounts among the headers, and their currencies; the body and the path are shown anyway. */
function headerLines({ call: { headers = {} } }: Change): readonly string[] {
  const shown = Object.entries(headers).filter(([name]) => isMoneyHeader(name));
  return shown.map(([name, value]) => `  ${name}: ${value}`);
}

/** All that is said about a change where nobody is asked. */
async function wordsOf(change: Change, { record: read }: ConfirmOptions): Promise<readonly string[]> {
  const record = await read?.(change);
  const lines = queryLine(change).map((line) => line.trim());
  const { shown, more = [] } = amountsInChange(change, record);
  return [whatHappens(change, record), ...lines, ...shown.map((words) => words.join(' ')), ...[more].flat()];
}

/** Lines of a body that a question shows, besides its amounts: with what is said above them, they fit on a screen of 24 lines. */
const MOST_LINES = 18;
/** Characters of one of them. */
const LONGEST_LINE = 300;

/**
 * A body by its fields. What is not given comes first, then amounts and currencies. Of a long body, all amounts come first, and then the
 * beginning and the end of the others, where additions are.
 */
function bodyLines(change: Change, record: ConcernedRecord | undefined): readonly string[] {
  const { body } = change.call;
  const masked = body === undefined ? {} : parseShownJson(maskData(stringifyExactJson(body), {}).text);
  if (typeof masked !== 'object' || masked === null) return indentedLines([String(masked)]);
  const hidden = isObject(masked) ? Object.fromEntries(Object.entries(masked).map(hideSecret)) : masked;
  const shown = bodyInWords(hidden, change, record);
  if (!isObject(shown)) {
    const elements = detailLines(shown);
    return isLong(elements) ? longLines(elements, change, record) : indentedLines(elements);
  }
  const [money = [], others = []] = [true, false].map((isFirst) =>
    Object.entries(shown).filter(([name]) => isMoney(name) === isFirst),
  );
  const all = { ...missingWords(change, record), ...Object.fromEntries([...money, ...others]) };
  const lines = detailLines(all);
  if (!isLong(lines)) return indentedLines(lines);
  const currencies = money.filter(([name]) => !isAmountMember(name));
  return longLines(detailLines(Object.fromEntries([...currencies, ...others])), change, record);
}

function isMoney(name: string): boolean {
  return isAmountMember(name) || currencyRank(name, 'amount') !== undefined || /currency/i.test(name);
}

function detailLines(value: unknown): readonly string[] {
  return renderDetail(value, { width: Number.POSITIVE_INFINITY }).split('\n').slice(0, -1);
}

/** All amounts of a change, and the lines of its body of which the middle may be cut. */
function longLines(
  lines: readonly string[],
  change: Change,
  record: ConcernedRecord | undefined,
): readonly string[] {
  const { shown, more } = amountsInChange(change, record, MOST_LINES);
  const width = Math.max(0, ...shown.map(([path]) => displayWidth(path)));
  const amounts = shown.map(([path, text]) => `  ${path}${' '.repeat(width - displayWidth(path))}  ${text}`);
  return [...amounts, ...(more === undefined ? [] : [`  ${more}`]), ...indentedLines(lines)];
}

function isLong(lines: readonly string[]): boolean {
  return lines.length > MOST_LINES + 1;
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
  const shown = isLong(lines)
    ? [...lines.slice(0, half), `... (${lines.length - MOST_LINES} more lines)`, ...lines.slice(-half)]
    : lines;
  return shown.map((line) => `  ${shorten(line, LONGEST_LINE)}`);
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
