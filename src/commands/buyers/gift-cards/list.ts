import { BaseCommand } from '../../../cli/base-command.ts';
import { GIFT_CARD_COLUMNS } from '../../../cli/catalog/columns.ts';
import { connectionFlags } from '../../../cli/flags/global.ts';
import { followFlags, outputFlags } from '../../../cli/flags/list.ts';
import { textFlag } from '../../../cli/flags/types.ts';
import { showList } from '../../../cli/show-list.ts';

export default class GiftCardsList extends BaseCommand {
  static override readonly summary = 'List the gift cards of a buyer, with their balances.';

  static override readonly description =
    `Balances are shown as the service gives them: whole numbers, with the currency beside them.`;

  static override readonly columns = GIFT_CARD_COLUMNS;

  static override readonly flags = {
    'buyer-id': textFlag({ summary: 'Keep the cards of the buyer with this ID.', helpValue: 'ID' }),
    'buyer-external-identifier': textFlag({
      summary: 'Keep the cards of the buyer with this external identifier.',
      helpValue: 'ID',
    }),
    ...followFlags(),
    ...outputFlags(),
    ...connectionFlags(),
  };

  static override readonly examples = [
    {
      description: 'Of one buyer:',
      command: 'payctl buyers gift-cards list --buyer-external-identifier buyer-000249 --profile emulator',
    },
  ];

  async run(): Promise<void> {
    const { flags } = await this.parse(GiftCardsList);
    const session = this.openSession(flags);
    const client = await session.client();
    await showList(session, client.buyers.giftCards, {
      query: {
        buyer_id: flags['buyer-id'],
        buyer_external_identifier: flags['buyer-external-identifier'],
      },
      flags,
      columns: GIFT_CARD_COLUMNS,
      noun: 'gift cards',
    });
  }
}
