import { expect, it } from 'vitest';
import { maskBillingDetails } from '../../../src/emulator/resources/buyers.ts';

it('masks every text in whatever field, keeps nulls, the shape and the kind of a tax id', () => {
  const details = {
    first_name: 'A',
    last_name: null,
    unknown: [{ kind: 'x', deep: 1 }, true, ''],
    kind: 'y',
    tax_id: { value: 'DE1', kind: 'eu.vat' },
  };
  expect(JSON.stringify(maskBillingDetails(details))).toBe(
    JSON.stringify({
      first_name: '*****',
      last_name: null,
      unknown: [{ kind: '*****', deep: '*****' }, '*****', '*****'],
      kind: '*****',
      tax_id: { value: '*****', kind: 'eu.vat' },
    }),
  );
});

it('leaves absent billing details absent', () => {
  expect(maskBillingDetails(null)).toBeNull();
  expect(maskBillingDetails(undefined)).toBeUndefined();
});
