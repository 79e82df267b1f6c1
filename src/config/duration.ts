import { UsageError } from '../client/errors.ts';
import { quoted } from './quoted.ts';

const UNITS: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
]);
const LONGEST = 3_600_000;

/**
 * Reads a duration such as `500ms`, `30s`, `2m` or `1h`, from a millisecond to an hour, and gives milliseconds.
 * `origin` is the flag, variable or profile that messages name.
 * @throws UsageError `invalid_duration`.
 */
export function parseDuration(text: string, origin: string): number {
  const [, digits, unit = ''] = /^(\d+)([a-z]*)$/.exec(text.trim()) ?? [];
  const factor = unit === '' ? 1 : UNITS.get(unit);
  const given = `${origin} is ${quoted(text)}`;
  if (digits === undefined || factor === undefined) {
    throw invalid(`${given}, which is not a duration`, 'Write a whole number with its unit: 500ms, 30s, 2m.');
  }
  const milliseconds = Number(digits) * factor;
  if (milliseconds === 0) {
    throw invalid(`${given}, which leaves no time at all`, 'Write 1ms or more, for instance 30s.');
  }
  if (unit === '') {
    const hint = `Write ${digits}s for seconds, ${digits}ms for milliseconds.`;
    throw invalid(`${given}, which has no unit`, hint);
  }
  if (milliseconds > LONGEST) {
    throw invalid(`${given}, which is longer than an hour`, 'Write 1h or less.');
  }
  return milliseconds;
}

function invalid(message: string, hint: string): UsageError {
  return new UsageError('invalid_duration', message, { hint });
}
