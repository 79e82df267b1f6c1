import type { Call } from '../../client/call.ts';
import { isReadOnlyMember, partsOf } from '../../descriptions/schema-at.ts';
import { plainNumber } from '../../json/exact.ts';
import { isObject } from '../../json/is-object.ts';
import { amountText } from '../../output/amount.ts';
import { currencyIn, isAmountMember, PAYMENT_NAMES, requestedNames, snake } from '../../text/amount-names.ts';
import { currencyCode } from '../../text/currency.ts';
import { decodeComponent } from '../../text/decode.ts';
import { type Amount, amountsOf, unitsBySchema } from './amounts.ts';
import type { Money } from './minor-units.ts';
import type { ConcernedRecord } from './record.ts';

/** A change, before it is sent. */
export type Change = {
  readonly method: string;
  /** Below the base URL, percent-encoded, with its query. */
  readonly path: string;
  readonly call: Pick<Call, 'operation' | 'path' | 'body'>;
};

/** What a change does to the money of a payment; undefined for any other change. */
export type Action = 'capture' | 'refund';

/**
 * Whether a change captures or refunds a payment, by the last segment of its path, or those before it if that is a parameter or an ID:
 * `/transactions/{id}/refunds`, `/orders/{id}:capture`, `/refundPayment/{id}`.
 */
export function actionOf({ method, call }: Pick<Change, 'method' | 'call'>): Action | undefined {
  if (method === 'DELETE') return undefined;
  const [path = ''] = call.operation.path.split('?', 1);
  for (const segment of path.split('/').reverse()) {
    const words = new Set(snake(decoded(segment)).split(/[^a-z]+/));
    if (words.has('refund') || words.has('refunds')) return 'refund';
    if (words.has('capture') || words.has('captures')) return 'capture';
    if (segment !== '' && !segment.endsWith('}') && !/\d/.test(segment)) return undefined;
  }
  return undefined;
}

/** A segment as a service may read it: some decode more than once. */
function decoded(segment: string): string {
  let text = segment;
  for (let count = 0; count < 4; count += 1) text = decodeComponent(text);
  return text;
}

/**
 * What a request says about amounts: in its body, its query and the values of its path. Where the body names no currency, that of the
 * query counts, else `currency`, that of the record.
 */
export function requestAmounts({ path, call }: Change, currency?: string): readonly Amount[] {
  const { operation, body, path: values } = call;
  const query = new URLSearchParams(path.split('?').slice(1).join('?'));
  const pairs = Map.groupBy(query, ([name]) => name.split(/[[\]]+/).findLast((part) => part !== '') ?? name);
  const texts = [...pairs].map(([name, all]) => [
    name,
    all.length === 1 ? all[0]?.[1] : all.map(([, value]) => value),
  ]);
  const others = { ...values, ...Object.fromEntries(texts) };
  const named = currencyIn(others, 'amount') ?? currency;
  return [
    ...amountsOf(body, { currency: named, isMajor: unitsBySchema(operation.requestSchema) }),
    ...amountsOf(others, { currency: named, isMajor: () => false }),
  ];
}

/** The fields that the schema of a body has at its top, in its order, without those that the service sets. */
function describedFields({ operation: { requestSchema: schema } }: Change['call']): readonly string[] {
  const parts = partsOf(schema, schema);
  const names = parts.flatMap(({ properties }) => (isObject(properties) ? Object.keys(properties) : []));
  return [...new Set(names)].filter((name) => !isReadOnlyMember(parts, name, schema));
}

/**
 * The fields of which one has to name the amount, so that the service does not decide it: those of the schema; without one, `amount` for a
 * capture or a refund. None where the service decides in any case. Undefined where a change need not move anything.
 */
function decisiveAmounts(change: Change): readonly string[] | undefined {
  const action = actionOf(change);
  if (!action && change.method !== 'POST') return undefined;
  const fields = describedFields(change.call);
  const names = [...requestedNames(action), 'total'];
  const main = fields.filter((name) => names.includes(snake(name)));
  if (main.length > 0) return main;
  if (action) return fields.length > 0 ? [] : ['amount'];
  const others = fields.filter((name) => isAmountMember(name));
  return others.length > 0 ? others : undefined;
}

