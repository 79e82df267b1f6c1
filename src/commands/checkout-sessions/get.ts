import { BaseCommand } from '../../cli/base-command.ts';
import { argument } from '../../cli/flags/arguments.ts';
import { connectionFlags } from '../../cli/flags/global.ts';
import { outputFlags, watchFlag } from '../../cli/flags/list.ts';
import { requireWholeId } from '../../cli/flags/whole-id.ts';
import { printLifetime } from '../../cli/show/checkout-lifetime.ts';
import { documentPrinter } from '../../cli/show/show-document.ts';
import { operations } from '../../contract/generated/operations.ts';

export default class CheckoutSessionsGet extends BaseCommand {
  static override readonly operation = operations.getCheckoutSession;

  static override readonly summary = 'Show a checkout session.';

  static override readonly description = 'Prints to stderr how long the session remains valid.';

  static override readonly args = {
    id: argument('ID of the checkout session.'),
  };

  static override readonly flags = {
    ...watchFlag(),
    ...outputFlags(operations.getCheckoutSession),
    ...connectionFlags(),
  };

  static override readonly examples = [
    {
      description: 'Show a session:',
      command: 'payctl checkout-sessions get c5000000-0000-4000-8000-000000000001 --profile emulator',
    },
  ];

  async run(): Promise<void> {
    const { args, flags } = await this.parse(CheckoutSessionsGet);
    requireWholeId(
      'ID',
      args.id,
      'The API has no list of checkout sessions in which payctl could look it up.',
    );
    const session = this.openSession(flags);
    const print = await documentPrinter(session, flags, operations.getCheckoutSession);
    const client = await session.client();
    const checkoutSession = await client.checkoutSessions.get(args.id, { signal: session.signal });
    await print(checkoutSession);
    printLifetime(session.display, checkoutSession);
  }
}
