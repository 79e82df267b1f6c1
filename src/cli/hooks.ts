import type { ClientHooks } from '../client/call.ts';
import type { RequestSummary } from '../client/errors.ts';
import type { RawResponse } from '../client/response.ts';
import { type Production, productionAt } from '../config/origin.ts';
import type { Settings } from '../config/settings.ts';
import { UsageError } from '../errors.ts';
import { parseKeepingNumbers } from '../json/exact.ts';
import { sanitizeText } from '../output/sanitize.ts';
import type { Display, WarningCode } from './display.ts';
import { maskData } from './mask.ts';
import { requireYes } from './prompt/prompter.ts';
import { redactBody, redactHeaders, redactPath } from './redact.ts';
import type { Runtime } from './runtime.ts';
import { MASK } from './secret-names.ts';

/** How much of a body --verbose shows, in characters. */
const BODY_LIMIT = 2000;

/**
 * Hooks that log each request and response for --verbose, line by line, with secrets and personal data redacted.
 */
export function traceHooks(log: (line: string) => void): ClientHooks {
  return {
    onRequest({ request, headers, body, attempt }) {
      log(
        `> ${request.method} ${request.origin}${redactPath(request.path)}${attempt > 1 ? ` (attempt ${attempt})` : ''}`,
      );
      logHeaders(log, '>', { ...headers, authorization: `Bearer ${MASK}` });
      if (body !== undefined) log(`> ${shorten(redactBody(body))}`);
    },
    onResponse({ reply, milliseconds }) {
      log(`< ${reply.status} in ${Math.round(milliseconds)} ms`);
      logHeaders(log, '<', reply.headers);
      log(`< ${describeBody(reply)}`);
    },
  };
}

function logHeaders(
  log: (line: string) => void,
  arrow: string,
  headers: Readonly<Record<string, string>>,
): void {
  for (const [name, value] of Object.entries(redactHeaders(headers))) log(`${arrow} ${name}: ${value}`);
}

function describeBody({ text }: RawResponse): string {
  return text === '' ? '(empty body)' : shorten(redactBody(text));
}

function shorten(text: string): string {
  return text.length > BODY_LIMIT ? `${text.slice(0, BODY_LIMIT)}… (${text.length} characters)` : text;
}

/** Hooks that warn of what a user would not see otherwise; the same warning comes once in a run, but for retries. */
export function warningHooks({
  settings,
  display,
}: Pick<ConfirmOptions, 'settings' | 'display'>): ClientHooks {
  const warned = new Set<WarningCode>();
  const warnOnce: Display['warn'] = (code, message) => {
    if (!warned.has(code)) display.warn(code, message);
    warned.add(code);
  };
  const { value: account, source } = settings.merchantAccount;
  return {
    onRequest({ request }) {
      if (account === undefined || source.kind !== 'flag' || request.merchantAccount !== undefined) return;
      const operation = `${request.method} ${request.path.replace(/\?.*/s, '')}`;
      warnOnce(
        'merchant_account_not_sent',
        `${operation} takes no merchant account; ${source.name} is not sent`,
      );
    },
    onReplacedBytes({ reply: { request } }) {
      const problem = `The response to ${request.method} ${redactPath(request.path)} is not valid UTF-8`;
      warnOnce('invalid_utf8', `${problem}; what cannot be read is shown as \uFFFD`);
    },
    onRetry({ error, retry, maxRetries, delayMilliseconds }) {
      const wait = (delayMilliseconds / 1000).toFixed(1);
      display.warn('retry', `${error.message}. Retrying in ${wait} s (retry ${retry} of ${maxRetries})`);
    },
  };
}

/** Hooks that print the request of the run and end it before anything is sent. */
export function dryRunHooks(display: Display): ClientHooks {
  return {
    async onRequest({ request, headers, body }) {
      const { method, origin, path } = request;
      const shown = { ...headers, authorization: `Bearer ${MASK}` };
      if (display.format === 'table') {
        const lines = Object.entries(shown).map(([name, value]) => `${name}: ${value}\n`);
        await display.stdout.write(`${method} ${origin}${path}\n${lines.join('')}\n${body ?? ''}\n`);
        await display.stdout.end();
      } else {
        const document = {
          method,
          url: origin + path,
          headers: shown,
          body: body === undefined ? null : parseKeepingNumbers(body),
        };
        await display.showRecord(document);
      }
      throw new DryRunEnd();
    },
  };
}

/** Ends a run that only shows its request, before anything is sent. */
export class DryRunEnd extends Error {}

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
 * where the request goes, and asks once in a run, with the body of the request.
 * @throws UsageError `not_confirmed`, before anything is sent
 */
export function confirmWrite(options: ConfirmOptions): NonNullable<ClientHooks['onRequest']> {
  const { settings, display, runtime } = options;
  let confirmed = options.confirmed;
  return async ({ request, body, attempt }) => {
    if (request.method === 'GET' || attempt > 1) return;
    const production = productionAt(settings, request.origin);
    if (!production) return;
    const print = confirmed ? display.info : printBeforeQuestion(display);
    for (const line of productionLines(request, production, settings)) await print(line);
    if (confirmed) return;
    const prompter = await runtime.prompter();
    if (prompter && body !== undefined) await print(`${INDENT}${shorten(maskData(body, {}).text)}`);
    await requireYes(prompter, 'Send this request to production?', notConfirmed);
    confirmed = true;
  };
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

/** A question needs its facts, even where --quiet silences everything else. */
function printBeforeQuestion({ stderr, stderrTerminal, info, redact }: Display): (text: string) => unknown {
  if (!stderrTerminal.isTerminal) return info;
  return (text) => stderr.write(`${sanitizeText(redact(text))}\n`);
}

function notConfirmed(): UsageError {
  return new UsageError('not_confirmed', 'Nothing was sent: the request to production was not confirmed', {
    hint: 'Add --yes to send it without confirmation, or --dry-run to see it first.',
  });
}
