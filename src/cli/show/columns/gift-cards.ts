import type { Column } from '../../../output/columns.ts';
import { amountCell, cardText, expiryTone, textOf } from '../cells.ts';

/** What a table shows of gift cards. */
export const GIFT_CARD_COLUMNS: readonly Column[] = [
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
  { header: 'ID', path: 'id', shortens: true, priority: 10 },
];

function cardNumber(item: unknown): string {
  return cardText(textOf(item, 'bin'), textOf(item, 'last4'));
}

const amount = amountCell('balance');

/** The balance, or why it could not be read. */
function balanceText(item: unknown): string {
  const error = textOf(item, 'balance_error_code');
  return error === '' ? amount(item) : error;
}
