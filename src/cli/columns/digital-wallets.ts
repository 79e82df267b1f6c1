import type { Column } from '../../output/column.ts';

/** The columns of a digital wallet: whose it is, where it may be used, and the state of its certificates. */
export const DIGITAL_WALLET_COLUMNS: readonly Column[] = [
  { header: 'ID', path: 'id', priority: 10 },
  { header: 'PROVIDER', path: 'provider', priority: 10 },
  { header: 'MERCHANT', path: 'merchant_name', minWidth: 10, priority: 7 },
  { header: 'DOMAINS', path: 'domain_names', minWidth: 24, priority: 9 },
  { header: 'ACTIVE', path: 'active_certificate_count', format: 'number', priority: 8 },
  { header: 'PENDING', path: 'pending_certificate_count', format: 'number', priority: 6 },
  { header: 'EXPIRED', path: 'expired_certificate_count', format: 'number', priority: 6 },
  { header: 'CREATED', path: 'created_at', priority: 3 },
];
