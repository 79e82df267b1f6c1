import type { Column } from '../../output/column.ts';

/** The columns of a webhook subscription: where it points, and whether it is active. */
export const WEBHOOK_SUBSCRIPTION_COLUMNS: readonly Column[] = [
  { header: 'ID', path: 'id', priority: 9 },
  { header: 'URL', path: 'url', minWidth: 20, priority: 10 },
  { header: 'ACTIVE', path: 'active', priority: 10 },
  { header: 'ROTATING', path: 'rotating', priority: 6 },
  { header: 'AUTH', path: 'authentication.kind', priority: 5 },
  { header: 'CREATOR', path: 'creator.name', minWidth: 12, priority: 4 },
  { header: 'SECRET', path: 'secret', minWidth: 8, priority: 2 },
];
