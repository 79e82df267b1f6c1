import { getCommand } from '../../cli/get-command.ts';

export default getCommand('listApiLogs', {
  noun: 'API error log entry',
  nouns: 'API error log entries',
  description: 'Explains why the request failed, what the code means, likely causes and the next command.',
  examples: [
    {
      description: 'Show everything about a failed request:',
      command: 'payctl api-logs get 5041a892-fb00-4846-8360-690c9631e63e --profile emulator',
    },
  ],
  async explain(item, session) {
    const { explainEntry } = await import('../../features/api-logs/explain.ts');
    return explainEntry(item, session);
  },
});
