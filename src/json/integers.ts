import { plainNumber } from './exact.ts';
import { isObject } from './is-object.ts';

/** Whether a text is an integer as JSON writes it: only digits, after an optional minus sign. */
export function isIntegerText(text: string): boolean {
  return /^-?(?:0|[1-9]\d*)$/.test(text);
}

/**
 * Whether a value is a number in another form than an integer has, such as `5.00`, `1e2` or the text `1,000`. Takes what
 * `parseKeepingNumbers` gives. A text without a digit is no number.
 */
export function isOtherNumber(value: unknown): boolean {
  if (typeof value === 'string') return /\p{Nd}/u.test(value) && !isIntegerText(value);
  return plainNumber(value) !== undefined && !isIntegerText(stringifyNumber(value));
}

/** Whether a text is a number in a form that a parameter does not take, because its numbers are integers. */
export function isOddInteger(
  text: string,
  { type, orInteger }: { readonly type: string; readonly orInteger?: boolean },
): boolean {
  return (type === 'integer' || orInteger === true) && isOtherNumber(text);
}

/** The digits of a number as they are sent. */
function stringifyNumber(value: unknown): string {
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}

/** Whether a number is between two integers; what is too large for a double may be an integer. */
export function isFraction(number: number): boolean {
  return Number.isFinite(number) && !Number.isInteger(number);
}

/** The problem with such a value where a schema says `integer`, as the end of a sentence. */
export function integerProblem(value: unknown): string {
  const given = typeof value === 'string' ? 'a string' : stringifyNumber(value);
  return `must be an integer in digits only, not ${given}`;
}

/** A value that no schema accepts as an integer, and none lists. */
const FRACTION = 0.500000000000017;

/**
 * A copy in which each integer in another form is a fraction, so that a validator, which sees `5.00` as 5, refuses it where its
 * schema says `integer`, or lists 5; undefined if the value has no number in another form. Only errors about types and listed values
 * mean anything.
 */
export function withFractions(value: unknown): unknown {
  let isFound = false;
  const copy = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(copy);
    if (isObject(part)) {
      return Object.fromEntries(Object.entries(part).map(([name, member]) => [name, copy(member)]));
    }
    if (!isOtherNumber(part)) return plainNumber(part) ?? part;
    isFound = true;
    const number = plainNumber(part);
    return number === undefined || isFraction(number) ? (number ?? part) : FRACTION;
  };
  const copied = copy(value);
  return isFound ? copied : undefined;
}
