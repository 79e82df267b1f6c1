import { rawCommand } from '../../features/api/raw-command.ts';

export default rawCommand('DELETE', {
  summary: 'Send a DELETE request to any path of the service.',
  description: 'A DELETE is confirmed on a terminal, or with --yes.',
  examples: [
    {
      description: 'Show what would be sent:',
      command: 'payctl api delete /things/1 --scope things.write --dry-run --profile emulator',
    },
  ],
});
