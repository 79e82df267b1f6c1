import { listCommand } from '../../cli/list-command.ts';

export default listCommand('listWebhookSubscriptions', {
  summary: 'List webhook subscriptions, newest first.',
  description: `Shows the URL of each subscription and whether it is active. Secrets are masked unless you add --reveal-secrets.`,
  noun: 'webhook subscriptions',
  columns: [
    { header: 'ID', path: 'id', priority: 9 },
    { header: 'URL', path: 'url', minWidth: 20, priority: 10 },
    { header: 'ACTIVE', path: 'active', priority: 10 },
    { header: 'ROTATING', path: 'rotating', priority: 6 },
    { header: 'AUTH', path: 'authentication.kind', priority: 5 },
    { header: 'CREATOR', path: 'creator.name', minWidth: 12, priority: 4 },
    { header: 'SECRET', path: 'secret', minWidth: 8, priority: 2 },
  ],
  examples: [
    {
      description: 'List the subscriptions:',
      command: `payctl webhook-subscriptions list --profile emulator`,
    },
    {
      description: 'List the URLs of inactive subscriptions:',
      command: `payctl webhook-subscriptions list --jq '.items[] | select(.active | not) | .url' --profile emulator`,
    },
  ],
});
