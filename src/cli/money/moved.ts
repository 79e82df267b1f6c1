import type { Call } from '../../client/call.ts';
import type { Operation } from '../../contract/operation.ts';
import type { ImportedOperation } from '../../descriptions/imported-operation.ts';
import { plainNumber, stringifyExactJson } from '../../json/exact.ts';
import { isIntegerText } from '../../json/integers.ts';
import { isObject, memberAt } from '../../json/is-object.ts';
import { amountText, isAmountIn } from '../../output/amount.ts';
import { isReadOnlyMember, partsOf, schemaBelow } from '../../schemas/schema-at.ts';
import {
  currencyIn,
  currencyRank,
  isAmountMember,
  PAYMENT_NAMES,
  paymentMember,
  paymentName,
  requestedNames,
  snake,
  VALUE,
} from '../../text/amount-names.ts';
import { currencyCode } from '../../text/currency.ts';
import { decodeComponent } from '../../text/decode.ts';
import { type Amount, amountsOf, unitsBySchema } from './amounts.ts';
import type { Money } from './minor-units.ts';
import type { ConcernedRecord, ShownRecord } from './record.ts';

/** A change, before it is sent. */
export type Change = {
  readonly method: string;
  /** Below the base URL, percent-encoded, with its query. */
  readonly path: string;
  readonly call: Pick<Call, 'path' | 'headers' | 'body'> & {
    readonly operation: Operation & Pick<ImportedOperation, 'record' | 'newStatus' | 'payments'>;
  };
};

/** What a change does to the money of a payment; undefined for any other change. */
export type Action = 'capture' | 'refund';

/**
 * Whether a change captures or refunds a payment, by the last words of its path, as it is described or as it is sent. What follows them may be
 * a parameter or an ID: `/transactions/{id}/refunds`, `/orders/{id}:capture`, `/refundPayment/{id}`. A reversal may be a refund. Else by the
 * status that the description says it leads to.
 */
export function actionOf({ method, path, call: { operation } }: Change): Action | undefined {
  if (method === 'DELETE') return undefined;
  return actionIn(operation.path) ?? actionIn(path) ?? actionBefore(operation.newStatus);
}

function actionBefore(status = ''): Action | undefined {
  const words = snake(status).split(/[^a-z]+/);
  if (words.some((word) => word === 'refunded' || word === 'reversed')) return 'refund';
  return words.includes('captured') ? 'capture' : undefined;
}

