import type { Column } from '../../output/column.ts';

/** The columns of a buyer: who it is, under which names the merchant knows it, and since when. */
export const BUYER_COLUMNS: readonly Column[] = [
  { header: 'ID', path: 'id', priority: 10 },
  { header: 'NAME', path: 'display_name', minWidth: 16, priority: 9 },
  { header: 'EXTERNAL ID', path: 'external_identifier', minWidth: 12, priority: 8 },
  { header: 'EMAIL', path: 'billing_details.email_address', minWidth: 14, priority: 5 },
  { header: 'COUNTRY', path: 'billing_details.address.country', priority: 4 },
  { header: 'CREATED', path: 'created_at', priority: 7 },
];
