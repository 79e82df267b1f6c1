import { boolean } from '@oclif/core/flags';
import { BaseCommand } from '../../cli/base-command.ts';
import { PAYMENT_METHOD_COLUMNS } from '../../cli/catalog/columns.ts';
import { connectionFlags } from '../../cli/flags/global.ts';
import { outputFlags, pagingFlags } from '../../cli/flags/list.ts';
import { choiceFlag, textFlag } from '../../cli/flags/types.ts';
import { showList } from '../../cli/show-list.ts';
import { operations } from '../../contract/generated/operations.ts';

export default class PaymentMethodsList extends BaseCommand {
  static override readonly summary = 'List stored payment methods.';

  static override readonly description =
    `Shows what each method is, whose it is, its status and when it expires. Personal data of the buyer is masked by the
service unless --reveal-pii asks for it.`;

  static override readonly columns = PAYMENT_METHOD_COLUMNS;

  static override readonly flags = {
    'buyer-id': textFlag({ summary: 'Keep the methods of the buyer with this ID.', helpValue: 'ID' }),
    'buyer-external-identifier': textFlag({
      summary: 'Keep the methods of the buyer with this external identifier.',
      helpValue: 'ID',
    }),
    'external-identifier': textFlag({
      summary: 'Keep the method with exactly this external identifier.',
      helpValue: 'ID',
    }),
    status: choiceFlag({
      options: operations.listPaymentMethods.query.status.enum,
      summary: 'Keep the methods in this state.',
    })(),
    'reveal-pii': boolean({ summary: 'Ask for personal data in full.' }),
    ...pagingFlags(),
    ...outputFlags(),
    ...connectionFlags(),
  };

  static override readonly examples = [
    {
      description: 'Those that failed:',
      command: 'payctl payment-methods list --status failed --profile emulator',
    },
    {
      description: 'Those of one buyer, as the merchant knows it:',
      command: 'payctl payment-methods list --buyer-external-identifier buyer-000100 --profile emulator',
    },
    {
      description: 'Expiry dates for a spreadsheet:',
      command:
        'payctl payment-methods list --all -o csv --columns id,scheme,expiration_date --profile emulator',
    },
  ];

  async run(): Promise<void> {
    const { flags } = await this.parse(PaymentMethodsList);
    const session = this.openSession(flags);
    const client = await session.client();
    await showList(session, client.paymentMethods, {
      query: {
        buyer_id: flags['buyer-id'],
        buyer_external_identifier: flags['buyer-external-identifier'],
        external_identifier: flags['external-identifier'],
        status: flags.status,
      },
      flags,
      revealPii: flags['reveal-pii'],
      columns: PAYMENT_METHOD_COLUMNS,
      noun: 'payment methods',
    });
  }
}
