import { describe, expect, it } from 'vitest';
import type { OperationRequest } from '../../../../src/emulator/imported/call.ts';
import type { Kind } from '../../../../src/emulator/imported/kinds.ts';
import { keepMoney, requireAmounts } from '../../../../src/emulator/imported/money/bodies.ts';
import { isPayment } from '../../../../src/emulator/imported/money/captures-and-refunds.ts';
import {
  NOTHING_KNOWN,
  paymentOf,
  type Remembered,
  VOIDED,
} from '../../../../src/emulator/imported/money/payment.ts';
import { isMove } from '../../../../src/emulator/imported/money/rules.ts';
import type { Document } from '../../../../src/emulator/imported/overlay.ts';
import type { PreparedSchema } from '../../../../src/emulator/imported/prepared.ts';
import { counted, exact, schemaOf, silent, status, uncounted } from './payment-schemas.ts';

/** A kind of record. What is computed of one is kept, so each test has its own. */
const kindOf = (noun = 'transaction') => ({ path: `/${noun}s`, noun, operations: {} }) as unknown as Kind;

type Parts = {
  readonly schema?: PreparedSchema | undefined;
  readonly body?: Document;
  /** The schema of the request's body. */
  readonly request?: PreparedSchema;
  /** The words below a record that operations have. */
  readonly below?: readonly string[];
};

function callOf({ schema, body = {}, request, below = [] }: Parts): OperationRequest {
  const records = {
    hasBelow: (_: Kind, words: readonly string[]) => below.some((word) => words.includes(word)),
    layoutOf: () => schema && { schema },
  };
  return { records, body, prepared: { request } } as unknown as OperationRequest;
}

/** The place and the text of the one issue that something is refused with. */
function refusalOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    const [{ loc, msg }] = (error as { issues: [{ loc: readonly string[]; msg: string }] }).issues;
    return [loc.join('.'), msg];
  }
  return undefined;
}

describe('a payment', () => {
  const bare = schemaOf({ amount: {} });

  it.each([
    ['a member for what was captured', { schema: schemaOf({ amount: {}, captured_amount: {} }) }, true],
    ['a member for what was refunded', { schema: schemaOf({ amount: {}, refunded_amount: {} }) }, true],
    ['captures below it', { schema: bare, below: ['captures'] }, true],
    ['a capture below it', { schema: bare, below: ['capture'] }, true],
    ['a refund below it', { schema: bare, below: ['refund'] }, true],
    ['refunds below it', { schema: bare, below: ['refunds'] }, true],
    ['an amount alone', { schema: bare, below: ['void'] }, false],
    ['no amount', { schema: schemaOf({ captured_amount: {} }), below: ['refund'] }, false],
    ['no schema', { schema: undefined, below: ['refund'] }, false],
  ])('is a record with an amount and %s', (_, parts, expected) => {
    expect(isPayment(kindOf(), callOf(parts).records)).toBe(expected);
  });

  it.each([
    ['capture', true],
    ['refund', true],
    ['transaction', false],
  ])('has moves: a %s is one: %j', (noun, expected) => {
    expect(isMove(noun)).toBe(expected);
  });
});

