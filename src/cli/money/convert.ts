import { bodyNotValid } from '../../errors.ts';
import { parseKeepingNumbers } from '../../json/exact.ts';
import { isObject } from '../../json/is-object.ts';
import { pointerTo } from '../../json/pointer.ts';
import { takesOnlyIntegers, typesAt } from '../../schemas/schema-at.ts';
import { currencyCode } from '../../text/currency.ts';
import { quote } from '../../text/format.ts';
import { type Amount, amountsOf, currenciesFor } from './amounts.ts';
import { type Money, readMoney } from './minor-units.ts';
import { currencyOfRecord } from './moved.ts';
import type { ConcernedRecord } from './record.ts';

/** What the amounts of a body are converted with. */
export type ConversionParts = {
  /** Of the body: amounts are converted for which it takes an integer, and neither a text nor any other number. */
  readonly schema: unknown;
  /** The currency that the request names outside of its body. */
  readonly currency?: string | undefined;
  /** Reads the record that the change concerns; called only where the request names no currency. @throws PayctlError */
  readonly record: () => Promise<ConcernedRecord>;
  /** Receives each conversion, as a sentence. */
  readonly say: (message: string) => void;
};

type Given = Amount & { readonly text: string; readonly money: Money };

/** A body whose amounts are in minor units. */
export type Converted = {
  readonly body: unknown;
  /**
   * Compares the amounts for which the request names no currency with the record that it changes, which is read for that.
   * @throws UsageError `bad_body`; what `record` throws
   */
  readonly requireCurrency: () => Promise<void>;
};

/**
 * A body in which each amount that is written with its currency, `"5.00EUR"` where the schema takes an integer, is the integer of the
 * smallest unit: 500. `body` itself stays as it is.
 * @throws UsageError `bad_body` for an amount that is not exact, or in another currency than the request
 */
export function inMinorUnits(body: unknown, parts: ConversionParts): Converted {
  const given = amountsOf(body, { currency: parts.currency }).flatMap((amount): Given[] => {
    const { value, pointer, path, currency } = amount;
    if (typeof value !== 'string' || !takesOnlyIntegers(typesAt(path, parts.schema))) return [];
    const money = readMoney(value);
    if ('problem' in money) {
      if (money.isBare) return [];
      throw bodyNotValid(`${pointer} cannot be ${quote(value)}, which ${money.problem}`);
    }
    // The nearest object that names a currency decides, unless it names two.
    const named = amount.holders.map((holder) => currenciesFor({ holders: [holder], path }));
    const nearest = named.findLast(({ length }) => length > 0) ?? [];
    const other = [currency, ...nearest].find((one) => one !== undefined && one !== money.currency);
    if (other === undefined) return [{ ...amount, text: value, money }];
    throw bodyNotValid(`${pointer} is in ${money.currency}, but the request says ${shown(other)}`);
  });
  const requireCurrency = async () => {
    for (const one of given) if (one.currency === undefined) requireRecord(one, await parts.record());
    if (given.length > MOST_NAMED) parts.say(`${given.length} amounts are sent in minor units.`);
    else
      for (const { pointer, text, money } of given)
        parts.say(`${pointer}: ${text} is sent as ${money.minor}.`);
  };
  if (given.length === 0) return { body, requireCurrency };
  const values = given.map(
    ({ pointer, money }) => [pointer, parseKeepingNumbers(String(money.minor))] as const,
  );
  return { body: withValues(body, new Map(values)), requireCurrency };
}

/** At most so many conversions are named. */
const MOST_NAMED = 10;

/** Requires the currency of an amount to be that of the record. @throws UsageError `bad_body` */
function requireRecord({ pointer, money }: Given, record: ConcernedRecord): void {
  const what = `${pointer} is in ${money.currency}, but`;
  const minorUnits = `Name the currency in the request, if it takes one, or use minor units: ${money.minor}`;
  if (record.state === 'none') throw bodyNotValid(`${what} the request names no currency`, minorUnits);
  if (record.state === 'not_read') {
    throw bodyNotValid(
      `${what} the request names no currency, and the record ${quote(record.id)} cannot be read`,
      minorUnits,
    );
  }
  const currency = currencyOfRecord(record);
  if (currency === undefined) {
    throw bodyNotValid(
      `${what} neither the request nor the record ${quote(record.id)} names a currency`,
      minorUnits,
    );
  }
  if (currency === money.currency) return;
  throw bodyNotValid(`${what} the record ${quote(record.id)} is in ${shown(currency)}`);
}

function shown(currency: string): string {
  return currencyCode(currency) ?? quote(currency);
}

/** A copy with these values at their pointers; what holds none of them is shared. */
export function withValues(value: unknown, values: ReadonlyMap<string, unknown>): unknown {
  const holders = new Set([...values.keys()].flatMap(pointersAbove));
  const copy = (part: unknown, pointer: string): unknown => {
    if (values.has(pointer)) return values.get(pointer);
    if (!holders.has(pointer)) return part;
    if (Array.isArray(part)) return part.map((element, index) => copy(element, `${pointer}/${index}`));
    if (!isObject(part)) return part;
    const members = Object.entries(part);
    return Object.fromEntries(members.map(([name, old]) => [name, copy(old, pointer + pointerTo([name]))]));
  };
  return copy(value, '');
}

function pointersAbove(pointer: string): readonly string[] {
  const segments = pointer.split('/');
  return segments.map((_, length) => segments.slice(0, length).join('/'));
}
