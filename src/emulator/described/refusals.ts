import { ValidationError } from '../http/response.ts';
import type { Requested } from './amounts.ts';
import { compare, type Decimal, decimalOf, isSafe, numberOf, textOf } from './decimal.ts';

/** The problem of one value of a body, as a 422 names it. */
export function refusal(
  loc: readonly string[],
  [msg, type]: readonly [msg: string, type: string],
  { input, ctx = {} }: { readonly input: unknown; readonly ctx?: Readonly<Record<string, unknown>> },
): ValidationError {
  return new ValidationError([{ loc, msg, type, input, ctx }]);
}

const LARGEST: Decimal = { units: BigInt(Number.MAX_SAFE_INTEGER), places: 0 };

/** An amount that a body names. @throws ValidationError for one that is not positive, or that a double does not hold */
export function positive({ loc, given }: Requested): Decimal {
  const amount = decimalOf(given);
  if (!amount) throw refusal(loc, ['must be a decimal number', 'decimal_parsing'], { input: given });
  if (amount.units <= 0n)
    throw refusal(loc, ['must be greater than 0', 'greater_than'], { input: given, ctx: { gt: 0 } });
  requireSafe(amount, { loc, given });
  return amount;
}

/** @throws ValidationError for an amount that a double does not hold */
export function requireSafe(amount: Decimal | undefined, requested?: Requested): void {
  if (!amount || isSafe(amount)) return;
  const { loc = ['body', 'amount'], given } = requested ?? {};
  const input = given ?? textOf(amount);
  if (compare(amount, LARGEST) > 0) {
    const le = Number.MAX_SAFE_INTEGER;
    throw refusal(loc, [`must be at most ${le}`, 'less_than_equal'], { input, ctx: { le } });
  }
  const ctx = { max_digits: 15 };
  throw refusal(loc, ['must have at most 15 digits', 'decimal_max_digits'], { input, ctx });
}

/** That an amount is more than there is. The limit is written as the amount is. */
export function tooMuch(requested: Requested | undefined, limit: Decimal, what: string): ValidationError {
  const { loc = ['body', 'amount'], given = null } = requested ?? {};
  const le = asGiven(limit, given);
  const msg = `must be at most ${le}, which is what can still be ${what}`;
  return refusal(loc, [msg, 'less_than_equal'], { input: given, ctx: { le } });
}

/** That an amount is more than it can be. The limit is written as the amount is. */
export function notAbove({ loc, given }: Requested, limit: Decimal, what: string): ValidationError {
  const le = asGiven(limit, given);
  const msg = `must be at most ${le}, which is ${what}`;
  return refusal(loc, [msg, 'less_than_equal'], { input: given, ctx: { le } });
}

/** That an amount is less than what has happened allows. The limit is written as the amount is. */
export function tooLittle({ loc, given }: Requested, limit: Decimal, what: string): ValidationError {
  const ge = asGiven(limit, given);
  const msg = `must be at least ${ge}, which was ${what}`;
  return refusal(loc, [msg, 'greater_than_equal'], { input: given, ctx: { ge } });
}

/** That what an amount adds up to does not fit the schema of the record. */
export function notTaken(name: string, total: Decimal): ValidationError {
  const msg = `makes ${textOf(total)} in all, which does not fit the schema of ${name}`;
  return refusal(['body', 'amount'], [msg, 'total_not_taken'], { input: null });
}

/** That an amount is not in the currency of its payment. */
export function wrongCurrency(input: string, currency: string): ValidationError {
  const msg = `must be ${currency}, which is the currency of the payment`;
  return refusal(['body', 'currency'], [msg, 'currency_mismatch'], { input, ctx: { currency } });
}

function asGiven(limit: Decimal, given: unknown): string | number {
  return typeof given === 'string' ? textOf(limit, decimalOf(given)?.places) : numberOf(limit);
}
