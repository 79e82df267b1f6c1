import type { Column } from '../../output/column.ts';

/** The columns of a gift card: which one, what is left on it, and why the balance could not be read. */
export const GIFT_CARD_COLUMNS: readonly Column[] = [
  { header: 'ID', path: 'id', priority: 10 },
  { header: 'BIN', path: 'bin', priority: 6 },
  { header: 'LAST4', path: 'last4', priority: 9 },
  { header: 'BALANCE', path: 'balance', format: 'number', priority: 9 },
  { header: 'CURRENCY', path: 'currency', priority: 9 },
  { header: 'EXPIRES', path: 'expiration_date', format: 'time', priority: 7 },
  { header: 'BALANCE ERROR', path: 'balance_error_code', minWidth: 10, priority: 5 },
];
