import type { Column } from '../../output/column.ts';

/** The columns of an API error log: when, what was asked, what was answered and why. */
export const API_LOG_COLUMNS: readonly Column[] = [
  { header: 'TIME', path: 'request_received_at', priority: 8 },
  { header: 'STATUS', path: 'response_status_code', format: 'number', priority: 10 },
  { header: 'METHOD', path: 'request_method', priority: 6 },
  { header: 'URL', path: 'request_url', minWidth: 20, priority: 10 },
  { header: 'REASON', path: 'response_body.details.0.message', minWidth: 20, priority: 9 },
  { header: 'MESSAGE', path: 'response_body.message', minWidth: 16, priority: 7 },
  { header: 'CODE', path: 'response_body.code', priority: 5 },
  { header: 'ID', path: 'id', priority: 3 },
];
