import { expect, it } from 'vitest';
import { schemaErrors, validateBody } from '../../src/contract/validate-body.ts';

const withBirthDate = (text: string) => ({ airline: { passengers: [{ date_of_birth: text }] } });

it('leaves the spelling of dates and times to the service, whose emulator checks them', () => {
  expect(validateBody('CheckoutSessionUpdate', withBirthDate('17.05.1988'))).toEqual([]);
  const errors = schemaErrors('CheckoutSessionUpdate', withBirthDate('17.05.1988'));
  expect(errors.map(({ keyword, instancePath }) => [keyword, instancePath])).toEqual([
    ['format', '/airline/passengers/0/date_of_birth'],
  ]);
});

it('leaves assumed limits to the service, whose emulator checks them', () => {
  const body = { address: { city: 'x'.repeat(101), country: 'no' } };
  expect(validateBody('ShippingDetailCreate', body)).toEqual([]);
  expect(schemaErrors('ShippingDetailCreate', body).map(({ params, data }) => [params, data])).toEqual([
    [{ limit: 100 }, 'x'.repeat(101)],
    [{ pattern: '^[A-Z]{2}$' }, 'no'],
  ]);
});

it.each([
  ['x'.repeat(255), true],
  ['😀'.repeat(255), true],
  [`${'😀'.repeat(255)}x`, false],
  ['\uD83D'.repeat(256), false],
  ['\uDE00'.repeat(255), true],
])('counts characters, not UTF-16 units: %#', (first_name, isValid) => {
  expect(validateBody('ShippingDetailCreate', { first_name })).toHaveLength(isValid ? 0 : 1);
});

it('knows the schemas of request bodies only', () => {
  expect(() => schemaErrors('Buyer', {})).toThrow(TypeError);
});
