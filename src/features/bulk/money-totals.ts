import { type Money, minorUnits } from '../../cli/money/minor-units.ts';
import { moneyText } from '../../cli/money/moved.ts';
import type { Profile } from '../../config/profile.ts';
import { UsageError } from '../../errors.ts';
import { stringifyText } from '../../json/exact.ts';
import { amountText, decimalText } from '../../output/amount.ts';
import { currencyDecimals } from '../../text/currency.ts';
import { quote } from '../../text/format.ts';

/** Sums of money, one for each currency. */
export class MoneyTotals {
  readonly #minor = new Map<string, bigint>();

  add(amounts: readonly Money[]): void {
    for (const { minor, currency } of amounts)
      this.#minor.set(currency, (this.#minor.get(currency) ?? 0n) + minor);
  }

  /** The sum in the smallest unit. */
  of(currency: string): bigint {
    return this.#minor.get(currency) ?? 0n;
  }

  /** All sums, sorted by currency. */
  all(): readonly Money[] {
    const entries = [...this.#minor].sort(([one], [other]) => (one < other ? -1 : 1));
    return entries.map(([currency, minor]) => ({ minor, currency }));
  }

  /** In the major unit, by currency, as files have it: `1234.56`. */
  toJSON(): Record<string, string> {
    return Object.fromEntries(this.all().map((money) => [money.currency, majorText(money)]));
  }
}

/** The totals of these amounts, as `MoneyTotals.toJSON` gives them. */
export function totalsOf(amounts: readonly Money[]): Record<string, string> {
  const totals = new MoneyTotals();
  totals.add(amounts);
  return totals.toJSON();
}

/** The JSON of the totals of these amounts. */
export function totalsJson(amounts: readonly Money[]): string {
  const [amount] = amounts;
  if (amount && amounts.length === 1)
    return `{${stringifyText(amount.currency)}:${stringifyText(majorText(amount))}}`;
  return JSON.stringify(totalsOf(amounts));
}

/** An amount in the major unit, without its currency. */
export function majorText({ minor, currency }: Money): string {
  const decimals = currencyDecimals(currency);
  if (decimals !== undefined) return decimalText(String(minor), decimals);
  return (amountText(minor, currency) ?? String(minor)).replace(` ${currency}`, '');
}

/** Parses totals in the major unit, by currency. */
export function readTotals(totals: Readonly<Record<string, string>>): readonly Money[] {
  return Object.entries(totals).flatMap(([currency, text]) => {
    const minor = minorUnits(text, currency);
    return typeof minor === 'bigint' ? [{ minor, currency }] : [];
  });
}

/** Totals in words: `1234.56 EUR and 90.00 USD`. */
export function totalsText(totals: readonly Money[]): string {
  const texts = totals.map(moneyText);
  return [texts.slice(0, -1).join(', '), texts.at(-1) ?? ''].filter(Boolean).join(' and ');
}

/** The most that the rows of a plan may move, by currency, and the source of the limit. Other currencies are not allowed. */
export type TotalLimit = { readonly by: string; readonly most: readonly Money[] };

/** The limits of profiles. A plan must be within all of them. */
export function totalLimitsOf(profiles: readonly Profile[]): readonly TotalLimit[] {
  return profiles.flatMap(({ name, maxTotals }) =>
    maxTotals ? [{ by: `the profile ${name}`, most: readTotals(maxTotals) }] : [],
  );
}

/** @throws UsageError `over_limit`, with this hint, for a total that a limit does not allow */
export function requireWithinTotals(
  totals: readonly Money[],
  limits: readonly TotalLimit[],
  hint: string,
): void {
  for (const { by, most } of limits) {
    for (const money of totals) {
      const limit = most.find(({ currency }) => currency === money.currency);
      if (money.minor <= (limit?.minor ?? 0n)) continue;
      const rule = limit ? `allows ${moneyText(limit)} at most` : `allows no plan in ${money.currency}`;
      throw new UsageError('over_limit', `The rows move ${moneyText(money)}, but ${by} ${rule}`, { hint });
    }
  }
}

/**
 * The values of `--expect-total` or `--max-total`, each such as `EUR=1234.56`.
 * @throws UsageError `bad_flag`
 */
export function readTotalFlags(flag: string, texts: readonly string[] = []): readonly Money[] {
  const found = texts.map((text) => {
    const [, currency = '', amount = ''] = /^([^=]*)=(.*)$/s.exec(text.trim()) ?? [];
    const minor = minorUnits(amount, currency);
    if (typeof minor === 'bigint' && minor >= 0n) return { minor, currency };
    throw new UsageError('bad_flag', `${flag} must be a currency and an amount, not ${quote(text)}`, {
      hint: `For example: ${flag} EUR=1234.56`,
    });
  });
  if (new Set(found.map(({ currency }) => currency)).size < found.length)
    throw new UsageError('bad_flag', `${flag} names a currency twice`);
  return found;
}
