import { allowedValues, type QueryParameter } from '../../contract/operation.ts';
import { isIntegerText, isOddInteger } from '../../json/integers.ts';
import { isJson } from '../../json/is-json.ts';
import { own } from '../../json/is-object.ts';
import { matchesPattern } from '../../schemas/patterns.ts';
import { isCutList, isShortId, isUuid, listValues, quote, quotePattern } from '../../text/format.ts';
import { inOtherCase, suggest } from '../../text/suggest.ts';
import { FlagError, TIME_EXAMPLES } from './types.ts';
import { WHOLE_ID_HINT } from './whole-id.ts';

/** Refuses a value that breaks what a description says about its parameter. @throws FlagError with the nearest value that fits */
export function checkValue(what: string, text: string, parameter: QueryParameter): void {
  if (text === '') throw new FlagError(`${what} cannot be empty`);
  const problem = problemOf(text, parameter);
  if (problem) {
    // A path argument is not read as a time, so the hints for times do not apply.
    const isTime = (problem.hint === TIMES_HINT || problem.hint === DATES_HINT) && !what.startsWith('--');
    throw new FlagError(`${what} ${problem.message}, not ${quote(text)}`, isTime ? undefined : problem.hint);
  }
}

/** The last word of a flag that sets the end of a time span; the span includes the day that the user names. */
const ENDS = /(?:^|-)(?:lte|until|to|end|max|through)$/;

/**
 * Converts a time in the notation of `--since` (`7d`, `today`, a date) to an instant in UTC, or to a day if the parameter is a date.
 * A day stands for its beginning; for a flag such as `--created-at-lte`, for its end. Returns any other text unchanged, also one
 * that already has the format of the parameter.
 */
export async function timeMeant(
  flag: string,
  text: string,
  { format = '' }: QueryParameter,
): Promise<string> {
  if (Object.hasOwn(FORMATS, format) && FORMATS[format]?.test(text)) return text;
  const { readTime } = await import('../../text/instant.ts');
  const span = readTime(text, Date.now(), `--${flag}`);
  if (!span) return text;
  if (format === 'date') return localDay(new Date(span.from));
  // Services count microseconds.
  if (ENDS.test(flag)) return new Date(span.to - 1).toISOString().replace('Z', '999Z');
  return new Date(span.from).toISOString();
}

