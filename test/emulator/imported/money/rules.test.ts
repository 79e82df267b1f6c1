import { describe, expect, it } from 'vitest';
import {
  NOTHING_KNOWN,
  paymentOf,
  type Remembered,
  VOIDED,
} from '../../../../src/emulator/imported/money/payment.ts';
import { type Move, act as perform, takeBack } from '../../../../src/emulator/imported/money/rules.ts';
import type { Document } from '../../../../src/emulator/imported/overlay.ts';
import type { PreparedSchema } from '../../../../src/emulator/imported/prepared.ts';
import { decimalOf, ZERO } from '../../../../src/json/decimal.ts';
import { counted, exact, schemaOf, silent, status, uncounted } from './payment-schemas.ts';

type Options = { schema?: PreparedSchema; body?: Document; remembered?: Remembered };

const capture = 'capture';
const refund = 'refund';

function act(
  verb: string,
  record: Document,
  { schema = counted, body = {}, remembered = NOTHING_KNOWN }: Options,
) {
  return perform({ verb }, paymentOf(record, schema, remembered), body);
}

function result(verb: string, record: Document, options: Options = {}) {
  const { record: changed, remembered: known, amount } = act(verb, record, options);
  return { record: changed, remembered: known, amount: amount && Number(amount.units) / 10 ** amount.places };
}

/** What an action is refused with: the text of the error, or the one issue that it names. */
function refusalOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    const { issues, code, message } = error as { issues?: object[]; code?: string; message: string };
    return issues ? issues[0] : [code, message];
  }
  return 'not refused';
}

const payment = (word: string, captured = 0, refunded = 0) => ({
  status: word,
  amount: 1000,
  captured_amount: captured,
  refunded_amount: refunded,
  currency: 'EUR',
});
const said = (message: string) => ['bad_request', `The record ${message}`];

