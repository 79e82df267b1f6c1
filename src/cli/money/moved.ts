import type { Call } from '../../client/call.ts';
import { isReadOnlyMember, partsOf } from '../../descriptions/schema-at.ts';
import { plainNumber } from '../../json/exact.ts';
import { isObject } from '../../json/is-object.ts';
import { amountText, currencyIn } from '../../output/amount.ts';
import { isAmountMember } from '../../text/amount-names.ts';
import { currencyCode } from '../../text/currency.ts';
import { decodeOnce } from '../routing/match-operation.ts';
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
 * Whether a change captures or refunds a payment, by the last segment of its path that is neither a parameter nor an ID: `/transactions/{id}/refunds`,
 * `/orders/{id}:capture`, `/refundPayment`.
 */
export function actionOf({ method, call }: Pick<Change, 'method' | 'call'>): Action | undefined {
  if (method === 'DELETE') return undefined;
  const [path = ''] = call.operation.path.split('?', 1);
  const segments = path.split('/').map((segment) => decodeOnce(segment) ?? segment);
  const last =
    segments.findLast((segment) => segment !== '' && !/^(?:\{[^}]*\}|[^:]*\d[^:]*)$/.test(segment)) ?? '';
  const words = snake(last).split(/[^a-z]+/);
  if (words.some((word) => word === 'refund' || word === 'refunds')) return 'refund';
  return words.some((word) => word === 'capture' || word === 'captures') ? 'capture' : undefined;
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

/** The fields at the top of a body that would name the amount of a capture or a refund. */
function mainNames(action: Action): readonly string[] {
  return ['amount', 'total_amount', `${action}_amount`, `amount_to_${action}`];
}

/** The fields with amounts that the schema of a body has at its top, in its order. */
function describedAmounts({ operation }: Change['call']): readonly string[] {
  const schema = operation.requestSchema;
  const parts = partsOf(schema, schema);
  const names = parts.flatMap(({ properties }) => (isObject(properties) ? Object.keys(properties) : []));
  return [...new Set(names)].filter((name) => isAmountMember(name) && !isReadOnlyMember(parts, name, schema));
}

/**
 * The fields of which one has to name an amount, so that the service does not decide it: of a capture or a refund those that its schema
 * has, otherwise `amount`; of any other POST, all amounts of its schema.
 */
function decisiveAmounts(change: Change): readonly string[] {
  const described = describedAmounts(change.call);
  const action = actionOf(change);
  if (!action) return change.method === 'POST' ? described : [];
  const names = described.filter((name) => mainNames(action).includes(snake(name)));
  if (names.length > 0) return names;
  return described.length > 0 ? described : ['amount'];
}

/** Whether the service decides how much a change moves, because the request does not. A zero may mean the same as nothing. */
export function isLeftToService(change: Change, amounts: readonly Amount[]): boolean {
  const names = decisiveAmounts(change);
  if (names.length === 0) return false;
  return !amounts.some(
    ({ path: [name = ''], value }) => names.includes(name) && !isNothing(value) && !isZero(value),
  );
}

function isZero(value: unknown): boolean {
  return (plainNumber(value) ?? Number(value)) === 0;
}

/** The optional amounts at the top of the body that are not given. Without a description a capture or a refund has `amount`. */
export function missingAmounts(change: Change): readonly string[] {
  const { body } = change.call;
  const given = isObject(body) ? body : {};
  const described = describedAmounts(change.call);
  const isKnown = isObject(change.call.operation.requestSchema);
  const names = isKnown || !actionOf(change) ? described : ['amount'];
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

const PAYMENT_NAMES = {
  authorized: ['authorized_amount', 'amount_authorized', 'amount', 'total_amount'],
  captured: ['captured_amount', 'amount_captured'],
  refunded: ['refunded_amount', 'amount_refunded'],
} as const;

/** What a record says about its payment; undefined for one that has no amount with a currency. */
export function paymentOf(record: ConcernedRecord): Payment | undefined {
  const currency = currencyOfRecord(record);
  if (record.state !== 'read' || currency === undefined) return undefined;
  const amounts = amountsOf(record.value).filter((amount) => amount.currency === currency);
  const find = (what: keyof typeof PAYMENT_NAMES) =>
    PAYMENT_NAMES[what]
      .map((name) => amounts.find(({ path }) => path.length <= 2 && snake(path[0] ?? '') === name)?.minor)
      .find((minor) => minor !== undefined);
  return {
    currency,
    authorized: find('authorized'),
    captured: find('captured'),
    refunded: find('refunded'),
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

function snake(name: string): string {
  return name.replace(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase();
}
