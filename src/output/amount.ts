import { currencyDecimals } from '../text/currency.ts';
import { valueAt } from './columns.ts';

/** Members that hold amounts, in the smallest unit of the `currency` in the same object or in one above it. */
const AMOUNT_MEMBER = /^(?:balance|amount|.+_amount)$/;

/** Whether a member of this name holds an amount. */
export function isAmountMember(name: string): boolean {
  return AMOUNT_MEMBER.test(name);
}

/**
 * Writes an integer of a currency's smallest unit in its major unit, by ISO 4217: `134.70 GBP`, `28473 JPY`. An amount of a
 * currency that is not known stays as it was sent, and says so. Undefined for what is not an integer with a currency.
 */
export function amountText(value: unknown, currency: unknown): string | undefined {
  const isInteger = typeof value === 'bigint' || Number.isSafeInteger(value);
  if (!isInteger || typeof currency !== 'string' || currency === '') return undefined;
  const digits = currencyDecimals(currency);
  if (digits === undefined) return `${value} ${currency} (unit unknown)`;
  const [sign, units] = String(value).startsWith('-') ? ['-', String(value).slice(1)] : ['', String(value)];
  if (digits === 0) return `${sign}${units} ${currency}`;
  const padded = units.padStart(digits + 1, '0');
  return `${sign}${padded.slice(0, -digits)}.${padded.slice(-digits)} ${currency}`;
}

/**
 * The amount at a dotted path of an item as people read it. Its `currency` comes from the same object or, if that has none,
 * from the nearest object above. Undefined for any other value.
 */
export function amountAt(item: unknown, path: string): string | undefined {
  const parts = path.split('.');
  if (!isAmountMember(parts.at(-1) ?? '')) return undefined;
  for (let length = parts.length - 1; length >= 0; length -= 1) {
    const currency = valueAt(item, [...parts.slice(0, length), 'currency'].join('.'));
    if (typeof currency === 'string') return amountText(valueAt(item, path), currency);
  }
  return undefined;
}
