import { MASK } from '../../contract/secret-names.ts';
import { parseShownJson, stringifyExactJson } from '../../json/exact.ts';
import { isObject } from '../../json/is-object.ts';
import { valueAtPointer } from '../../json/pointer.ts';
import { UNIT_UNKNOWN } from '../../output/amount.ts';
import { paymentName, requestedNames } from '../../text/amount-names.ts';
import { maskData } from '../secrets/mask.ts';
import type { Amount } from './amounts.ts';
import { withValues } from './convert.ts';
import type { Money } from './minor-units.ts';
import {
  type Action,
  actionOf,
  type Change,
  currencyOfRecord,
  isLeftToService,
  leftFor,
  missingAmounts,
  moneyText,
  paymentOf,
  recordAmounts,
  requestAmounts,
  sumsOf,
} from './moved.ts';
import type { ConcernedRecord, ShownRecord } from './record.ts';

/** Fields that tell a person which record it is, where it has no amounts. */
const TELLING = ['name', 'display_name', 'title', 'label', 'description', 'status', 'state'];
/** More would hide what matters. */
const MOST = 6;

/**
 * The record of a change in words: its ID with its amounts, such as `804ee0c6 (captured 100.00 SEK)`, or `(not read)`. Undefined where
 * the change concerns no record, or payctl has not tried to read it.
 */
export function recordWords(record: ConcernedRecord | undefined): string | undefined {
  if (!record || record.state === 'none') return undefined;
  if (record.state === 'not_read')
    return `${record.id} (not read${record.why === undefined ? '' : `: ${record.why}`})`;
  const facts = paymentWords(record) ?? amountsInWords(record) ?? tellingWords(record);
  return facts === undefined ? record.id : `${record.id} (${facts})`;
}

function paymentWords(record: ShownRecord): string | undefined {
  const { currency, authorized, captured, refunded } = paymentOf(record) ?? {};
  if (currency === undefined || captured === undefined) return undefined;
  return Object.entries({ authorized, captured, refunded })
    .flatMap(([name, minor]) => (minor === undefined ? [] : [`${name} ${moneyText({ minor, currency })}`]))
    .join(', ');
}

function amountsInWords(record: ShownRecord): string | undefined {
  const texts = recordAmounts(record).flatMap(({ path, minor, currency }) =>
    path.length > 2 || minor === undefined || currency === undefined
      ? []
      : [`${path.join('.')} ${moneyText({ minor, currency })}`],
  );
  return texts.length === 0 ? undefined : texts.slice(0, MOST).join(', ');
}

/** Personal data and secrets are left out. */
function tellingWords({ value, personalData }: ShownRecord): string | undefined {
  const rules = { personalData, personalByName: personalData === undefined };
  const masked: unknown = parseShownJson(maskData(stringifyExactJson(value), rules).text);
  const fields = isObject(masked) ? masked : {};
  const texts = TELLING.flatMap((name) => {
    const text = fields[name];
    return typeof text === 'string' && text !== '' && text !== MASK ? [`${name} ${text}`] : [];
  });
  return texts.length === 0 ? undefined : texts.join(', ');
}

const ALL_LEFT: Readonly<Record<Action, string>> = {
  capture: 'all that is authorized and not captured',
  refund: 'all that can still be refunded',
};

/** What it means that optional amounts of a change are not given, by their names. */
export function missingWords(
  change: Change,
  record: ConcernedRecord | undefined,
): Readonly<Record<string, string>> {
  const action = actionOf(change);
  const left = isLeftToService(change) ? leftFor(action, record && paymentOf(record)) : undefined;
  const named = requestedNames(action);
  const meaning = (name: string) =>
    action && left && named.includes(paymentName(name.slice(name.lastIndexOf('.') + 1)))
      ? `${ALL_LEFT[action]}, ${moneyText(left)}`
      : 'the service decides';
  return Object.fromEntries(
    missingAmounts(change)
      .slice(0, MOST)
      .map((name) => [name, `not given: ${meaning(name)}`]),
  );
}

