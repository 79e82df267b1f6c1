import { BaseCommand } from '../../cli/base-command.ts';
import { AUDIT_LOG_COLUMNS } from '../../cli/catalog/columns.ts';
import { connectionFlags } from '../../cli/flags/global.ts';
import { outputFlags, pagingFlags } from '../../cli/flags/list.ts';
import { choiceFlag, textFlag } from '../../cli/flags/types.ts';
import { showList } from '../../cli/show-list.ts';
import { operations } from '../../contract/generated/operations.ts';

export default class AuditLogsList extends BaseCommand {
  static override readonly summary = 'List what dashboard users did: when, who, what, to what.';

  static override readonly description = `The newest entries come first.`;

  static override readonly columns = AUDIT_LOG_COLUMNS;

  static override readonly flags = {
    action: choiceFlag({
      options: operations.listAuditLogs.query.action.enum,
      summary: 'Keep entries of this kind of activity.',
    })(),
    'user-id': textFlag({ summary: 'Keep what the user with this ID did.', helpValue: 'ID' }),
    'resource-type': textFlag({
      summary: 'Keep what was done to resources of this type.',
      helpValue: 'TYPE',
    }),
    ...pagingFlags(),
    ...outputFlags(),
    ...connectionFlags(),
  };

  static override readonly examples = [
    {
      description: 'What was deleted:',
      command: 'payctl audit-logs list --action deleted --profile emulator',
    },
    {
      description: 'What was done to webhook subscriptions:',
      command: 'payctl audit-logs list --resource-type webhook-subscription --profile emulator',
    },
  ];

  async run(): Promise<void> {
    const { flags } = await this.parse(AuditLogsList);
    const session = this.openSession(flags);
    const client = await session.client();
    await showList(session, client.auditLogs, {
      query: {
        action: flags.action,
        user_id: flags['user-id'],
        resource_type: flags['resource-type'],
      },
      flags,
      columns: AUDIT_LOG_COLUMNS,
      noun: 'audit log entries',
    });
  }
}
