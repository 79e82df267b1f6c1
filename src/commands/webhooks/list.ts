import { boolean } from '@oclif/core/flags';
import { BaseCommand } from '../../cli/base-command.ts';
import { recordFlags, sortFlag } from '../../cli/flags/list.ts';
import { FlagError, integerFlag } from '../../cli/flags/types.ts';
import { showRecords } from '../../cli/show/show-document.ts';
import { STORED_COLUMNS } from '../../features/webhooks/columns.ts';
import {
  directoryFlag,
  eventDirectory,
  eventFilterFlags,
  eventFilterOf,
  inSameDirectory,
} from '../../features/webhooks/event-flags.ts';
import { eventRecord, forwardRecord, isForward } from '../../features/webhooks/records.ts';
import { EventStore } from '../../features/webhooks/store.ts';
import { plural } from '../../text/format.ts';

const DEFAULT_LIMIT = 20;

export default class WebhooksList extends BaseCommand {
  static override readonly summary = 'List received webhooks, newest first.';

  static override readonly description =
    `Shows what payctl webhooks listen has stored on this machine, whether it is running or not: each event with the verdict on its
signature, and what became of each forward. --failed lists events to replay: a forward was given up, or failed and is tried again.`;

  static override readonly columns = STORED_COLUMNS;

  static override readonly flags = {
    ...eventFilterFlags(),
    limit: integerFlag({
      min: 1,
      summary: `At most this many events. Default: ${DEFAULT_LIMIT}.`,
      helpGroup: 'PAGING',
      helpValue: 'N',
    }),
    all: boolean({ summary: 'All events.', helpGroup: 'PAGING' }),
    ...directoryFlag(),
    ...sortFlag({ isWhole: true }),
    ...recordFlags(),
  };

  static override readonly examples = [
    { description: 'List the events of the last hour:', command: 'payctl webhooks list --since 1h' },
    { description: 'List events that your program did not take:', command: 'payctl webhooks list --failed' },
    {
      description: 'List what happened to a record:',
      command: 'payctl webhooks list --record 3f1c5a52-6f0e-4d55-9a3b-2b7a0c1d4e5f',
    },
  ];

  async run(): Promise<void> {
    const { flags } = await this.parse(WebhooksList);
    const display = this.openDisplay(flags);
    if (flags.all && flags.limit !== undefined)
      throw new FlagError('--all and --limit cannot be used together', 'Remove one of them.');
    const filter = eventFilterOf(flags);
    const directory = eventDirectory(flags, this.runtime.environment);
    const store = EventStore.openExisting(directory);
    try {
      const limit = flags.all ? -1 : (flags.limit ?? DEFAULT_LIMIT);
      const events = store?.list(filter, { newestFirst: true, limit }) ?? [];
      const records = events.map((event) => ({
        ...eventRecord(event),
        forwards: (store?.forwards(event.row) ?? []).filter(isForward).map(forwardRecord),
      }));
      display.page();
      await showRecords(display, records, { flags, columns: STORED_COLUMNS });
      const count = store?.count(filter) ?? 0;
      if (count > events.length)
        display.warn('list_cut', `These are the newest ${events.length} of ${count}. For all, add --all`);
      if (count > 0) return;
      const total = store?.count({}) ?? 0;
      display.info(
        total === 0
          ? `No events were received. To receive some: ${inSameDirectory('payctl webhooks listen', flags)}`
          : `No event matches; ${plural(total, 'other')} ${total === 1 ? 'is' : 'are'} stored.`,
      );
    } finally {
      store?.close();
    }
  }
}
