import type { Column } from '../../output/column.ts';

/** The columns of a profile: which one is active, and where each leads. */
export const PROFILE_COLUMNS: readonly Column[] = [
  { header: 'ACTIVE', path: 'active', priority: 9 },
  { header: 'NAME', path: 'name', minWidth: 12, priority: 10 },
  { header: 'ENVIRONMENT', path: 'environment', priority: 8 },
  { header: 'BASE URL', path: 'base_url', minWidth: 20, priority: 7 },
  { header: 'INSTANCE', path: 'instance', priority: 3 },
  { header: 'MERCHANT ACCOUNT', path: 'merchant_account', priority: 5 },
  { header: 'CREDENTIALS', path: 'credentials.kind', priority: 6 },
  { header: 'STORED IN', path: 'credentials.storage', priority: 4 },
];
