import { boolean, string } from '@oclif/core/flags';
import { UsageError } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import { type FlagValues, textFlag } from './types.ts';

/** The flags of a command that sends a body. */
export function bodyFlags() {
  return {
    data: string({
      summary: 'Request body as JSON: inline, @FILE, or - for standard input. Other flags override it.',
      helpGroup: 'BODY',
      helpValue: 'JSON|@FILE|-',
    }),
    example: exampleFlag(),
    ...writeFlags(),
  };
}

/** The switch that prints a body in place of sending one; `BaseCommand` reads it. */
export function exampleFlag() {
  return boolean({
    summary: 'Print an example of the body, to be edited and sent with --data @FILE. Nothing is sent.',
    helpGroup: 'BODY',
  });
}

/** What `bodyFlags` parse to. Every flag has to be there, so that a command with a body cannot leave one out. */
export type BodyFlagValues = {
  readonly data: string | undefined;
  readonly 'dry-run': boolean;
  readonly yes: boolean;
};

/** What `writeFlags` parse to. */
export type WriteFlagValues = FlagValues<typeof writeFlags>;

/** The flags of every command that changes something. */
function writeFlags() {
  return {
    'dry-run': boolean({ summary: 'Print the request without sending it.', helpGroup: 'BODY' }),
    yes: boolean({
      char: 'y',
      summary: 'Do not ask for confirmation of a change in production.',
      helpGroup: 'BODY',
    }),
  };
}

/** The fields of an address (specification: Address) and what their flags say about them. */
const ADDRESS_FIELDS = {
  'house-number-or-name': 'House number or name.',
  line1: 'First line of the address.',
  line2: 'Second line of the address.',
  organization: 'Organization.',
  'postal-code': 'Postal code.',
  city: 'City.',
  state: 'State or region.',
  'state-code': 'State code, such as GB-LND.',
  country: 'Country code, such as GB.',
} as const;

type AddressField = keyof typeof ADDRESS_FIELDS;

/** One flag for each field of an address. */
export function addressFlags() {
  const flag = (name: AddressField) =>
    textFlag({ summary: ADDRESS_FIELDS[name], helpGroup: 'ADDRESS', helpValue: 'TEXT' });
  return {
    'house-number-or-name': flag('house-number-or-name'),
    line1: flag('line1'),
    line2: flag('line2'),
    organization: flag('organization'),
    'postal-code': flag('postal-code'),
    city: flag('city'),
    state: flag('state'),
    'state-code': flag('state-code'),
    country: flag('country'),
  };
}

/** The address that the flags give, over the one of `--data`; undefined when no flag of it was given. */
export function readAddress(
  flags: Readonly<Partial<Record<AddressField, string | undefined>>>,
  given: unknown,
): Record<string, unknown> | undefined {
  const fields = (Object.keys(ADDRESS_FIELDS) as AddressField[]).flatMap((name) => {
    const value = flags[name];
    return value === undefined ? [] : [[name.replaceAll('-', '_'), value]];
  });
  if (fields.length === 0) return undefined;
  const base = isObject(given) ? given : {};
  return { ...base, ...Object.fromEntries(fields) };
}

/**
 * Reads `key=value` pairs; the value may hold further equals signs.
 * @throws UsageError `bad_flag` for a text without a key or without an equals sign, and for a repeated key
 */
export function readPairs(
  flag: string,
  pairs: readonly string[] | undefined,
): Record<string, string> | undefined {
  if (pairs === undefined || pairs.length === 0) return undefined;
  const read = new Map<string, string>();
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    const key = pair.slice(0, at);
    if (at <= 0) {
      throw new UsageError('bad_flag', `${flag} must be KEY=VALUE, not ${JSON.stringify(pair)}`, {
        hint: `For example: ${flag} order=1234`,
      });
    }
    if (read.has(key)) {
      throw new UsageError('bad_flag', `${flag} gives ${JSON.stringify(key)} twice`, {
        hint: 'Give each key one value.',
      });
    }
    read.set(key, pair.slice(at + 1));
  }
  return Object.fromEntries(read);
}
