import { amountText } from '../../output/amount.ts';
import { currencyCode, currencyDecimals } from '../../text/currency.ts';

/** An amount of money: `minor` counts the smallest unit of the currency, by ISO 4217. */
export type Money = { readonly minor: bigint; readonly currency: string };

/** Why a text is no amount with its currency, as half a sentence: `has 3 decimals, and EUR has 2`. */
export type NotMoney = {
  readonly problem: string;
  /** The text has no currency at all. */
  readonly isBare?: true;
};

/** More digits than any amount has. */
const MOST_DIGITS = 30;
const DECIMAL = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?$/;
const PARTS = [
  /^(?<number>[^A-Za-z ]+) ?(?<code>[A-Za-z]+)$/,
  /^(?<code>[A-Za-z]+) ?(?<number>[^A-Za-z ]+)$/,
];

/** Reads `5.00EUR`, `5.00 EUR` or `EUR 5.00`: digits with at most the decimals of the currency, and its code in capital letters. */
export function readMoney(text: string): Money | NotMoney {
  const { number, code } = partsOfMoney(text);
  if (number === undefined || code === undefined) return { problem: 'has no currency', isBare: true };
  const minor = minorUnits(number, code);
  return typeof minor === 'bigint' ? { minor, currency: code } : minor;
}

/**
 * A number in the major unit of a currency, such as `5.00` of EUR, in its smallest unit: 500n. Exact: a number with more decimals than
 * the currency is refused, and so are grouping marks, exponents, blanks and a minus zero.
 */
export function minorUnits(number: string, currency: string): bigint | NotMoney {
  const decimals = currencyDecimals(currency);
  if (decimals === undefined) return unknownCurrency(currency);
  if (number.length > MOST_DIGITS) return { problem: `has more than ${MOST_DIGITS} characters` };
  const [isNumber, sign, whole = '', fraction = ''] = DECIMAL.exec(number) ?? [];
  if (isNumber === undefined) return { problem: problemOf(number) };
  if (fraction.length > decimals) {
    const limit = decimals === 0 ? `${currency} has none` : `${currency} has ${decimals}`;
    return {
      problem: `has ${fraction.length === 1 ? '1 decimal' : `${fraction.length} decimals`}, and ${limit}`,
    };
  }
  const minor = BigInt(whole + fraction.padEnd(decimals, '0'));
  if (sign === '-' && minor === 0n) return { problem: 'is a negative zero' };
  return sign === '-' ? -minor : minor;
}

function unknownCurrency(currency: string): NotMoney {
  const code = currencyCode(currency);
  if (code !== undefined) return { problem: `writes the currency as ${currency} instead of ${code}` };
  return {
    problem: 'has a currency code that is not in ISO 4217, or that has no minor unit',
  };
}

function problemOf(number: string): string {
  if (/^-?[\d.,' _]+$/.test(number) && /[,' _]|\..*\./.test(number)) {
    return 'has a comma or a thousands separator; use a decimal point and no thousands separators';
  }
  return 'is not a number in digits, such as 5.00';
}

/**
 * How to write an amount that was refused, as a sentence with the ways that `write` makes of `500` and `5.00EUR`. The currency is that of the
 * text, else the one that the request names. Where the number is not understood, or nobody says the currency, it is an example.
 */
export function waysToWrite(
  text: string,
  currency: string | undefined,
  write: (minor: string, major: string) => string,
): string {
  const { number = text, code = currency ?? '' } = partsOfMoney(text);
  const known = currencyCode(code);
  const inUse = known ?? 'EUR';
  const read = minorUnits(number, inUse);
  const isMeant = known !== undefined && typeof read === 'bigint';
  const minor = typeof read === 'bigint' ? read : minorUnits('5', inUse);
  const shown = amountText(minor, inUse) ?? '';
  const ways = write(String(minor), shown.replace(' ', ''));
  return isMeant ? `For ${shown}, use ${ways}.` : `For example, ${shown} is ${ways}.`;
}

/** The number and the currency of `5.00EUR`, `5.00 EUR` or `EUR 5.00`, as they are written; empty for any other text. */
export function partsOfMoney(text: string): Readonly<Partial<Record<string, string>>> {
  return PARTS.map((form) => form.exec(text)?.groups).find(Boolean) ?? {};
}
