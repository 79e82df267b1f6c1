import { boolean, string } from '@oclif/core/flags';
import { UsageError } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import { type FlagValues, inGroup, textFlag } from './types.ts';

/** The flags of a command that sends a body. */
export function bodyFlags() {
  return inGroup('BODY', {
    data: string({
      summary: 'Request body as JSON: inline, @FILE, or - for standard input. Other flags override it.',
      helpValue: 'JSON|@FILE|-',
    }),
    example: exampleFlag(),
    'dry-run': boolean({ summary: 'Print the request without sending it.' }),
    yes: boolean({ char: 'y', summary: 'Do not ask for confirmation of a change in production.' }),
  });
}

/** The switch that prints a body in place of sending one; `BaseCommand` reads it. */
export function exampleFlag() {
  return boolean({
    summary: 'Print an example of the body, to be edited and sent with --data @FILE. Nothing is sent.',
  });
}

/** What `bodyFlags` parse to. Every flag has to be there, so that a command with a body cannot leave one out. */
export type BodyFlagValues = {
  readonly data: string | undefined;
  readonly 'dry-run': boolean;
  readonly yes: boolean;
};

/** What the flags of every command parse to that changes something. */
export type WriteFlagValues = Pick<FlagValues<typeof bodyFlags>, 'dry-run' | 'yes'>;

/** One flag for each field of an address (specification: Address). */
export function addressFlags() {
  const flag = (summary: string) => textFlag({ summary, helpValue: 'TEXT' });
  return inGroup('ADDRESS', {
    'house-number-or-name': flag('House number or name.'),
    line1: flag('First line of the address.'),
    line2: flag('Second line of the address.'),
    organization: flag('Organization.'),
    'postal-code': flag('Postal code.'),
    city: flag('City.'),
    state: flag('State or region.'),
    'state-code': flag('State code, such as GB-LND.'),
    country: flag('Country code, such as GB.'),
  });
}

/** The address that the flags give, over the one of `--data`; undefined when no flag of it was given. */
export function readAddress(
  flags: FlagValues<typeof addressFlags>,
  given: unknown,
): Record<string, unknown> | undefined {
  const fields = Object.keys(addressFlags()).flatMap((name) => {
    const value: unknown = Reflect.get(flags, name);
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
