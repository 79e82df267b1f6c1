import { BaseCommand } from '../../cli/base-command.ts';
import { connectionFlags } from '../../cli/flags/global.ts';
import { filtersIn, outputFlags, queryFlags } from '../../cli/flags/list.ts';
import type { Session } from '../../cli/session/session.ts';
import { AUDIT_LOG_COLUMNS } from '../../cli/show/columns/audit-logs.ts';
import { tailFlags, tailRequestOf } from '../../cli/tail/flags.ts';
import { operations } from '../../contract/generated/operations.ts';
import {
  AUDIT_LOG_IDS,
  AUDIT_LOG_NOUN,
  type AuditLogFilterValues,
  auditLogFlags,
} from '../../features/audit-logs/filter.ts';
import { isShortId } from '../../text/format.ts';

export default class AuditLogsTail extends BaseCommand {
  static override readonly summary = 'Follow the actions of dashboard users as they happen.';
  static override readonly description =
    `Prints the last entries of the audit log, then each new one once, oldest first. payctl polls every few seconds, and reads page
after page until it has every new entry. Outages do not stop it; Ctrl-C does, and payctl then says how to resume.`;
  static override readonly columns = AUDIT_LOG_COLUMNS;
  static override readonly operation = operations.listAuditLogs;
  static override readonly calls = operations.listAuditLogs;
  static override readonly examples = [
    {
      description: 'Follow the audit log of the emulator:',
      command: 'payctl audit-logs tail --profile emulator',
    },
    {
      description: 'Record what a colleague does within an hour:',
      command:
        'payctl audit-logs tail --user meera --last 0 --for 1h -o ndjson --profile emulator > actions.ndjson',
    },
  ];
  static override readonly flags = {
    ...tailFlags(),
    ...queryFlags(operations.listAuditLogs),
    ...tailFilters(),
    ...outputFlags(),
    ...connectionFlags(),
  };

  async run(): Promise<void> {
    const { flags: typed } = await this.parse(AuditLogsTail);
    const session = this.openSession(typed, { isPolling: true });
    const { auditLogSource } = await import('../../features/audit-logs/tail-source.ts');
    // Wrong flags are found before anything is sent.
    auditLogSource(typed, {});
    const flags = await withResource(session, typed);
    const source = auditLogSource(flags, filtersIn(operations.listAuditLogs, flags));
    const request = tailRequestOf(flags, session.settings);
    const { tail } = await import('../../cli/tail/tail.ts');
    await tail(session, source, request);
  }
}

/** The flags with the whole ID of a resource. */
async function withResource<Flags extends AuditLogFilterValues>(
  session: Session,
  flags: Flags,
): Promise<Flags> {
  const resource = flags['resource-id'];
  if (resource === undefined || !isShortId(resource)) return flags;
  const { withWholeIds } = await import('../../cli/show/short-id.ts');
  const { auditLogs: list } = await session.client();
  const ids = { list, path: AUDIT_LOG_IDS['resource-id'], noun: 'resource', within: AUDIT_LOG_NOUN };
  const { flags: whole } = await withWholeIds(session, { flags, argv: [] }, (flag) =>
    flag === 'resource-id' ? ids : undefined,
  );
  return whole;
}

/** The filters of the log, without an end: a tail has its own. */
function tailFilters() {
  const { until: _until, ...filters } = auditLogFlags();
  return filters;
}
