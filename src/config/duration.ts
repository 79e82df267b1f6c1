import { UsageError } from '../client/errors.ts';
import { quoted } from './quoted.ts';

const UNITS = {
  ms: { milliseconds: 1, plural: 'milliseconds' },
  s: { milliseconds: 1000, plural: 'seconds' },
  m: { milliseconds: 60_000, plural: 'minutes' },
  h: { milliseconds: 3_600_000, plural: 'hours' },
  d: { milliseconds: 86_400_000, plural: 'days' },
} as const;

type Unit = keyof typeof UNITS;

/** Which durations a setting takes: from one of its smallest unit to `longest`. */
export type DurationRange = {
  /** Smallest first. */
  readonly units: readonly [Unit, Unit, ...Unit[]];
  /** Three durations that messages give as examples, the most usual one in the middle. */
  readonly examples: readonly [string, string, string];
  readonly longest: { readonly count: number; readonly unit: Unit; readonly words: string };
};

/** How long something waits: a millisecond to an hour. */
export const WAITING_TIMES: DurationRange = {
  units: ['ms', 's', 'm', 'h'],
  examples: ['500ms', '30s', '2m'],
  longest: { count: 1, unit: 'h', words: 'an hour' },
};

/** How long something is valid: a second to 365 days. */
export const LIFETIMES: DurationRange = {
  units: ['s', 'm', 'h', 'd'],
  examples: ['90s', '5m', '2h'],
  longest: { count: 365, unit: 'd', words: '365 days' },
};

/**
 * Reads a duration such as `500ms`, `30s`, `2m` or `1h` and gives milliseconds. `origin` is the flag, variable or profile
 * that messages name.
 * @throws UsageError `invalid_duration`.
 */
export function parseDuration(text: string, origin: string, range = WAITING_TIMES): number {
  const { units, examples, longest } = range;
  const [, digits, suffix = ''] = /^(\d+)([a-z]*)$/.exec(text.trim()) ?? [];
  const [smallest, second] = units;
  const unit = suffix === '' ? smallest : units.find((name) => name === suffix);
  const given = `${origin} is ${quoted(text)}`;
  if (digits === undefined || unit === undefined) {
    const hint = `Write a whole number with its unit: ${examples.join(', ')}.`;
    throw invalid(`${given}, which is not a duration`, hint);
  }
  const milliseconds = Number(digits) * UNITS[unit].milliseconds;
  if (milliseconds === 0) {
    const hint = `Write 1${smallest} or more, for instance ${examples[1]}.`;
    throw invalid(`${given}, which leaves no time at all`, hint);
  }
  if (suffix === '') {
    const choices = [second, smallest].map((name) => `${digits}${name} for ${UNITS[name].plural}`);
    throw invalid(`${given}, which has no unit`, `Write ${choices.join(', ')}.`);
  }
  if (milliseconds > longest.count * UNITS[longest.unit].milliseconds) {
    const hint = `Write ${longest.count}${longest.unit} or less.`;
    throw invalid(`${given}, which is longer than ${longest.words}`, hint);
  }
  return milliseconds;
}

function invalid(message: string, hint: string): UsageError {
  return new UsageError('invalid_duration', message, { hint });
}
