import { rawCommand } from '../../features/api/raw-command.ts';

export default rawCommand('POST', {
  summary: 'Send a POST request to any path of the service.',
  description:
    "If the imported description, or payctl's own contract, has this path, payctl uses its scopes and validates the body before it sends anything.",
  examples: [
    {
      description: 'Show what would be sent:',
      command:
        'payctl api post /buyers/ef28fde9-5d24-429e-af7b-494ed25fc77c/shipping-details -F first_name=Ada --dry-run --profile emulator',
    },
  ],
});
