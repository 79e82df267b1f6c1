import type { ClientHooks } from '../../client/call.ts';
import type { RequestSummary } from '../../client/errors.ts';
import { type Production, productionAt } from '../../config/origin.ts';
import type { Settings } from '../../config/settings.ts';
import type { BodyPart } from '../../descriptions/byte-source.ts';
import { UsageError } from '../../errors.ts';
import { prettyJson } from '../../json/pretty.ts';
import { forTerminal } from '../../output/for-terminal.ts';
import { sanitizeText } from '../../output/sanitize.ts';
import { requireYes } from '../prompt/prompter.ts';
import type { Runtime } from '../runtime.ts';
import { maskData } from '../secrets/mask.ts';
import type { Display } from '../show/display.ts';
import { isForm, shorten } from './hooks.ts';

/** What `confirmWrite` decides by. */
export type ConfirmOptions = {
  readonly settings: Settings;
  readonly display: Display;
  readonly runtime: Runtime;
  /** `--yes` was given. */
  readonly confirmed: boolean;
};

/**
 * The hook that runs before a request that changes something in production, which the origin of the request decides: it prints
 * where the request goes, and asks once in a run, with the body of the request. A request with another body is asked about
 * again: nobody has said yes to it. A DELETE is asked about everywhere.
 * @throws UsageError `not_confirmed`, before anything is sent
 */
export function confirmWrite(options: ConfirmOptions): NonNullable<ClientHooks['onRequest']> {
  const { settings, display, runtime, confirmed } = options;
  let accepted: { readonly content: unknown } | undefined;
  return async ({ request, headers, body, parts, attempt }) => {
    if (request.method === 'GET' || attempt > 1) return;
    const production = productionAt(settings, request.origin);
    if (!production) return await confirmDelete(request, options);
    // Of parts, only the very same are the same: their bytes are not compared.
    const content = parts ?? body;
    const isAccepted = confirmed || (accepted !== undefined && accepted.content === content);
    const print = isAccepted ? display.info : printBeforeQuestion(display);
    for (const line of productionLines(request, production, settings)) await print(line);
    if (isAccepted) return;
    const prompter = await runtime.prompter();
    if (prompter && parts) await printBody(await linesOfParts(parts), display);
    if (prompter && body !== undefined) await printBody(await bodyLines(body, headers, display), display);
    await requireYes(prompter, 'Send this request to production?', notConfirmed);
    accepted = { content };
  };
}

/** Asks before anything is deleted, wherever the request goes. */
async function confirmDelete(
  { method, origin, path }: RequestSummary,
  { display, runtime, confirmed }: ConfirmOptions,
): Promise<void> {
  if (method !== 'DELETE' || confirmed) return;
  const prompter = await runtime.prompter();
  if (prompter) await printBeforeQuestion(display)(`${method} ${origin}${path}`);
  await requireYes(prompter, 'Send this DELETE request?', () => {
    return new UsageError('not_confirmed', `Nothing was sent: ${method} ${path} was not confirmed`, {
      hint: 'Add --yes to delete without confirmation, or --dry-run to see the request first.',
    });
  });
}

const INDENT = ' '.repeat('Production: '.length);

function productionLines(
  { method, origin, path, merchantAccount }: RequestSummary,
  production: Production,
  { profile: { value: profile } }: Settings,
): string[] {
  const isOwn = production.by === 'profile' && production.name === profile?.name;
  return [
    `Production: ${method} ${origin}${path}`,
    ...(isOwn ? [] : [`${INDENT}${production.reason}`]),
    `${INDENT}profile ${profile?.name ?? 'none'}, merchant account ${merchantAccount ?? 'none'}`,
  ];
}

/** Lines of a body that a question shows: with the facts above it, they fit on a screen of 24 lines. */
const MOST_LINES = 18;
/** Characters of one of them. */
const LONGEST_LINE = 300;

/** A body on one line if it fits, else laid out; of a long one the beginning and the end, where additions are. */
async function bodyLines(
  body: string,
  headers: Readonly<Record<string, string>>,
  { stderr }: Display,
): Promise<string[]> {
  const areFields = isForm(headers);
  const text = areFields ? (await import('../secrets/form-text.ts')).maskForm(body) : maskData(body, {}).text;
  if (INDENT.length + text.length <= stderr.columns) return [INDENT + text];
  const lines = areFields ? text.split(/(?<=&)/) : prettyJson(text).split('\n');
  return indentedLines(lines);
}

async function linesOfParts(parts: readonly BodyPart[]): Promise<string[]> {
  const { partLines } = await import('../show/show-parts.ts');
  return indentedLines(partLines(parts, 'secrets'));
}

function indentedLines(lines: readonly string[]): string[] {
  const half = MOST_LINES / 2;
  const isLong = lines.length > MOST_LINES + 1;
  const shown = isLong
    ? [...lines.slice(0, half), `... (${lines.length - MOST_LINES} more lines)`, ...lines.slice(-half)]
    : lines;
  return shown.map((line) => INDENT + shorten(line, LONGEST_LINE));
}

/** Data are not broken between words: blanks in them count. */
async function printBody(lines: readonly string[], { stderr, redact }: Display): Promise<void> {
  await stderr.write(lines.map((line) => `${sanitizeText(redact(line))}\n`).join(''));
}

/** A question needs its facts, even where --quiet silences everything else. */
function printBeforeQuestion({ stderr, stderrTerminal, info, redact }: Display): (text: string) => unknown {
  if (!stderrTerminal.isTerminal) return info;
  return (text) => stderr.write(`${forTerminal(sanitizeText(redact(text)), stderr)}\n`);
}

function notConfirmed(): UsageError {
  return new UsageError('not_confirmed', 'Nothing was sent: the request to production was not confirmed', {
    hint: 'Add --yes to send it without confirmation, or --dry-run to see it first.',
  });
}
