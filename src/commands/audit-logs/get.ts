import { getCommand } from '../../cli/get-command.ts';

export default getCommand('listAuditLogs', {
  noun: 'audit log entry',
  nouns: 'audit log entries',
  within: ['action', 'user_id', 'resource_type'],
  examples: [
    {
      description: 'Show an entry:',
      command: 'payctl audit-logs get eb68a5fe-d63a-42a8-aca5-a3909a8ab89e --profile emulator',
    },
  ],
});
