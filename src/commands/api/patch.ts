import { rawCommand } from '../../features/api/raw-command.ts';

export default rawCommand('PATCH', {
  summary: 'Send a PATCH request to any path of the service.',
  description: 'Works like payctl api post; a PATCH request changes part of a resource.',
  examples: [
    {
      description: 'Show what would be sent:',
      command: 'payctl api patch /things/1 --scope things.write -F name=new --dry-run --profile emulator',
    },
  ],
});
