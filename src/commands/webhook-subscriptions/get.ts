import { getCommand } from '../../cli/get-command.ts';

export default getCommand('listWebhookSubscriptions', {
  noun: 'webhook subscription',
  description: `Secrets are masked unless you add --reveal-secrets.`,
  examples: [
    {
      description: 'Show a subscription:',
      command: 'payctl webhook-subscriptions get 34baef51-25e7-422f-8c34-0172e8dc8d8d --profile emulator',
    },
  ],
});
