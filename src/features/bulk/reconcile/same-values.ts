import { paymentOf } from '../../../cli/money/moved.ts';
import { namedPayment } from '../../../cli/money/record.ts';
import { plainName } from '../../../contract/operation.ts';
import { plainNumber, stringifyExactJson } from '../../../json/exact.ts';
import { isObject, memberAt } from '../../../json/is-object.ts';
import { currencyRank, isAmountMember } from '../../../text/amount-names.ts';
import { isOtherId, quote } from '../../../text/format.ts';
import { readTotals } from '../money-totals.ts';
import type { PlanRow } from '../plan-file.ts';
import type { TargetOperation } from '../target.ts';
import { momentIn } from './service-clock.ts';

/** A record of the service. */
export type ServiceRecord = Readonly<Record<string, unknown>>;

/** A value that a row sent, with the names that lead to it. */
type Leaf = { readonly path: readonly string[]; readonly value: unknown };

/** The values that a row sent, for comparison with records. */
export type Sent = {
  readonly leaves: readonly Leaf[];
  /** What the row moves, in the major unit, by currency. Compared if the record has no amount with a name of the body. */
  readonly moves: PlanRow['moves'];
  /** The records that the path and the body say that its record belongs to: the names of their IDs, and the payment among them. */
  readonly parents: readonly Leaf[];
  readonly payment: Leaf | undefined;
};

/**
 * How well a record matches a row. `same`: all common values are equal, and at least one of them is an amount or an identifier. `other`: the
 * row cannot have made the record. `unclear`: neither is certain.
 */
export type Fit = { readonly fit: 'same' | 'other' | 'unclear'; readonly hasIdentifier: boolean };

/** Names of what identifies a record for the merchant, as `plainName` writes them. */
const IDENTIFIER =
  /^(?:(?:external|merchant|client|customer|custom|own|partner)?(?:transaction|payment|refund|order|invoice)?(?:identifier|reference|referenceid|referencenumber|ref)|(?:external|merchant|client|custom)(?:transaction|payment|refund|order|invoice)?id|(?:order|invoice|tracking|correlation|request|reconciliation)(?:id|number)|idempotencykey)$/;

/** The values that a row sent. A list is one value. */
export function sentBy(
  { arguments: path, body, moves }: PlanRow,
  operation: Pick<TargetOperation, 'record' | 'payments' | 'method'>,
): Sent {
  const named = namedPayment({ operation, body });
  const payment = named && { path: [named.member], value: named.id };
  const parents = Object.entries(path).flatMap(([name, value]) =>
    /.id$/.test(plainName(name)) ? [{ path: [name], value }] : [],
  );
  const leaves = leavesOf(memberAt(body, operation.record?.request?.split('.') ?? []), []);
  return { leaves, moves, parents: payment ? [...parents, payment] : parents, payment };
}

function leavesOf(value: unknown, path: readonly string[]): readonly Leaf[] {
  if (!isObject(value)) return value === undefined || path.length === 0 ? [] : [{ path, value }];
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, [...path, name]));
}

/** Compares a record of a list with what a row sent. */
export function fitOf(sent: Sent, record: ServiceRecord): Fit {
  const { leaves, moves, payment } = sent;
  if (payment && isOfOther(payment, record)) return { fit: 'other', hasIdentifier: false };
  const compared = leaves.flatMap(({ path, value }) => {
    const found = namedAlike(record, path);
    return found === undefined ? [] : [{ path, how: compare(value, found) }];
  });
  const amounts = compared.filter(({ path }) => isAmount(path)).map(({ how }) => how);
  const moved = moves && amounts.length === 0 ? compareMoved(moves, record) : undefined;
  if (moved) amounts.push(moved);
  const currencies = compared.filter(({ path }) => isCurrency(path)).map(({ how }) => how);
  const identifiers = compared.filter(({ path }) => isIdentifier(path)).map(({ how }) => how);
  const hasIdentifier = identifiers.includes('equal');
  const isNamed = hasIdentifier || amounts.includes('equal');
  if (isNamed && [...compared.map(({ how }) => how), ...amounts].every((how) => how === 'equal'))
    return { fit: 'same', hasIdentifier };
  const isOther =
    [...amounts, ...currencies].includes('different') ||
    (amounts.length === 0 && identifiers.includes('different'));
  return { fit: isOther && !hasIdentifier ? 'other' : 'unclear', hasIdentifier };
}

/** Whether an identifier, or the payment, shows that the row did not make the record. */
export function isNamedOtherwise({ leaves, payment }: Sent, record: ServiceRecord): boolean {
  if (payment && isOfOther(payment, record)) return true;
  return leaves.some(({ path, value }) => {
    const found = isIdentifier(path) ? namedAlike(record, path) : undefined;
    return found !== undefined && compare(value, found) === 'different';
  });
}

/**
 * How a record that a row was to make differs from what the row sent, as a sentence: in an amount, a currency, or the ID of the record that
 * it belongs to; undefined where it does not, or where that is not certain.
 */
