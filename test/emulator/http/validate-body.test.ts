import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodySchema, validateBody } from '../../../src/emulator/http/validate-body.ts';
import { seedCheckoutSessions } from '../../../src/emulator/seed/checkout-sessions.ts';
import { faultsOf } from '../../contract/schema-validator.ts';

const shown = (schema: Parameters<typeof bodySchema>[0], value: unknown) =>
  validateBody(bodySchema(schema), value).map(
    ({ type, pointer, message, location }) => `${location} ${pointer} ${type}: ${message}`,
  );

describe('the faults of a body', () => {
  it.each([
    [{ first_name: 7 }, 'body /first_name type_error.string: must be a string'],
    [{ first_name: null }, 'body /first_name type_error.none.not_allowed: must not be null'],
    [{ first_name: '' }, 'body /first_name value_error.any_str.min_length: must have at least 1 characters'],
    [
      { last_name: 'é'.repeat(256) },
      'body /last_name value_error.any_str.max_length: must have at most 255 characters',
    ],
    [{ phone_number: '4722' }, 'body /phone_number value_error.str.regex: must match ^\\+[1-9]\\d{1,14}$'],
    [{ address: 'Paris' }, 'body /address type_error.object: must be an object'],
    [{ address: [] }, 'body /address type_error.object: must be an object'],
    [{ address: { city: 1 } }, 'body /address/city type_error.string: must be a string'],
  ])('in the shipping detail %j is named as the service does', (value, fault) => {
    expect(shown('ShippingDetailCreate', value)).toEqual([fault]);
  });

  it.each([
    [{ cart_items: {} }, 'body /cart_items type_error.array: must be an array'],
    [{ cart_items: [{}, 1] }, 'body /cart_items/1 type_error.object: must be an object'],
    [
      { cart_items: [{ quantity: 1.5 }] },
      'body /cart_items/0/quantity type_error.integer: must be an integer',
    ],
    [
      { cart_items: [{ quantity: true }] },
      'body /cart_items/0/quantity type_error.integer: must be an integer',
    ],
    [
      { cart_items: [{ categories: ['a', 2] }] },
      'body /cart_items/0/categories/1 type_error.string: must be a string',
    ],
    [{ metadata: [] }, 'body /metadata type_error.object: must be an object'],
    [
      { airline: { restricted_ticket: 'no' } },
      'body /airline/restricted_ticket type_error.boolean: must be a boolean',
    ],
    [
      { airline: { legs: [{ departure_at: '2026-06-20' }] } },
      'body /airline/legs/0/departure_at value_error.datetime: must be a date and time with an offset, such as 2026-02-28T09:30:00+00:00',
    ],
    [
      { airline: { passengers: [{ date_of_birth: '17.05.1988' }] } },
      'body /airline/passengers/0/date_of_birth value_error.date: must be a date such as 2026-02-28',
    ],
  ])('in the session update %j is named as the service does', (value, fault) => {
    expect(shown('CheckoutSessionUpdate', value)).toEqual([fault]);
  });

  it('are all told, in the order of the body', () => {
    const faults = shown('ShippingDetailCreate', { last_name: '', phone_number: '', first_name: {} });
    expect(faults.map((fault) => fault.split(' ')[1])).toEqual([
      '/last_name',
      '/phone_number',
      '/phone_number',
      '/first_name',
    ]);
  });

  it('do not include fields that the contract does not name, nulls where it allows them, or an empty object', () => {
    expect(shown('ShippingDetailCreate', { invented: 1, address: { floor: 3, city: null } })).toEqual([]);
    expect(shown('CheckoutSessionUpdate', { cart_items: null, metadata: null, airline: null })).toEqual([]);
    expect(shown('CheckoutSessionUpdate', {})).toEqual([]);
    expect(shown('CheckoutSessionUpdate', JSON.parse('{"__proto__":{"cart_items":1},"toString":1}'))).toEqual(
      [],
    );
  });

  it('are those that a strict validator of the same description finds, wherever a value is changed', () => {
    const bases = seedCheckoutSessions(1).map(({ session: { cart_items, metadata, airline } }) => ({
      cart_items,
      metadata,
      airline,
    }));
    const odd = fc.constantFrom<unknown>(null, 0, 1.5, -1, true, '', 'x', '2026-01-01', [], {}, [null], [{}]);
    const property = fc.property(
      fc.constantFrom(...bases),
      fc.array(fc.nat(), { minLength: 1 }),
      odd,
      (base, path, value) => {
        const changed = withValueAt(structuredClone(base), path, value);
        const strict = faultsOf('CheckoutSessionUpdate', changed).map((fault) => fault.split(' ')[0]);
        const found = validateBody(bodySchema('CheckoutSessionUpdate'), changed).map(
          ({ pointer }) => pointer,
        );
        // For "this or null" the strict validator reports both branches and their union.
        expect(new Set(found)).toEqual(new Set(found.filter((pointer) => strict.includes(pointer))));
        expect(found.length === 0).toBe(strict.length === 0);
      },
    );
    fc.assert(property, { numRuns: 2000 });
  });
});

/** Follows the numbers down the value, each choosing a member, and replaces what it comes to. */
function withValueAt(value: unknown, [step = 0, ...rest]: readonly number[], replacement: unknown): unknown {
  if (typeof value !== 'object' || value === null) return replacement;
  const keys = Object.keys(value);
  const key = keys[step % Math.max(1, keys.length)];
  if (key === undefined) return replacement;
  const members = value as Record<string, unknown>;
  members[key] = rest.length === 0 ? replacement : withValueAt(members[key], rest, replacement);
  return value;
}

describe('days and times that the calendar does not have', () => {
  const faultOf = (format: string, text: string) =>
    validateBody({ type: 'string', format }, text).map(({ type }) => type);

  it.each(['2026-02-30', '2026-13-01', '2026-00-10', '2025-02-29', '2026-1-1'])('%s is no date', (text) => {
    expect(faultOf('date', text)).toEqual(['value_error.date']);
  });

  it.each([
    '2026-02-30T09:00:00Z',
    '2026-02-28T24:00:00Z',
    '2026-02-28T09:60:00Z',
    '2026-02-28T09:00:00+99:99',
    '2026-02-28T09:00:00',
  ])('%s is no date and time', (text) => {
    expect(faultOf('date-time', text)).toEqual(['value_error.datetime']);
  });

  it.each(['2024-02-29', '2026-12-31'])('%s is a date', (text) => {
    expect(faultOf('date', text)).toEqual([]);
  });
});
