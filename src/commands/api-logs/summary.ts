import { connectionFlags } from '../../cli/flags/global.ts';
import { recordFlags } from '../../cli/flags/list.ts';
import { choiceFlag } from '../../cli/flags/types.ts';
import { fileFlag, filterFlags } from '../../features/api-logs/filter-flags.ts';
import { LogCommand, type LogFlagValues } from '../../features/api-logs/log-command.ts';
import { groupColumns, showSummary, TREND_WIDTH } from '../../features/api-logs/show-summary.ts';
import { Summarizer } from '../../features/api-logs/summary.ts';

export default class ApiLogsSummary extends LogCommand {
  static override readonly summary = 'Count failed API requests by cause.';
  static override readonly description =
    `Groups all entries of the API error log, or of files, by status, error code, method, path of the contract and pointer of the first
detail. Filters are those of api-logs list. Times are in UTC.`;
  static override readonly columns = groupColumns(false);
  static override readonly examples = [
    { description: 'Show what fails most:', command: 'payctl api-logs summary --profile emulator' },
    {
      description: 'Count failures of the service by the hour:',
      command: 'payctl api-logs summary --status 5xx --by hour --profile emulator',
    },
  ];
  static override readonly flags = {
    ...filterFlags(),
    ...fileFlag(),
    by: choiceFlag({
      options: ['hour', 'day'] as const,
      summary: 'Count by the hour or by the day instead.',
    })(),
    ...recordFlags(),
    ...connectionFlags(),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(ApiLogsSummary);
    const values: LogFlagValues = flags;
    const log = await this.openLog(values);
    const { local, run, basePath } = log;
    const summarizer = new Summarizer({ basePath, by: flags.by });
    for await (const items of this.kept(values, log)) for (const { entry } of items) summarizer.add(entry);
    await showSummary(local, { ...summarizer.summary(run.looked, TREND_WIDTH), flags });
    local.display.info(run.text());
  }
}
