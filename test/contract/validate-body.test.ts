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

it('checks a schema of the caller as well', () => {
  const errors = schemaErrors({ properties: { city: { maxLength: 2 } } }, { city: 'Bergen' });
  expect(errors.map(({ params }) => params)).toEqual([{ limit: 2 }]);
});
