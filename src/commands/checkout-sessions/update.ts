import { string as argument } from '@oclif/core/args';
import { string } from '@oclif/core/flags';
import { BaseCommand } from '../../cli/base-command.ts';
import { sayLifetime } from '../../cli/checkout-lifetime.ts';
import { bodyFlags, readPairs } from '../../cli/flags/body.ts';
import { connectionFlags } from '../../cli/flags/global.ts';
import { outputFlags } from '../../cli/flags/list.ts';
import { type Body, readBody, readJson, requireValidBody, withFields } from '../../cli/read-body.ts';
import { showDocument } from '../../cli/show-document.ts';
import { UsageError } from '../../errors.ts';

export default class CheckoutSessionsUpdate extends BaseCommand {
  static override readonly summary = 'Update a checkout session.';

  static override readonly description =
    `Sends only the fields that are given; each replaces the stored one whole, and an explicit null is sent as null.`;

  static override readonly args = {
    id: argument({ required: true, description: 'ID of the checkout session.', ignoreStdin: true }),
  };

  static override readonly flags = {
    'cart-items': string({
      summary: 'The cart items, a JSON array.',
      helpGroup: 'BODY',
      helpValue: 'JSON|@FILE|-',
    }),
    metadata: string({
      summary: 'A key and its value; give the flag once for each pair.',
      helpGroup: 'BODY',
      helpValue: 'KEY=VALUE',
      multiple: true,
      multipleNonGreedy: true,
    }),
    airline: string({
      summary: 'The airline data, a JSON object.',
      helpGroup: 'BODY',
      helpValue: 'JSON|@FILE|-',
    }),
    ...bodyFlags(),
    ...outputFlags(),
    ...connectionFlags(),
  };

  static override readonly examples = [
    {
      description: 'Set metadata:',
      command:
        'payctl checkout-sessions update c5000000-0000-4000-8000-000000000001 --metadata order=1234 --profile emulator',
    },
    {
      description: 'See what replacing the cart would send:',
      command: `payctl checkout-sessions update c5000000-0000-4000-8000-000000000001 --cart-items '[{"name":"Tea","quantity":2,"unit_amount":450}]' --dry-run --profile emulator`,
    },
  ];

  async run(): Promise<void> {
    const { args, flags } = await this.parse(CheckoutSessionsUpdate);
    const session = this.openSession(flags);
    const body = await this.#readBody(flags);
    if (Object.keys(body).length === 0 && flags.data === undefined) {
      throw new UsageError('nothing_to_update', 'There is nothing to update', {
        hint: "Give --cart-items, --metadata, --airline or --data; --data '{}' sends the empty object.",
      });
    }
    await requireValidBody('CheckoutSessionUpdate', body);
    if (flags.metadata) session.display.info('--metadata takes the place of all metadata of the session.');
    const client = await session.client();
    const checkoutSession = await client.checkoutSessions.update(args.id, body, { signal: session.signal });
    await showDocument(session, checkoutSession, flags);
    sayLifetime(session.display, checkoutSession);
  }

  async #readBody(flags: {
    readonly data?: string | undefined;
    readonly metadata?: readonly string[] | undefined;
    readonly airline?: string | undefined;
    readonly 'cart-items'?: string | undefined;
  }): Promise<Body> {
    const json = (given: string | undefined, flag: string) =>
      given === undefined ? undefined : readJson(given, flag, this.runtime);
    return withFields(await readBody(flags.data, this.runtime), {
      cart_items: await json(flags['cart-items'], '--cart-items'),
      metadata: readPairs('--metadata', flags.metadata),
      airline: await json(flags.airline, '--airline'),
    });
  }
}
