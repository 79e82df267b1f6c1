import { listCommand } from '../../cli/list-command.ts';

export default listCommand('listAuditLogs', {
  summary: 'List what dashboard users did: when, who, what, to what.',
  description: `The newest entries come first.`,
  noun: 'audit log entries',
  columns: [
    { header: 'TIME', path: 'timestamp', priority: 10 },
    { header: 'USER', path: 'user.name', minWidth: 12, priority: 9 },
    { header: 'ACTION', path: 'action', priority: 10 },
    { header: 'RESOURCE', path: 'resource.type', priority: 9 },
    { header: 'NAME', path: 'resource.name', minWidth: 12, priority: 7 },
    { header: 'RESOURCE ID', path: 'resource.id', priority: 3 },
    { header: 'EMAIL', path: 'user.email_address', minWidth: 14, priority: 2 },
    { header: 'ID', path: 'id', priority: 1 },
  ],
  examples: [
    {
      description: 'What was deleted:',
      command: 'payctl audit-logs list --action deleted --profile emulator',
    },
    {
      description: 'What was done to webhook subscriptions:',
      command: 'payctl audit-logs list --resource-type webhook-subscription --profile emulator',
    },
  ],
});
