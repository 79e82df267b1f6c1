import type { ClientHooks } from '../client/call.ts';
import type { RawResponse } from '../client/response.ts';
import type { Settings } from '../config/settings.ts';
import { UsageError } from '../errors.ts';
import { parseExactJson } from '../json/exact.ts';
import { sanitizeText } from '../output/sanitize.ts';
import type { Display } from './display.ts';
import { requireYes } from './prompt/prompter.ts';
import { MASK, redactBody, redactHeaders, redactPath } from './redact.ts';
import type { Runtime } from './runtime.ts';

/** How much of a body --verbose shows, in characters. */
const BODY_LIMIT = 2000;

/**
 * What --verbose says of the exchange, line by line: requests, headers and bodies with everything redacted that is a
 * secret or a person's data.
 */
export function traceHooks(say: (line: string) => void): ClientHooks {
  return {
    onRequest({ request, headers, body, attempt }) {
      say(
        `> ${request.method} ${request.origin}${redactPath(request.path)}${attempt > 1 ? ` (attempt ${attempt})` : ''}`,
      );
      sayHeaders(say, '>', { ...headers, authorization: `Bearer ${MASK}` });
      if (body !== undefined) say(`> ${shorten(redactBody(body))}`);
    },
    onResponse({ reply, milliseconds }) {
      say(`< ${reply.status} in ${Math.round(milliseconds)} ms`);
      sayHeaders(say, '<', reply.headers);
      say(`< ${describeBody(reply)}`);
    },
  };
}

function sayHeaders(
  say: (line: string) => void,
  arrow: string,
  headers: Readonly<Record<string, string>>,
): void {
  for (const [name, value] of Object.entries(redactHeaders(headers))) say(`${arrow} ${name}: ${value}`);
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
          body: body === undefined ? null : parseExactJson(body),
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
 * The hook that stands before the first request that changes something in a profile marked production: it says where the
 * request goes, and asks. Undefined for every other profile.
 * @throws UsageError `not_confirmed`, before anything is sent
 */
export function confirmWrite(options: ConfirmOptions): ClientHooks['onRequest'] {
  const { settings, display, runtime } = options;
  const profile = settings.profile.value;
  if (profile?.environment !== 'production') return undefined;
  let confirmed = options.confirmed;
  return async ({ request, attempt }) => {
    if (request.method === 'GET' || attempt > 1) return;
    const say = confirmed ? display.info : sayToPerson(display);
    await say(`Production: ${request.method} ${request.origin}${request.path}`);
    await say(`            profile ${profile.name}, merchant account ${request.merchantAccount ?? 'none'}`);
    if (confirmed) return;
    await requireYes(await runtime.prompter(), 'Change this in production?', () =>
      notConfirmed(profile.name),
    );
    confirmed = true;
  };
}

/** Whoever is asked has to be told what for, whatever else --quiet keeps from them. */
function sayToPerson({ stderr, stderrTerminal, info, redact }: Display): (text: string) => unknown {
  if (!stderrTerminal.isTerminal) return info;
  return (text) => stderr.write(`${sanitizeText(redact(text))}\n`);
}

function notConfirmed(name: string): UsageError {
  return new UsageError('not_confirmed', `The profile ${name} is marked production; nothing was sent`, {
    hint: 'Add --yes to go on without being asked, or --dry-run to see the request.',
  });
}
