import type { ClientHooks } from '../client/call.ts';
import type { RawResponse } from '../client/response.ts';
import type { Settings } from '../config/settings.ts';
import { UsageError } from '../errors.ts';
import { parseKeepingNumbers } from '../json/exact.ts';
import { sanitizeText } from '../output/sanitize.ts';
import type { Display } from './display.ts';
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
 * The hook that runs before a request that changes something in a profile marked as production: it prints where the
 * request goes, and asks once in a run. Undefined for every other profile.
 * @throws UsageError `not_confirmed`, before anything is sent
 */
export function confirmWrite(options: ConfirmOptions): ClientHooks['onRequest'] {
  const { settings, display, runtime } = options;
  const profile = settings.profile.value;
  if (profile?.environment !== 'production') return undefined;
  let confirmed = options.confirmed;
  return async ({ request, attempt }) => {
    if (request.method === 'GET' || attempt > 1) return;
    const print = confirmed ? display.info : printBeforeQuestion(display);
    await print(`Production: ${request.method} ${request.origin}${request.path}`);
    await print(`            profile ${profile.name}, merchant account ${request.merchantAccount ?? 'none'}`);
    if (confirmed) return;
    await requireYes(await runtime.prompter(), 'Send this request to production?', () =>
      notConfirmed(profile.name),
    );
    confirmed = true;
  };
}

/** A question needs its facts, even where --quiet silences everything else. */
function printBeforeQuestion({ stderr, stderrTerminal, info, redact }: Display): (text: string) => unknown {
  if (!stderrTerminal.isTerminal) return info;
  return (text) => stderr.write(`${sanitizeText(redact(text))}\n`);
}

function notConfirmed(name: string): UsageError {
  return new UsageError(
    'not_confirmed',
    `The profile ${name} is marked as production, and the request was not confirmed; nothing was sent`,
    {
      hint: 'Add --yes to send it without confirmation, or --dry-run to see it first.',
    },
  );
}
