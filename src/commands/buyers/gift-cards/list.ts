import { amountCell, cardText, expiryTone, textOf } from '../../../cli/cells.ts';
import { listCommand } from '../../../cli/list-command.ts';

export default listCommand('listGiftCards', {
  summary: 'List the gift cards of a buyer, with their balances.',
  description: `Tables show balances in major units of the currency; all other formats give the integer that the service sent.`,
  noun: 'gift cards',
  columns: [
    { header: 'CARD', path: 'last4', parts: ['bin', 'last4'], cell: cardNumber, minWidth: 14, priority: 10 },
    {
      header: 'BALANCE',
      path: 'balance',
      format: 'number',
      parts: ['balance', 'currency', 'balance_error_code'],
      cell: balanceText,
      tone: (item) => (textOf(item, 'balance_error_code') === '' ? undefined : 'red'),
      priority: 10,
    },
    {
      header: 'EXPIRES',
      path: 'expiration_date',
      format: 'date',
      priority: 9,
      tone: expiryTone('expiration_date'),
    },
    { header: 'ERROR', path: 'balance_raw_error_message', minWidth: 12, priority: 5 },
    { header: 'ID', path: 'id', priority: 8 },
  ],
  examples: [
    {
      description: 'List the gift cards of a buyer:',
      command: 'payctl buyers gift-cards list --buyer-external-identifier buyer-000249 --profile emulator',
    },
  ],
});

function cardNumber(item: unknown): string {
  return cardText(textOf(item, 'bin'), textOf(item, 'last4'));
}

const amount = amountCell('balance');

/** The balance, or why it could not be read. */
function balanceText(item: unknown): string {
  const error = textOf(item, 'balance_error_code');
  return error === '' ? amount(item) : error;
}
