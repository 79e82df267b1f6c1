import type { ClientHooks } from '../client/call.ts';
import type { Reply } from '../client/reply.ts';
import { REDACTED, redactBody, redactPath } from './redact.ts';

/** How much of a body --verbose shows, in characters. */
const BODY_LIMIT = 2000;

/** Headers of a response whose values open something. */
const SECRET_HEADERS = new Set(['set-cookie', 'www-authenticate', 'proxy-authenticate']);

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
      sayHeaders(say, '>', { ...headers, authorization: `Bearer ${REDACTED}` });
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
  for (const [name, value] of Object.entries(headers)) {
    say(`${arrow} ${name}: ${SECRET_HEADERS.has(name) ? REDACTED : value}`);
  }
}

function describeBody({ text }: Reply): string {
  return text === '' ? '(empty body)' : shorten(redactBody(text));
}

function shorten(text: string): string {
  return text.length > BODY_LIMIT ? `${text.slice(0, BODY_LIMIT)}… (${text.length} characters)` : text;
}
