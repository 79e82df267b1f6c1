import { BaseCommand } from '../../cli/base-command.ts';
import { API_LOG_COLUMNS } from '../../cli/catalog/columns.ts';
import { connectionFlags } from '../../cli/flags/global.ts';
import { followFlags, outputFlags } from '../../cli/flags/list.ts';
import { integerFlag, textFlag } from '../../cli/flags/types.ts';
import { showList } from '../../cli/show-list.ts';
import type { ApiLog } from '../../contract/generated/types.ts';

export default class ApiLogsList extends BaseCommand {
  static override readonly summary = 'List failed API requests: what was asked, what was answered and why.';

  static override readonly description =
    `The service keeps the requests that it answered with 4xx or 5xx; use it to find out why an integration fails.
The contract gives it no filters, so --status, --code, --method and --path filter what it returned.`;

  static override readonly columns = API_LOG_COLUMNS;

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
    if (keep) session.display.info('The service has no filters for API error logs; these are filtered here.');
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

/** What API error logs are filtered by here, because the contract gives the service no filter for them. */
export function apiLogFilterFlags() {
  return {
    status: integerFlag({
      min: 400,
      max: 599,
      summary: 'Keep answers with this status.',
      helpGroup: 'FILTER',
    }),
    code: textFlag({ summary: 'Keep answers with this code, such as bad_request.', helpGroup: 'FILTER' }),
    method: textFlag({ summary: 'Keep requests with this method.', helpGroup: 'FILTER' }),
    path: textFlag({ summary: 'Keep requests whose URL contains this.', helpGroup: 'FILTER' }),
  };
}

type Filter = {
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly method?: string | undefined;
  readonly path?: string | undefined;
};

/** The test that the flags ask for; undefined when they ask for nothing. */
export function apiLogFilter({ status, code, method, path }: Filter): ((log: ApiLog) => boolean) | undefined {
  if (status === undefined && code === undefined && method === undefined && path === undefined)
    return undefined;
  return (log) => {
    const body = log.response_body;
    const logCode = body && 'code' in body ? body.code : undefined;
    return (
      (status === undefined || log.response_status_code === status) &&
      (code === undefined || logCode === code) &&
      (method === undefined || log.request_method?.toUpperCase() === method.toUpperCase()) &&
      (path === undefined || (log.request_url ?? '').includes(path))
    );
  };
}