describe('a new payment', () => {
  const made = (
    body: Document,
    { record = body, noun = 'transaction', ...parts }: Parts & { record?: Document; noun?: string } = {},
  ) => refusalOf(() => requireAmounts(callOf({ schema: counted, body, ...parts }), kindOf(noun), record));

  it.each([
    [{ amount: 5 }, undefined],
    [{ amount: 0 }, ['body.amount', 'must be greater than 0']],
    [{ amount: -1 }, ['body.amount', 'must be greater than 0']],
    [{ amount: 'abc' }, ['body.amount', 'must be a decimal number']],
    [{ amount: 5, captured_amount: 5, refunded_amount: 5 }, undefined],
    [
      { amount: 5, captured_amount: 6 },
      ['body.captured_amount', 'must be at most 5, which is the amount of the payment'],
    ],
    [
      { amount: 5, captured_amount: -1 },
      ['body.captured_amount', 'must be at least 0, the amount that was already captured or refunded'],
    ],
    [
      { amount: 5, captured_amount: 2, refunded_amount: 3 },
      ['body.refunded_amount', 'must be at most 2, which is what was captured'],
    ],
    [
      { amount: 5, refunded_amount: 6 },
      ['body.refunded_amount', 'must be at most 5, which is what was captured'],
    ],
    [{ amount: 5, captured_amount: 0, refunded_amount: 0 }, undefined],
    [{ captured_amount: 5 }, undefined],
    [{ amount: 5, captured_amount: 'abc' }, undefined],
    [
      { amount: 5, captured_amount: exact('0.12345678901234567') },
      ['body.captured_amount', 'must have at most 15 digits'],
    ],
  ])('of %j: %j', (body, expected) => {
    expect(made(body)).toEqual(expected);
  });

  it('is checked with the record that it becomes', () => {
    expect(made({ captured_amount: 6 }, { record: { amount: 5, captured_amount: 6 } })).toEqual([
      'body.captured_amount',
      'must be at most 5, which is the amount of the payment',
    ]);
  });

  it('that is a move is checked, and what is neither is not', () => {
    const schema = schemaOf({ amount: {} });
    expect(made({ amount: 0 }, { schema, noun: 'refund' })).toEqual([
      'body.amount',
      'must be greater than 0',
    ]);
    expect(made({ amount: 0 }, { schema: undefined, noun: 'capture' })).toEqual([
      'body.amount',
      'must be greater than 0',
    ]);
    expect(made({ amount: 0 }, { schema, noun: 'link' })).toBeUndefined();
    expect(made({ amount: 5 }, { schema: undefined, noun: 'capture' })).toBeUndefined();
  });

  const nested = (value: object) => schemaOf({ amount: { type: 'object', properties: { value } } });

  it.each<readonly [Document, PreparedSchema | undefined, boolean]>([
    [{ amount: 0 }, schemaOf({ amount: { minimum: 0 } }), true],
    [{ amount: '0.00' }, schemaOf({ amount: { minimum: 0 } }), true],
    [{ amount: 0 }, schemaOf({ amount: { minimum: -1 } }), false],
    [{ amount: 0 }, schemaOf({ amount: { minimum: 1 } }), false],
    [{ amount: 0 }, schemaOf({ amount: {} }), false],
    [{ amount: 0 }, undefined, false],
    [{ amount: -1 }, schemaOf({ amount: { minimum: 0 } }), false],
    [{ amount: 'abc' }, schemaOf({ amount: { minimum: 0 } }), false],
    [{ amount: { value: 0 } }, nested({ minimum: 0 }), true],
    [{ amount: { value: 0 } }, nested({}), false],
    [{ amount: { value: 0 } }, schemaOf({ amount: { minimum: 0, properties: { value: {} } } }), false],
  ])('of %j may be of zero where the schema of the body says so', (body, request, isAllowed) => {
    const parts = request ? { request } : {};
    expect(made(body, parts) === undefined).toBe(isAllowed);
  });
});

type Change = {
  readonly before: Document;
  readonly body: Document;
  readonly schema?: PreparedSchema;
  readonly remembered?: Remembered;
  readonly noun?: string;
  /** The record afterwards, where it is not the one before with the members of the body. */
  readonly after?: Document;
};

function keep({ before, body, schema = counted, remembered = NOTHING_KNOWN, noun, after }: Change) {
  const call = callOf({ schema, body, below: ['refunds'] });
  const update = { kind: kindOf(noun), body, after: after ?? { ...before, ...body } };
  return keepMoney(call, paymentOf(before, schema, remembered), update);
}

const payment = (word: string, captured = 0, refunded = 0) => ({
  status: word,
  amount: 1000,
  captured_amount: captured,
  refunded_amount: refunded,
  currency: 'EUR',
});