/**
 * Whether the service decides how much a change moves, because the request does not: a service ignores fields and parameters that it does not
 * know. A zero may mean the same as nothing.
 */
export function isLeftToService(change: Change): boolean {
  const { operation, body, path: values } = change.call;
  const names = decisiveAmounts(change);
  if (!names) return false;
  const isGiven = (value: unknown) => !isNothing(value) && !isZero(value);
  const parameters = [...Object.keys(operation.query), ...Object.keys(values ?? {})];
  if (parameters.some((name) => isAmountMember(name))) {
    const given = requestAmounts({ ...change, call: { ...change.call, body: undefined } });
    if (given.some(({ path: [name = ''], value }) => parameters.includes(name) && isGiven(value)))
      return false;
  }
  return !amountsOf(body).some(({ path: [name = ''], value }) => names.includes(name) && isGiven(value));
}

function isZero(value: unknown): boolean {
  return (plainNumber(value) ?? Number(value)) === 0;
}

/** The optional amounts at the top of the body that are not given. Without a description a capture or a refund has `amount`. */
export function missingAmounts(change: Change): readonly string[] {
  const { body } = change.call;
  const given = isObject(body) ? body : {};
  const fields = describedFields(change.call);
  const names =
    fields.length > 0 || !actionOf(change) ? fields.filter((name) => isAmountMember(name)) : ['amount'];
  return names.filter((name) => isNothing(given[name]));
}

/** Whether a value stands for none. */
export function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** The amounts of a payment, in the smallest unit of one currency. */
export type Payment = {
  readonly currency: string;
  readonly authorized: bigint | undefined;
  readonly captured: bigint | undefined;
  readonly refunded: bigint | undefined;
};

/** What a record says about its payment; undefined for one that has no amount with a currency. */
export function paymentOf(record: ConcernedRecord): Payment | undefined {
  const currency = currencyOfRecord(record);
  if (record.state !== 'read' || currency === undefined) return undefined;
  const amounts = amountsOf(record.value).filter((amount) => amount.currency === currency);
  const find = (names: readonly string[]) =>
    names
      .map((name) => amounts.find(({ path }) => path.length <= 2 && snake(path[0] ?? '') === name)?.minor)
      .find((minor) => minor !== undefined);
  return {
    currency,
    authorized: find(['authorized_amount', 'amount_authorized', ...PAYMENT_NAMES.amount]),
    captured: find(PAYMENT_NAMES.captured),
    refunded: find(PAYMENT_NAMES.refunded),
  };
}

/** The currency of a record: that of the record itself, else the one that all of its amounts have. */
export function currencyOfRecord(record: ConcernedRecord): string | undefined {
  if (record.state !== 'read') return undefined;
  const own = currencyIn(record.value, 'amount');
  if (own !== undefined) return currencyCode(own) ?? own;
  const currencies = new Set(amountsOf(record.value).map(({ currency }) => currency));
  return currencies.size === 1 ? [...currencies][0] : undefined;
}

/** All that an action can still move; undefined where the record does not say. */
export function leftFor(action: Action | undefined, payment: Payment | undefined): Money | undefined {
  if (!action || !payment) return undefined;
  const { authorized, captured, refunded, currency } = payment;
  const [all, done] = action === 'capture' ? [authorized, captured] : [captured, refunded];
  return all === undefined || done === undefined
    ? undefined
    : { minor: all > done ? all - done : 0n, currency };
}

/** At least as much as an action can move; undefined where the record has no amount. */
export function mostFor(action: Action | undefined, payment: Payment | undefined): Money | undefined {
  const left = leftFor(action, payment);
  if (left || !payment) return left;
  const { authorized = -1n, captured = -1n, currency } = payment;
  const minor = authorized > captured ? authorized : captured;
  return minor < 0n ? undefined : { minor, currency };
}

/** An amount of money as people read it: `5.00 EUR`. */
export function moneyText({ minor, currency }: Money): string {
  return amountText(minor, currency) ?? `${minor} ${currency}`;
}
