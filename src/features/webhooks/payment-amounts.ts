import { isAfterCapture, stageNamed, sumsIn } from '../../descriptions/payment-stages.ts';
import { compare, type Decimal, decimalOf, isSafe, numberOf, textOf, ZERO } from '../../json/decimal.ts';
import { copyForValidation, numberAsWritten, stringifyExactJson } from '../../json/exact.ts';
import { isObject } from '../../json/is-object.ts';
import { checkBody } from '../../schemas/check-body.ts';
import { memberSchemas, partsOf } from '../../schemas/schema-at.ts';
import { PAYMENT_NAMES, paymentMember, snake, VALUES } from '../../text/amount-names.ts';

type Document = Readonly<Record<string, unknown>>;

/** What a payment follows from. */
export type PaymentFacts = {
  /** The schema of the record. */
  readonly schema: unknown;
  /** What happened to the record, such as `captured`. */
  readonly past: string;
  /** The record before its members were set: what differs stays as it is. */
  readonly before: Document;
};

/**
 * The payment with amounts that follow from what happened, else from its status: 0 <= refunded <= captured <= amount; and without
 * the times of other statuses. A record without an amount stays as it is.
 */
export function withPaymentAmounts(record: Document, { schema, past, before }: PaymentFacts): Document {
  const isGiven = (name: string) => textIn(record, name) !== textIn(before, name);
  const nameOf = (names: readonly string[]) => paymentMember(names, Object.keys(record));
  const names = {
    amount: nameOf(PAYMENT_NAMES.amount),
    captured: nameOf(PAYMENT_NAMES.captured),
    refunded: nameOf(PAYMENT_NAMES.refunded),
  };
  const given = (name: string | undefined) =>
    name !== undefined && isGiven(name) ? amountIn(record[name]) : undefined;
  const [least, refundedGiven] = [given(names.captured) ?? ZERO, given(names.refunded) ?? ZERO];
  // An amount that was set to something else leaves the sums those of the amount before.
  const present = amountIn(record[names.amount ?? '']) ?? amountIn(before[names.amount ?? '']);
  const amount = given(names.amount) ?? largest(present, least, refundedGiven);
  if (!amount) return record;
  const status = typeof record.status === 'string' ? record.status : '';
  const happened = stageNamed(snake(past));
  const stage = isAfterCapture(happened) && !isGiven('status') ? happened : stageNamed(status);
  const sums = sumsIn(stage, amount);
  const captured = given(names.captured) ?? largest(sums.captured, refundedGiven) ?? ZERO;
  const refunded = sums.refunded && compare(sums.refunded, captured) > 0 ? captured : sums.refunded;
  const like = record[names.amount ?? ''];
  const set = (result: Document, name: string | undefined, value: Decimal | undefined) =>
    name === undefined || isGiven(name) || !value
      ? result
      : fitting(result, { ...result, [name]: written(value, result[name], like) }, schema);
  const settled = set(
    set(set(record, names.amount, amount), names.captured, captured),
    names.refunded,
    refunded,
  );
  return withoutTimes(settled, { schema, status, isGiven });
}

function textIn(record: Document, name: string): string {
  return stringifyExactJson(record[name] ?? null);
}

function amountIn(value: unknown): Decimal | undefined {
  const inner = isObject(value) ? VALUES.find((name) => decimalOf(value[name])) : undefined;
  return decimalOf(inner !== undefined && isObject(value) ? value[inner] : value);
}

function largest(first: Decimal | undefined, ...others: readonly Decimal[]): Decimal | undefined {
  return first && others.reduce((most, one) => (compare(one, most) > 0 ? one : most), first);
}

/** An amount in the notation that its member has, else in that of the amount of the payment. */
function written(value: Decimal, own: unknown, like: unknown): unknown {
  const model = amountIn(own) ? own : like;
  const inner = isObject(model) ? VALUES.find((name) => decimalOf(model[name])) : undefined;
  if (inner !== undefined && isObject(model))
    return { ...model, ...(isObject(like) ? like : {}), [inner]: written(value, model[inner], undefined) };
  if (typeof model === 'string') return textOf(value, decimalOf(model)?.places);
  return isSafe(value) ? numberOf(value) : numberAsWritten(textOf(value));
}

/** The second record, unless it breaks more of its schema than the first one. */
function fitting(one: Document, other: Document, schema: unknown): Document {
  const problems = (record: Document) => checkBody(schema, copyForValidation(record))?.problems.length ?? 0;
  return problems(other) > problems(one) ? one : other;
}

/** Removes the times of statuses that the payment does not have, such as `voided_at`; a refunded one was captured before. */
function withoutTimes(
  record: Document,
  {
    schema,
    status,
    isGiven,
  }: {
    readonly schema: unknown;
    readonly status: string;
    readonly isGiven: (name: string) => boolean;
  },
): Document {
  const passed = isAfterCapture(stageNamed(status)) ? [status, 'captured', 'authorized'] : [status];
  const later = statusesIn(schema).filter((word) => !passed.includes(word));
  const names = later.map((word) => `${snake(word)}_at`);
  const times = Object.keys(record).filter((name) => names.includes(snake(name)) && !isGiven(name));
  let result = record;
  for (const name of times) {
    const { [name]: _, ...others } = result;
    const emptied = fitting(result, { ...result, [name]: null }, schema);
    result = emptied === result ? fitting(result, others, schema) : emptied;
  }
  return result;
}

/** The values that the status of a record can have. */
export function statusesIn(schema: unknown): readonly string[] {
  const parts = memberSchemas(partsOf(schema, schema), 'status').flatMap((one) => partsOf(one, schema));
  return parts
    .flatMap(({ enum: values }) => (Array.isArray(values) ? values : []))
    .filter((value) => typeof value === 'string');
}
