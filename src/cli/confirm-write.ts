import type { ClientHooks } from '../client/call.ts';
import { UsageError } from '../client/errors.ts';
import { sanitizeText } from '../output/sanitize.ts';
import type { Display } from './display.ts';
import { requireYes } from './prompter.ts';
import type { SessionParts } from './session.ts';

/**
 * The hook that stands before the first request that changes something in a profile marked production: it says where the
 * request goes, and asks. Undefined for every other profile.
 * @throws UsageError `not_confirmed`, before anything is sent
 */
export function confirmWrite(parts: SessionParts): ClientHooks['onRequest'] {
  const { settings, display, runtime } = parts;
  const profile = settings.profile.value;
  if (profile?.environment !== 'production') return undefined;
  let confirmed = parts.confirmed;
  return async ({ request, attempt }) => {
    if (request.method === 'GET' || attempt > 1) return;
    const say = confirmed ? display.note : sayToPerson(display);
    await say(`Production: ${request.method} ${request.origin}${request.path}`);
    await say(`            profile ${profile.name}, merchant account ${request.merchantAccount ?? 'none'}`);
    if (confirmed) return;
    await requireYes(runtime, 'Change this in production?', () => notConfirmed(profile.name));
    confirmed = true;
  };
}

/** Whoever is asked has to be told what for, whatever else --quiet keeps from them. */
function sayToPerson({ stderr, stderrTerminal, note, withoutSecrets }: Display): (text: string) => unknown {
  if (!stderrTerminal.isTerminal) return note;
  return (text) => stderr.write(`${sanitizeText(withoutSecrets(text))}\n`);
}

function notConfirmed(name: string): UsageError {
  return new UsageError('not_confirmed', `The profile ${name} is marked production; nothing was sent`, {
    hint: 'Add --yes to go on without being asked, or --dry-run to see the request.',
  });
}
