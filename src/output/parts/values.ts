import { compare, decimalOf, trimmed } from '../../json/decimal.ts';
import { parseShownJson } from '../../json/exact.ts';

const MINUS = 0x2d;
const ZERO = 0x30;
const COLON = 0x3a;

/** Digits of an integer that every double holds. */
const SAFE_DIGITS = 15;
/** The exponents and digits of a number that are looked at: no type of a column holds more. */
const LONGEST = 300;

/** The integer that a JSON number is, also one with an exponent or with zeros as its decimals; undefined for any other. */
export function readInteger(bytes: Buffer, from: number, to: number): number | bigint | undefined {
  const isNegative = bytes[from] === MINUS;
  const first = isNegative ? from + 1 : from;
  if (to - first > SAFE_DIGITS) return readLongInteger(bytes.toString('latin1', from, to));
  let value = 0;
  for (let at = first; at < to; at++) {
    const digit = (bytes[at] ?? 0) - ZERO;
    if (digit < 0 || digit > 9) return readLongInteger(bytes.toString('latin1', from, to));
    value = value * 10 + digit;
  }
  return isNegative ? -value : value;
}

/** Whether an integer has at most 64 bits. */
export function fitsInt64(value: number | bigint): boolean {
  return typeof value === 'number' ? Number.isSafeInteger(value) : BigInt.asIntN(64, value) === value;
}

/** The digits of the largest integers that a column of the type `decimal` holds. */
export const DECIMAL_DIGITS = 38;
const DECIMAL_END = 10n ** BigInt(DECIMAL_DIGITS);

/** Whether a column of the type `decimal` holds an integer. */
export function fitsDecimal(value: number | bigint): boolean {
  return value < DECIMAL_END && value > -DECIMAL_END;
}

function readLongInteger(text: string): bigint | undefined {
  if (text.length > LONGEST) return undefined;
  if (/^-?\d+$/.test(text)) return BigInt(text);
  const decimal = decimalOf(parseShownJson(text));
  const plain = decimal && trimmed(decimal);
  return plain?.places === 0 ? plain.units : undefined;
}

/** The double that a JSON number is; undefined for a number that a double would round to another one of fewer digits, or cannot hold. */
export function readDouble(bytes: Buffer, from: number, to: number): number | undefined {
  const text = bytes.toString('latin1', from, to);
  const value = Number(text);
  if (text.length <= SAFE_DIGITS && !/[eE]/.test(text)) return value;
  if (!Number.isFinite(value) || text.length > LONGEST) return undefined;
  const [exact, shown] = [decimalOf(parseShownJson(text)), decimalOf(value)];
  return exact && shown && compare(exact, shown) === 0 ? value : undefined;
}

const SECONDS_A_DAY = 86_400;
const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Days since 1970 of a date such as `2026-03-01`; undefined for anything else. */
export function readDate(bytes: Buffer, from: number, to: number): number | undefined {
  return to - from === 10 ? dayAt(bytes, from) : undefined;
}

/**
 * Microseconds since 1970 of a time by RFC 3339 with a capital `T` and `Z`, as engines read it; what is shorter is cut off. Undefined for
 * anything else.
 */
export function readTime(bytes: Buffer, from: number, to: number): number | bigint | undefined {
  const day = to - from < 20 ? undefined : dayAt(bytes, from);
  const hour = number(bytes, from + 11, 2);
  const minute = number(bytes, from + 14, 2);
  const second = number(bytes, from + 17, 2);
  if (day === undefined || !(hour < 24 && minute < 60 && second < 60)) return undefined;
  if (bytes[from + 10] !== 0x54 || bytes[from + 13] !== COLON || bytes[from + 16] !== COLON) return undefined;
  let at = from + 19;
  let micros = 0;
  if (bytes[at] === 0x2e) {
    const start = ++at;
    for (let digit = digitAt(bytes, at); digit >= 0; digit = digitAt(bytes, at)) {
      if (at - start < 6) micros = micros * 10 + digit;
      at++;
    }
    if (at === start) return undefined;
    for (let digits = at - start; digits < 6; digits++) micros *= 10;
  }
  const offset = offsetAt(bytes, at, to);
  if (offset === undefined) return undefined;
  const seconds = day * SECONDS_A_DAY + hour * 3600 + minute * 60 + second - offset;
  const whole = seconds * 1_000_000 + micros;
  return Number.isSafeInteger(whole) ? whole : BigInt(seconds) * 1_000_000n + BigInt(micros);
}

/** The seconds that local time is ahead of UTC, where the text ends with an offset. */
function offsetAt(bytes: Buffer, at: number, to: number): number | undefined {
  const sign = bytes[at];
  if (sign === 0x5a) return at + 1 === to ? 0 : undefined;
  if ((sign !== 0x2b && sign !== MINUS) || at + 6 !== to || bytes[at + 3] !== COLON) return undefined;
  const hours = number(bytes, at + 1, 2);
  const minutes = number(bytes, at + 4, 2);
  if (!(hours < 24 && minutes < 60)) return undefined;
  return (sign === MINUS ? -1 : 1) * (hours * 3600 + minutes * 60);
}

function dayAt(bytes: Buffer, from: number): number | undefined {
  const year = number(bytes, from, 4);
  const month = number(bytes, from + 5, 2);
  const day = number(bytes, from + 8, 2);
  if (bytes[from + 4] !== MINUS || bytes[from + 7] !== MINUS || !(year >= 1 && month >= 1 && day >= 1))
    return undefined;
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = month === 2 && isLeap ? 29 : MONTH_DAYS[month - 1];
  if (days === undefined || day > days) return undefined;
  // Years that begin in March end with the leap day, and 719468 days are between the first of them and 1970.
  const yearFromMarch = month > 2 ? year : year - 1;
  const monthFromMarch = month > 2 ? month - 3 : month + 9;
  const leaps =
    Math.floor(yearFromMarch / 4) - Math.floor(yearFromMarch / 100) + Math.floor(yearFromMarch / 400);
  return yearFromMarch * 365 + leaps + Math.floor((153 * monthFromMarch + 2) / 5) + day - 1 - 719_468;
}

/** The number that this many digits write; NaN where there is another character. */
function number(bytes: Buffer, from: number, digits: number): number {
  let value = 0;
  for (let at = from; at < from + digits; at++) {
    const digit = digitAt(bytes, at);
    if (digit < 0) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

function digitAt(bytes: Buffer, at: number): number {
  const digit = (bytes[at] ?? 0) - ZERO;
  return digit <= 9 ? digit : -1;
}