describe('a capture', () => {
  it.each([
    [payment('authorized'), {}, payment('captured', 1000), 1000],
    [payment('authorized'), { amount: 1000 }, payment('captured', 1000), 1000],
    [payment('authorized'), { amount: 400 }, payment('partially_captured', 400), 400],
    [payment('partially_captured', 400), {}, payment('captured', 1000), 600],
    [payment('partially_captured', 400), { amount: 1 }, payment('partially_captured', 401), 1],
    [payment('partially_captured', 400), { amount: 600 }, payment('captured', 1000), 600],
    [payment('partially_refunded', 400, 100), { amount: 600 }, payment('partially_refunded', 1000, 100), 600],
    [payment('authorized'), { capture_amount: 5 }, payment('partially_captured', 5), 5],
    [payment('authorized'), { amount: 5, currency: 'eur' }, payment('partially_captured', 5), 5],
    [payment('authorized'), { refund_amount: 5 }, payment('captured', 1000), 1000],
  ])('of %j by %j', (before, body, record, amount) => {
    expect(result(capture, before, { body })).toEqual({
      record,
      remembered: { captured: record.captured_amount, refunded: null },
      amount,
    });
  });

  it.each(['voided', 'refunded', 'failed', 'refund_failed'])('is refused where the payment is %s', (word) => {
    expect(refusalOf(() => result(capture, payment(word)))).toEqual(
      said(`cannot be captured, because it is ${word}`),
    );
  });

  it.each([
    [payment('captured', 1000), {}, 'captured'],
    [{ amount: 1000, captured_amount: 1000 }, {}, 'captured'],
    [payment('processing', 1001), {}, 'processing'],
  ])('is refused where nothing is left: %j', (record, body, word) => {
    expect(refusalOf(() => result(capture, record, { body }))).toEqual(
      said(`cannot be captured, because it is ${word}`),
    );
  });

  it('is refused after a void that only payctl knows of', () => {
    const record = { status: 'open', amount: 1000 };
    expect(refusalOf(() => result(capture, record, { schema: silent, remembered: VOIDED }))).toEqual(
      said('cannot be captured, because it was voided'),
    );
  });

  it('is refused for more than is left, and for another currency', () => {
    const record = payment('partially_captured', 400);
    expect(refusalOf(() => result(capture, record, { body: { amount: 601 } }))).toEqual({
      loc: ['body', 'amount'],
      msg: 'must be at most 600, which is what can still be captured',
      type: 'less_than_equal',
      input: 601,
      ctx: { le: 600 },
    });
    expect(refusalOf(() => result(capture, record, { body: { amount: 1, currency: 'USD' } }))).toMatchObject({
      msg: 'must be EUR, which is the currency of the payment',
    });
    const { currency: _, ...open } = record;
    expect(result(capture, open, { body: { amount: 1, currency: 'USD' } }).amount).toBe(1);
    const within = schemaOf({ status, amount: {}, captured_amount: {} });
    const nested = { status: 'authorized', amount: { value: 1000, currency: 'EUR' }, captured_amount: 0 };
    const body = { amount: { value: 1, currency: 'USD' } };
    expect(refusalOf(() => result(capture, nested, { schema: within, body }))).toMatchObject({
      msg: 'must be EUR, which is the currency of the payment',
    });
  });

  it.each([0, -1, '0.00', exact('-0.5'), 'abc', true])('is refused for %j', (amount) => {
    expect(refusalOf(() => result(capture, payment('authorized'), { body: { amount } }))).toMatchObject({
      loc: ['body', 'amount'],
    });
  });

  it('is remembered where the record has no member for it: what was captured before is assumed to be nothing', () => {
    const record = { status: 'open', amount: 1000 };
    const first = result(capture, record, { schema: silent, body: { amount: 400 } });
    expect(first).toEqual({
      record: { ...record, status: 'partially_captured' },
      remembered: { captured: 400, refunded: null },
      amount: 400,
    });
    const second = result(capture, record, { schema: silent, remembered: first.remembered });
    expect(second).toMatchObject({ remembered: { captured: 1000, refunded: null }, amount: 600 });
    expect(
      refusalOf(() => result(capture, record, { schema: silent, remembered: second.remembered })),
    ).toEqual(said('cannot be captured, because it is open'));
  });

  it('keeps what was remembered of refunds', () => {
    const remembered = { captured: 400, refunded: 100 };
    expect(result(capture, { status: 'captured', amount: 1000 }, { schema: uncounted, remembered })).toEqual({
      record: { status: 'captured', amount: 1000 },
      remembered: { captured: 1000, refunded: 100 },
      amount: 600,
    });
  });

  it('of a payment without an amount happens once', () => {
    const record = { status: 'authorized' };
    expect(result(capture, record)).toEqual({
      record: { status: 'captured' },
      remembered: { captured: null, refunded: null },
      amount: undefined,
    });
    expect(refusalOf(() => result(capture, { status: 'captured' }))).toEqual(
      said('cannot be captured, because it is captured'),
    );
    expect(refusalOf(() => result(capture, { status: 'CAPTURE_SUCCEEDED' }))).toEqual(
      said('cannot be captured, because it is CAPTURE_SUCCEEDED'),
    );
    expect(result(capture, record, { body: { amount: 5 } })).toEqual({
      record: { status: 'captured', captured_amount: 5 },
      remembered: { captured: 5, refunded: null },
      amount: 5,
    });
    const completed = schemaOf({ status: { enum: ['created', 'completed'] } });
    expect(result(capture, { status: 'created' }, { schema: completed }).record).toEqual({
      status: 'completed',
    });
    expect(refusalOf(() => result(capture, { status: 'completed' }, { schema: completed }))).toEqual(
      said('cannot be captured, because it is completed'),
    );
    const plain = schemaOf({ note: {} });
    expect(result(capture, { note: 'x' }, { schema: plain }).record).toEqual({ note: 'x' });
  });

  it('leads to the status of a whole capture where there is none of a part', () => {
    const schema = schemaOf({
      status: { enum: ['authorized', 'captured'] },
      amount: {},
      captured_amount: {},
    });
    const record = { status: 'authorized', amount: 10, captured_amount: 0 };
    expect(result(capture, record, { schema, body: { amount: 4 } }).record).toEqual({
      status: 'captured',
      amount: 10,
      captured_amount: 4,
    });
  });

  it('is refused where its total cannot be written or held', () => {
    const cents = { type: 'string', pattern: '^\\d+\\.\\d{2}$' };
    const schema = schemaOf({ status, amount: { type: 'string' }, captured_amount: cents });
    const record = { status: 'authorized', amount: '5' };
    expect(refusalOf(() => result(capture, record, { schema, body: { amount: '1.005' } }))).toMatchObject({
      msg: 'would bring captured_amount to 1.005, which its schema does not allow',
    });
    const begun = { status: 'partially_captured', amount: '5', captured_amount: '1.00' };
    expect(refusalOf(() => result(capture, begun, { schema, body: { amount: '1.005' } }))).toMatchObject({
      msg: 'would bring captured_amount to 2.005, which its schema does not allow',
    });
    const wide = schemaOf({ status, amount: {}, captured_amount: {} });
    const huge = { status: 'authorized', amount: exact('9007199254740993'), captured_amount: 0 };
    expect(refusalOf(() => result(capture, huge, { schema: wide }))).toMatchObject({
      type: 'less_than_equal',
    });
  });
});

