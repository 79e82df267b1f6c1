import { rawCommand } from '../../features/api/raw-command.ts';

export default rawCommand('PUT', {
  summary: 'Send a PUT request to any path of the service.',
  description: 'Works like payctl api post; a PUT request replaces a resource.',
  examples: [
    {
      description: 'Show what would be sent:',
      command:
        'payctl api put /checkout/sessions/c5000000-0000-4000-8000-000000000001 -F metadata.order=17 --dry-run --profile emulator',
    },
  ],
});
