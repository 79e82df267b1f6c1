import { plainNumber } from './exact.ts';

/** An exact decimal number: `units` divided by ten to the power of `places`. */
export type Decimal = { readonly units: bigint; readonly places: number };

/** The amount zero. */
export const ZERO: Decimal = { units: 0n, places: 0 };

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const TEXT = /^-?(\d+(\.\d*)?|\.\d+)$/;

/** Digits and exponents beyond this are cut off: no amount is that large or that precise. */
const LONGEST = 400;

/** The value of a number, also of one that keeps its notation, or of a decimal string; undefined for anything else. */
export function decimalOf(value: unknown): Decimal | undefined {
  if (typeof value === 'string') return TEXT.test(value) ? parse(value) : undefined;
  if (plainNumber(value) === undefined) return undefined;
  return parse(typeof value === 'bigint' ? String(value) : JSON.stringify(value));
}

function parse(text: string): Decimal | undefined {
  const plain = text.replace(/^(-?)\./, '$10.').replace(/\.$/, '');
  const [, sign = '', whole = '', fraction = '', exponent = ''] = NUMBER.exec(plain) ?? [];
  const digits = (whole + fraction).slice(0, LONGEST);
  if (digits === '') return undefined;
  const cut = whole.length + fraction.length - digits.length;
  const places = Math.max(-LONGEST, Math.min(fraction.length - cut - Number(exponent), LONGEST));
  const units = BigInt(sign + digits);
  return places < 0 ? { units: units * 10n ** BigInt(-places), places: 0 } : { units, places };
}

/** Negative, zero or positive, as the first is less than, equal to or more than the second. */
export function compare(one: Decimal, other: Decimal): number {
  const places = Math.max(one.places, other.places);
  const [left, right] = [at(one, places), at(other, places)];
  return left < right ? -1 : Number(left > right);
}

/** The exact sum, with as many places as the longer of the two. */
export function plus(one: Decimal, other: Decimal): Decimal {
  const places = Math.max(one.places, other.places);
  return { units: at(one, places) + at(other, places), places };
}

/** The exact difference, with as many places as the longer of the two. */
export function minus(one: Decimal, other: Decimal): Decimal {
  return plus(one, { units: -other.units, places: other.places });
}

/** Whether a number is a multiple of another one, which is not zero. */
export function isMultiple(one: Decimal, of: Decimal): boolean {
  const places = Math.max(one.places, of.places);
  return at(one, places) % at(of, places) === 0n;
}

/** The value divided into `count` equal parts, rounded down to its number of places. */
export function part({ units, places }: Decimal, count: number): Decimal {
  return { units: units / BigInt(count), places };
}

/** The same number without zeros at the end of its decimals. */
export function trimmed(decimal: Decimal): Decimal {
  let { units, places } = decimal;
  for (; places > 0 && units % 10n === 0n; places -= 1) units /= 10n;
  return { units, places };
}

function at({ units, places }: Decimal, wanted: number): bigint {
  return places === wanted ? units : units * 10n ** BigInt(wanted - places);
}

/** The digits, with at least `least` places. */
export function textOf(decimal: Decimal, least = 0): string {
  const places = Math.max(decimal.places, least);
  const units = at(decimal, places);
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  return `${units < 0n ? '-' : ''}${whole}${places > 0 ? `.${digits.slice(-places)}` : ''}`;
}

/** The nearest double; it equals the number if `isSafe` is true. */
export function numberOf(decimal: Decimal): number {
  return Number(textOf(decimal));
}

/** The number of decimal digits that a double always preserves. */
const DOUBLE_DIGITS = 15;

/** Whether a double holds the number exactly enough: a whole number up to 2^53 - 1, or at most fifteen digits. */
export function isSafe(decimal: Decimal): boolean {
  const digits = textOf(decimal).replace('-', '');
  const [whole = '', fraction = ''] = digits.split('.');
  const decimals = fraction.replace(/0+$/, '');
  if (decimals === '') return BigInt(whole) <= BigInt(Number.MAX_SAFE_INTEGER);
  return whole.replace(/^0/, '').length + decimals.length <= DOUBLE_DIGITS;
}
