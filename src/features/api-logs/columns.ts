import { type Column, valueAt } from '../../output/columns.ts';
import { hostOf, pathOf, whyOf } from './entry.ts';

/** The columns of every table of log entries: what failed, and why; hosts only where they differ. */
export const LOG_COLUMNS: readonly Column[] = [
  { header: 'TIME', path: 'request_received_at', format: 'seconds', priority: 9 },
  {
    header: 'STATUS',
    path: 'response_status_code',
    format: 'number',
    dropsFirstIfSame: true,
    priority: 10,
    tone: (log) => (Number(valueAt(log, 'response_status_code')) >= 500 ? 'red' : undefined),
  },
  { header: 'METHOD', path: 'request_method', dropsFirstIfSame: true, priority: 8 },
  {
    header: 'HOST',
    path: 'request_url',
    cell: (log) => hostOf(urlOf(log)),
    onlyIfVaried: true,
    minWidth: 12,
    priority: 4,
  },
  {
    header: 'PATH',
    path: 'request_url',
    format: 'path',
    cell: (log) => pathOf(urlOf(log)),
    minWidth: 12,
    goodWidth: 30,
    yields: true,
    priority: 9,
  },
  {
    header: 'WHY',
    path: 'response_body.message',
    parts: ['response_body.message', 'response_body.details.0.message'],
    cell: (log) => whyOf({ body: valueAt(log, 'response_body') }),
    minWidth: 20,
    goodWidth: 60,
    priority: 10,
  },
  { header: 'CODE', path: 'response_body.code', minWidth: 10, goodWidth: 17, priority: 6 },
  { header: 'ANSWERED', path: 'response_sent_at', format: 'seconds', onlyWide: true },
  { header: 'ID', path: 'id', shortens: true, priority: 10 },
];

function urlOf(log: unknown): string {
  const url = valueAt(log, 'request_url');
  return typeof url === 'string' ? url : '';
}