describe('a change of a payment', () => {
  const partly = payment('partially_refunded', 400, 100);
  const LEAST = 'the amount that was already captured';

  it.each<readonly [Document, Document, unknown]>([
    [partly, { amount: 400 }, undefined],
    [partly, { amount: 2000 }, undefined],
    [partly, { amount: 399 }, ['body.amount', `must be at least 400, ${LEAST}`]],
    [partly, { amount: 0 }, ['body.amount', 'must be greater than 0']],
    [partly, { amount: null }, ['body.amount', `must be at least 400, ${LEAST}`]],
    [partly, { currency: 'EUR' }, undefined],
    [partly, { currency: 'USD' }, ['body.currency', 'must be EUR, which is the currency of the payment']],
    [partly, { currency: null }, ['body.currency', 'must be EUR, which is the currency of the payment']],
    [partly, { captured_amount: 400 }, undefined],
    [partly, { captured_amount: 1000 }, undefined],
    [
      partly,
      { captured_amount: 399 },
      ['body.captured_amount', `must be at least 400, ${LEAST} or refunded`],
    ],
    [
      partly,
      { captured_amount: 1001 },
      ['body.captured_amount', 'must be at most 1000, which is the amount of the payment'],
    ],
    [partly, { refunded_amount: 100 }, undefined],
    [partly, { refunded_amount: 400 }, undefined],
    [partly, { refunded_amount: 99 }, ['body.refunded_amount', `must be at least 100, ${LEAST} or refunded`]],
    [
      partly,
      { refunded_amount: 401 },
      ['body.refunded_amount', 'must be at most 400, which is what was captured'],
    ],
    [partly, { captured_amount: 600, refunded_amount: 600 }, undefined],
    [payment('captured', 400, 500), { amount: 499 }, ['body.amount', `must be at least 500, ${LEAST}`]],
    [payment('authorized'), { amount: 1 }, undefined],
    [payment('authorized'), { amount: 0 }, ['body.amount', 'must be greater than 0']],
    [payment('authorized'), { amount: null }, undefined],
    [payment('authorized'), { currency: 'USD' }, undefined],
    [{ ...payment('authorized'), amount: 0 }, { amount: 0 }, undefined],
    [{ status: 'captured', captured_amount: 400 }, { captured_amount: 500 }, undefined],
    [{ status: 'authorized' }, { amount: 0 }, ['body.amount', 'must be greater than 0']],
  ])('%j by %j: %j', (before, body, expected) => {
    expect(refusalOf(() => keep({ before, body }))).toEqual(expected);
  });

  it('names the amount where it goes without being named', () => {
    const before = payment('captured', 1000);
    expect(refusalOf(() => keep({ before, body: {}, after: { ...before, amount: 5 } }))).toEqual([
      'body.amount',
      `must be at least 1000, ${LEAST}`,
    ]);
  });

  it('keeps an amount that contradicts what was captured before, where it stays', () => {
    const before = { ...payment('captured', 1000), amount: 5 };
    expect(keep({ before, body: { note: 'x' } }).record).toEqual({ ...before, note: 'x' });
  });

  it('takes what contradicts the amounts already, where the body does not change it', () => {
    const more = { ...payment('captured', 1000), amount: 5 };
    expect(keep({ before: more, body: { captured_amount: 1000 } }).record).toEqual(more);
    const refunded = payment('captured', 400, 500);
    expect(keep({ before: refunded, body: { refunded_amount: 500 } }).record).toEqual(refunded);
    const kept = payment('captured', 1000, 1000);
    expect(keep({ before: kept, body: { status: 'captured' } }).record).toEqual(kept);
  });

  it('may name a currency where there was none', () => {
    const { currency: _, ...before } = payment('captured', 1000);
    expect(keep({ before, body: { currency: 'EUR' } }).record).toEqual(payment('captured', 1000));
  });

  it('of what is no payment is not looked at', () => {
    const schema = schemaOf({ status, captured_amount: {} });
    const before = { status: 'captured', captured_amount: 5 };
    expect(keep({ before, body: { status: 'voided' }, schema })).toEqual({
      record: { ...before, status: 'voided' },
      remembered: NOTHING_KNOWN,
    });
  });
});