/** Every amount of a change, given or not, as its dotted path and what it means, those of the body itself first. */
export type AmountsInWords = {
  readonly shown: readonly (readonly [path: string, text: string])[];
  /** What the others come to, as a sentence; undefined where there are none. */
  readonly more: string | undefined;
};

/** At most so many amounts of a change, by default few enough for one line. */
export function amountsInChange(
  change: Change,
  record: ConcernedRecord | undefined,
  most = MOST,
): AmountsInWords {
  const given = givenAmounts(change, record).toSorted((one, other) => depthOf(one) - depthOf(other));
  const pairs = given.slice(0, most).map(({ path, text }) => [path, text] as const);
  const shown = [...Object.entries(missingWords(change, record)), ...pairs];
  return { shown, more: given.length > most ? moreInWords(given.slice(most)) : undefined };
}

function depthOf({ pointer }: GivenAmount): number {
  return pointer.split('/').length;
}

function moreInWords(amounts: readonly GivenAmount[]): string {
  const known = amounts.flatMap(({ money }) => money ?? []);
  const sums = sumsOf(known).map(moneyText);
  const others = amounts.length - known.length;
  if (others > 0) sums.push(`${others} whose currency or unit is unknown`);
  return `... (${amounts.length} more amounts: ${sums.join(', ')})`;
}

/** An amount that a change gives. */
export type GivenAmount = {
  readonly pointer: string;
  /** Dotted path. */
  readonly path: string;
  readonly value: unknown;
  /** As it is sent, and what it means: `500 (5.00 EUR)`, `500 (currency unknown)`. */
  readonly text: string;
  /** Undefined where its currency or its unit is not known. */
  readonly money: Money | undefined;
};

/** The amounts that a change gives. */
export function givenAmounts(change: Change, record: ConcernedRecord | undefined): readonly GivenAmount[] {
  const amounts = requestAmounts(change, record && currencyOfRecord(record));
  const given = amounts.filter(({ value }) => value !== undefined && value !== null);
  return given.map(({ pointer, path, value, minor, currency, isUnclear }) => {
    const sent = typeof value === 'string' ? fold(value) : stringifyExactJson(value);
    const isKnown = minor !== undefined && currency !== undefined && !isUnclear;
    const money = isKnown ? { minor, currency } : undefined;
    const text = textOf(sent, { money, currency, isUnclear });
    const left = given.length === 1 && money ? remainderWords(change, record, money) : '';
    return { pointer, path: path.join('.'), value, text: text + left, money };
  });
}

type UnitWords = Pick<Amount, 'currency'> &
  Pick<GivenAmount, 'money'> & { readonly isUnclear: boolean | undefined };

function textOf(sent: string, { money, currency, isUnclear = false }: UnitWords): string {
  if (currency === undefined) return `${sent} (currency unknown)`;
  if (isUnclear) return `${sent} ${UNIT_UNKNOWN}`;
  if (!money) return sent;
  const text = moneyText(money);
  return text.endsWith(UNIT_UNKNOWN) ? text : `${sent} (${text})`;
}

/** What a capture of less than all leaves; whether it can be captured later is for the service to decide. */
function remainderWords(
  change: Change,
  record: ConcernedRecord | undefined,
  { minor, currency }: Money,
): string {
  if (actionOf(change) !== 'capture' || !record) return '';
  const left = leftFor('capture', paymentOf(record));
  if (left?.currency !== currency || minor <= 0n || minor >= left.minor) return '';
  return `; ${moneyText({ minor: left.minor - minor, currency })} of the authorization remain uncaptured`;
}

/** A body for people: its amounts with what they mean, and blanks in its texts that cannot fill a line. `body` is the one of the change. */
export function bodyInWords(body: unknown, change: Change, record: ConcernedRecord | undefined): unknown {
  const inBody = givenAmounts(change, record).filter(
    ({ pointer, value }) => valueAtPointer(change.call.body, pointer) === value,
  );
  return withValues(folded(body), new Map(inBody.map(({ pointer, text }) => [pointer, text])));
}

function folded(value: unknown): unknown {
  if (typeof value === 'string') return fold(value);
  if (Array.isArray(value)) return value.map(folded);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, folded(part)]));
}

function fold(text: string): string {
  return text.replace(/\s{2,}/gu, ' ');
}
