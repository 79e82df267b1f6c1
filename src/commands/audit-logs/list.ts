import { listCommand } from '../../cli/list-command.ts';

export default listCommand('listAuditLogs', {
  summary: 'List the actions of dashboard users: who did what, when and to which resource.',
  description: `Lists the newest entries first.`,
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
      description: 'List deletions:',
      command: 'payctl audit-logs list --action deleted --profile emulator',
    },
    {
      description: 'List changes to webhook subscriptions:',
      command: 'payctl audit-logs list --resource-type webhook-subscription --profile emulator',
    },
  ],
});
