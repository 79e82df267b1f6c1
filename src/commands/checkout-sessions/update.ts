import { string } from '@oclif/core/flags';
import { BodyCommand } from '../../cli/body-command.ts';
import { argument } from '../../cli/flags/arguments.ts';
import { bodyFlags, readPairs } from '../../cli/flags/body.ts';
import { connectionFlags } from '../../cli/flags/global.ts';
import { outputFlags } from '../../cli/flags/list.ts';
import { inGroup, repeatable } from '../../cli/flags/types.ts';
import { requireWholeId } from '../../cli/flags/whole-id.ts';
import { type Body, readJson } from '../../cli/read-body.ts';
import { printLifetime } from '../../cli/show/checkout-lifetime.ts';
import { operations } from '../../contract/generated/operations.ts';
import { givesChanges, readChanges, type SessionChanges } from '../../features/checkout-sessions/changes.ts';
import { createMergedUpdate } from '../../features/checkout-sessions/merged-update.ts';
import { inShell } from '../../text/shell.ts';

export default class CheckoutSessionsUpdate extends BodyCommand {
  static override readonly operation = operations.updateCheckoutSession;

  static override readonly summary = 'Update a checkout session.';

  static override readonly description =
    `Sends only the fields that change. --cart-items, --metadata, --airline and --data replace whole fields; null clears one.
--add-cart-item, --set-metadata and --remove-metadata read the session first (scope checkout-sessions.read) and keep
everything else.`;

  static override readonly args = {
    id: argument('ID of the checkout session.'),
  };

  static override readonly flags = {
    ...inGroup('BODY', {
      'cart-items': string({
        summary: 'Replace the whole cart with this JSON array.',
        helpValue: 'JSON|@FILE',
      }),
      'add-cart-item': string({
        summary: 'Add this item (JSON, @FILE or -) to the cart. Can be repeated.',
        helpValue: 'JSON',
        ...repeatable,
      }),
      metadata: string({
        summary: 'Replace all metadata with these keys. Can be repeated.',
        helpValue: 'KEY=VALUE',
        ...repeatable,
      }),
      'set-metadata': string({
        summary: 'Set a metadata key. Can be repeated.',
        helpValue: 'KEY=VALUE',
        ...repeatable,
      }),
      'remove-metadata': string({
        summary: 'Remove a metadata key. Can be repeated.',
        helpValue: 'KEY',
        ...repeatable,
      }),
      airline: string({
        summary: 'Replace all airline data with this JSON object.',
        helpValue: 'JSON|@FILE',
      }),
    }),
    ...bodyFlags(),
    ...outputFlags(operations.updateCheckoutSession),
    ...connectionFlags(),
  };

  static override readonly examples = [
    {
      description: 'Set a metadata key and keep the others:',
      command:
        'payctl checkout-sessions update c5000000-0000-4000-8000-000000000001 --set-metadata order=1234 --profile emulator',
    },
    {
      description: 'Add an item to the cart:',
      command: `payctl checkout-sessions update c5000000-0000-4000-8000-000000000001 --add-cart-item '{"name":"Tea","quantity":2,"unit_amount":450}' --profile emulator`,
    },
    {
      description: 'Show what replacing the cart would send:',
      command: `payctl checkout-sessions update c5000000-0000-4000-8000-000000000001 --cart-items '[{"name":"Tea","quantity":2,"unit_amount":450}]' --dry-run --profile emulator`,
    },
  ];

  async run(): Promise<void> {
    const { args, flags } = await this.parse(CheckoutSessionsUpdate);
    requireWholeId('ID', args.id);
    const merged = givesChanges(flags) ? createMergedUpdate(args.id) : undefined;
    let changes: SessionChanges | undefined;
    const { document, display } = await this.sendBody({
      flags,
      operation: operations.updateCheckoutSession,
      path: { [operations.updateCheckoutSession.pathParameters[0]]: args.id },
      fields: async (given, { warn }, convert) => {
        const fields = {
          cart_items: await this.#readJson(flags['cart-items'], '--cart-items'),
          metadata: readPairs('--metadata', flags.metadata),
          airline: await this.#readJson(flags.airline, '--airline'),
        };
        if (merged)
          changes = await readChanges(flags, replacedBy(given, fields), {
            runtime: this.runtime,
            warn,
            convert,
          });
        return fields;
      },
      nothing: {
        code: 'nothing_to_update',
        message: 'There is nothing to update',
        hint: inShell(
          "Add --set-metadata, --add-cart-item or another field, or --data; --data '{}' sends an empty object.",
        ),
      },
      replaced: REPLACED.flatMap(([flag, sentence]) => (flags[flag] === undefined ? [] : [sentence])),
      readsFirst: merged?.beforeWrite,
      send: (parts) =>
        merged && changes
          ? merged.send(parts, changes)
          : parts.client.checkoutSessions.update(args.id, parts.body, parts.options),
    });
    printLifetime(display, document);
  }

  async #readJson(given: string | undefined, flag: string): Promise<unknown> {
    return given === undefined ? undefined : await readJson(given, flag, this.runtime);
  }
}

/** What is not known without reading the session: whether anything is lost. So it is always said. */
const REPLACED = [
  ['cart-items', '--cart-items replaces the whole cart; --add-cart-item adds to it.'],
  ['metadata', '--metadata replaces all metadata; --set-metadata changes single keys.'],
  ['airline', '--airline replaces all airline data.'],
] as const;

/** The fields that are given whole, each with the flag that gives it. */
function replacedBy(given: Body, fields: Body): Record<string, string> {
  const inData = Object.keys(given).map((name) => [name, '--data']);
  const inFlags = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, `--${name.replaceAll('_', '-')}`]],
  );
  return Object.fromEntries([...inData, ...inFlags]);
}
