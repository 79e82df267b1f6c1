import { compare, type Decimal, decimalOf, isSafe, numberOf, textOf } from '../../json/decimal.ts';
import { ValidationError } from '../http/response.ts';
import type { Requested } from './amounts.ts';

/** The 422 for one value of a body. */
export function refusal(
  loc: readonly string[],
  [msg, type]: readonly [msg: string, type: string],
  { input, ctx = {} }: { readonly input: unknown; readonly ctx?: Readonly<Record<string, unknown>> },
): ValidationError {
  return new ValidationError([{ loc, msg, type, input, ctx }]);
}

const LARGEST: Decimal = { units: BigInt(Number.MAX_SAFE_INTEGER), places: 0 };

/** An amount that a body names. @throws ValidationError if it is not positive, or if a double cannot hold it exactly */
export function positive({ loc, given }: Requested): Decimal {
  const amount = decimalOf(given);
  if (!amount) throw refusal(loc, ['must be a decimal number', 'decimal_parsing'], { input: given });
  if (amount.units <= 0n)
    throw refusal(loc, ['must be greater than 0', 'greater_than'], { input: given, ctx: { gt: 0 } });
  requireSafe(amount, { loc, given });
  return amount;
}

/** @throws ValidationError for an amount that a double cannot hold exactly */
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

/** The 422 for an amount above what is left. The limit has the notation of the amount. */
export function tooMuch(requested: Requested | undefined, limit: Decimal, what: string): ValidationError {
  return notAbove(requested ?? { loc: ['body', 'amount'], given: null }, limit, `what can still be ${what}`);
}

/** The 422 for an amount above its limit. The limit has the notation of the amount. */
export function notAbove({ loc, given }: Requested, limit: Decimal, what: string): ValidationError {
  const le = asGiven(limit, given);
  const msg = `must be at most ${le}, which is ${what}`;
  return refusal(loc, [msg, 'less_than_equal'], { input: given, ctx: { le } });
}

/** The 422 for an amount below what was captured or refunded. The limit has the notation of the amount. */
export function tooLittle({ loc, given }: Requested, limit: Decimal, what: string): ValidationError {
  const ge = asGiven(limit, given);
  const msg = `must be at least ${ge}, the amount that was already ${what}`;
  return refusal(loc, [msg, 'greater_than_equal'], { input: given, ctx: { ge } });
}

/** The 422 for an amount whose total the schema of the record does not allow. */
export function notTaken(name: string, total: Decimal): ValidationError {
  const msg = `would bring ${name} to ${textOf(total)}, which its schema does not allow`;
  return refusal(['body', 'amount'], [msg, 'total_not_taken'], { input: null });
}

/** The 422 for an amount in another currency than its payment. */
export function wrongCurrency(input: string, currency: string): ValidationError {
  const msg = `must be ${currency}, which is the currency of the payment`;
  return refusal(['body', 'currency'], [msg, 'currency_mismatch'], { input, ctx: { currency } });
}

function asGiven(limit: Decimal, given: unknown): string | number {
  return typeof given === 'string' ? textOf(limit, decimalOf(given)?.places) : numberOf(limit);
}
