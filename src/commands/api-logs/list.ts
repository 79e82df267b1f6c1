import { connectionFlags } from '../../cli/flags/global.ts';
import {
  followFlags,
  listFileFlags,
  outputFlags,
  pagingFlags,
  sortFlag,
  watchFlag,
} from '../../cli/flags/list.ts';
import { showList } from '../../cli/show/show-list.ts';
import { operations } from '../../contract/generated/operations.ts';
import { LOG_COLUMNS } from '../../features/api-logs/columns.ts';
import { fileFlag, filterFlags, givenFilters } from '../../features/api-logs/filter-flags.ts';
import { LogCommand, type LogFlagValues } from '../../features/api-logs/log-command.ts';
import { keptSelection, listOfItems, selectionOf } from '../../features/api-logs/log-lists.ts';

export default class ApiLogsList extends LogCommand {
  static override readonly summary = 'List failed API requests and why they failed.';
  static override readonly description =
    `The service logs requests that fail with a 4xx or 5xx status; use the logs to find out why an integration fails.
The API has no filters for them, so payctl filters what it receives, and says what it looked at; --since and --until also read
earlier pages. Several values of a filter are
alternatives, those with ! are excluded, and different filters must all match.`;
  static override readonly columns = LOG_COLUMNS;
  static override readonly operation = operations.listApiLogs;
  static override readonly examples = [
    { description: 'List the failed requests:', command: 'payctl api-logs list --profile emulator' },
    {
      description: 'Show why tokens were rejected:',
      command: 'payctl api-logs list --status 401 --profile emulator',
    },
    {
      description: 'List what was wrong with updates of checkout sessions:',
      command: `payctl api-logs list --method PUT --path '/checkout/sessions/{id}' --profile emulator`,
    },
    {
      description: 'Show the details of every 400 response:',
      command: `payctl api-logs list --status 400 --jq '.items[].response_body.details' --profile emulator`,
    },
  ];
  static override readonly flags = {
    ...filterFlags(),
    ...fileFlag(),
    ...followFlags(),
    'max-items': pagingFlags()['max-items'],
    ...sortFlag(),
    ...watchFlag(),
    ...outputFlags(),
    ...listFileFlags(),
    ...connectionFlags(),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(ApiLogsList);
    const values: LogFlagValues = flags;
    const log = await this.openLog(values);
    const { filter, local, session, run } = log;
    const request = {
      query: {},
      columns: LOG_COLUMNS,
      noun: 'API error log entries',
      run: { operation: operations.listApiLogs, argv: this.argv, filters: givenFilters(values) },
    };
    try {
      if (values.file) {
        const list = listOfItems(this.kept(values, log), ({ text }) => text);
        const all = { ...flags, all: true };
        await showList(local, list, { ...request, flags: all, selection: keptSelection(run) });
      } else if (session) {
        const { apiLogs } = await session.client();
        const selection = filter.isEmpty ? undefined : selectionOf(filter, run, values);
        await showList(session, apiLogs, { ...request, flags, selection });
      }
    } finally {
      filter.close();
    }
  }
}