describe('a change of the status of a payment', () => {
  it.each<readonly [Document, string, string | undefined]>([
    [payment('authorized'), 'refunded', 'nothing was captured'],
    [payment('authorized'), 'partially_refunded', 'nothing was captured'],
    [payment('authorized'), 'voided', undefined],
    [payment('authorized'), 'failed', undefined],
    [payment('voided'), 'captured', 'it is voided'],
    [payment('voided'), 'authorized', undefined],
    [payment('captured', 1000), 'authorized', 'it was captured'],
    [payment('captured', 1000), 'processing', 'it was captured'],
    [payment('captured', 1000), 'voided', 'it was captured'],
    [payment('captured', 1000), 'refunded', 'not all of it was refunded'],
    [payment('captured', 1000, 1), 'refunded', 'not all of it was refunded'],
    [payment('captured', 1000, 1000), 'refunded', undefined],
    [payment('captured', 1000), 'partially_refunded', 'no part of it was refunded'],
    [payment('captured', 1000, 1), 'partially_refunded', undefined],
    [payment('captured', 1000, 1000), 'partially_refunded', 'no part of it was refunded'],
    [payment('refunded', 1000, 1000), 'captured', 'it was refunded'],
    [payment('partially_refunded', 1000, 1), 'captured', undefined],
    [payment('partially_captured', 1), 'captured', undefined],
    [payment('captured', 1000), 'partially_captured', undefined],
    [payment('captured', 1000), 'refund_failed', undefined],
    [payment('refund_failed', 1000), 'captured', undefined],
    [payment('refund_failed', 1000), 'voided', 'it was captured'],
    [payment('authorized'), 'refund_pending', undefined],
    [payment('captured', 1000), 'refund_pending', undefined],
  ])('%j to %s: %s', (before, word, problem) => {
    expect(refusalOf(() => keep({ before, body: { status: word } }))).toEqual(
      problem && ['body.status', `cannot be ${word}, because ${problem}`],
    );
  });

  it('names the member that the schema has for it', () => {
    const schema = schemaOf({ state: status, amount: {}, captured_amount: {} });
    const before = { state: 'captured', amount: 5, captured_amount: 5 };
    expect(refusalOf(() => keep({ before, body: { state: 'voided' }, schema }))).toEqual([
      'body.state',
      'cannot be voided, because it was captured',
    ]);
  });

  it('captures a payment of which nothing was captured, and no other', () => {
    expect(keep({ before: payment('authorized'), body: { status: 'captured' } }).record).toEqual(
      payment('captured', 1000),
    );
    expect(keep({ before: payment('partially_captured', 400), body: { status: 'captured' } }).record).toEqual(
      payment('captured', 400),
    );
    expect(keep({ before: payment('authorized'), body: { status: 'failed' } }).record).toEqual(
      payment('failed'),
    );
  });

  it('is refused after a void that only payctl knows of', () => {
    const schema = schemaOf({ status: { enum: ['open', 'captured'] }, amount: {} });
    const before = { status: 'open', amount: 5 };
    const body = { status: 'captured' };
    expect(refusalOf(() => keep({ before, body, schema, remembered: VOIDED }))).toEqual([
      'body.status',
      'cannot be captured, because it was voided',
    ]);
    expect(refusalOf(() => keep({ before, body, schema }))).toBeUndefined();
    const pending = { schema: schemaOf({ status: { enum: ['open', 'pending'] }, amount: {} }), before };
    expect(refusalOf(() => keep({ ...pending, body: { status: 'pending' }, remembered: VOIDED }))).toEqual([
      'body.status',
      'cannot be pending, because it was voided',
    ]);
    expect(refusalOf(() => keep({ ...pending, body: { status: 'pending' } }))).toBeUndefined();
  });

  it('to a refund is taken where the captured amount is only assumed', () => {
    const before = { status: 'open', amount: 5 };
    expect(keep({ before, body: { status: 'refunded' }, schema: silent }).record).toEqual({
      status: 'refunded',
      amount: 5,
    });
  });
});

describe('a refusal', () => {
  const issueOf = (work: () => unknown) => {
    try {
      work();
    } catch (error) {
      return (error as { issues: readonly unknown[] }).issues[0];
    }
    return undefined;
  };

  it('names the code and the value of the body', () => {
    const before = payment('captured', 1000);
    expect(issueOf(() => keep({ before, body: { status: 'voided' } }))).toEqual({
      loc: ['body', 'status'],
      msg: 'cannot be voided, because it was captured',
      type: 'status_contradicted',
      input: 'voided',
      ctx: {},
    });
    expect(issueOf(() => keep({ before, body: { amount: 6 }, noun: 'refund' }))).toEqual({
      loc: ['body', 'amount'],
      msg: 'cannot be changed, because it was refunded',
      type: 'amount_moved',
      input: 6,
      ctx: {},
    });
    const failed = { ...before, status: 'failed' };
    expect(
      issueOf(() => keep({ before: failed, body: { status: 'captured' }, noun: 'refund' })),
    ).toMatchObject({
      type: 'status_contradicted',
      input: 'captured',
    });
    expect(issueOf(() => keep({ before, body: { currency: 'USD' } }))).toMatchObject({ input: 'USD' });
    expect(issueOf(() => keep({ before, body: { currency: null } }))).toMatchObject({ input: '' });
  });

  it('names the amount of a move that changes without being named', () => {
    const schema = schemaOf({ total_amount: {} });
    const change = {
      before: { total_amount: 5 },
      after: { total_amount: 6 },
      body: {},
      schema,
      noun: 'refund',
    };
    expect(issueOf(() => keep(change))).toMatchObject({ loc: ['body', 'total_amount'], input: null });
  });
});