export function differenceOf({ leaves, parents }: Sent, record: ServiceRecord): string | undefined {
  const isOtherMoney = ({ path, value }: Leaf) => {
    const found = isAmount(path) || isCurrency(path) ? namedAlike(record, path) : undefined;
    return found !== undefined && compare(value, found) === 'different' && !isSameNumber(value, found);
  };
  const different = leaves.find(isOtherMoney) ?? parents.find((parent) => isOfOther(parent, record));
  if (!different) return undefined;
  const { path, value } = different;
  const found = namedAlike(record, path);
  return `The record in the response has ${quote(String(found))} as ${path.join('.')}, but ${quote(String(value))} was sent`;
}

/** Whether a record certainly belongs to another record than this one. A service may write its ID in another case. */
function isOfOther({ path, value }: Leaf, record: ServiceRecord): boolean {
  const found = namedAlike(record, path);
  return found !== undefined && isOtherId(String(value).toLowerCase(), String(found).toLowerCase());
}

/** Whether two texts are one number: `5.0` and `5.00`. */
function isSameNumber(sent: unknown, found: unknown): boolean {
  return (
    [sent, found].every((value) => /^-?\d+(?:\.\d+)?$/.test(String(value))) && Number(sent) === Number(found)
  );
}

/** Whether a record has every value of a body; undefined where it does not show one of them. */
export function hasAll({ leaves }: Sent, record: ServiceRecord): boolean | undefined {
  const all = leaves.map(({ path, value }) => {
    const found = namedAlike(record, path);
    if (found === undefined) return value === null ? 'equal' : 'unclear';
    return compare(value, found);
  });
  if (all.includes('different')) return false;
  return all.includes('unclear') ? undefined : true;
}

function isAmount(path: readonly string[]): boolean {
  return isAmountMember(path.at(-1) ?? '', path.at(-2));
}

function isCurrency(path: readonly string[]): boolean {
  return currencyRank(path.at(-1) ?? '', 'amount') !== undefined;
}

function isIdentifier(path: readonly string[]): boolean {
  return IDENTIFIER.test(plainName(path.at(-1) ?? ''));
}

/** The value at a path. Names can be spelled differently: `external_identifier` and `externalIdentifier`. */
function namedAlike(record: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((above, name) => {
    if (!isObject(above)) return undefined;
    if (Object.hasOwn(above, name)) return above[name];
    return Object.entries(above).find(([other]) => plainName(other) === plainName(name))?.[1];
  }, record);
}

type Comparison = 'equal' | 'different' | 'unclear';

/** A service may change the spelling of a value: similar values are neither equal nor different. */
function compare(sent: unknown, found: unknown): Comparison {
  if (isEmpty(sent)) return isEmpty(found) ? 'equal' : 'unclear';
  if (typeof sent === 'string' && typeof found === 'string') return compareTexts(sent, found);
  if (typeof sent === 'boolean' && typeof found === 'boolean') return sent === found ? 'equal' : 'different';
  if (isNumber(sent) && isNumber(found)) return compareNumbers(sent, found);
  if (Array.isArray(sent) && Array.isArray(found))
    return stringifyExactJson(sent) === stringifyExactJson(found) ? 'equal' : 'unclear';
  return 'unclear';
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '';
}

/** The shortest text that may be one that the service has cut off. */
const SHORTEST_CUT = 16;

function compareTexts(sent: string, found: string): Comparison {
  if (sent === found) return 'equal';
  const [one, other] = [momentIn(sent), momentIn(found)];
  if (one && other) return one.least === other.least ? 'equal' : 'different';
  const plain = (text: string) => text.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();
  if (/^[A-Z]{3}$/i.test(sent) && plain(sent) === plain(found)) return 'equal';
  const isCutOff = plain(found).length >= SHORTEST_CUT && plain(sent).startsWith(plain(found));
  return isCutOff || plain(sent) === plain(found) ? 'unclear' : 'different';
}

function isNumber(value: unknown): boolean {
  return typeof value === 'bigint' || plainNumber(value) !== undefined;
}

function compareNumbers(sent: unknown, found: unknown): Comparison {
  const [one, other] = [stringifyExactJson(sent), stringifyExactJson(found)];
  if (/^-?\d+$/.test(one) && /^-?\d+$/.test(other)) return one === other ? 'equal' : 'different';
  return Number(one) === Number(other) ? 'equal' : 'different';
}

/** Compares the amount of a record with what a row moves; undefined for a record without one. */
function compareMoved(moves: NonNullable<Sent['moves']>, value: ServiceRecord): Comparison | undefined {
  const payment = paymentOf({ state: 'read', id: '', value, personalData: undefined });
  if (payment?.authorized === undefined) return undefined;
  const moved = readTotals(moves).find(({ currency }) => currency === payment.currency);
  // Under another name, it may include what the row does not, such as a fee.
  return moved?.minor === payment.authorized ? 'equal' : 'unclear';
}