function localDay(day: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

/**
 * Converts an amount with its currency (`400.00EUR`) to minor units by ISO 4217: `40000`. Returns an integer and an empty text unchanged.
 * @throws FlagError for any other text
 */
export async function amountMeant(flag: string, text: string): Promise<string> {
  if (text === '' || isIntegerText(text)) return text;
  const { readMoney, waysToWrite } = await import('../money/minor-units.ts');
  const read = readMoney(text);
  if ('minor' in read) return String(read.minor);
  const problem = read.isBare
    ? `must be a whole number in minor units, or an amount with its currency, not ${quote(text)}`
    : `cannot be ${quote(text)}, which ${read.problem}`;
  const hint = waysToWrite(text, undefined, (minor, major) => `--${flag} ${minor} or --${flag} ${major}`);
  throw new FlagError(`--${flag} ${problem}`, hint);
}

type Problem = { readonly message: string; readonly hint?: string };

function problemOf(text: string, parameter: QueryParameter): Problem | undefined {
  const options = allowedValues(parameter);
  if (options) return options.includes(text) ? undefined : choiceProblem(text, options);
  if (parameter.type === 'integer' || parameter.type === 'number') return numberProblem(text, parameter);
  if (isOddInteger(text, parameter)) return { message: 'must be a whole number in digits only' };
  return textProblem(text, parameter);
}

function choiceProblem(text: string, options: readonly string[]): Problem {
  const near = suggest(text, options);
  return {
    message: `must be one of ${listValues(options)}`,
    ...(near
      ? { hint: `Did you mean ${near}?` }
      : isCutList(options)
        ? { hint: '--help lists all of them.' }
        : {}),
  };
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;
const LONGEST_NUMBER = 60;

function numberProblem(text: string, parameter: QueryParameter): Problem | undefined {
  const { type, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = parameter;
  const noun = type === 'integer' ? 'a whole number' : 'a number';
  const isOne = type === 'integer' ? isIntegerText(text) : NUMBER.test(text);
  if (!isOne || text.length > LONGEST_NUMBER) return { message: `must be ${noun}` };
  const value = Number(text);
  const least = minimum ?? exclusiveMinimum;
  const most = maximum ?? exclusiveMaximum;
  const isLow = least !== undefined && (value < least || (minimum === undefined && value === least));
  const isHigh = most !== undefined && (value > most || (maximum === undefined && value === most));
  if (isLow || isHigh) {
    return { message: `must be ${noun} ${rangeOf(parameter)}` };
  }
  return multipleOf !== undefined && !isMultiple(value, multipleOf)
    ? { message: `must be a multiple of ${multipleOf}` }
    : undefined;
}

function rangeOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: QueryParameter): string {
  if (minimum !== undefined && maximum !== undefined) return `from ${minimum} to ${maximum}`;
  const least = exclusiveMinimum === undefined ? undefined : `more than ${exclusiveMinimum}`;
  const most = exclusiveMaximum === undefined ? undefined : `less than ${exclusiveMaximum}`;
  const ends = [
    minimum === undefined ? least : `${minimum} or more`,
    maximum === undefined ? most : `${maximum} or less`,
  ];
  return `of ${ends.filter((end) => end !== undefined).join(' and ')}`;
}

function isMultiple(value: number, step: number): boolean {
  const count = value / step;
  return !(step > 0) || Math.abs(count - Math.round(count)) < 1e-9;
}

function textProblem(text: string, parameter: QueryParameter): Problem | undefined {
  const { minLength, maxLength, pattern, format = '' } = parameter;
  const { length } = [...text];
  if (minLength !== undefined && length < minLength)
    return { message: `must have at least ${minLength} characters` };
  if (maxLength !== undefined && length > maxLength)
    return { message: `must have at most ${maxLength} characters` };
  const check = own(FORMATS, format);
  if (format === 'uuid' && isShortId(text)) return { message: 'must be a whole ID', hint: WHOLE_ID_HINT };
  if (check && !check.test(text))
    return { message: `must be ${check.noun}`, ...(check.hint && { hint: check.hint }) };
  if (pattern === undefined || matchesPattern(pattern, text)) return undefined;
  const meant = inOtherCase(text, (other) => matchesPattern(pattern, other));
  return {
    message: `must match the pattern ${quotePattern(pattern)}`,
    ...(meant !== undefined && { hint: `Did you mean ${meant}?` }),
  };
}

type Format = {
  readonly noun: string;
  readonly hint?: string;
  readonly test: (text: string) => boolean;
};

const TIMES_HINT = `Use ${TIME_EXAMPLES}.`;
const DATES_HINT = 'Use 7d, today, yesterday or 2026-03-01.';

/** Whether the calendar has the day, which `Date` makes another one of where it has not. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

const TIME = /^T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** The formats that are checked; a text of any other format is left to the service. */
const FORMATS: Readonly<Record<string, Format>> = {
  date: { noun: 'a date such as 2026-03-01', hint: DATES_HINT, test: isDate },
  'date-time': {
    noun: 'a time such as 2026-03-01T10:00:00Z',
    hint: TIMES_HINT,
    test: (text) => isDate(text.slice(0, 10)) && TIME.test(text.slice(10)),
  },
  uuid: { noun: 'a UUID', test: isUuid },
  email: { noun: 'an email address', test: (text) => /^[^\s@]{1,64}@[^\s@]{1,255}$/.test(text) },
  uri: { noun: 'a URI', test: URL.canParse },
  json: { noun: 'JSON', test: isJson },
};
