import { rawCommand } from '../../features/api/raw-command.ts';

export default rawCommand('POST', {
  summary: 'Send a POST request to any path of the service.',
  description:
    "Where an operation of the imported description or of payctl's own has this path, its scopes are used and the body is compared with its schema before anything is sent.",
  examples: [
    {
      description: 'Show what would be sent:',
      command:
        'payctl api post /buyers/ef28fde9-5d24-429e-af7b-494ed25fc77c/shipping-details -F first_name=Ada --dry-run --profile emulator',
    },
  ],
});
