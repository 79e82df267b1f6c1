import type { Profile } from '../../config/profile.ts';
import { sourceOf } from '../../descriptions/byte-source.ts';
import { UsageError } from '../../errors.ts';
import { MAX_DEPTH } from '../../json/depth.ts';
import { plainNumber } from '../../json/exact.ts';
import { isObject, own } from '../../json/is-object.ts';
import { pointerTo, segmentsOf } from '../../json/pointer.ts';
import { currencyRank, snake } from '../../text/amount-names.ts';
import { currencyCode, currencyDecimals } from '../../text/currency.ts';
import { listValues, quote } from '../../text/format.ts';
import { type Amount, currenciesFor, membersOf } from './amounts.ts';
import { type Money, minorUnits } from './minor-units.ts';
import {
  actionOf,
  bodyAmounts,
  type Change,
  currencyOfRecord,
  isAmountName,
  isLeftToService,
  isNothing,
  isQuantity,
  moneyText,
  mostFor,
  parameterAmounts,
  parametersOf,
  paymentOf,
  requestAmounts,
  sumsOf,
} from './moved.ts';
import type { ConcernedRecord, ReadRecord } from './record.ts';

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
  const moved = await movedBy(change, record);
  if ('unknown' in moved) throw overLimit(moved.unknown, first, 'limits what a change moves');
  for (const sum of sumsOf(moved.amounts)) for (const profile of profiles) requireWithin(sum, profile);
}

/** The money that a change moves. */
export type Moved =
  | {
      readonly amounts: readonly Money[];
      /** The request names no amount: the last of the amounts is all that is left, or at least as much. */
      readonly isOpen: boolean;
    }
  /** Nobody can say: why, as half a sentence. */
  | { readonly unknown: string };

/** The money that a change moves, for which the record that it concerns may be read. @throws AbortedError */
export async function movedBy(change: Change, record: ReadRecord): Promise<Moved> {
  const { body } = change.call;
  if (isOpaque(body)) return { unknown: 'payctl does not look for amounts in files' };
  const doubtful =
    doubtfulValue(body, bodyAmounts(change)) ?? doubtfulValue(parametersOf(change), parameterAmounts(change));
  if (doubtful !== undefined) return { unknown: doubtful };
  const named = requestAmounts(change).filter(({ value }) => !isNothing(value));
  const isOpen = isLeftToService(change);
  if (named.length === 0 && !isOpen) return { amounts: [], isOpen };
  const concerned = await record(change);
  const currency = currencyOfRecord(concerned);
  const action = actionOf(change);
  if (action && currency === undefined)
    return { unknown: `a ${action} is in the currency of its record, and ${whyUnknown(concerned)}` };
  const amounts: Money[] = [];
  for (const amount of requestAmounts(change, currency)) {
    if (isNothing(amount.value)) continue;
    const counted = countedAs(amount, currency);
    if (typeof counted === 'string') return { unknown: counted };
    amounts.push(counted);
  }
  if (isOpen) {
    const most = mostFor(action, paymentOf(concerned));
    if (!most) return { unknown: 'the request names no amount, so the service decides it' };
    amounts.push(most);
  }
  return { amounts, isOpen };
}

/** Whether amounts may be where payctl does not look: in a file, or in a text that is the whole body. */
function isOpaque(body: unknown): boolean {
  return typeof body === 'string' || hasFile(body);
}

function hasFile(value: unknown): boolean {
  return sourceOf(value) !== undefined || membersOf(value).some(([, member]) => hasFile(member));
}

/** Why the currency of a record is not known, as half a sentence. */
function whyUnknown(record: ConcernedRecord): string {
  if (record.state === 'none') return 'payctl does not know which record it concerns';
  return `${quote(record.id)} ${record.state === 'read' ? 'has no currency' : 'was not read'}`;
}

/**
 * The first value that may say an amount where none is looked for, as half a sentence: a number below a member with the name of an amount
 * that is none of the amounts, a member whose name leads to one, a JSON Patch of one, and a text that is JSON with one in it.
 */
