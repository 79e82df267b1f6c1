import { isRawJson } from './is-object.ts';

/** The value of a number that a function of this module parsed; undefined for anything that is not a number. */
export function plainNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  return isRawJson(value) ? Number(value.rawJSON) : undefined;
}

/** A `JSON.parse` reviver's third argument, which the library types of TypeScript do not describe yet. */
type ReviverContext = { readonly source?: string };
type SourceReviver = (key: string, value: unknown, context: ReviverContext) => unknown;
const parse = JSON.parse as (text: string, reviver?: SourceReviver) => unknown;

/**
 * Parses JSON without rounding: an integer beyond 2^53 becomes a `bigint`, everything else is what `JSON.parse`
 * gives. Text without a long run of digits takes the fast path. What is nested thousands of levels deep has the numbers of
 * `JSON.parse`.
 * @throws SyntaxError as `JSON.parse` does.
 */
export function parseExactJson(text: string): unknown {
  return hasLongNumber(text) ? parseWith(text, exactInteger) : parse(text);
}

/** A reviver recurses and cannot go as deep as the parser, so text that is nested thousands of levels deep is parsed without it. */
function parseWith(text: string, reviver: SourceReviver): unknown {
  try {
    return parse(text, reviver);
  } catch (error) {
    if (error instanceof RangeError) return parse(text);
    throw error;
  }
}

/**
 * Parses JSON to show it: every number prints as it was sent, digit for digit. An integer beyond 2^53 becomes a `bigint`, and
 * what JavaScript would write differently (`1e400`, `-0`, `1.0`, more decimals than a double holds) what `JSON.rawJSON` makes.
 * What is nested thousands of levels deep has the numbers of `JSON.parse`.
 * @throws SyntaxError as `JSON.parse` does
 */
export function parseShownJson(text: string): unknown {
  return mayChangeNumbers(text) ? parseWith(text, asWritten) : parse(text);
}

/** Whether JavaScript might write a number of JSON text differently. */
function mayChangeNumbers(text: string): boolean {
  return hasLongNumber(text) || ODD_NUMBER.test(text);
}

/** A decimal, an exponent or a minus zero where a value begins; also some that JavaScript writes the same. */
const ODD_NUMBER = /(?:"[ \t\n\r]*:|[[,])[ \t\n\r]*(?:-?\d+[.eE]|-0)|^\s*-?\d/;

function asWritten(_key: string, value: unknown, { source }: ReviverContext): unknown {
  if (typeof value !== 'number' || source === undefined || String(value) === source) return value;
  return /^-?[1-9]\d*$/.test(source) ? BigInt(source) : rawJson(source);
}

/** Digits of the shortest integer that a double may not hold. */
const LONG = 16;

/**
 * Whether there are sixteen digits in a row anywhere. A run of that length covers at least one of every sixteen
 * indexes, so only those are looked at; a regular expression takes ten times as long.
 */
export function hasLongNumber(text: string): boolean {
  for (let at = LONG - 1; at < text.length; at += LONG) {
    if (isDigit(text, at) && digitsAround(text, at) >= LONG) return true;
  }
  return false;
}

function digitsAround(text: string, at: number): number {
  let start = at;
  let end = at + 1;
  while (start > 0 && isDigit(text, start - 1)) start -= 1;
  while (end < text.length && isDigit(text, end)) end += 1;
  return end - start;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}

function exactInteger(_key: string, value: unknown, context: ReviverContext): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value) || context.source === undefined) return value;
  return /^-?\d+$/.test(context.source) ? BigInt(context.source) : value;
}

/**
 * Writes JSON without rounding: a `bigint` becomes the integer that it is, everything else as `JSON.stringify` does.
 * @throws TypeError for a value that has no JSON, such as `undefined` or a function
 */
export function stringifyExactJson(value: unknown): string {
  const text: string | undefined = JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'bigint' ? rawJson(String(member)) : member,
  );
  if (text === undefined) throw new TypeError('the value has no JSON');
  return text;
}

/** The same for one of many values that are not nested deeply: several times as fast for all that have no integer beyond 2^53. */
export function stringifyRow(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return stringifyExactJson(value);
  }
}

/** A text as JSON: faster than `JSON.stringify` for one without anything to escape. */
export function stringifyText(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}

const ESCAPED = /["\\\p{Cc}\p{Cs}]/v;

/** `JSON.rawJSON`, which the library types of TypeScript do not describe yet. */
const { rawJSON: rawJson } = JSON as unknown as { rawJSON: (text: string) => unknown };

/** A number for `JSON.stringify` that is written digit for digit. `text` is a number of JSON. */
export function numberAsWritten(text: string): unknown {
  return rawJson(text);
}

/** A JSON object whose numbers keep their notation. Only for `JSON.stringify`. */
export type KeptNumbers = Readonly<Record<string, unknown>>;

/**
 * Parses the JSON text of an object so that writing it again gives the numbers of the text: a double would round long
 * integers and turn `1.0` into `1`, and a service stores what it was sent.
 */
export function parseKeepingNumbers(text: string): KeptNumbers {
  const keep: SourceReviver = (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? rawJson(source) : value;
  return parse(text, mayChangeNumbers(text) ? keep : undefined) as KeptNumbers;
}

/**
 * A value in which every number is a double that a schema judges as it would judge the exact number: an integer exactly where the
 * number is one (`1.0` and `1e2` are), and on the same side of every integer limit. It is copied only if it has kept numbers.
 */
export function copyForValidation(value: unknown): unknown {
  if (isPlain(value)) return value;
  const judge: SourceReviver = (_key, member, { source }) =>
    typeof member === 'number' && source !== undefined && String(member) !== source
      ? comparableNumber(source)
      : member;
  return parse(stringifyExactJson(value), judge);
}

function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint' && value !== undefined;
  return !isRawJson(value) && Object.values(value).every(isPlain);
}

function comparableNumber(source: string): number {
  const nearest = Number(source);
  if (!Number.isFinite(nearest)) return nearest > 0 ? Number.MAX_VALUE : -Number.MAX_VALUE;
  if (!Number.isInteger(nearest)) return nearest;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? [];
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  const isWhole = point >= digits.length || !/[1-9]/.test(digits.slice(Math.max(0, point)));
  if (isWhole) return nearest;
  // Half-way between its neighbours; beyond 2^52 a double has no fraction, and the limits of schemas are far below.
  const below = Math.min(Number(digits.slice(0, Math.max(0, point)) || '0'), 2 ** 51);
  return (sign === '-' ? -1 : 1) * (below + 0.5);
}
