import { describe, expect, it } from 'vitest';
import { isAmountMember } from '../../src/text/amount-names.ts';

describe('isAmountMember', () => {
  it.each([
    ['balance', true],
    ['amount', true],
    ['unit_amount', true],
    ['unitAmount', true],
    ['EURAmount', true],
    ['amount_refunded', true],
    ['price', true],
    ['total', true],
    ['grand-total', true],
    ['subtotal', true],
    ['amounts', false],
    ['amount_currency', false],
    ['total_count', false],
    ['usage_count', false],
    ['balance_error_code', false],
    ['value', false],
  ])('%s: %s', (name, isAmount) => {
    expect(isAmountMember(name)).toBe(isAmount);
  });

  it('takes `value` for the amount of an object with the name of one', () => {
    expect(isAmountMember('value', 'total_amount')).toBe(true);
    expect(isAmountMember('value', 'value')).toBe(false);
  });
});
