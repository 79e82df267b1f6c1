import { isObject } from '../json/is-object.ts';
import { currencyIn, currencyRank, isAmountMember, VALUE } from '../text/amount-names.ts';
import { currencyCode, currencyDecimals } from '../text/currency.ts';
import { valueAt } from './columns.ts';

/** Ends an amount that is shown as it was sent. */
export const UNIT_UNKNOWN = '(unit unknown)';

/** Whether a member of an object, or an element of a list, is an amount; `above` is the name of the member that holds `holder`. */
export function isAmountIn(holder: unknown, name: string, above?: string): boolean {
  if (Array.isArray(holder)) return above !== undefined && isAmountMember(above);
  if (isAmountMember(name, above)) return true;
  return name === VALUE && currencyIn(holder, name) !== undefined;
}

/**
 * Writes an integer of a currency's smallest unit in its major unit, by ISO 4217: `134.70 GBP`, `28473 JPY`. An amount of a
 * currency that is not known stays as it was sent, and says so. A code in small letters is known, too. Undefined for what is not an integer with a currency.
 */
export function amountText(value: unknown, currency: unknown): string | undefined {
  const isInteger = typeof value === 'bigint' || Number.isSafeInteger(value);
  if (!isInteger || typeof currency !== 'string' || currency === '') return undefined;
  const code = currencyCode(currency) ?? currency;
  const digits = currencyDecimals(code);
  if (digits === undefined) return `${value} ${currency} ${UNIT_UNKNOWN}`;
  return `${decimalText(String(value), digits)} ${code}`;
}

/** Puts the decimal point into the digits of an integer: `13470` with two decimals is `134.70`. */
export function decimalText(integer: string, decimals: number): string {
  if (decimals === 0) return integer;
  const sign = integer.startsWith('-') ? '-' : '';
  const padded = integer.slice(sign.length).padStart(decimals + 1, '0');
  return `${sign}${padded.slice(0, -decimals)}.${padded.slice(-decimals)}`;
}

/** The same after the integer that is sent: `500 (5.00 EUR)`. */
export function amountInBothUnits(value: unknown, currency: unknown): string | undefined {
  const text = amountText(value, currency);
  if (text === undefined) return undefined;
  return text.endsWith(UNIT_UNKNOWN) ? text : `${value} (${text})`;
}

/**
 * The currency of the member `name` of the last of these objects, each of which holds the next: that of the object itself or of the
 * nearest one that says one.
 */
export function currencyOf(holders: readonly unknown[], name: string): string | undefined {
  for (const holder of holders.toReversed()) {
    const currency = currencyIn(holder, name);
    if (currency !== undefined) return currency;
  }
  return undefined;
}

/** All currencies that these objects name for the member at the end of these names, as they were sent, the nearest first. */
export function currenciesOf(holders: readonly unknown[], names: readonly string[]): readonly string[] {
  const members = holders.toReversed().flatMap((holder) => (isObject(holder) ? Object.entries(holder) : []));
  return members
    .filter(([other]) => names.some((name) => currencyRank(other, name) !== undefined))
    .flatMap(([, value]): readonly unknown[] => (Array.isArray(value) ? value : [value]))
    .filter((value): value is string => typeof value === 'string' && value !== '');
}

/** The currency of the amount at a dotted path of an item; undefined for any other value. */
export function currencyAt(item: unknown, path: string): string | undefined {
  const parts = path.split('.');
  const name = parts.at(-1) ?? '';
  const holders = parts.map((_, length) =>
    length === 0 ? item : valueAt(item, parts.slice(0, length).join('.')),
  );
  return isAmountIn(holders.at(-1), name, parts.at(-2)) ? currencyOf(holders, name) : undefined;
}

/** The amount at a dotted path of an item as people read it, in the currency of `currencyAt`. Undefined for any other value. */
export function amountAt(item: unknown, path: string): string | undefined {
  return amountText(valueAt(item, path), currencyAt(item, path));
}
