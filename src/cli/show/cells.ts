import { amountText } from '../../output/amount.ts';
import { formatCell, type Tone, valueAt } from '../../output/columns.ts';
import { momentOf } from '../../text/format.ts';

/** The value at a dotted path of an item as text; empty where there is none. */
export function textOf(item: unknown, path: string): string {
  return formatCell(valueAt(item, path));
}

/** The texts that are not empty, with a space between them. */
export function words(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join(' ');
}

/** A card as it is known by its last four digits: `visa ···4190`; a label of any other kind stays as it is. */
export function cardText(name: string, label: string): string {
  return words(name, /^\d{4}$/.test(label) ? `\u00B7\u00B7\u00B7${label}` : label);
}

/** An amount at one path with its currency at another: `134.70 GBP`; as it was sent where it is no such pair, and empty without an amount. */
export function amountCell(path: string, currencyPath = 'currency'): (item: unknown) => string {
  return (item) =>
    amountText(valueAt(item, path), valueAt(item, currencyPath)) ?? withCurrency(item, path, currencyPath);
}

/** An amount of a currency's major unit with its currency: `134.7 GBP`. */
export function majorAmountCell(path: string, currencyPath: string): (item: unknown) => string {
  return (item) => withCurrency(item, path, currencyPath);
}

function withCurrency(item: unknown, path: string, currencyPath: string): string {
  const amount = textOf(item, path);
  return amount === '' ? '' : words(amount, textOf(item, currencyPath));
}

/** Years from 1973 to 2103: a number that counts something else is hardly in between. */
const PLAUSIBLE_MS = { from: 1e11, to: 4.2e12 };

/** A time that is sent as an integer since 1970, each of so many milliseconds; another number as it was sent. */
export function unixTimeCell(path: string, unitMs: 1 | 1000): (item: unknown) => string {
  return (item) => {
    const value = valueAt(item, path);
    const isInteger = typeof value === 'bigint' || Number.isInteger(value);
    const milliseconds = isInteger ? Number(value) * unitMs : Number.NaN;
    const isTime = milliseconds >= PLAUSIBLE_MS.from && milliseconds < PLAUSIBLE_MS.to;
    return isTime ? momentOf(new Date(milliseconds)) : formatCell(value);
  };
}

/** The tone of a word such as a status: what has failed is red, what waits for something yellow. */
export function statusTone(path: string): (item: unknown) => Tone | undefined {
  return (item) => {
    const status = textOf(item, path);
    if (/fail|declin|reject|refus|error|expired/.test(status)) return 'red';
    return /process|pend|unknown|required|paused/.test(status) ? 'yellow' : undefined;
  };
}

/** Red for a date of expiry that has passed, written `MM/YY`, `MM/YYYY` or as a time. */
export function expiryTone(path: string, now = Date.now()): (item: unknown) => Tone | undefined {
  return (item) => (endOf(textOf(item, path)) <= now ? 'red' : undefined);
}

/** When an expiry takes effect, in milliseconds; a month counts to its end. NaN for what cannot be read. */
function endOf(text: string): number {
  const [, month, year] = /^(0[1-9]|1[0-2])\/(\d\d|\d{4})$/.exec(text) ?? [];
  if (month === undefined || year === undefined) return Date.parse(text);
  return Date.UTC(year.length === 2 ? 2000 + Number(year) : Number(year), Number(month));
}
