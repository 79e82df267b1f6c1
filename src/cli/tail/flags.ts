import { custom } from '@oclif/core/flags';
import { isLoopback } from '../../config/base-url.ts';
import { type Settings, usesEmulator } from '../../config/settings.ts';
import { type DurationRange, parseDuration } from '../../config/values.ts';
import type { OutputFlagValues } from '../flags/list.ts';
import type { TimeFlagValues } from '../flags/time-filter.ts';
import { durationFlag, FlagError, type FlagValues, integerFlag, textFlag } from '../flags/types.ts';
import type { TailRequest } from './tail.ts';

/** How long a list is followed: up to a year. */
const PERIODS: DurationRange = {
  units: ['ms', 's', 'm', 'h', 'd'],
  examples: ['30s', '10m', '2h'],
  longest: { count: 365, unit: 'd', words: '365 days' },
};

const periodFlag = custom<number>({
  parse: async (input, _context, { name }) => parseDuration(input, `--${name}`, PERIODS),
});

/** Where a tail begins and ends, and how often it asks. */
export function tailFlags() {
  return {
    last: integerFlag({
      min: 0,
      summary: 'Start with the last N entries. Default: 10, or all with --since.',
      helpValue: 'N',
    }),
    after: textFlag({
      summary: 'Resume after this entry, or after those in a file of JSON lines (@FILE).',
      helpValue: 'ID|@FILE',
      exclusive: ['last'],
    }),
    interval: durationFlag({
      summary: 'Time between requests, 1s or more. Default: 5s.',
      helpValue: 'DURATION',
    }),
    for: periodFlag({ summary: 'End after this time, such as 10m.', helpValue: 'DURATION' }),
    'max-items': integerFlag({ min: 1, summary: 'End after this many entries.', helpValue: 'N' }),
    'until-match': textFlag({
      summary: 'End at the first entry that matches a jq expression.',
      helpValue: 'JQ',
    }),
  };
}

/** Filters of a log without an end: a tail has its own. */
export function withoutEnd<Filters extends { readonly until: unknown }>({
  until: _until,
  ...filters
}: Filters) {
  return filters;
}

/** What `tailFlags` and `--since` parse to. */
type TailFlagValues = OutputFlagValues & TimeFlagValues & FlagValues<typeof tailFlags>;

/** What the flags ask for. @throws FlagError for an interval that is too short for the service */
export function tailRequestOf(
  flags: TailFlagValues,
  settings: Settings,
  command: TailRequest['command'],
): TailRequest {
  return {
    flags,
    command,
    intervalMs: readInterval(flags.interval ?? '5s', settings),
    forMs: flags.for,
    maxItems: flags['max-items'],
    untilMatch: flags['until-match'],
    last: flags.last,
    isSince: flags.since !== undefined,
    after: flags.after,
    maxRetries: settings.maxRetries.value,
    timeoutMs: settings.timeoutMilliseconds.value,
  };
}

/** A service that others use is not asked more often than once a second. @throws FlagError */
function readInterval(text: string, settings: Settings): number {
  const milliseconds = parseDuration(text, '--interval');
  const isLocal = usesEmulator(settings) || isLoopback(settings.baseUrl.value ?? '');
  if (milliseconds >= (isLocal ? 100 : 1000)) return milliseconds;
  throw new FlagError(
    `--interval must be ${isLocal ? '100ms' : '1s'} or more, not ${JSON.stringify(text)}`,
    'A service on this machine can be polled every 100ms, any other every second.',
  );
}
