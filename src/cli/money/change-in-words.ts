import { MASK } from '../../contract/secret-names.ts';
import { parseShownJson, stringifyExactJson } from '../../json/exact.ts';
import { isObject } from '../../json/is-object.ts';
import { maskData } from '../secrets/mask.ts';
import { amountsOf, unitsBySchema } from './amounts.ts';
import {
  type Action,
  actionOf,
  type Change,
  currencyOfRecord,
  leftFor,
  missingAmounts,
  moneyText,
  paymentOf,
  recordAmounts,
  requestAmounts,
} from './moved.ts';
import type { ConcernedRecord } from './record.ts';

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
  if (record.state === 'not_read') return `${record.id} (not read)`;
  const facts = paymentWords(record) ?? amountsInWords(record) ?? tellingWords(record);
  return facts === undefined ? record.id : `${record.id} (${facts})`;
}

type ReadRecord = Extract<ConcernedRecord, { readonly state: 'read' }>;

function paymentWords(record: ReadRecord): string | undefined {
  const { currency, authorized, captured, refunded } = paymentOf(record) ?? {};
  if (currency === undefined || captured === undefined) return undefined;
  return Object.entries({ authorized, captured, refunded })
    .flatMap(([name, minor]) => (minor === undefined ? [] : [`${name} ${moneyText({ minor, currency })}`]))
    .join(', ');
}

function amountsInWords(record: ReadRecord): string | undefined {
  const texts = recordAmounts(record).flatMap(({ path, minor, currency }) =>
    path.length > 2 || minor === undefined || currency === undefined
      ? []
      : [`${path.join('.')} ${moneyText({ minor, currency })}`],
  );
  return texts.length === 0 ? undefined : texts.slice(0, MOST).join(', ');
}

/** Personal data and secrets are left out. */
function tellingWords({ value, personalData }: ReadRecord): string | undefined {
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
  const left = leftFor(action, record && paymentOf(record));
  const meaning = action && left ? `${ALL_LEFT[action]}, ${moneyText(left)}` : 'the service decides';
  return Object.fromEntries(
    missingAmounts(change)
      .slice(0, MOST)
      .map((name) => [name, `not given: ${meaning}`]),
  );
}

/** The amounts at the top of a body whose currency is known, as `500 (5.00 EUR)`. */
export function amountsOfBody(
  change: Change,
  record: ConcernedRecord | undefined,
): Readonly<Record<string, string>> {
  const { body } = change.call;
  if (!isObject(body)) return {};
  const known = givenAmounts(change, record).filter(({ path, meant }) => meant && Object.hasOwn(body, path));
  // Those of the query come after those of the body, and may have the same names.
  return Object.fromEntries(known.toReversed().map(({ path, sent, meant }) => [path, `${sent} (${meant})`]));
}

/** The amounts of a body in the major unit of their currency, by dotted paths in which `0` is any element. */
export function majorFieldsOf({ call: { operation, body } }: Change): readonly string[] {
  const isMajor = unitsBySchema(operation.requestSchema);
  const majors = amountsOf(body).filter(({ path, value }) => isMajor(path, value));
  return majors.map(({ path }) => path.map((name) => (/^\d+$/.test(name) ? '0' : name)).join('.'));
}

/** Every amount of a change, given or not: `amount 500 (5.00 EUR)`. */
export function amountWords(change: Change, record: ConcernedRecord | undefined): readonly string[] {
  const missing = Object.entries(missingWords(change, record)).map((words) => words.join(' '));
  const given = givenAmounts(change, record).map(
    ({ path, sent, meant }) => `${path} ${sent}${meant === undefined ? '' : ` (${meant})`}`,
  );
  const more = given.length > MOST ? [`${given.length - MOST} more amounts`] : [];
  return [...missing, ...given.slice(0, MOST), ...more];
}

/** An amount that a change gives. */
export type GivenAmount = {
  /** Dotted path. */
  readonly path: string;
  /** As it is sent. */
  readonly sent: string;
  /** With its currency: `5.00 EUR`. Undefined where that is not known. */
  readonly meant: string | undefined;
};

/** The amounts that a change gives. */
export function givenAmounts(change: Change, record: ConcernedRecord | undefined): readonly GivenAmount[] {
  return requestAmounts(change, record && currencyOfRecord(record)).flatMap(
    ({ path, value, minor, currency }) => {
      if (value === undefined || value === null) return [];
      const sent = typeof value === 'string' ? value : stringifyExactJson(value);
      const isKnown = minor !== undefined && currency !== undefined;
      return [{ path: path.join('.'), sent, meant: isKnown ? moneyText({ minor, currency }) : undefined }];
    },
  );
}
