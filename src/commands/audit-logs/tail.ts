import { BaseCommand } from '../../cli/base-command.ts';
import { connectionFlags } from '../../cli/flags/global.ts';
import { filtersIn, outputFlags, queryFlags } from '../../cli/flags/list.ts';
import { withIds } from '../../cli/list-command.ts';
import { AUDIT_LOG_COLUMNS } from '../../cli/show/columns/audit-logs.ts';
import { tailFlags, tailRequestOf, withoutEnd } from '../../cli/tail/flags.ts';
import { operations } from '../../contract/generated/operations.ts';
import { AUDIT_LOG_IDS, AUDIT_LOG_NOUN, auditLogFlags } from '../../features/audit-logs/filter.ts';

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
    ...withoutEnd(auditLogFlags()),
    ...outputFlags(),
    ...connectionFlags(),
  };

  async run(): Promise<void> {
    const { flags: typed } = await this.parse(AuditLogsTail);
    const session = this.openSession(typed, { isPolling: true });
    const { auditLogSource } = await import('../../features/audit-logs/tail-source.ts');
    // Wrong flags are found before anything is sent.
    auditLogSource(typed, {});
    const own = { id: 'listAuditLogs', noun: AUDIT_LOG_NOUN, ids: AUDIT_LOG_IDS } as const;
    const { flags } = await withIds(session, { flags: typed, argv: [] }, own);
    const source = auditLogSource(flags, filtersIn(operations.listAuditLogs, flags));
    const request = tailRequestOf(flags, session.settings, {
      words: 'audit-logs tail',
      argv: this.argv,
    });
    const { tail } = await import('../../cli/tail/tail.ts');
    await tail(session, source, request);
  }
}
