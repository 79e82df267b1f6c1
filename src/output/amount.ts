import { valueAt } from './columns.ts';

/** ISO 4217's currencies whose smallest unit is not a hundredth; ICU deviates from it for a dozen others. */
const DIGITS: ReadonlyMap<string, number> = new Map([
  ...digitsOf(0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'),
  ...digitsOf(3, 'BHD IQD JOD KWD LYD OMR TND'),
  ...digitsOf(4, 'CLF UYW'),
]);
/** Codes of ISO 4217 that stand for no money with a smallest unit: metals, baskets, tests. */
const NO_UNIT = new Set('XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'.split(' '));

/** Members that hold amounts, in the smallest unit of the `currency` beside or above them. */
const AMOUNT_MEMBER = /^(?:balance|amount|.+_amount)$/;

function digitsOf(digits: number, codes: string): [string, number][] {
  return codes.split(' ').map((code) => [code, digits]);
}

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
  const digits = minorDigits(currency);
  if (digits === undefined) return `${value} ${currency} (unit unknown)`;
  const [sign, units] = String(value).startsWith('-') ? ['-', String(value).slice(1)] : ['', String(value)];
  if (digits === 0) return `${sign}${units} ${currency}`;
  const padded = units.padStart(digits + 1, '0');
  return `${sign}${padded.slice(0, -digits)}.${padded.slice(-digits)} ${currency}`;
}

/**
 * The amount at a dotted path of an item as people read it, in the `currency` beside it or, where there is none, above it.
 * Undefined for any other value.
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

let known: ReadonlySet<string> | undefined;

function minorDigits(currency: string): number | undefined {
  known ??= new Set(Intl.supportedValuesOf('currency'));
  if (NO_UNIT.has(currency)) return undefined;
  return DIGITS.get(currency) ?? (known.has(currency) ? 2 : undefined);
}
