import { rawCommand } from '../../features/api/raw-command.ts';

export default rawCommand('PATCH', {
  summary: 'Send a PATCH request to any path of the service.',
  description: 'As payctl api post; the request changes a part of what is there.',
  examples: [
    {
      description: 'Show what would be sent:',
      command: 'payctl api patch /things/1 --scope things.write -F name=new --dry-run --profile emulator',
    },
  ],
});
