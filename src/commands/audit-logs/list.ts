import { selectByTime } from '../../cli/flags/time-filter.ts';
import { listCommand } from '../../cli/list-command.ts';
import { AUDIT_LOG_COLUMNS } from '../../cli/show/columns/audit-logs.ts';
import {
  AUDIT_LOG_IDS,
  AUDIT_LOG_NOUN,
  type AuditLogFilterValues,
  auditLogFlags,
  readAuditLogFilter,
} from '../../features/audit-logs/filter.ts';

export default listCommand('listAuditLogs', {
  summary: 'List the actions of dashboard users: who did what, when and to which resource.',
  description: `The API filters by --action, --user-id and --resource-type. payctl applies the other filters itself: it reads page after
page until it has found --limit entries, or reaches --since or the end; --all finds all of them.`,
  noun: AUDIT_LOG_NOUN,
  columns: AUDIT_LOG_COLUMNS,
  examples: [
    {
      description: 'List deletions:',
      command: 'payctl audit-logs list --action deleted --profile emulator',
    },
    {
      description: 'List changes to webhook subscriptions:',
      command: 'payctl audit-logs list --resource-type webhook-subscription --profile emulator',
    },
    {
      description: 'List what a colleague did since a date:',
      command: 'payctl audit-logs list --user meera --since 2025-11-01 --all --profile emulator',
    },
  ],
  filter: { flags: auditLogFlags, ids: AUDIT_LOG_IDS, select: selectEntries },
});

function selectEntries(flags: AuditLogFilterValues) {
  const { query, test } = readAuditLogFilter(flags);
  if (!test && flags.since === undefined && flags.until === undefined) return { query };
  return { query, selection: selectByTime({ path: 'timestamp', noun: AUDIT_LOG_NOUN, flags, test }) };
}
