import type { Column } from '../../output/column.ts';

/** The columns of an audit log entry: when, who, did what, to what. */
export const AUDIT_LOG_COLUMNS: readonly Column[] = [
  { header: 'TIME', path: 'timestamp', priority: 10 },
  { header: 'USER', path: 'user.name', minWidth: 12, priority: 9 },
  { header: 'ACTION', path: 'action', priority: 10 },
  { header: 'RESOURCE', path: 'resource.type', priority: 9 },
  { header: 'NAME', path: 'resource.name', minWidth: 12, priority: 7 },
  { header: 'RESOURCE ID', path: 'resource.id', priority: 3 },
  { header: 'EMAIL', path: 'user.email_address', minWidth: 14, priority: 2 },
  { header: 'ID', path: 'id', priority: 1 },
];