describe('a refund', () => {
  it.each([
    [payment('captured', 1000), {}, payment('refunded', 1000, 1000), 1000],
    [payment('captured', 1000), { amount: 300 }, payment('partially_refunded', 1000, 300), 300],
    [payment('partially_refunded', 1000, 300), {}, payment('refunded', 1000, 1000), 700],
    [payment('partially_refunded', 1000, 300), { amount: 700 }, payment('refunded', 1000, 1000), 700],
    [payment('partially_captured', 400), {}, payment('refunded', 400, 400), 400],
    [payment('captured', 1000), { amount_to_refund: 1 }, payment('partially_refunded', 1000, 1), 1],
  ])('of %j by %j', (before, body, record, amount) => {
    expect(result(refund, before, { body })).toEqual({
      record,
      remembered: { captured: record.captured_amount, refunded: record.refunded_amount },
      amount,
    });
  });

  it.each([
    [payment('authorized'), { amount: 1 }, 1, 0],
    [payment('authorized'), {}, null, 0],
    [payment('refunded', 1000, 1000), {}, null, 0],
    [payment('partially_refunded', 1000, 300), { amount: 701 }, 701, 700],
    [payment('partially_captured', 400), { amount: 401 }, 401, 400],
    [payment('captured', 400, 500), { amount: 1 }, 1, 0],
  ])('of %j by %j is refused: too much', (before, body, input, le) => {
    expect(refusalOf(() => result(refund, before, { body }))).toEqual({
      loc: ['body', 'amount'],
      msg: `must be at most ${le}, which is what can still be refunded`,
      type: 'less_than_equal',
      input,
      ctx: { le },
    });
  });

  it('is refused after a void that only payctl knows of', () => {
    const record = { status: 'open', amount: 1000 };
    for (const body of [{ amount: 1 }, {}])
      expect(
        refusalOf(() => result(refund, record, { schema: silent, remembered: VOIDED, body })),
      ).toMatchObject({
        ctx: { le: 0 },
      });
  });

  it.each([0, -1, '-0.01'])('is refused for %j', (amount) => {
    expect(refusalOf(() => result(refund, payment('captured', 1000), { body: { amount } }))).toMatchObject({
      type: 'greater_than',
    });
  });

  it('is remembered, with the captured amount that it was taken from', () => {
    const record = { status: 'captured', amount: 1000 };
    expect(result(refund, record, { schema: uncounted, body: { amount: 300 } })).toEqual({
      record: { status: 'partially_refunded', amount: 1000 },
      remembered: { captured: 1000, refunded: 300 },
      amount: 300,
    });
  });

  it('of a payment without an amount changes nothing, but has the amount of its body', () => {
    const record = { status: 'captured' };
    const remembered = NOTHING_KNOWN;
    expect(result(refund, record)).toEqual({ record, remembered, amount: undefined });
    expect(result(refund, record, { body: { amount: 5 } })).toEqual({ record, remembered, amount: 5 });
  });

  it('is refused in another currency, and where the sum cannot be written', () => {
    const body = { amount: 1, currency: 'USD' };
    expect(refusalOf(() => result(refund, payment('captured', 1000), { body }))).toMatchObject({
      type: 'currency_mismatch',
    });
    const cents = { type: 'string', pattern: '^\\d+\\.\\d{2}$' };
    const schema = schemaOf({ status, amount: { type: 'string' }, refunded_amount: cents });
    const record = { status: 'captured', amount: '5' };
    expect(refusalOf(() => result(refund, record, { schema, body: { amount: '1.005' } }))).toMatchObject({
      msg: 'would bring refunded_amount to 1.005, which its schema does not allow',
    });
    const wide = schemaOf({ status, amount: {}, refunded_amount: {} });
    const huge = { status: 'captured', amount: exact('9007199254740993') };
    expect(refusalOf(() => result(refund, huge, { schema: wide }))).toMatchObject({
      type: 'less_than_equal',
    });
  });
});

