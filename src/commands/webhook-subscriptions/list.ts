import { BaseCommand } from '../../cli/base-command.ts';
import { WEBHOOK_SUBSCRIPTION_COLUMNS } from '../../cli/catalog/columns.ts';
import { connectionFlags } from '../../cli/flags/global.ts';
import { outputFlags, pagingFlags } from '../../cli/flags/list.ts';
import { showList } from '../../cli/show-list.ts';

export default class WebhookSubscriptionsList extends BaseCommand {
  static override readonly summary = 'List webhook subscriptions, newest first.';

  static override readonly description =
    `Shows where each one points and whether it is active. Secrets are masked unless --reveal-secrets is given.`;

  static override readonly columns = WEBHOOK_SUBSCRIPTION_COLUMNS;

  static override readonly flags = {
    ...pagingFlags(),
    ...outputFlags(),
    ...connectionFlags(),
  };

  static override readonly examples = [
    { description: 'Look:', command: `payctl webhook-subscriptions list --profile emulator` },
    {
      description: 'Those that are switched off:',
      command: `payctl webhook-subscriptions list --jq '.items[] | select(.active | not) | .url' --profile emulator`,
    },
  ];

  async run(): Promise<void> {
    const { flags } = await this.parse(WebhookSubscriptionsList);
    const session = this.openSession(flags);
    const client = await session.client();
    await showList(session, client.webhookSubscriptions, {
      query: {},
      flags,
      columns: WEBHOOK_SUBSCRIPTION_COLUMNS,
      noun: 'webhook subscriptions',
    });
  }
}
