import { BaseCommand } from '../../cli/base-command.ts';
import { API_LOG_COLUMNS } from '../../cli/columns/api-logs.ts';
import { apiLogFilter, apiLogFilterFlags } from '../../cli/flags/api-log-filter.ts';
import { connectionFlags } from '../../cli/flags/global-flags.ts';
import { followFlags, outputFlags } from '../../cli/flags/list-flags.ts';
import { showList } from '../../cli/show-list.ts';

export default class ApiLogsList extends BaseCommand {
  static override readonly summary = 'List failed API requests: what was asked, what was answered and why.';

  static override readonly description =
    `The service keeps the requests that it answered with 4xx or 5xx; use it to find out why an integration fails.
The contract gives it no filters, so --status, --code, --method and --path filter what it returned.`;

  static override readonly flags = {
    ...apiLogFilterFlags(),
    ...followFlags(),
    ...outputFlags(),
    ...connectionFlags(),
  };

  static override readonly examples = [
    { description: 'Look:', command: `payctl api-logs list --profile emulator` },
    {
      description: 'Why were tokens refused:',
      command: 'payctl api-logs list --status 401 --profile emulator',
    },
    {
      description: 'The details of every 400:',
      command: `payctl api-logs list --status 400 --jq '.items[].response_body.details' --profile emulator`,
    },
  ];

  async run(): Promise<void> {
    const { flags } = await this.parse(ApiLogsList);
    const session = this.openSession(flags);
    const keep = apiLogFilter(flags);
    if (keep) session.display.note('The service has no filters for API error logs; these are filtered here.');
    const client = await session.client();
    await showList(session, client.apiLogs, {
      query: {},
      flags,
      columns: API_LOG_COLUMNS,
      noun: 'API error logs',
      keep,
    });
  }
}