function actionIn(path: string): Action | undefined {
  let isAfterWord = false;
  for (const segment of path.replace(/\?.*/s, '').split('/').reverse()) {
    const text = decoded(segment);
    const words = [snake(text), text.toLowerCase()].flatMap((form) => form.split(/[^a-z]+/));
    if (words.some((word) => /^(?:refunds?|reverse|reversals?)$/.test(word))) return 'refund';
    if (words.some((word) => /^captures?$/.test(word))) return 'capture';
    const isId = segment.endsWith('}') || /\d/.test(segment);
    if (isId && isAfterWord) return undefined;
    isAfterWord ||= segment !== '' && !isId;
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
 * What a request says about amounts: in its body, and in its parameters. Where the body names no currency, that of the parameters
 * counts, and the other way round; else `currency`, that of the record.
 */
export function requestAmounts(change: Change, currency?: string): readonly Amount[] {
  return [...bodyAmounts(change, currency), ...parameterAmounts(change, currency)];
}

/** Those in the body. */
export function bodyAmounts(change: Change, currency?: string): readonly Amount[] {
  const { operation, body } = change.call;
  const isMajor = unitsBySchema(operation.requestSchema, body);
  return amountsOf(body, { currency, above: [parametersOf(change)], isMajor, isAmount });
}

/** Those in its parameters. */
export function parameterAmounts(change: Change, currency?: string): readonly Amount[] {
  return amountsOf(parametersOf(change), {
    currency,
    above: [change.call.body],
    isMajor: () => false,
    isAmount,
  });
}

/** The name of an amount or of several: `amounts`. */
export function isAmountName(name: string, above?: string): boolean {
  return isAmountMember(name.replace(/s$/i, ''), above?.replace(/s$/i, ''));
}

const isAmount: typeof isAmountIn = (holder, name, above) =>
  isAmountIn(holder, name, above) ||
  (Array.isArray(holder) ? isAmountName(above ?? '') : isAmountName(name, above));

/** The values of the path, the query and the headers by their names; several of one name are a list. */
export function parametersOf({ path, call }: Change): Readonly<Record<string, unknown>> {
  const query = new URLSearchParams(path.split('?').slice(1).join('?'));
  const pairs = [
    ...Object.entries(call.path ?? {}),
    ...[...query].map(([name, value]) => [lastName(name), value] as const),
    ...Object.entries(call.headers ?? {}).map(([name, value]) => [headerName(name), value] as const),
  ];
  const groups = [...Map.groupBy(pairs, ([name]) => name)];
  return Object.fromEntries(
    groups.map(([name, all]) => [name, all.length === 1 ? all[0]?.[1] : all.flatMap(([, value]) => value)]),
  );
}

/** `amount` of `payment[amount]`, `payment.amount`, and of `amount[units]`, which may be part of it. */
function lastName(parameter: string): string {
  const names = parameter.split(/[[\].]+/).filter((name) => name !== '');
  const last = names.at(-1) ?? parameter;
  const isUnderstood = last === VALUE || isQuantity(last) || currencyRank(last, 'amount') !== undefined;
  return isUnderstood ? last : (names.findLast((name) => isAmountName(name)) ?? last);
}

function headerName(name: string): string {
  return name.replace(/^x-/i, '');
}

/** Whether a header says an amount or its currency. */
export function isMoneyHeader(header: string): boolean {
  const name = headerName(header);
  return isAmountName(name) || currencyRank(name, 'amount') !== undefined;
}

/** Whether a member says how often the amounts next to it and below count. */
export function isQuantity(name: string): boolean {
  return /^(?:quantity|qty)$/i.test(name);
}

/** A field of a body, by the names that lead to it. */
type FieldPath = readonly string[];

/**
 * The fields that the schema of a body has at its top, in the record that it holds, and in the `attributes` of that, in its order; without
 * those that the service sets.
 */
function describedFields({
  operation: { requestSchema: schema, record },
}: Change['call']): readonly FieldPath[] {
  const place = record?.request?.split('.');
  return [[], ...(place ? [place, [...place, 'attributes']] : [])].flatMap((holder) => {
    const parts = partsOf(holder.length === 0 ? schema : schemaBelow(schema, holder.join('.')), schema);
    const names = parts.flatMap(({ properties }) => (isObject(properties) ? Object.keys(properties) : []));
    return [...new Set(names)]
      .filter((name) => !isReadOnlyMember(parts, name, schema))
      .map((name) => [...holder, name]);
  });
}

function lastOf(field: FieldPath): string {
  return field.at(-1) ?? '';
}

/** The parameters of the query and the headers that may be left out, by their names. */
function optionalParameters({ query, headers = {} }: Operation): readonly string[] {
  return [...Object.keys(query), ...Object.keys(headers).map(headerName)];
}

/** Amounts, by where they are. */
type AmountNames = { readonly fields: readonly FieldPath[]; readonly parameters: readonly string[] };

/**
 * The amounts of which one has to be given, so that the service does not decide it: those of the description; without one, `amount` for a
 * capture or a refund. None where the service decides in any case. Undefined where a change need not move anything.
 */
function decisiveAmounts(change: Change): AmountNames | undefined {
  const action = actionOf(change);
  if (!action && change.method !== 'POST') return undefined;
  const fields = describedFields(change.call);
  const { operation, path = {} } = change.call;
  const parameters = [...optionalParameters(operation), ...Object.keys(path)];
  const names = [...requestedNames(action), ...(action ? [] : ['total'])];
  const named = (isOne: (name: string) => boolean) => {
    const found = {
      fields: fields.filter((field) => isOne(lastOf(field))),
      parameters: parameters.filter(isOne),
    };
    return found.fields.length + found.parameters.length > 0 ? found : undefined;
  };
  const main = named((name) => names.includes(paymentName(name)));
  if (main) return main;
  if (action) return { fields: fields.length > 0 ? [] : [['amount']], parameters: [] };
  return named((name) => isAmountMember(name));
}

/**
 * Whether the service decides how much a change moves, because the request does not: a service ignores fields and parameters that it does not
 * know. A zero may mean the same as nothing.
 */
export function isLeftToService(change: Change): boolean {
  const names = decisiveAmounts(change);
  if (!names) return false;
  const isGiven = (amounts: readonly Amount[], known: readonly FieldPath[]) =>
    amounts.some(
      ({ path, value }) =>
        known.some((field) => field.every((name, index) => path[index] === name)) &&
        !isNothing(value) &&
        (plainNumber(value) ?? Number(value)) !== 0,
    );
  const parameters = names.parameters.map((name) => [name]);
  return !isGiven(bodyAmounts(change), names.fields) && !isGiven(parameterAmounts(change), parameters);
}

/**
 * The optional amounts of the body, as dotted paths, and those of the query and of headers that are not given. Without a description a capture
 * or a refund has `amount`.
 */
export function missingAmounts(change: Change): readonly string[] {
  const { body, operation } = change.call;
  const parameters = parametersOf(change);
  const fields = describedFields(change.call);
  const amounts =
    fields.length > 0 || !actionOf(change)
      ? fields.filter((field) => isAmountMember(lastOf(field)))
      : [['amount']];
  return [
    ...amounts.filter((field) => isNothing(memberAt(body, field))).map((field) => field.join('.')),
    ...optionalParameters(operation).filter((name) => isAmountMember(name) && isNothing(parameters[name])),
  ];
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
  const amounts = recordAmounts(record).filter(
    ({ path, minor, ...amount }) => path.length <= 2 && minor !== undefined && amount.currency === currency,
  );
  const members = amounts.map(({ path }) => path[0] ?? '');
  const find = (names: readonly string[]) =>
    amounts[members.indexOf(paymentMember(names, members) ?? '')]?.minor;
  return {
    currency,
    authorized: find(['authorized_amount', 'amount_authorized', ...PAYMENT_NAMES.amount]),
    captured: find(PAYMENT_NAMES.captured),
    refunded: find(PAYMENT_NAMES.refunded),
  };
}

/**
 * The amounts of a record, in the unit of its schema. Where one of a payment is written with decimals, all are in the major unit: a service may
 * leave out the decimals of a whole number.
 */
export function recordAmounts({ value, schema }: ShownRecord): readonly Amount[] {
  const isMajor = unitsBySchema(schema, value);
  const amounts = amountsOf(value, { isMajor });
  const known: readonly string[] = Object.values(PAYMENT_NAMES).flat();
  const isDecimal = ({ path: [name = ''], value: one }: Amount) =>
    known.includes(paymentName(name)) &&
    plainNumber(one) !== undefined &&
    !isIntegerText(stringifyExactJson(one));
  return amounts.some(isDecimal) ? amountsOf(value, { isMajor: () => true }) : amounts;
}

/** The currency of a record: that of the record itself, else the one that all of its amounts have. */
export function currencyOfRecord(record: ConcernedRecord): string | undefined {
  if (record.state !== 'read') return undefined;
  const own = currencyIn(record.value, 'amount');
  if (own !== undefined) return currencyCode(own) ?? own;
  const currencies = new Set(recordAmounts(record).map(({ currency }) => currency));
  return currencies.size === 1 ? [...currencies][0] : undefined;
}

/** All that an action can still move; undefined where the record does not say. */
export function leftFor(action: Action | undefined, payment: Payment | undefined): Money | undefined {
  if (!action || !payment) return undefined;
  const { authorized, captured, refunded, currency } = payment;
  const [all, done] = action === 'capture' ? [authorized, captured] : [captured, refunded];
  if (all === undefined || done === undefined) return undefined;
  // A service may write what it has paid back with a minus; that never leaves more than all.
  const taken = done < 0n ? -done : done;
  return { minor: all > taken ? all - taken : 0n, currency };
}

/** At least as much as an action can move; undefined where the record has no amount. */
export function mostFor(action: Action | undefined, payment: Payment | undefined): Money | undefined {
  const left = leftFor(action, payment);
  if (left || !payment) return left;
  const { authorized = -1n, captured = -1n, currency } = payment;
  const minor = authorized > captured ? authorized : captured;
  return minor < 0n ? undefined : { minor, currency };
}

/** What amounts of money come to, in each of their currencies. */
export function sumsOf(amounts: readonly Money[]): readonly Money[] {
  return [...Map.groupBy(amounts, ({ currency }) => currency)].map(([currency, all]) => {
    return { minor: all.reduce((sum, { minor }) => sum + minor, 0n), currency };
  });
}

/** An amount of money as people read it: `5.00 EUR`. */
export function moneyText({ minor, currency }: Money): string {
  return amountText(minor, currency) ?? `${minor} ${currency}`;
}
