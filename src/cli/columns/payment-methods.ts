import type { Column } from '../../output/column.ts';

/** The columns of a stored payment method: what it is, whose it is, and whether it can be used. */
export const PAYMENT_METHOD_COLUMNS: readonly Column[] = [
  { header: 'ID', path: 'id', priority: 10 },
  { header: 'METHOD', path: 'method', priority: 6 },
  { header: 'SCHEME', path: 'scheme', priority: 9 },
  { header: 'LABEL', path: 'label', minWidth: 6, priority: 9 },
  { header: 'STATUS', path: 'status', minWidth: 9, priority: 9 },
  { header: 'EXPIRES', path: 'expiration_date', priority: 8 },
  { header: 'BUYER', path: 'buyer.display_name', minWidth: 12, priority: 7 },
  { header: 'BUYER ID', path: 'buyer.id', priority: 3 },
  { header: 'EXTERNAL ID', path: 'external_identifier', minWidth: 10, priority: 4 },
  { header: 'CREATED', path: 'created_at', priority: 5 },
];
