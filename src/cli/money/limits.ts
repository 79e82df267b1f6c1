import type { Profile } from '../../config/profile.ts';
import { sourceOf } from '../../descriptions/byte-source.ts';
import { valueAtPointer } from '../../descriptions/schema-at.ts';
import { UsageError } from '../../errors.ts';
import { plainNumber } from '../../json/exact.ts';
import { isObject, own } from '../../json/is-object.ts';
import { isAmountMember } from '../../text/amount-names.ts';
import { currencyDecimals } from '../../text/currency.ts';
import { quote } from '../../text/format.ts';
import type { Amount } from './amounts.ts';
import { type Money, minorUnits } from './minor-units.ts';
import {
  actionOf,
  type Change,
  currencyOfRecord,
  isLeftToService,
  isNothing,
  moneyText,
  mostFor,
  paymentOf,
  requestAmounts,
} from './moved.ts';
import type { ReadRecord } from './record.ts';

/**
 * Refuses a change that would move more than one of these profiles allows; each of them has limits. All amounts of a request in one
 * currency count together, and a capture or a refund that names none counts as all that is left. What payctl cannot know is refused.
 * @throws UsageError `over_limit`; AbortedError
 */
export async function requireWithinLimits(
  change: Change,
  profiles: readonly Profile[],
  record: ReadRecord,
): Promise<void> {
  const [first] = profiles;
  if (!first) return;
  const unknown = (problem: string) => overLimit(problem, first, 'limits what a change moves');
  const { body } = change.call;
  if (isOpaque(body)) throw unknown('payctl does not look for amounts in files');
  const named = requestAmounts(change).filter(({ value }) => !isNothing(value));
  const isOpen = isLeftToService(change);
  if (named.length === 0 && !isOpen) return;
  const concerned = await record(change.path);
  const currency = currencyOfRecord(concerned);
  const moved: Money[] = [];
  for (const amount of requestAmounts(change, currency)) {
    if (isNothing(amount.value)) continue;
    const counted = countedAs(amount, { currency, body });
    if (typeof counted === 'string') throw unknown(counted);
    moved.push(counted);
  }
  if (isOpen) {
    const most = mostFor(actionOf(change), paymentOf(concerned));
    const notRead = concerned.state === 'not_read' ? `, and ${quote(concerned.id)} was not read` : '';
    if (!most) throw unknown(`the request names no amount, so the service decides it${notRead}`);
    moved.push(most);
  }
  for (const [code, all] of Map.groupBy(moved, (money) => money.currency)) {
    const sum = { minor: all.reduce((total, { minor }) => total + minor, 0n), currency: code };
    for (const profile of profiles) requireWithin(sum, profile);
  }
}

/** Whether amounts may be where payctl does not look: in a file, or in a text that is the whole body. */
function isOpaque(body: unknown): boolean {
  if (typeof body === 'string' || sourceOf(body)) return true;
  const fields = isObject(body) ? Object.entries(body) : [];
  return fields.some(([name, value]) => isAmountMember(name) && sourceOf(value) !== undefined);
}

type Circumstances = {
  /** That of the record. */
  readonly currency: string | undefined;
  readonly body: unknown;
};

/** What one amount of a request moves; half a sentence where nobody can say. */
function countedAs(amount: Amount, { currency, body }: Circumstances): Money | string {
  const { pointer, path, value } = amount;
  const shown = `${pointer} (${quote(String(plainNumber(value) ?? value))})`;
  if (amount.currency === undefined)
    return `neither the request nor the record names the currency of ${shown}`;
  if (currency !== undefined && amount.currency !== currency)
    return `${shown} is in ${amount.currency}, and the record is in ${currency}`;
  const holder =
    path.length > 1 ? valueAtPointer(body, pointer.slice(0, pointer.lastIndexOf('/'))) : undefined;
  const times = timesOf(holder);
  if (amount.minor === undefined || currencyDecimals(amount.currency) === undefined || times === undefined)
    return `${shown} is not an amount of ${amount.currency} that payctl can count`;
  const minor = amount.minor < 0n ? -amount.minor : amount.minor;
  return { minor: minor * times, currency: amount.currency };
}

/** How often an amount counts: as often as the `quantity` in the same object says, and once in any case. */
function timesOf(holder: unknown): bigint | undefined {
  const quantity = isObject(holder) ? (holder.quantity ?? 1) : 1;
  const times = Math.ceil(Math.abs(Number(plainNumber(quantity) ?? quantity)));
  return Number.isSafeInteger(times) ? BigInt(Math.max(1, times)) : undefined;
}

function requireWithin(money: Money, profile: Profile): void {
  const limit = own(profile.maxAmounts, money.currency);
  const most = limit === undefined ? 0n : minorUnits(limit, money.currency);
  if (typeof most === 'bigint' && money.minor <= most) return;
  const allowed =
    limit === undefined
      ? `allows no change in ${money.currency}`
      : `allows ${limit} ${money.currency} at most`;
  throw overLimit(`the change moves ${moneyText(money)}`, profile, allowed);
}

function overLimit(problem: string, { name }: Profile, rule: string): UsageError {
  return new UsageError('over_limit', `Nothing was sent: ${problem}, and the profile ${name} ${rule}`, {
    hint: `To see the limits: payctl profiles show ${name}`,
  });
}
