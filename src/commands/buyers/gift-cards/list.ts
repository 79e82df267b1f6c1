import { listCommand } from '../../../cli/list-command.ts';
import { GIFT_CARD_COLUMNS } from '../../../cli/show/columns/gift-cards.ts';

export default listCommand('listGiftCards', {
  summary: "List a buyer's gift cards and their balances.",
  description: `Tables show balances in major units of the currency; all other formats give the integer that the service sent.`,
  noun: 'gift cards',
  columns: GIFT_CARD_COLUMNS,
  examples: [
    {
      description: "List a buyer's gift cards:",
      command: 'payctl buyers gift-cards list --buyer-external-identifier buyer-000249 --profile emulator',
    },
  ],
});
