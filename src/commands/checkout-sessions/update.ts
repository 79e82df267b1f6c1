import { string as argument } from '@oclif/core/args';
import { string } from '@oclif/core/flags';
import { BodyCommand } from '../../cli/body-command.ts';
import { sayLifetime } from '../../cli/checkout-lifetime.ts';
import { bodyFlags, readPairs } from '../../cli/flags/body.ts';
import { connectionFlags } from '../../cli/flags/global.ts';
import { outputFlags } from '../../cli/flags/list.ts';
import { readJson } from '../../cli/read-body.ts';
import { operations } from '../../contract/generated/operations.ts';

export default class CheckoutSessionsUpdate extends BodyCommand {
  static override readonly operation = operations.updateCheckoutSession;

  static override readonly summary = 'Update a checkout session.';

  static override readonly description =
    `Sends only the fields that you give. Each one replaces the whole stored field; an explicit null is sent as null.`;

  static override readonly args = {
    id: argument({ required: true, description: 'ID of the checkout session.', ignoreStdin: true }),
  };

  static override readonly flags = {
    'cart-items': string({
      summary: 'Cart items, as a JSON array.',
      helpGroup: 'BODY',
      helpValue: 'JSON|@FILE|-',
    }),
    metadata: string({
      summary: 'Metadata key and value. Can be repeated.',
      helpGroup: 'BODY',
      helpValue: 'KEY=VALUE',
      multiple: true,
      multipleNonGreedy: true,
    }),
    airline: string({
      summary: 'Airline data, as a JSON object.',
      helpGroup: 'BODY',
      helpValue: 'JSON|@FILE|-',
    }),
    ...bodyFlags(),
    ...outputFlags(operations.updateCheckoutSession),
    ...connectionFlags(),
  };

  static override readonly examples = [
    {
      description: 'Set metadata:',
      command:
        'payctl checkout-sessions update c5000000-0000-4000-8000-000000000001 --metadata order=1234 --profile emulator',
    },
    {
      description: 'Show what replacing the cart would send:',
      command: `payctl checkout-sessions update c5000000-0000-4000-8000-000000000001 --cart-items '[{"name":"Tea","quantity":2,"unit_amount":450}]' --dry-run --profile emulator`,
    },
  ];

  async run(): Promise<void> {
    const { args, flags } = await this.parse(CheckoutSessionsUpdate);
    const { document, display } = await this.sendBody({
      flags,
      operation: operations.updateCheckoutSession,
      fields: async () => ({
        cart_items: await this.#readJson(flags['cart-items'], '--cart-items'),
        metadata: readPairs('--metadata', flags.metadata),
        airline: await this.#readJson(flags.airline, '--airline'),
      }),
      nothing: {
        code: 'nothing_to_update',
        message: 'There is nothing to update',
        hint: "Add --cart-items, --metadata, --airline or --data; --data '{}' sends an empty object.",
      },
      notice: flags.metadata && '--metadata replaces all metadata of the session.',
      send: (client, body, options) => client.checkoutSessions.update(args.id, body, options),
    });
    sayLifetime(display, document);
  }

  async #readJson(given: string | undefined, flag: string): Promise<unknown> {
    return given === undefined ? undefined : await readJson(given, flag, this.runtime);
  }
}
