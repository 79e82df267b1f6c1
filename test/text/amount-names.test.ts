import { describe, expect, it } from 'vitest';
import { currencyIn, isAmountMember, PAYMENT_NAMES, paymentMember } from '../../src/text/amount-names.ts';

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
    ['tip_money', true],
    ['amountOfMoney', true],
    ['price_in_cents', true],
    ['fee_minor_units', true],
    ['amounts', false],
    ['cents', false],
    ['amount_currency', false],
    ['amount_captured_direction', false],
    ['amount_refunded_at', false],
    ['amount_paid_to_date', true],
    ['amount_paid_date', false],
    ['amount_due_currency', false],
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

describe('currencyIn', () => {
  it.each([
    ['total_money', 'total_money_currency'],
    ['amount_value', 'amount_value_currency'],
    ['price_cents', 'price_cents_currency'],
    ['price_cents', 'price_currency'],
    ['amount_cents', 'amount_currency'],
    ['settlement_amount', 'settlement_currency_code'],
  ])('finds the currency of %s in %s', (amount, name) => {
    expect(currencyIn({ [amount]: 5, [name]: 'EUR', note: 'USD' }, amount)).toBe('EUR');
  });
});

describe('paymentMember', () => {
  it.each([
    // Each as a public API names it, and in the notations of others.
    ['amount', ['amount_money', 'tip_money', 'total_money'], 'amount_money'],
    ['amount', ['tip_money', 'total_money'], 'total_money'],
    ['amount', ['amountOfMoney'], 'amountOfMoney'],
    ['amount', ['amount_minor', 'amount'], 'amount'],
    ['amount', ['amountInCents'], 'amountInCents'],
    ['amount', ['value', 'money', 'app_fee_money', 'approved_money', 'amount_type'], undefined],
    ['captured', ['captured', 'captured_at', 'captured_money'], 'captured_money'],
    ['captured', ['total_captured'], 'total_captured'],
    ['refunded', ['refunded', 'refund_ids', 'refunded_money'], 'refunded_money'],
    ['refunded', ['amountRefunded'], 'amountRefunded'],
    ['refunded', ['total_refunded_amount'], 'total_refunded_amount'],
    ['amount', ['transaction_amount'], 'transaction_amount'],
    ['refunded', ['transaction_amount', 'transaction_amount_refunded'], 'transaction_amount_refunded'],
    ['refunded', ['refundedValue'], 'refundedValue'],
    ['refunded', ['amount_refunded_minor_units'], 'amount_refunded_minor_units'],
  ] as const)('%s of %j: %s', (sum, members, expected) => {
    expect(paymentMember(PAYMENT_NAMES[sum], members)).toBe(expected);
  });
});
