import { textFlag } from './flag-types.ts';

/** The fields of an address (specification: Address) and what their flags say of them. */
const ADDRESS_FIELDS = {
  'house-number-or-name': 'House number or name.',
  line1: 'First line of the address.',
  line2: 'Second line of the address.',
  organization: 'Organization.',
  'postal-code': 'Postal code.',
  city: 'City.',
  state: 'State or region.',
  'state-code': 'Code of the state, such as GB-LND.',
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
  const base = typeof given === 'object' && given !== null && !Array.isArray(given) ? given : {};
  return { ...base, ...Object.fromEntries(fields) };
}
