import { TimedItems } from '../../cli/flags/time-filter.ts';
import { AUDIT_LOG_COLUMNS } from '../../cli/show/columns/audit-logs.ts';
import type { TailItem } from '../../cli/tail/marks.ts';
import type { TailSource } from '../../cli/tail/source.ts';
import type { PageQuery } from '../../client/page.ts';
import { AUDIT_LOG_NOUN, type AuditLogFilterValues, readAuditLogFilter } from './filter.ts';

/** The audit log that the flags ask for, in the largest pages; `asked` are the filters of the contract. @throws UsageError */
export function auditLogSource(flags: AuditLogFilterValues, asked: PageQuery): TailSource {
  const { query, test } = readAuditLogFilter(flags);
  const timed = new TimedItems({ path: 'timestamp', noun: AUDIT_LOG_NOUN, flags, test });
  const itemsIn = (entries: readonly TailItem[]) => entries.map(({ item }) => item);
  return {
    list: 'listAuditLogs',
    query: { ...asked, ...query, limit: 100 },
    columns: AUDIT_LOG_COLUMNS,
    marked: 'RESOURCE',
    timeOf: (item) => timed.timeOf(item),
    begin: (now) => timed.begin(now),
    select: (entries) => timed.select(itemsIn(entries)),
    keeps: (entries) => timed.keeps(itemsIn(entries)),
    summary: (style) => timed.summary(style),
  };
}
