import { MERCHANT_HEADER } from '../contract/generated/operations.ts';
import { UsageError } from '../errors.ts';
import { formatNamed, OUTPUT_FORMATS, type OutputName } from '../output/formats.ts';
import { quote } from '../text/format.ts';
import { suggest } from '../text/suggest.ts';
import { ENVIRONMENTS, type ProfileEnvironment } from './profile.ts';

const MOST_RETRIES = 10;
const LONGEST_MERCHANT_ACCOUNT = 255;

/** Headers that another part of the request decides, or that a proxy or browser would act upon. */
const TAKEN_HEADERS =
  /^(authorization|host|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|cookie|user-agent|date|accept(-.*)?|content-.*|proxy-.*|sec-.*)$/;

/** Reads an output format. @throws UsageError `invalid_output`, with the nearest format as a suggestion. */
export function parseOutput(text: string, origin: string): OutputName {
  const format = formatNamed(text);
  if (format === undefined) {
    const suggestion = suggest(text, OUTPUT_FORMATS);
    const hint = `${suggestion ? `Did you mean ${suggestion}? ` : ''}Use one of ${OUTPUT_FORMATS.join(', ')}.`;
    throw invalid('invalid_output', `${origin} is ${quote(text)}, which is not an output format`, hint);
  }
  return format;
}

/** Reads a number of retries, 0 to 10. @throws UsageError `invalid_max_retries`. */
export function parseMaxRetries(text: string, origin: string): number {
  const retries = /^\d{1,2}$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (!(retries <= MOST_RETRIES)) {
    const hint = `Use a whole number from 0 to ${MOST_RETRIES}.`;
    throw invalid(
      'invalid_max_retries',
      `${origin} is ${quote(text)}, which is not a number of retries`,
      hint,
    );
  }
  return retries;
}

/** Reads a yes or no as environment variables hold it. @throws UsageError `invalid_switch`. */
export function parseSwitch(text: string, origin: string): boolean {
  const lower = text.trim().toLowerCase();
  if (['1', 'true', 'yes', 'on'].includes(lower)) {
    return true;
  }
  if (['0', 'false', 'no', 'off'].includes(lower)) {
    return false;
  }
  const hint = 'Use 1, true, yes or on; or 0, false, no or off.';
  throw invalid('invalid_switch', `${origin} is ${quote(text)}, which is neither yes nor no`, hint);
}

/** Reads an environment, in small letters. @throws UsageError `invalid_environment`. */
export function parseEnvironment(text: string, origin: string): ProfileEnvironment {
  const environment = ENVIRONMENTS.find((name) => name === text.trim());
  if (environment !== undefined) return environment;
  const hint = `Use one of ${ENVIRONMENTS.join(', ')}.`;
  throw invalid('invalid_environment', `${origin} is ${quote(text)}, which is not an environment`, hint);
}

/**
 * Checks a merchant account id: 1 to 255 printable ASCII characters, as it travels in a header.
 * @throws UsageError `invalid_merchant_account`.
 */
export function parseMerchantAccount(text: string, origin: string): string {
  const hint = `Use a merchant account ID: 1 to ${LONGEST_MERCHANT_ACCOUNT} printable ASCII characters.`;
  const refused = (problem: string) => invalid('invalid_merchant_account', `${origin} ${problem}`, hint);
  if (text.trim() === '') throw refused('is empty');
  if (text.length > LONGEST_MERCHANT_ACCOUNT) throw refused(`has ${text.length} characters`);
  if (text.trim() === text && /^[\x20-\x7e]+$/.test(text)) return text;
  throw refused(`is ${quote(text)}, which is not valid in a header`);
}

/**
 * Checks the name of the merchant account header and gives it in lower case.
 * @throws UsageError `invalid_merchant_header` for what is not a header name (RFC 9110) or names a header already in use.
 */
export function parseMerchantHeader(text: string, origin: string): string {
  const name = text.trim().toLowerCase();
  const hint = `Use a name such as ${MERCHANT_HEADER}.`;
  if (!/^[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/.test(name)) {
    throw invalid(
      'invalid_merchant_header',
      `${origin} is ${quote(text)}, which is not the name of a header`,
      hint,
    );
  }
  if (TAKEN_HEADERS.test(name)) {
    throw invalid('invalid_merchant_header', `${origin} is ${quote(text)}, which is a reserved header`, hint);
  }
  return name;
}

const LONGEST_PREFIX = 64;

/**
 * Checks what the names of the headers of webhooks begin with, and gives it in lower case.
 * @throws UsageError `invalid_header_prefix`.
 */
export function parseHeaderPrefix(text: string, origin: string): string {
  const prefix = text.trim().toLowerCase();
  if (prefix.length <= LONGEST_PREFIX && /^x-([a-z0-9]+-)+$/.test(prefix)) return prefix;
  const hint = 'Use a prefix that begins with x- and ends with a hyphen, such as x-service-.';
  throw invalid(
    'invalid_header_prefix',
    `${origin} is ${quote(text)}, which is not the prefix of headers`,
    hint,
  );
}

const UNITS = {
  ms: { milliseconds: 1, plural: 'milliseconds' },
  s: { milliseconds: 1000, plural: 'seconds' },
  m: { milliseconds: 60_000, plural: 'minutes' },
  h: { milliseconds: 3_600_000, plural: 'hours' },
  d: { milliseconds: 86_400_000, plural: 'days' },
} as const;

type Unit = keyof typeof UNITS;

/** The durations that a setting accepts: from one of its smallest unit to `longest`. */
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
  const given = `${origin} is ${quote(text)}`;
  if (digits === undefined || unit === undefined) {
    const hint = `Use a whole number with its unit: ${examples.join(', ')}.`;
    throw invalid('invalid_duration', `${given}, which is not a duration`, hint);
  }
  const milliseconds = Number(digits) * UNITS[unit].milliseconds;
  if (milliseconds === 0) {
    const hint = `Use 1${smallest} or more, for example ${examples[1]}.`;
    throw invalid('invalid_duration', `${given}, which is not longer than zero`, hint);
  }
  if (suffix === '') {
    const choices = [second, smallest].map((name) => `${digits}${name} for ${UNITS[name].plural}`);
    throw invalid('invalid_duration', `${given}, which has no unit`, `Use ${choices.join(', ')}.`);
  }
  if (milliseconds > longest.count * UNITS[longest.unit].milliseconds) {
    const hint = `Use ${longest.count}${longest.unit} or less.`;
    throw invalid('invalid_duration', `${given}, which is longer than ${longest.words}`, hint);
  }
  return milliseconds;
}

function invalid(code: string, message: string, hint: string): UsageError {
  return new UsageError(code, message, { hint });
}
