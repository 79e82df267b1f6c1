import { getCommand, type ItemContext } from '../../cli/get-command.ts';
import { webhooksDirectory } from '../../config/environment.ts';
import { usesEmulator } from '../../config/settings.ts';
import { fileFlag } from '../../features/api-logs/filter-flags.ts';
import { listOfItems } from '../../features/api-logs/log-lists.ts';

export default getCommand('listApiLogs', {
  noun: 'API error log entry',
  nouns: 'API error log entries',
  description: 'Explains why the request failed, what the code means, likely causes and the next command.',
  examples: [
    {
      description: 'Show everything about a failed request:',
      command: 'payctl api-logs get 5041a892-fb00-4846-8360-690c9631e63e --profile emulator',
    },
    {
      description: 'Explain an entry of a file that a merchant sent:',
      command: 'payctl api-logs get 5041a892 --file failed.har.gz',
    },
  ],
  files: {
    flags: fileFlag(),
    async open(paths, { display, signal, runtime }) {
      const { readLogFiles } = await import('../../features/api-logs/log-files.ts');
      const looked = { duplicates: 0, unreadable: 0 };
      const stdin = () => runtime.streamStdin();
      const entries = readLogFiles(paths, { stdin, signal, display, looked });
      return listOfItems(entries, ({ text }) => JSON.parse(text) as unknown);
    },
  },
  async explain(item, context) {
    const { explainEntry } = await import('../../features/api-logs/explain.ts');
    return [...explainEntry(item, context), ...(await eventsOf(item, context))];
  },
});

/** The events that the request made in the emulator, else the one that may have led to it. */
async function eventsOf(item: unknown, { session, runtime: { environment } }: ItemContext) {
  const { readEntry } = await import('../../features/api-logs/entry.ts');
  const entry = readEntry(item);
  if (session && usesEmulator(session.settings) && entry.id !== undefined) {
    const { eventsOfRequest } = await import('../../cli/session/emulator-profile.ts');
    const made = await eventsOfRequest(environment, entry.id);
    if (made.length > 0) return made;
  }
  const { eventBefore } = await import('../../features/webhooks/event-before.ts');
  const before = eventBefore(webhooksDirectory(environment), entry);
  return before === undefined ? [] : [before];
}
