import { custom } from '@oclif/core/flags';
import { connectionFlags } from '../../cli/flags/global.ts';
import { outputFlags } from '../../cli/flags/list.ts';
import { FlagError, integerFlag, textFlag } from '../../cli/flags/types.ts';
import { userAgentOf } from '../../cli/runtime.ts';
import { isLoopback } from '../../config/base-url.ts';
import type { Settings } from '../../config/settings.ts';
import { type DurationRange, parseDuration } from '../../config/values.ts';
import { LOG_COLUMNS } from '../../features/api-logs/columns.ts';
import { durationFlag, filterFlags } from '../../features/api-logs/filter-flags.ts';
import { LogCommand } from '../../features/api-logs/log-command.ts';

/** How long a log is followed: up to a year. */
const PERIODS: DurationRange = {
  units: ['ms', 's', 'm', 'h', 'd'],
  examples: ['30s', '10m', '2h'],
  longest: { count: 365, unit: 'd', words: '365 days' },
};

const periodFlag = custom<number>({
  parse: async (input, _context, { name }) => parseDuration(input, `--${name}`, PERIODS),
});

export default class ApiLogsTail extends LogCommand {
  static override readonly summary = 'Follow failed API requests as they happen.';
  static override readonly description =
    `Prints the last entries of the log, then each new one once, oldest first. The API cannot be asked for what is new, so payctl
compares what it lists every few seconds; if more entries came than an answer holds, it says which span of time may be missing.
Outages do not end it. Ctrl-C does, and says how to resume.`;
  static override readonly columns = LOG_COLUMNS;
  static override readonly examples = [
    { description: 'Follow the log of the emulator:', command: 'payctl api-logs tail --profile emulator' },
    {
      description: 'Wait for the first 502, at most ten minutes (exit code 5: there was none):',
      command: `payctl api-logs tail --last 0 --for 10m --until-match '.response_status_code == 502' --profile emulator`,
    },
    {
      description: 'Record what fails within an hour:',
      command: 'payctl api-logs tail --last 0 --for 1h -o ndjson --profile emulator > failed.ndjson',
    },
  ];
  static override readonly flags = {
    last: integerFlag({
      min: 0,
      summary: 'Begin with the last N entries. Default: 10, or all with --since.',
      helpValue: 'N',
    }),
    after: textFlag({
      summary: 'Begin after this entry, to resume.',
      helpValue: 'ID',
      exclusive: ['last'],
    }),
    interval: durationFlag({
      summary: 'Time between requests, 1s or more. Default: 5s.',
      helpValue: 'DURATION',
    }),
    for: periodFlag({ summary: 'End after this time, such as 10m.', helpValue: 'DURATION' }),
    'max-items': integerFlag({ min: 1, summary: 'End after this many entries.', helpValue: 'N' }),
    'until-match': textFlag({
      summary: 'End with the first entry for which a jq expression is true.',
      helpValue: 'JQ',
    }),
    ...tailFilters(),
    ...outputFlags(),
    ...connectionFlags(),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(ApiLogsTail);
    const log = await this.openLog(flags, { isPolling: true });
    const { filter, session } = log;
    if (!session) return;
    try {
      const { settings } = session;
      const isWhole = flags.since !== undefined || flags.after !== undefined;
      const request = {
        flags,
        intervalMs: readInterval(flags.interval ?? '5s', settings),
        forMs: flags.for,
        maxItems: flags['max-items'],
        untilMatch: flags['until-match'],
        last: flags.last ?? (isWhole ? undefined : 10),
        after: flags.after,
        userAgent: userAgentOf(this.runtime),
        maxRetries: settings.maxRetries.value,
      };
      const { tail } = await import('../../features/api-logs/tail.ts');
      await tail({ ...log, session }, request);
    } finally {
      filter.close();
    }
  }
}

/** The filters of the log, without an end: a tail has its own. */
function tailFilters() {
  const { until: _until, ...filters } = filterFlags();
  return filters;
}

/** A service that others use is not asked more often than once a second. @throws FlagError */
function readInterval(text: string, { baseUrl, profile }: Settings): number {
  const milliseconds = parseDuration(text, '--interval');
  const isLocal =
    baseUrl.value === undefined ? profile.value?.name === 'emulator' : isLoopback(baseUrl.value);
  if (milliseconds >= (isLocal ? 100 : 1000)) return milliseconds;
  throw new FlagError(
    `--interval must be ${isLocal ? '100ms' : '1s'} or more, not ${JSON.stringify(text)}`,
    'A service on this machine can be asked every 100ms, others every second.',
  );
}
