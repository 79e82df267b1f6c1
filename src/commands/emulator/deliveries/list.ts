import { BaseCommand } from '../../../cli/base-command.ts';
import { dataDirectory, directoryFlag } from '../../../cli/flags/emulator-directory.ts';
import { recordFlags, sortFlag } from '../../../cli/flags/list.ts';
import { integerFlag } from '../../../cli/flags/types.ts';
import { statusTone } from '../../../cli/show/cells.ts';
import { showRecords } from '../../../cli/show/show-document.ts';
import { listDeliveries } from '../../../emulator/webhooks/kept-deliveries.ts';
import { eventColumns } from '../../../features/webhooks/columns.ts';
import { deliveryFilter, deliveryFilterFlags } from '../../../features/webhooks/delivery-flags.ts';
import type { Column } from '../../../output/columns.ts';
import type { SendState } from '../../../webhooks/sends.ts';

const USUAL = 100;

/** The subscriptions of the sample data are for other addresses. */
const SENT: readonly SendState[] = ['pending', 'delivered', 'failed'];

const NONE =
  'There are no deliveries. To receive events: payctl emulator start --subscribe http://127.0.0.1:3000/hooks';

const columns: readonly Column[] = [
  ...eventColumns('created_at'),
  { header: 'STATE', path: 'state', tone: statusTone('state'), priority: 10 },
  { header: 'STATUS', path: 'status', format: 'text', priority: 7 },
  { header: 'ATTEMPTS', path: 'attempts', format: 'number', priority: 5 },
  { header: 'URL', path: 'url', minWidth: 16, goodWidth: 40, priority: 6 },
  { header: 'PROBLEM', path: 'problem', minWidth: 16, goodWidth: 40, priority: 3 },
  { header: 'NEXT ATTEMPT', path: 'next_attempt_at', format: 'seconds', priority: 2 },
  { header: 'ID', path: 'id', shortens: true, priority: 9 },
];

export default class EmulatorDeliveriesList extends BaseCommand {
  static override readonly summary = 'List the deliveries of events, newest first.';

  static override readonly description =
    `Each change in the emulator makes an event, and a delivery of it for each active webhook subscription. A running emulator
sends them to loopback addresses. Those for other addresses are not_sent, and listed only with --state not_sent.`;

  static override readonly columns = columns;

  static override readonly flags = {
    ...deliveryFilterFlags(),
    'max-items': integerFlag({
      min: 1,
      summary: `Show this many at most. Default: ${USUAL}.`,
      helpValue: 'N',
    }),
    ...directoryFlag(),
    ...sortFlag({ isWhole: true }),
    ...recordFlags(),
  };

  static override readonly examples = [
    { description: 'List the deliveries that failed:', command: 'payctl emulator deliveries list --failed' },
    {
      description: 'Print the IDs of pending deliveries:',
      command: "payctl emulator deliveries list --state pending --jq '.items[].id'",
    },
  ];

  async run(): Promise<void> {
    const { flags } = await this.parse(EmulatorDeliveriesList);
    const display = this.openDisplay(flags);
    const filter = deliveryFilter(flags);
    const directory = dataDirectory(flags, this.runtime.environment);
    const states = flags.state ?? SENT;
    const { items, count } = listDeliveries(directory, { ...filter, states }, flags['max-items'] ?? USUAL);
    await showRecords(display, items, { flags, columns });
    if (items.length < count)
      display.info(`These are the newest ${items.length} of ${count}. For more, use --max-items N.`);
    if (count === 0) display.info(filter ? 'No deliveries match.' : NONE);
    if (states !== SENT) return;
    const { count: others } = listDeliveries(directory, { ...filter, states: ['not_sent'] }, 0);
    if (others > 0)
      display.info(`Not sent to other addresses: ${others}. To list them, use --state not_sent.`);
  }
}
