import { describe, expect, it } from 'vitest';
import { withPaymentAmounts } from '../../../src/features/webhooks/payment-amounts.ts';
import { numberAsWritten, stringifyExactJson } from '../../../src/json/exact.ts';

const STATUSES = ['authorized', 'captured', 'refunded', 'partially_refunded', 'voided'];

/** The schema of a payment whose amounts have another type. */
function schemaOf(amount: object, status: readonly string[] = STATUSES) {
  const time = { type: ['string', 'null'] };
  return {
    type: 'object',
    required: ['status', 'amount', 'refunded_at'],
    properties: {
      ...{ status: { enum: status }, amount, captured_amount: amount, refunded_amount: amount },
      ...{ captured_at: { type: 'string' }, refunded_at: time, voided_at: time, authorized_at: time },
    },
  };
}

const INTEGER = { type: 'integer', minimum: 0, maximum: 5_000 };
const RANDOM = { status: 'captured', amount: 1_000, captured_amount: 4_000, refunded_amount: 5_000 };

/** The amounts of a record after an event, with the members that are set. */
function amountsOf(
  past: string,
  set: object = {},
  { schema = schemaOf(INTEGER), before = RANDOM as object } = {},
) {
  const record = withPaymentAmounts({ ...before, ...set }, { schema, past, before: { ...before } });
  return [record.amount, record.captured_amount, record.refunded_amount];
}

describe('withPaymentAmounts', () => {
  it('keeps every digit of an amount that a double cannot hold', () => {
    const set = { amount: numberAsWritten('9007199254740993') };
    const amounts = amountsOf('captured', set, { schema: schemaOf({ type: 'integer' }) });
    expect(stringifyExactJson(amounts)).toBe('[9007199254740993,9007199254740993,0]');
  });

  it.each([
    ['captured', [1_000, 1_000, 0]],
    ['refunded', [1_000, 1_000, 1_000]],
    ['partially-captured', [1_000, 500, 0]],
    ['partially-refunded', [1_000, 1_000, 500]],
    // The status says what nothing else does.
    ['updated', [1_000, 1_000, 0]],
  ])('fits the amounts to %s', (past, expected) => {
    expect(amountsOf(past)).toEqual(expected);
  });

  it.each([
    [{ amount: 300 }, [300, 300, 0]],
    [{ captured_amount: 200 }, [1_000, 200, 0]],
    [{ captured_amount: 2_000 }, [2_000, 2_000, 0]],
    [{ refunded_amount: 600 }, [1_000, 1_000, 600]],
    [{ amount: 300, captured_amount: 500 }, [300, 500, 0]],
    [{ status: 'authorized' }, [1_000, 0, 0]],
    [{ status: 'voided', refunded_amount: 2_000 }, [2_000, 2_000, 2_000]],
    [{ amount: '5.00EUR' }, ['5.00EUR', 1_000, 0]],
    [{ amount: null }, [null, 1_000, 0]],
  ])('leaves %j as it is set, and fits the others to it', (set, expected) => {
    expect(amountsOf('captured', set)).toEqual(expected);
  });

  it('refunds no more than was captured', () => {
    expect(amountsOf('refunded', { captured_amount: 200 })).toEqual([1_000, 200, 200]);
  });

  it.each([
    [{ type: 'string', pattern: '^\\d+\\.\\d\\d$' }, '10.50', '0.00'],
    [{ type: 'number' }, 10.5, 0],
    [{ type: 'object' }, { value: 1_050, currency: 'EUR' }, { value: 0, currency: 'EUR' }],
    [{ type: 'object' }, { amount: '10.5', unit: 'x' }, { amount: '0.0', unit: 'x' }],
  ])('writes amounts of %j as they are', (type, amount, zero) => {
    const before = { status: 'captured', amount, captured_amount: null, refunded_amount: amount };
    expect(amountsOf('captured', {}, { schema: schemaOf(type), before })).toEqual([amount, amount, zero]);
  });

  it('changes no record without an amount, and sets nothing that the schema does not take', () => {
    const plain = { schema: schemaOf(INTEGER), past: 'captured', before: {} };
    expect(withPaymentAmounts({ status: 'captured', captured_amount: 5 }, plain)).toEqual({
      status: 'captured',
      captured_amount: 5,
    });
    const before = { ...RANDOM, amount: 9_000 };
    expect(amountsOf('captured', {}, { before })).toEqual([9_000, 4_000, 0]);
  });

  it('removes the times of statuses that it does not have, unless they are set', () => {
    const times = { captured_at: 'a', refunded_at: 'b', voided_at: 'c', authorized_at: 'd' };
    const timesAfter = (past: string, status: string, set: object = {}) => {
      const before = { ...RANDOM, status, ...times };
      const facts = { schema: schemaOf(INTEGER), past, before };
      const record = withPaymentAmounts({ ...before, ...set }, facts);
      return Object.fromEntries(Object.entries(record).filter(([name]) => name.endsWith('_at')));
    };
    expect(timesAfter('captured', 'captured')).toEqual({ ...times, refunded_at: null, voided_at: null });
    expect(timesAfter('refunded', 'refunded')).toEqual({ ...times, voided_at: null });
    expect(timesAfter('voided', 'voided', { refunded_at: 'set' })).toEqual({
      refunded_at: 'set',
      voided_at: 'c',
      authorized_at: null,
    });
  });
});
