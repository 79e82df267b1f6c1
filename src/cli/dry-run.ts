import type { ClientHooks } from '../client/call.ts';
import { parseExactJson } from '../json/exact-json.ts';
import type { Display } from './display.ts';
import { DryRunEnd } from './dry-run-end.ts';
import { REDACTED } from './redact.ts';

/** Hooks that print the request of the run and end it before anything is sent. */
export function dryRunHooks(display: Display): ClientHooks {
  return {
    async onRequest({ request, headers, body }) {
      const { method, origin, path } = request;
      const shown = { ...headers, authorization: `Bearer ${REDACTED}` };
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
