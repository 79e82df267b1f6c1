import { listCommand } from '../../cli/list-command.ts';
import { textOf } from '../../cli/show/cells.ts';

export default listCommand('listWebhookSubscriptions', {
  summary: 'List webhook subscriptions, newest first.',
  description: `Shows the URL of each subscription and whether it is active. Secrets are masked unless you add --reveal-secrets.`,
  noun: 'webhook subscriptions',
  columns: [
    { header: 'URL', path: 'url', minWidth: 32, goodWidth: 54, priority: 10 },
    {
      header: 'STATE',
      path: 'active',
      parts: ['active', 'rotating'],
      cell: stateText,
      tone: (item) => (textOf(item, 'active') === 'false' ? 'yellow' : undefined),
      minWidth: 18,
      priority: 10,
    },
    { header: 'AUTH', path: 'authentication.kind', priority: 5 },
    { header: 'CREATOR', path: 'creator.name', minWidth: 12, priority: 6 },
    { header: 'SECRET', path: 'secret', minWidth: 8, priority: 2 },
    { header: 'ID', path: 'id', shortens: true, priority: 10 },
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

/** Whether events are delivered, and whether the secret is being replaced. */
function stateText(item: unknown): string {
  const active = { true: 'active', false: 'inactive' }[textOf(item, 'active')] ?? textOf(item, 'active');
  return textOf(item, 'rotating') === 'true' ? `${active}, rotating` : active;
}
