import { getCommand } from '../../cli/get-command.ts';

export default getCommand('listApiLogs', {
  noun: 'API error log',
  examples: [
    {
      description: 'Show everything about a failed request:',
      command: 'payctl api-logs get 5041a892-fb00-4846-8360-690c9631e63e --profile emulator',
    },
  ],
});
