import { type Decimal, decimalOf, numberOf, textOf, trimmed } from '../../../json/decimal.ts';
import { isObject } from '../../../json/is-object.ts';
import { oncePerObject } from '../../../schemas/memoize.ts';
import {
  currencyIn as ownCurrency,
  PAYMENT_NAMES,
  paymentMember,
  requestedNames,
  VALUES,
} from '../../../text/amount-names.ts';
import { type Document, overlay } from '../overlay.ts';
import type { PreparedSchema } from '../prepared.ts';

/** Names of the members that follow from captures and refunds. */
export const DERIVED_AMOUNTS: readonly string[] = [...PAYMENT_NAMES.captured, ...PAYMENT_NAMES.refunded];

/** The members of a schema with the amount of a payment, its captured amount and its refunded amount. */
export const amountNames = oncePerObject((schema: PreparedSchema) => {
  const find = (names: readonly string[]) => paymentMember(names, [...schema.members.keys()]);
  const { amount, captured, refunded } = PAYMENT_NAMES;
  return { amount: find(amount), captured: find(captured), refunded: find(refunded) };
});

/** The amount in a member of a record: a number, a decimal string, or an object with one of these as its `value` or `amount`. */
export function amountAt(record: Document, name: string | undefined): Decimal | undefined {
  return decimalOf(requestedAt(record, name)?.given);
}

/** An amount that a body names, with the path to it in the body. */
export type Requested = { readonly loc: readonly string[]; readonly given: unknown };

/** The amount that a body names for a capture, a refund or a new payment, not yet parsed; undefined if there is none. */
export function requestedIn(body: Document, verb?: string): Requested | undefined {
  const members = Object.keys(body).filter((name) => body[name] !== null && body[name] !== undefined);
  return requestedAt(body, paymentMember(requestedNames(verb), members));
}

/** The amount in a member of a body, with the path to it. */
export function requestedAt(body: Document, name: string | undefined): Requested | undefined {
  const value = name === undefined ? null : (body[name] ?? null);
  if (name === undefined || value === null) return undefined;
  if (!isObject(value)) return { loc: ['body', name], given: value };
  const inner =
    VALUES.find((one) => decimalOf(value[one])) ?? VALUES.find((one) => (value[one] ?? null) !== null);
  return inner === undefined ? undefined : { loc: ['body', name, inner], given: value[inner] };
}

/** The currency that a record or a body names, next to its amount or within it. */
export function currencyIn(record: Document, amount: string | undefined): string | undefined {
  const own = ownCurrency(record, amount ?? '');
  return amount === undefined ? own : (own ?? ownCurrency(record[amount], ''));
}

type Notation = {
  readonly schema: PreparedSchema;
  readonly name: string;
  readonly like: unknown;
  /** How many decimals a text has at least; by default as many as `like`. */
  readonly least?: number | undefined;
};

/** Writes an amount in the type of the member's schema, else in that of `like`, with the decimals of `like`. */
export function inNotation(amount: Decimal, { schema, name, like, least }: Notation): unknown {
  const { types: outer, members } = schema.shapeAt(name);
  const inner = outer?.has('object') ? VALUES.find((one) => members.has(one)) : undefined;
  const types = inner === undefined ? outer : schema.shapeAt(name, inner).types;
  const takesNumber = types === undefined || types.has('number') || types.has('integer');
  const takesText = types === undefined || types.has('string');
  const isAlike = inner === undefined || isObject(like);
  const plain = isAlike ? requestedAt({ like }, 'like')?.given : undefined;
  const isText = takesText && (!takesNumber || typeof plain === 'string');
  const written = isText ? textOf(trimmed(amount), least ?? decimalOf(plain)?.places) : numberOf(amount);
  return inner === undefined ? written : { ...(isObject(like) ? like : {}), [inner]: written };
}

type Setting = Pick<Notation, 'schema' | 'least'> & {
  readonly name: string | undefined;
  readonly value: Decimal | null | undefined;
};

/** Sets an amount if the schema names the member and accepts the amount. Without a value, nothing changes. */
export function setAmount(record: Document, { name, value, schema, least }: Setting): Document {
  if (name === undefined || !value) return record;
  const like = record[amountNames(schema).amount ?? ''];
  // A pattern may ask for another number of decimals.
  const changes = [least, 2].map((places) => {
    const written = inNotation(value, { schema, name, like, least: places });
    return { written, after: overlay(record, { [name]: written }, schema) };
  });
  return changes.find(({ written, after }) => after[name] === written)?.after ?? record;
}
