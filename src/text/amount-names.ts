/** Words that end the name of a member with an amount. */
const AMOUNT =
  /(?:^|_)(?:amount|balance|cost|fee|money|price|subtotal|total)(?:(?:_in)?_(?:cents|minor(?:_units?)?))?$/;
/** Names such as `amount_refunded`, but not those that say something about an amount, as `amount_refunded_at` does. */
const AMOUNT_FIRST =
  /^amount_(?!(?:.*_)?(?:at|count|currency|(?<!to_)date|decimals|digits|direction|exponent|format|id|precision|scale|status|type)$)/;

/** The amount in an object that has its currency, too. */
export const VALUE = 'value';
/** The names of the amount in an object that is money. */
export const VALUES: readonly string[] = [VALUE, 'amount'];

/** How the name of an amount says that it is in minor units. */
export const MINOR_UNIT = /(?:_in)?_(?:cents|minor(?:_units?)?)$/;
/** How the name of an amount says the form of it, as `refunded_money` and `amount_in_cents` do. */
const FORM = /(?:_of)?_money$|_value$|(?:_in)?_(?:cents|minor(?:_units?)?)$/;

/** Names of the amounts of a payment, as `paymentName` writes them; the first that a payment has counts. */
export const PAYMENT_NAMES = {
  amount: ['amount', 'total_amount'],
  captured: ['captured_amount', 'amount_captured'],
  refunded: ['refunded_amount', 'amount_refunded'],
} as const;

/** The same of the amount that a capture, a refund or a payment moves, in its body; `verb` is what it does. */
export function requestedNames(verb: string | undefined): readonly string[] {
  return [...PAYMENT_NAMES.amount, ...(verb ? [`${verb}_amount`, `amount_to_${verb}`] : [])];
}

/** The name of an amount of a payment without its form: `refunded_amount` for `refundedMoney` and `total_refunded_amount`, `amount` for `transaction_amount`. */
export function paymentName(name: string): string {
  const plain = snake(name);
  const stem = plain
    .replace(/^total_(?=(?:amount_)?(?:captured|refunded))|^(?:transaction|payment)_(?=amount)/, '')
    .replace(FORM, '');
  return stem === plain || stem.includes('amount') ? stem : `${stem}_amount`;
}

/** The member with the first of these names, in any notation and form; one that has exactly the name goes first. */
export function paymentMember(names: readonly string[], members: readonly string[]): string | undefined {
  return names.flatMap(
    (name) =>
      members.find((one) => snake(one) === name) ?? members.find((one) => paymentName(one) === name) ?? [],
  )[0];
}

/** Names of the member that says the currency of the amounts in the same object and below it. */
const CURRENCIES: readonly string[] = [
  'currency',
  'currency_code',
  'currency_iso',
  'currency_iso_code',
  'iso_currency',
  'iso_currency_code',
  'purchase_currency',
];

/**
 * Whether a member of this name holds an amount, which is in the smallest unit of its currency where it is an integer: `amount`,
 * `unitAmount`, `amount_refunded`, `balance`, `total`; also `value` in a member of such a name. The only table of these names.
 */
export function isAmountMember(name: string, above?: string): boolean {
  if (name === VALUE) return above !== undefined && above !== VALUE && isAmountMember(above);
  const plain = snake(name);
  return AMOUNT.test(plain) || AMOUNT_FIRST.test(plain);
}

/** Whether the member at the end of a dotted path holds an amount. */
export function isAmountPath(path: string): boolean {
  const [name = '', above] = path.split('.').toReversed();
  return isAmountMember(name, above);
}

/**
 * How well a member says the currency of an amount in the same object: 0 for one of that amount alone (`settlement_currency` of
 * `settlement_amount`), more for one of the whole object, undefined for any other member. The lowest number decides.
 */
export function currencyRank(name: string, amount: string): number | undefined {
  const plain = snake(name);
  const whole = snake(amount);
  const bare = whole.replace(FORM, '');
  const [, stem] = /^(.+)_currency(?:_code)?$/.exec(plain) ?? [];
  if (stem !== undefined && [whole, bare].some((one) => stem === one || `${stem}_amount` === one)) return 0;
  const at = CURRENCIES.indexOf(plain);
  return at === -1 ? undefined : at + 1;
}

/** What an object says about the currency of its member `name`, as it was sent; undefined where it says nothing. */
export function currencyIn(holder: unknown, name: string): string | undefined {
  if (typeof holder !== 'object' || holder === null) return undefined;
  let best: { readonly rank: number; readonly currency: string } | undefined;
  for (const [other, value] of Object.entries(holder)) {
    if (typeof value !== 'string' || value === '') continue;
    const rank = currencyRank(other, name);
    if (rank !== undefined && rank < (best?.rank ?? Number.POSITIVE_INFINITY))
      best = { rank, currency: value };
  }
  return best?.currency;
}

/** Which of these paths is that of the currency of the amount at a dotted path: one in the same object. Undefined where none is. */
export function currencyPath(amount: string, paths: Iterable<string>): string | undefined {
  const above = amount.slice(0, amount.lastIndexOf('.') + 1);
  let [found, lowest]: [string | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
  for (const path of paths) {
    if (!path.startsWith(above)) continue;
    const rank = currencyRank(path.slice(above.length), amount.slice(above.length)) ?? lowest;
    if (rank < lowest) [found, lowest] = [path, rank];
  }
  return found;
}

/** `unitAmount` and `unit-amount` as `unit_amount`, `EURAmount` as `eur_amount`. */
export function snake(name: string): string {
  return name
    .replaceAll('-', '_')
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}
