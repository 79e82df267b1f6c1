import { BaseCommand } from '../../../cli/base-command.ts';
import { argument } from '../../../cli/flags/arguments.ts';
import { dataDirectory, directoryFlag } from '../../../cli/flags/emulator-directory.ts';
import { outputFlags } from '../../../cli/flags/list.ts';
import { documentPrinter } from '../../../cli/show/show-document.ts';
import { findDeliveries } from '../../../emulator/webhooks/kept-deliveries.ts';
import { theDelivery } from '../../../features/webhooks/delivery-flags.ts';
import { HEADER_PREFIX } from '../../../webhooks/signature.ts';

export default class EmulatorDeliveriesGet extends BaseCommand {
  static override readonly summary =
    'Show a delivery: its event, the request that caused it, and every attempt.';

  static override readonly description =
    `The headers are those of the last attempt. If a request caused the event, request.id is the x-request-id of its response; if it failed, its API log has the same ID: payctl api-logs get ID --profile emulator`;

  static override readonly args = {
    id: argument('ID of the delivery, or its beginning.'),
  };

  static override readonly flags = { ...directoryFlag(), ...outputFlags({ personalData: {} }) };

  static override readonly examples = [
    {
      description: 'Show everything about a delivery:',
      command: 'payctl emulator deliveries get 0d1f3a52-6f0e-4d55-9a3b-2b7a0c1d4e5f',
    },
  ];

  async run(): Promise<void> {
    const { args, flags } = await this.parse(EmulatorDeliveriesGet);
    const display = this.openDisplay(flags);
    const print = await documentPrinter({ display }, flags, { personalByName: true });
    const prefix = this.configuration.resolveForDisplay(flags).webhookHeaderPrefix.value ?? HEADER_PREFIX;
    const directory = dataDirectory(flags, this.runtime.environment);
    await print(theDelivery(args.id, findDeliveries(directory, args.id, prefix)));
  }
}
