import { BaseCommand } from '../../cli/base-command.ts';
import { argument } from '../../cli/flags/arguments.ts';
import { connectionFlags } from '../../cli/flags/global.ts';
import { outputFlags } from '../../cli/flags/list.ts';
import { operations } from '../../contract/generated/operations.ts';
import { UsageError } from '../../errors.ts';
import { findAndShow } from '../../features/buyers/find-and-show.ts';

export default class BuyersFind extends BaseCommand {
  static override readonly operation = operations.listBuyers;

  static override readonly members = {
    buyer: operations.listBuyers,
    'payment_methods.0': operations.listPaymentMethods,
    'gift_cards.0': operations.listGiftCards,
    'audit_logs.0': operations.listAuditLogs,
  };

  static override readonly summary =
    'Find a buyer, and show its payment methods, gift cards and last audit log entries.';

  static override readonly description =
    `The text is an ID or its first 8 characters, an external identifier, or part of a name or external identifier. If several buyers match, payctl lists
them and, on a terminal, asks which one to show; otherwise it exits with code 1. What the token does not allow is left out, with a warning. The API cannot filter audit log
entries by buyer, so payctl looks at the first 1000.`;

  static override readonly args = {
    text: argument('ID, external identifier or part of a name.'),
  };

  static override readonly flags = { ...outputFlags(operations.listBuyers), ...connectionFlags() };

  static override readonly examples = [
    {
      description: 'Find a buyer by name:',
      command: 'payctl buyers find "conceição guimarães" --profile emulator',
    },
    {
      description: "List the states of a buyer's payment methods:",
      command: `payctl buyers find buyer-000249 --jq '.payment_methods[].status' --profile emulator`,
    },
  ];

  async run(): Promise<number> {
    const { args, flags } = await this.parse(BuyersFind);
    if (args.text === '') throw new UsageError('bad_argument', 'TEXT cannot be empty');
    const prompter = () => this.runtime.prompter();
    return await findAndShow(this.openSession(flags), {
      text: args.text,
      flags,
      members: BuyersFind.members,
      prompter,
    });
  }
}