function doubtfulValue(given: unknown, amounts: readonly Amount[]): string | undefined {
  const known = new Set(amounts.map(({ pointer }) => pointer));
  const visit = (value: unknown, path: readonly string[], isInAmount: boolean): string | undefined => {
    if (path.length > MAX_DEPTH) return `${pointerTo(path.slice(0, 1))} is nested too deep`;
    const patched = patchedMoney(value);
    if (patched !== undefined)
      return `${pointerTo(path)} changes ${quote(patched)} by a JSON Patch, whose amounts payctl does not count`;
    for (const [name, part] of membersOf(value)) {
      const at = [...path, name];
      const pointer = pointerTo(at);
      const isPossible = isInAmount || leadsToAmount(name);
      if (isObject(part) || Array.isArray(part)) {
        const found = visit(part, at, isPossible || isAmountName(name));
        if (found !== undefined) return found;
      } else if (typeof part === 'string' && hasAmountInText(part))
        return `${pointer} is a text with an amount in it`;
      else if (isPossible && !known.has(pointer) && !isQuantity(name) && isNumber(part))
        return `${pointer} (${shown(part)}) may be part of an amount`;
    }
    return undefined;
  };
  return visit(given, [], false);
}

/** Whether the name of a member is a path to an amount, as in forms: `payment[amount]`, `payment.amount`. */
function leadsToAmount(name: string): boolean {
  const names = name.split(/[[\].]+/);
  return names.length > 1 && names.some((one) => isAmountName(one));
}

/** The path to money, or to how often it counts, that an operation of a JSON Patch (RFC 6902) changes. */
function patchedMoney(value: unknown): string | undefined {
  if (!isObject(value) || typeof value.op !== 'string') return undefined;
  const paths = [value.path, value.from].filter((path) => typeof path === 'string');
  const isMoney = (name: string) =>
    isAmountName(name) || isQuantity(name) || currencyRank(name, 'amount') !== undefined;
  return paths.find((path) => segmentsOf(path).some(isMoney));
}

/** Whether a text may be JSON that names an amount, as parameters and the parts of forms can have it. It need not be valid. */
function hasAmountInText(text: string): boolean {
  const names = /^\s*[[{]/.test(text) ? text.matchAll(/"((?:[^"\\]|\\.){1,100})"\s{0,100}:/gs) : [];
  return [...names].some(([, name = '']) => isAmountName(unescaped(name)));
}

function unescaped(name: string): string {
  return name.replace(/\\u([\da-f]{4})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

function isNumber(value: unknown): boolean {
  return plainNumber(value) !== undefined || (typeof value === 'string' && /^[-+]?[\d.,]*\d$/.test(value));
}

function shown(value: unknown): string {
  return quote(String(plainNumber(value) ?? value));
}

/** What one amount of a request moves, where the record has this currency; half a sentence where nobody can say. */
function countedAs(amount: Amount, currency: string | undefined): Money | string {
  const { pointer, path, value, holders } = amount;
  const what = `${pointer} (${shown(value)})`;
  if (amount.currency === undefined)
    return `neither the request nor the record names the currency of ${what}`;
  const named = new Set([...currenciesFor(amount), ...path.flatMap(currenciesInName)]);
  if (named.size > 1)
    return `the request names more than one currency for ${what}: ${listValues([...named])}`;
  if (currency !== undefined && amount.currency !== currency)
    return `${what} is in ${amount.currency}, and the record is in ${currency}`;
  const times = timesOf(holders);
  if (amount.minor === undefined || currencyDecimals(amount.currency) === undefined || times === undefined)
    return `${what} is not an amount of ${amount.currency} that payctl can count`;
  const minor = amount.minor < 0n ? -amount.minor : amount.minor;
  return { minor: minor * times, currency: amount.currency };
}

/** Codes of ISO 4217 that are English words, which names of amounts have: `top_up_amount`. */
const WORDS = new Set(['all', 'cup', 'mop', 'pen', 'sos', 'top', 'try']);

/** The currencies that the words of a name are: `EUR` of `amount_eur` and `EURAmount`. */
function currenciesInName(name: string): readonly string[] {
  return snake(name)
    .split(/[^a-z]+/)
    .flatMap((word) => (WORDS.has(word) ? [] : (currencyCode(word) ?? [])));
}

/** How often an amount counts: as often as the quantities in the objects that hold it say, and once in any case. */
function timesOf(holders: readonly unknown[]): bigint | undefined {
  const members = holders.flatMap((holder) => (isObject(holder) ? Object.entries(holder) : []));
  let all = 1n;
  for (const quantity of members.filter(([name]) => isQuantity(name)).flatMap(([, value]) => value)) {
    const times = Math.ceil(Math.abs(Number(plainNumber(quantity) ?? quantity)));
    if (!Number.isSafeInteger(times)) return undefined;
    all *= BigInt(Math.max(1, times));
  }
  return all;
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