describe('a move that is taken back', () => {
  const without = (verb: Move, record: Document, amount: number, options: Options = {}) => {
    const { schema = counted, remembered = NOTHING_KNOWN } = options;
    return takeBack(verb, paymentOf(record, schema, remembered), decimalOf(amount) ?? ZERO);
  };

  it.each([
    [refund, payment('refunded', 1000, 1000), 400, payment('partially_refunded', 1000, 600)],
    [refund, payment('refunded', 1000, 1000), 1000, payment('captured', 1000)],
    [refund, payment('partially_refunded', 400, 100), 100, payment('partially_captured', 400)],
    [refund, payment('partially_refunded', 1000, 300), 301, payment('captured', 1000)],
    [refund, payment('processing', 1000, 300), 300, payment('processing', 1000)],
    [refund, payment('refunded', 400, 500), 50, payment('refunded', 400, 450)],
    [capture, payment('captured', 1000), 400, payment('partially_captured', 600)],
    [capture, payment('captured', 1000), 1000, payment('authorized')],
    [capture, payment('partially_captured', 400), 401, payment('authorized')],
    [capture, payment('processing', 400), 100, payment('processing', 300)],
    [capture, payment('partially_refunded', 400, 100), 300, payment('partially_refunded', 100, 100)],
  ] as const)('as a %s of %j by %d leaves %j', (verb, before, amount, record) => {
    const { captured_amount, refunded_amount } = record;
    const refunded = verb === refund ? refunded_amount : null;
    const remembered = captured_amount > 0 ? { captured: captured_amount, refunded } : NOTHING_KNOWN;
    expect(without(verb, before, amount)).toEqual({ record, remembered });
  });

  it('is refused where more was refunded than would be captured', () => {
    expect(refusalOf(() => without(capture, payment('partially_refunded', 400, 100), 301))).toEqual([
      'bad_request',
      'The capture cannot be undone, because it was refunded',
    ]);
  });

  it('leads to the status of a captured payment where there is none of a part, and is refused where there is none', () => {
    const schema = (words: readonly string[]) => schemaOf({ status: { enum: words }, amount: {} });
    const record = { status: 'refunded', amount: 10 };
    expect(without(refund, record, 4, { schema: schema(['captured', 'refunded']) })).toEqual({
      record: { status: 'captured', amount: 10 },
      remembered: { captured: 10, refunded: 6 },
    });
    expect(refusalOf(() => without(refund, record, 4, { schema: schema(['open', 'refunded']) }))).toEqual([
      'bad_request',
      'The refund cannot be undone, because its payment has no status for that',
    ]);
    const open = { record: { status: 'open', amount: 10 }, remembered: { captured: 10, refunded: 4 } };
    const options = { ...open, schema: schema(['open', 'refunded']) };
    expect(without(refund, open.record, 4, options)).toEqual({
      ...open,
      remembered: { captured: 10, refunded: 0 },
    });
  });
});

