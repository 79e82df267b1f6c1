import { BaseCommand } from '../../../cli/base-command.ts';
import { optionalArgument } from '../../../cli/flags/arguments.ts';
import { dataDirectory, directoryFlag } from '../../../cli/flags/emulator-directory.ts';
import { recordFlags } from '../../../cli/flags/list.ts';
import { showRecords } from '../../../cli/show/show-document.ts';
import { findServing } from '../../../emulator/serving.ts';
import { findDeliveries, type Retried, retryDeliveries } from '../../../emulator/webhooks/kept-deliveries.ts';
import { NotFoundError, UsageError } from '../../../errors.ts';
import {
  deliveryFilter,
  deliveryFilterFlags,
  theDelivery,
} from '../../../features/webhooks/delivery-flags.ts';
import { isShortId, listValues, quote } from '../../../text/format.ts';
import { HEADER_PREFIX } from '../../../webhooks/signature.ts';

export default class EmulatorDeliveriesRetry extends BaseCommand {
  static override readonly summary = 'Send deliveries again, with the same IDs and new signatures.';

  static override readonly description =
    `Deliveries that were delivered or given up become pending; the next attempt of a pending one is made at once. A running
emulator sends them within a second, those of one record in order; if none is running, the next one sends them.`;

  static override readonly strict = false;

  static override readonly args = {
    id: optionalArgument('IDs of deliveries, or their beginnings.'),
  };

  static override readonly columns = [
    { header: 'EVENT', path: 'event', priority: 10 },
    { header: 'STATE', path: 'state', priority: 10 },
    { header: 'URL', path: 'url', priority: 6 },
    { header: 'ID', path: 'id', minWidth: 36, priority: 9 },
  ];

  static override readonly flags = { ...deliveryFilterFlags(), ...directoryFlag(), ...recordFlags() };

  static override readonly examples = [
    {
      description: 'Resend the deliveries that failed:',
      command: 'payctl emulator deliveries retry --failed',
    },
  ];

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(EmulatorDeliveriesRetry);
    const display = this.openDisplay(flags);
    const filter = deliveryFilter(flags);
    if (argv.length > 0 === (filter !== undefined)) throw nothingChosen(filter !== undefined);
    const directory = dataDirectory(flags, this.runtime.environment);
    const ids = argv
      .map(String)
      .map((typed) =>
        isShortId(typed) ? theDelivery(typed, findDeliveries(directory, typed, HEADER_PREFIX)).id : typed,
      );
    const retried = retryDeliveries(directory, filter ?? ids);
    if (retried.unknown.length > 0) throw notFound(retried.unknown);
    await showRecords(display, retried.again, { flags, columns: EmulatorDeliveriesRetry.columns });
    for (const line of notes(retried, findServing(directory) !== undefined)) display.info(line);
  }
}

function notes({ again, taken, left }: Retried, isRunning: boolean): readonly string[] {
  const notSent = left.filter(({ state }) => state === 'not_sent').length;
  const pending = left.length - notSent;
  const when = isRunning ? 'The emulator sends' : 'No emulator is running; the next one sends';
  return [
    ...(again.length > 0 ? [`${when} ${deliveries(again.length)} again.`] : []),
    ...(taken > 0
      ? [
          `Taken before: ${deliveries(taken)}. A receiver that knows the ID, as payctl webhooks listen does, ignores it.`,
        ]
      : []),
    ...(pending > 0
      ? [`Not changed: ${deliveries(pending)} that must wait for an earlier event of the record.`]
      : []),
    ...(notSent > 0 ? [`Not changed: ${deliveries(notSent)} that the emulator does not send.`] : []),
    ...(again.length + left.length === 0 ? ['No deliveries match.'] : []),
  ];
}

function deliveries(count: number): string {
  return count === 1 ? '1 delivery' : `${count} deliveries`;
}

function nothingChosen(isBoth: boolean): UsageError {
  const message = isBoth
    ? 'IDs and --failed, --state or --request cannot be combined'
    : 'Name the deliveries to send again';
  return new UsageError('bad_argument', message, {
    hint: 'Use IDs, or --failed: payctl emulator deliveries retry --failed',
  });
}

function notFound(ids: readonly string[]): NotFoundError {
  const message = `There is no delivery ${listValues(ids.map(quote))}; nothing was changed`;
  return new NotFoundError(message, 'List them: payctl emulator deliveries list');
}
