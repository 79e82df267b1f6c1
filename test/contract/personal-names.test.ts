import { describe, expect, it } from 'vitest';
import { type Operation, operations } from '../../src/contract/generated/operations.ts';
import { isPersonalName } from '../../src/contract/personal-names.ts';
import type { MemberMarks } from '../../src/json/mask.ts';

/** The names under which the contract marks everything. */
function markedNames(marks: MemberMarks): string[] {
  return Object.entries(marks).flatMap(([name, mark]) => {
    if (typeof mark === 'boolean') return mark && name !== '*' ? [name] : [];
    return [...(mark['*'] === true ? [name] : []), ...markedNames(mark)];
  });
}

describe('the names of personal data', () => {
  it('are all that the contract marks', () => {
    const all = Object.values<Operation>(operations);
    const names = new Set(all.flatMap(({ personalData = {} }) => markedNames(personalData)));
    expect(names.size).toBeGreaterThan(5);
    for (const name of names) expect(isPersonalName(name), name).toBe(true);
  });

  it.each([
    ...[
      'firstName',
      'Email-Address',
      'EMAIL',
      'shipping_details',
      'surname',
      'cardholder_name',
      'address_line1',
    ],
    ...['line2', 'house_number_or_name', 'IBAN', 'card_number', 'bank-account-number', 'nationalIdNumber'],
    ...['pan', 'address1', 'addresses', 'return_address', 'identifications', 'phone_numbers'],
    ...['address_city', 'address_zip', 'postal_code', 'recipient_name', 'name_on_card'],
  ])('are spelled as services do: %s', (name) => {
    expect(isPersonalName(name)).toBe(true);
  });

  it.each([
    'id',
    'message',
    'display_name',
    'address_verified',
    'code',
    'city',
    'number',
    'invoice_number',
    '',
  ])('are not %s', (name) => {
    expect(isPersonalName(name)).toBe(false);
  });
});