describe('any other action', () => {
  const acted = (
    verb: string,
    record: Document,
    { schema = counted, remembered = NOTHING_KNOWN }: Options = {},
  ) => act(verb, record, { schema, remembered });

  it('sets the status that is named after it', () => {
    const links = schemaOf({ status: { enum: ['active', 'expired', 'canceled', 'archived'] } });
    for (const [verb, word] of [
      ['expire', 'expired'],
      ['archive', 'archived'],
      ['cancel', 'canceled'],
    ] as const)
      expect(acted(verb, { status: 'active' }, { schema: links })).toEqual({
        record: { status: word },
        remembered: NOTHING_KNOWN,
      });
    const record = { status: 'active' };
    expect(acted('notify', record, { schema: links }).record).toBe(record);
  });

  it('that neither ends a payment nor leads back is taken after a capture', () => {
    const disputed = schemaOf({ status: { enum: ['authorized', 'captured', 'disputed'] }, amount: {} });
    const record = { status: 'captured', amount: 5 };
    expect(acted('dispute', record, { schema: disputed }).record).toEqual({ status: 'disputed', amount: 5 });
    expect(acted('notify', record, { schema: disputed })).toEqual({ record, remembered: NOTHING_KNOWN });
  });

  it.each([
    ['void', payment('captured', 1000), 'voided'],
    ['void', payment('partially_captured', 1), 'voided'],
    ['cancel', payment('captured', 1000), 'canceled'],
    ['authorize', payment('captured', 1000), 'authorized'],
    ['fail', payment('partially_refunded', 1000, 1), 'failed'],
  ])('that would undo a capture is refused: %s', (verb, record, done) => {
    expect(refusalOf(() => acted(verb, record))).toEqual(said(`cannot be ${done}, because it was captured`));
  });

  it('that ends a record is refused after a refund that failed, but not during one', () => {
    const refunds = schemaOf({
      status: { enum: ['refund_pending', 'refund_failed', 'canceled'] },
      amount: {},
    });
    const record = { status: 'refund_pending', amount: 5 };
    expect(acted('cancel', record, { schema: refunds }).record).toEqual({ status: 'canceled', amount: 5 });
    const words = ['captured', 'refund_pending', 'refund_succeeded'];
    const done = schemaOf({ status: { enum: words }, amount: {} });
    expect(acted('succeed', record, { schema: done }).record).toEqual({
      status: 'refund_succeeded',
      amount: 5,
    });
    expect(
      refusalOf(() => acted('cancel', { ...record, status: 'refund_failed' }, { schema: refunds })),
    ).toEqual(said('cannot be canceled, because it is refund_failed'));
  });

  it('that would undo a capture is refused where the status alone says so', () => {
    expect(refusalOf(() => acted('void', { status: 'captured' }, { schema: uncounted }))).toEqual(
      said('cannot be voided, because it was captured'),
    );
  });

  it.each(['voided', 'failed'])('that ends a payment is refused where it is %s', (word) => {
    expect(refusalOf(() => acted('void', payment(word)))).toEqual(
      said(`cannot be voided, because it is ${word}`),
    );
  });

  it('that leads back before a capture is taken while nothing was captured', () => {
    expect(acted('fail', payment('authorized')).record).toEqual(payment('failed'));
    expect(acted('authorize', payment('voided')).record).toEqual(payment('authorized'));
    expect(acted('void', payment('authorized')).record).toEqual(payment('voided'));
  });

  it('is remembered where it is a void that no status says', () => {
    const schema = schemaOf({ status: { enum: ['open', 'closed'] }, amount: {} });
    const record = { status: 'open', amount: 5 };
    expect(acted('void', record, { schema })).toEqual({ record, remembered: VOIDED });
    expect(acted('cancel', record, { schema })).toEqual({ record, remembered: VOIDED });
    expect(acted('archive', record, { schema })).toEqual({ record, remembered: NOTHING_KNOWN });
    expect(acted('void', { status: 'open' }, { schema })).toEqual({
      record: { status: 'open' },
      remembered: NOTHING_KNOWN,
    });
    for (const [verb, done] of [
      ['void', 'voided'],
      ['cancel', 'canceled'],
    ] as const)
      expect(refusalOf(() => acted(verb, record, { schema, remembered: VOIDED }))).toEqual(
        said(`cannot be ${done}, because it was voided`),
      );
    expect(acted('void', payment('authorized')).remembered).toEqual(NOTHING_KNOWN);
  });

  it('that no status says is refused after a capture that payctl remembers', () => {
    const schema = schemaOf({ status: { enum: ['open', 'closed'] }, amount: {} });
    const remembered = { captured: 5, refunded: null };
    expect(refusalOf(() => acted('void', { status: 'open', amount: 5 }, { schema, remembered }))).toEqual(
      said('cannot be voided, because it was captured'),
    );
  });
});
