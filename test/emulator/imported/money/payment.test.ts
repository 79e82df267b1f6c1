import { describe, expect, it } from 'vitest';
import {
  isVoided,
  NOTHING_KNOWN,
  paymentOf,
  type Remembered,
  setStatus,
  VOIDED,
} from '../../../../src/emulator/imported/money/payment.ts';
import type { PreparedSchema } from '../../../../src/emulator/imported/prepared.ts';
import { textOf } from '../../../../src/json/decimal.ts';
import { counted, schemaOf, silent, status, uncounted } from './payment-schemas.ts';

function amounts(record: object, schema: PreparedSchema, remembered: Remembered = NOTHING_KNOWN) {
  const { amount, captured, refunded, isAssumed } = paymentOf({ ...record }, schema, remembered);
  return [amount && textOf(amount), captured && textOf(captured), textOf(refunded), isAssumed];
}

describe('the amounts of a payment', () => {
  it.each([
    ['processing', ['1001', '0', '0', false]],
    ['authorized', ['1001', '0', '0', false]],
    ['partially_captured', ['1001', '500', '0', false]],
    ['captured', ['1001', '1001', '0', false]],
    ['partially_refunded', ['1001', '1001', '500', false]],
    ['refunded', ['1001', '1001', '1001', false]],
    ['voided', ['1001', '0', '0', false]],
    ['failed', ['1001', '0', '0', false]],
  ])('follow from the status %s where nothing else says them', (word, expected) => {
    expect(amounts({ status: word, amount: 1001 }, uncounted)).toEqual(expected);
  });

  it.each([
    ['open', ['1001', '1001', '0', true]],
    ['closed', ['1001', '1001', '0', true]],
    ['voided', ['1001', '0', '0', false]],
    ['partially_captured', ['1001', '500', '0', false]],
    ['refunded', ['1001', '1001', '1001', false]],
  ])('are assumed to be captured where no status says so: %s', (word, expected) => {
    expect(amounts({ status: word, amount: 1001 }, silent)).toEqual(expected);
  });

  it('are those of the record where it has them', () => {
    const record = { status: 'captured', amount: 1000, captured_amount: 600, refunded_amount: 100 };
    expect(amounts(record, counted)).toEqual(['1000', '600', '100', false]);
    expect(amounts({ ...record, status: 'open' }, counted)).toEqual(['1000', '600', '100', false]);
  });

  it('are those that were remembered, before those of the record', () => {
    const record = { status: 'captured', amount: 1000, captured_amount: 600, refunded_amount: 100 };
    expect(amounts(record, counted, { captured: 700, refunded: 50 })).toEqual(['1000', '700', '50', false]);
    expect(amounts({ status: 'open', amount: 1000 }, silent, { captured: 300, refunded: null })).toEqual([
      '1000',
      '300',
      '0',
      false,
    ]);
    expect(amounts({ status: 'open', amount: 1000 }, silent, VOIDED)).toEqual(['1000', '0', '0', false]);
  });

  it('are refunded as far as they were captured', () => {
    const record = { status: 'refunded', amount: 1000 };
    expect(amounts(record, uncounted, { captured: 600, refunded: null })).toEqual([
      '1000',
      '600',
      '600',
      false,
    ]);
  });

  it('are unknown where the record has no amount', () => {
    expect(amounts({ status: 'captured' }, uncounted)).toEqual([undefined, undefined, '0', false]);
    expect(amounts({ status: 'refunded' }, uncounted)).toEqual([undefined, undefined, '0', false]);
    expect(amounts({ status: 'partially_captured' }, uncounted)).toEqual([undefined, undefined, '0', false]);
    expect(amounts({ status: 'authorized' }, uncounted)).toEqual([undefined, '0', '0', false]);
  });
});

describe('a void', () => {
  it.each([
    [VOIDED, true],
    [NOTHING_KNOWN, false],
    [{ captured: 0, refunded: null }, false],
    [{ captured: null, refunded: 0 }, false],
    [{ captured: 5, refunded: 0 }, false],
    [{ captured: 0, refunded: 5 }, false],
  ])('is remembered as %j: %j', (remembered, expected) => {
    expect(isVoided(remembered)).toBe(expected);
  });
});

describe('setting a status', () => {
  const record = { status: 'authorized' };

  it('changes nothing without a word, without a member for it, and for a word that the schema has not', () => {
    expect(setStatus(record, undefined, counted)).toBe(record);
    expect(setStatus(record, 'shipped', counted)).toBe(record);
    expect(setStatus(record, 'captured', schemaOf({ amount: {} }))).toBe(record);
  });

  it('sets the member that the schema has for it', () => {
    expect(setStatus(record, 'captured', counted)).toEqual({ status: 'captured' });
    expect(setStatus({}, 'captured', schemaOf({ state: status }))).toEqual({ state: 'captured' });
  });
});
