import { commandOf } from '../../cli/failure/advice.ts';
import { connectionFlags } from '../../cli/flags/global.ts';
import { recordFlags } from '../../cli/flags/list.ts';
import { choiceFlag } from '../../cli/flags/types.ts';
import { fileFlag, filterFlags } from '../../features/api-logs/filter-flags.ts';
import { LogCommand, type LogFlagValues } from '../../features/api-logs/log-command.ts';
import {
  exampleCommands,
  groupColumns,
  showSummary,
  TREND_WIDTH,
} from '../../features/api-logs/show-summary.ts';
import { Summarizer } from '../../features/api-logs/summary.ts';

export default class ApiLogsSummary extends LogCommand {
  static override readonly summary = 'Count failed API requests by cause.';
  static override readonly description =
    `Groups all entries of the API error log, or of files, by status, error code, method, path of the contract, and the pointer, type and message
of the first detail. Messages that differ only in what they quote or in numbers and IDs are one group. Filters are those of api-logs
list. The hours and days of --by are those of UTC.`;
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
    const { local, run, basePath, session } = log;
    const summarizer = new Summarizer({ basePath, by: flags.by });
    for await (const items of this.kept(values, log)) for (const { entry } of items) summarizer.add(entry);
    const counted = summarizer.summary(run.looked, TREND_WIDTH);
    await showSummary(local, { ...counted, flags });
    const { format, stdoutTerminal, stderrTerminal } = local.display;
    local.display.info(run.text(stderrTerminal.times));
    // A table on a terminal has no room for the IDs.
    if (!session || flags.by || !format.isForPeople || !stdoutTerminal.isTerminal) return;
    for (const { row, words } of exampleCommands(counted.summary))
      local.display.info(`${row}: ${commandOf(words, session)}`);
  }
}
