import { compare, type Decimal, decimalOf, isSafe, numberOf, textOf } from '../../../json/decimal.ts';
import { HttpError, ValidationError } from '../../http/response.ts';
import type { Requested } from './amounts.ts';

/** The 400 for a change that the state of a record does not allow. */
export function refused(message: string): HttpError {
  return new HttpError('bad_request', { message });
}

/** The 422 for one value of a body. */
export function refusal(
  { loc, given: input }: Requested,
  [msg, type]: readonly [msg: string, type: string],
  ctx: Readonly<Record<string, unknown>> = {},
): ValidationError {
  return new ValidationError([{ loc, msg, type, input, ctx }]);
}

/** An amount that no body names. */
export const UNNAMED: Requested = { loc: ['body', 'amount'], given: null };

/** An amount that a body names. @throws ValidationError if it is not positive, or if a double cannot hold it exactly */
export function positive(requested: Requested): Decimal {
  const amount = decimalOf(requested.given);
  if (!amount) throw refusal(requested, ['must be a decimal number', 'decimal_parsing']);
  if (amount.units <= 0n) throw refusal(requested, ['must be greater than 0', 'greater_than'], { gt: 0 });
  requireSafe(amount, requested);
  return amount;
}

/** @throws ValidationError for an amount that a double cannot hold exactly */
export function requireSafe(amount: Decimal, { loc, given }: Requested = UNNAMED): void {
  if (isSafe(amount)) return;
  const le = Number.MAX_SAFE_INTEGER;
  const isLarge = compare(amount, { units: BigInt(le), places: 0 }) > 0;
  const requested = { loc, given: given ?? textOf(amount) };
  if (isLarge) throw refusal(requested, [`must be at most ${le}`, 'less_than_equal'], { le });
  throw refusal(requested, ['must have at most 15 digits', 'decimal_max_digits'], { max_digits: 15 });
}

/** The 422 for an amount above its limit. */
export function atMost(requested: Requested, limit: Decimal, what: string): ValidationError {
  const le = asGiven(limit, requested);
  return refusal(requested, [`must be at most ${le}, which is ${what}`, 'less_than_equal'], { le });
}

/** The 422 for an amount below what was captured or refunded. */
export function atLeast(requested: Requested, limit: Decimal, what: string): ValidationError {
  const ge = asGiven(limit, requested);
  const msg = `must be at least ${ge}, the amount that was already ${what}`;
  return refusal(requested, [msg, 'greater_than_equal'], { ge });
}

/** The 422 for an amount in another currency than its payment. */
export function wrongCurrency(given: string, currency: string): ValidationError {
  const msg = `must be ${currency}, which is the currency of the payment`;
  return refusal({ loc: ['body', 'currency'], given }, [msg, 'currency_mismatch'], { currency });
}

/** A limit in the notation of the amount. */
function asGiven(limit: Decimal, { given }: Requested): string | number {
  return typeof given === 'string' ? textOf(limit, decimalOf(given)?.places) : numberOf(limit);
}
