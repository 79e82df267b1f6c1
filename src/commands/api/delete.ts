import { rawCommand } from '../../features/api/raw-command.ts';

export default rawCommand('DELETE', {
  summary: 'Send a DELETE request to any path of the service.',
  description: 'Asks for confirmation on a terminal; elsewhere, add --yes.',
  examples: [
    {
      description: 'Show what would be sent:',
      command: 'payctl api delete /things/1 --scope things.write --dry-run --profile emulator',
    },
  ],
});