describe('what payctl remembers of a payment after a change', () => {
  it('is what the status alone said was captured', () => {
    const before = { status: 'captured', amount: 1000 };
    expect(keep({ before, body: { amount: 2000 }, schema: uncounted }).remembered).toEqual({
      captured: 1000,
      refunded: null,
    });
    expect(
      keep({ before: { status: 'authorized', amount: 5 }, body: { amount: 6 }, schema: uncounted }),
    ).toEqual({
      record: { status: 'authorized', amount: 6 },
      remembered: NOTHING_KNOWN,
    });
    expect(
      keep({ before: { status: 'open', amount: 5 }, body: { amount: 6 }, schema: silent }).remembered,
    ).toEqual(NOTHING_KNOWN);
  });

  it('stays where the record has no members for it', () => {
    const remembered = { captured: 600, refunded: 50 };
    const before = { status: 'captured', amount: 1000 };
    expect(keep({ before, body: { amount: 700 }, schema: uncounted, remembered }).remembered).toEqual(
      remembered,
    );
  });

  it('is what the members of the record say, where something was remembered', () => {
    const before = payment('captured', 400, 100);
    const body = { captured_amount: 500, refunded_amount: 200 };
    expect(keep({ before, body, remembered: { captured: 400, refunded: 100 } }).remembered).toEqual({
      captured: 500,
      refunded: 200,
    });
    expect(keep({ before, body }).remembered).toEqual(NOTHING_KNOWN);
    expect(keep({ before, body, remembered: { captured: 400, refunded: null } }).remembered).toEqual({
      captured: 500,
      refunded: null,
    });
  });
});

describe('a change of a capture or a refund', () => {
  const schema = schemaOf({
    status: { enum: ['succeeded', 'pending', 'failed', 'canceled'] },
    amount: {},
    currency: {},
  });
  const before = { status: 'succeeded', amount: 5, currency: 'EUR' };
  const keepMove = (noun: string, body: Document, parts: Partial<Change> = {}) =>
    refusalOf(() => keep({ before, body, schema, noun, ...parts }));

  it('keeps its amount and its currency', () => {
    expect(keepMove('refund', { amount: 6 })).toEqual([
      'body.amount',
      'cannot be changed, because it was refunded',
    ]);
    expect(keepMove('capture', { amount: 4 })).toEqual([
      'body.amount',
      'cannot be changed, because it was captured',
    ]);
    expect(keepMove('refund', { amount: null })).toEqual([
      'body.amount',
      'cannot be changed, because it was refunded',
    ]);
    expect(keepMove('refund', { currency: 'USD' })).toEqual([
      'body.currency',
      'must be EUR, which is the currency of the payment',
    ]);
    expect(keepMove('refund', { amount: '5.0', currency: 'EUR', note: 'x' })).toBeUndefined();
    expect(keepMove('refund', { amount: 6 }, { before: { status: 'succeeded' } })).toBeUndefined();
  });

  it.each([
    ['failed', 'succeeded', true],
    ['canceled', 'pending', true],
    ['failed', 'canceled', false],
    ['failed', 'failed', false],
    ['pending', 'succeeded', false],
    ['pending', 'failed', false],
    ['succeeded', 'failed', false],
  ])('from %s to %s is refused: %j', (from, to, isRefused) => {
    expect(keepMove('refund', { status: to }, { before: { ...before, status: from } })).toEqual(
      isRefused ? ['body.status', `cannot be ${to}, because it is ${from}`] : undefined,
    );
    const named = schemaOf({ state: { enum: ['succeeded', 'pending', 'failed', 'canceled'] }, amount: {} });
    const parts = { schema: named, before: { state: from, amount: 5 } };
    expect(keepMove('capture', { state: to }, parts)).toEqual(
      isRefused ? ['body.state', `cannot be ${to}, because it is ${from}`] : undefined,
    );
  });

  it('is not looked at for other records', () => {
    expect(keepMove('link', { amount: 6 })).toBeUndefined();
  });
});
