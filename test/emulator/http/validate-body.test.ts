import { describe, expect, it } from 'vitest';
import { validateBody } from '../../../src/emulator/http/validate-body.ts';

const shown = (schema: Parameters<typeof validateBody>[0], value: unknown) =>
  validateBody(schema, value).map(
    ({ type, pointer, message, location }) => `${location} ${pointer} ${type}: ${message}`,
  );

describe('the faults of a body', () => {
  it.each([
    [{ first_name: 7 }, 'body /first_name type_error.string: must be a string'],
    [{ first_name: null }, 'body /first_name type_error.none.not_allowed: must not be null'],
    [{ first_name: '' }, 'body /first_name value_error.any_str.min_length: must have at least 1 character'],
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

  it('are all listed, in the order of the contract', () => {
    const faults = shown('ShippingDetailCreate', { last_name: '', phone_number: '', first_name: {} });
    expect(faults.map((fault) => fault.split(' ')[1])).toEqual([
      '/first_name',
      '/last_name',
      '/phone_number',
      '/phone_number',
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
});

describe('days and times that the calendar does not have', () => {
  const errorsOf = (airline: object) =>
    validateBody('CheckoutSessionUpdate', { airline }).map(({ type }) => type);
  const date = (text: string) => errorsOf({ passengers: [{ date_of_birth: text }] });
  const time = (text: string) => errorsOf({ issued_at: text });

  it.each(['2026-02-30', '2026-13-01', '2026-00-10', '2025-02-29', '2026-1-1'])('%s is no date', (text) => {
    expect(date(text)).toEqual(['value_error.date']);
  });

  it.each([
    '2026-02-30T09:00:00Z',
    '2026-02-28T24:00:00Z',
    '2026-02-28T09:60:00Z',
    '2026-02-28T09:00:00+99:99',
    '2026-02-28T09:00:00',
  ])('%s is no date and time', (text) => {
    expect(time(text)).toEqual(['value_error.datetime']);
  });

  it.each(['2024-02-29', '2026-12-31'])('%s is a date', (text) => {
    expect(date(text)).toEqual([]);
  });
});
