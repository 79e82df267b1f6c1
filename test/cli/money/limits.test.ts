import { assert, asyncProperty, bigInt, constantFrom, oneof, record, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { missingWords } from '../../../src/cli/money/change-in-words.ts';
import { requireWithinLimits } from '../../../src/cli/money/limits.ts';
import type { Change } from '../../../src/cli/money/moved.ts';
import { type ConcernedRecord, readOnce } from '../../../src/cli/money/record.ts';
import type { Profile } from '../../../src/config/profile.ts';
import { operations } from '../../../src/contract/generated/operations.ts';
import { bytesSource } from '../../../src/descriptions/byte-source.ts';
import { UsageError } from '../../../src/errors.ts';
import { parseKeepingNumbers } from '../../../src/json/exact.ts';
import { propertyRuns } from '../../harness/property-runs.ts';

const LIVE: Profile = { name: 'live', maxAmounts: { EUR: '500.00', JPY: '60000' } };
const NONE: ConcernedRecord = { state: 'none' };
type ReadRecord = Extract<ConcernedRecord, { state: 'read' }>;
const readRecord = (value: ReadRecord['value']): ReadRecord => ({
  state: 'read',
  id: 't1',
  value,
  personalData: undefined,
});
const payment = (value: object) =>
  readRecord({ id: 't1', currency: 'EUR', amount: 100_000, captured_amount: 90_000, ...value });
const UNREFUNDED = payment({ refunded_amount: 0 });
const REFUNDABLE = payment({ refunded_amount: 50_000 });
const REFUND = '/transactions/t1/refunds';

type Sent = {
  readonly method?: string;
  readonly path?: string;
  /** The path of the operation, where it differs from what is sent. */
  readonly template?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The parameters that the operation has in its query. */
  readonly query?: readonly string[];
  /** Those that it has in headers. */
  readonly inHeaders?: readonly string[];
  readonly values?: Readonly<Record<string, string>>;
  readonly schema?: unknown;
  readonly record?: ConcernedRecord;
  readonly profiles?: readonly Profile[];
  readonly body?: unknown;
  /** Where the body has the record, and the status that the change leads to, by the model of the description. */
  readonly model?: { readonly record?: { readonly request: string }; readonly newStatus?: string };
};

function changeOf(body: unknown, sent: Sent): Change {
  const { method = 'POST', path = '/payouts', values = {}, schema } = sent;
  const [query, headers] = [sent.query ?? [], sent.inHeaders ?? []].map((names) =>
    Object.fromEntries(names.map((name) => [name, { type: 'integer' as const }])),
  );
  const template = sent.template ?? path;
  const own = operations.createShippingDetail;
  const operation = {
    ...own,
    path: template,
    requestSchema: schema,
    query: query ?? {},
    headers: headers ?? {},
    ...sent.model,
  };
  return { method, path, call: { operation, body, path: values, headers: sent.headers } };
}

/** Why a request is refused; undefined where it may be sent. */
async function refusal(body: unknown, sent: Sent = {}): Promise<string | undefined> {
  const change = changeOf(body, sent);
  try {
    await requireWithinLimits(change, sent.profiles ?? [LIVE], async () => sent.record ?? NONE);
    return undefined;
  } catch (error) {
    if (!(error instanceof UsageError) || error.code !== 'over_limit') throw error;
    return error.message;
  }
}

const refused = (what: string) => `Nothing was sent: ${what}`;
const moves = (money: string) =>
  refused(`the change moves ${money}, and the profile live allows 500.00 EUR at most`);
const IN_FILES = 'payctl does not look for amounts in files';
const partOf = (member: string) => `${member} may be part of an amount`;
const uncountable = (member: string) => `${member} is not an amount of EUR that payctl can count`;
const byPatch = (what: string) => `${what} by a JSON Patch, whose amounts payctl does not count`;
const several = (member: string, currencies: string) =>
  `the request names more than one currency for ${member}: ${currencies}`;
const unknown = (what: string) => refused(`${what}, and the profile live limits what a change moves`);

describe('an amount that a request names', () => {
  it.each<[what: string, body: unknown, moved?: string | undefined, sent?: Sent]>([
    ['at the limit', { amount: 50_000, currency: 'EUR' }],
    ['above it', { amount: 50_001, currency: 'EUR' }, '500.01 EUR'],
    ['in small letters', { amount: 50_001, currency: 'eur' }, '500.01 EUR'],
    ['beside the currency of a purchase', { order_amount: 50_001, purchase_currency: 'EUR' }, '500.01 EUR'],
    ['under a name with an English word', { top_up_amount: 50_000, currency: 'EUR' }],
    ['next to the currency of a settlement', { amount: 1, currency: 'EUR', settlement_currency: 'USD' }],
    [
      'next to numbers of other things',
      { amount: 1, currency: 'EUR', installments: 3, order: { number: '1234', lines: 7 } },
    ],
    ['in an object with texts', { total: { amount: 1, currency: 'EUR', label: 'A1', of: '1 of 2x' } }],
    ['below zero', { amount: -50_001, currency: 'EUR' }, '500.01 EUR'],
    [
      'beyond doubles',
      parseKeepingNumbers('{"amount":90071992547409931,"currency":"EUR"}'),
      '900719925474099.31 EUR',
    ],
    ['in an object', { money: { amount: 60_000, currency: 'EUR' } }, '600.00 EUR'],
    ['as a text with decimals', { amount: '500.01', currency: 'EUR' }, '500.01 EUR'],
    ['as a text that may be of the major unit', { amount: '600', currency: 'EUR' }, '600.00 EUR'],
    [
      'as a number with decimals',
      { amount: 600, currency: 'EUR' },
      '600.00 EUR',
      { schema: { properties: { amount: { type: 'number' } } } },
    ],
    [
      'as a text of a form',
      { amount: '50000', currency: 'EUR' },
      undefined,
      { schema: { properties: { amount: { type: 'integer' } } } },
    ],
    ['in the query', undefined, '500.01 EUR', { path: '/payouts?amount=50001&currency=EUR' }],
    [
      'in the query, with brackets',
      undefined,
      '500.01 EUR',
      { path: '/p?a%5Bamount%5D=50001&a%5Bcurrency%5D=EUR' },
    ],
    [
      'in the path, in the currency of the body',
      { currency: 'EUR' },
      '500.01 EUR',
      { values: { amount: '50001' } },
    ],
    [
      'in the path, and in the query under the same name',
      undefined,
      '500.01 EUR',
      { path: '/payouts?amount=1', values: { amount: '50000', currency: 'EUR' } },
    ],
    ['in the query, with points', undefined, '500.01 EUR', { path: '/p?a.amount=50001&a.currency=EUR' }],
    [
      'in a header',
      undefined,
      '500.01 EUR',
      { headers: { 'x-amount': '50001', 'x-currency': 'EUR' }, inHeaders: ['x-amount', 'x-currency'] },
    ],
    [
      'in several places',
      [
        { amount: 30_000, currency: 'EUR' },
        { amount: 20_001, currency: 'EUR' },
      ],
      '500.01 EUR',
    ],
    ['in a list', { amount: [30_000, 20_001], currency: 'EUR' }, '500.01 EUR'],
    [
      'in two currencies',
      [
        { amount: 50_000, currency: 'EUR' },
        { amount: 60_000, currency: 'JPY' },
      ],
    ],
    ['several times', { items: [{ unit_amount: 20_000, quantity: 3 }], currency: 'EUR' }, '600.00 EUR'],
    ['as often as the whole body says', { unit_price: 500, quantity: 1000, currency: 'EUR' }, '5000.00 EUR'],
    [
      'as often as objects above it say',
      { Qty: 2, items: [{ quantity: 100, price: { amount: 500 } }], currency: 'EUR' },
      '1000.00 EUR',
    ],
    [
      'as often as the query says',
      undefined,
      '5000.00 EUR',
      { path: '/p?amount=500&currency=EUR&quantity=1000' },
    ],
    ['in a list with a plural', { amounts: [30_000, 20_001], currency: 'EUR' }, '500.01 EUR'],
    ['whose name begins with capital letters', { EURAmount: 50_001, currency: 'EUR' }, '500.01 EUR'],
    [
      'a fraction of a time',
      { items: [{ unit_amount: 60_000, quantity: 0.1 }], currency: 'EUR' },
      '600.00 EUR',
    ],
  ])('counts %s', async (_, body, moved, sent) => {
    expect(await refusal(body, sent)).toBe(moved && moves(moved));
  });

  it('must be in a currency that the limits name', async () => {
    const reason = refused('the change moves 0.01 USD, and the profile live allows no change in USD');
    expect(await refusal({ amount: 1, currency: 'USD' })).toBe(reason);
  });

  it.each<[what: string, body: unknown, reason: string, sent?: Sent]>([
    ['no currency', { amount: 1 }, 'neither the request nor the record names the currency of /amount ("1")'],
    [
      'another currency than the record',
      { amount: 1, currency: 'JPY' },
      '/amount ("1") is in JPY, and the record is in EUR',
      { path: REFUND, record: REFUNDABLE },
    ],
    [
      'a currency that is none',
      { amount: 1, currency: 'ZZZ' },
      '/amount ("1") is not an amount of ZZZ that payctl can count',
    ],
    ['a text that is no number', { price: 'price_12', currency: 'EUR' }, uncountable('/price ("price_12")')],
    [
      'a number that no service sends',
      parseKeepingNumbers('{"amount":1e3,"currency":"EUR"}'),
      uncountable('/amount ("1000")'),
    ],
    [
      'too large a quantity',
      { cart: [{ price: 1, quantity: 1e300 }], currency: 'EUR' },
      uncountable('/cart/0/price ("1")'),
    ],
    ['a file', bytesSource(Buffer.from('{"amount":1}')), IN_FILES],
    ['a file in its place', { amount: bytesSource(Buffer.from('1')), currency: 'EUR' }, IN_FILES],
    ['a text that is the body', '{"amount":1}', IN_FILES],
    [
      'a file among the parts',
      { amount: 1, currency: 'EUR', rows: [bytesSource(Buffer.from('1'))] },
      IN_FILES,
    ],
    [
      'a currency of its own beside another',
      { amount: 1, currency: 'EUR', amount_currency: 'JPY' },
      several('/amount ("1")', 'EUR, JPY'),
    ],
    [
      'two spellings of the field for the currency',
      { amount: 1, Currency: 'JPY', currency: 'EUR' },
      several('/amount ("1")', 'JPY, EUR'),
    ],
    [
      'a currency above it that is another',
      { money: { amount: 1, currency: 'JPY' }, currency: 'EUR' },
      several('/money/amount ("1")', 'JPY, EUR'),
    ],
    [
      'another currency in the query',
      { amount: 1, currency: 'JPY' },
      several('/amount ("1")', 'JPY, EUR, USD'),
      { path: '/payouts?currency=EUR&currency=USD' },
    ],
    [
      'another currency in its name',
      { amount_eur: 1, currency: 'JPY' },
      several('/amount_eur ("1")', 'JPY, EUR'),
    ],
    [
      'numbers that are not understood after those of other things',
      { lines: { count: 7 }, amount: { units: '1000', currency_code: 'EUR' } },
      partOf('/amount/units ("1000")'),
    ],
    [
      'numbers that are not understood in its place',
      { amount: { units: '1000', currency_code: 'EUR' } },
      partOf('/amount/units ("1000")'),
    ],
    [
      'more numbers in its place',
      { amount: { value: 1, exponent: 5, currency: 'EUR' } },
      partOf('/amount/exponent ("5")'),
    ],
    [
      'a JSON Patch of it',
      [{ op: 'replace', path: '/data/attributes/amount', value: 1 }],
      byPatch('/0 changes "/data/attributes/amount"'),
      { method: 'PATCH', path: '/transactions/t1', record: REFUNDABLE },
    ],
    [
      'a JSON Patch that copies it',
      [{ op: 'copy', from: '/limits/balance', path: '/next' }],
      byPatch('/0 changes "/limits/balance"'),
      { method: 'PATCH', path: '/transactions/t1', record: REFUNDABLE },
    ],
    [
      'a JSON Patch of its currency',
      { changes: [{ op: 'add', path: '/lines/0/currency', value: 'KWD' }] },
      byPatch('/changes/0 changes "/lines/0/currency"'),
    ],
    [
      'a name of a form that leads to it',
      { 'payment[amount]': '1', currency: 'EUR' },
      partOf('/payment[amount] ("1")'),
    ],
    [
      'a name with a point that leads to it',
      { 'order.amount': { units: 1 }, currency: 'EUR' },
      partOf('/order.amount/units ("1")'),
    ],
    [
      'a text that is JSON with it',
      { order: ' {"id":1,"amount" : 1}', currency: 'EUR' },
      '/order is a text with an amount in it',
    ],
    [
      'JSON with it in the query, escaped and twice',
      undefined,
      '/order is a text with an amount in it',
      { path: `/payouts?order=${encodeURIComponent(String.raw`[{"\u0061mount":1,"\u0061mount":2}]`)}` },
    ],
    [
      'too many levels above it',
      JSON.parse(`${'{"data":'.repeat(101)}{"amount":1}${'}'.repeat(101)}`),
      '/data is nested too deep',
    ],
  ])('is refused with %s', async (_, body, reason, sent) => {
    expect(await refusal(body, sent)).toBe(unknown(reason));
  });

  it.each<[what: string, body: unknown, sent?: Sent]>([
    ['a JSON Patch of other fields', [{ op: 'replace', path: '/label', value: 5 }], { method: 'PATCH' }],
    ['texts with brackets', { note: '[amount]: 5', list: '["amount"]', other: '{"a":"amount"}' }],
    ['a name with points', { 'a.b': 5, 'x[y]': 6 }],
  ])('is not taken for one in %s', async (_, body, sent) => {
    expect(await refusal(body, sent)).toBeUndefined();
  });

  it('may take its currency from the record', async () => {
    const sent = { path: REFUND, record: REFUNDABLE };
    expect(await refusal({ amount: 50_000 }, sent)).toBeUndefined();
    expect(await refusal({ amount: 50_001 }, sent)).toBe(moves('500.01 EUR'));
  });

  it('is compared with the lowest limit of all profiles, of which each names the currency', async () => {
    const low: Profile = { name: 'low', maxAmounts: { EUR: '1.00' } };
    const profiles = [LIVE, low];
    expect(await refusal({ amount: 100, currency: 'EUR' }, { profiles })).toBeUndefined();
    expect(await refusal({ amount: 101, currency: 'EUR' }, { profiles })).toBe(
      refused('the change moves 1.01 EUR, and the profile low allows 1.00 EUR at most'),
    );
    expect(await refusal({ amount: 1, currency: 'JPY' }, { profiles })).toBe(
      refused('the change moves 1 JPY, and the profile low allows no change in JPY'),
    );
  });
});

describe('a body that has the record in a member', () => {
  const record = { type: 'object', properties: { amount: { type: 'integer' } } };
  const data = (schema: object): Sent => {
    return { schema: { properties: { data: schema } }, model: { record: { request: 'data' } } };
  };
  const open = unknown('the request names no amount, so the service decides it');

  it.each<[string, (inner: object) => unknown, Sent]>([
    ['data', (inner) => ({ data: inner }), data(record)],
    [
      'the attributes of JSON:API',
      (inner) => ({ data: { attributes: inner } }),
      data({ properties: { attributes: record } }),
    ],
  ])('counts the amount in %s, and requires it', async (_, body, sent) => {
    expect(await refusal(body({ amount: 50_000, currency: 'EUR' }), sent)).toBeUndefined();
    expect(await refusal(body({ amount: 50_001, currency: 'EUR' }), sent)).toBe(moves('500.01 EUR'));
    expect(await refusal(body({ currency: 'EUR' }), sent)).toBe(open);
    expect(await refusal(body({ amount: 0, currency: 'EUR' }), sent)).toBe(open);
    expect(await refusal({ amount: 1, currency: 'EUR' }, sent)).toBe(open);
    const refund = { ...sent, path: REFUND, record: UNREFUNDED };
    expect(await refusal(body({ amount: 50_000 }), refund)).toBeUndefined();
    expect(await refusal(body({}), refund)).toBe(moves('900.00 EUR'));
  });

  it('says what it means that its amount is not given', () => {
    const sent = { ...data(record), path: REFUND };
    expect(missingWords(changeOf({ data: {} }, sent), UNREFUNDED)).toEqual({
      'data.amount': 'not given: all that can still be refunded, 900.00 EUR',
    });
    expect(missingWords(changeOf({ data: { amount: 1 } }, sent), UNREFUNDED)).toEqual({});
  });
});

describe('an amount that a request does not name', () => {
  const schema = { properties: { amount: { type: ['integer', 'null'] }, fee_amount: { type: 'integer' } } };

  it.each<[what: string, moved: string | undefined, sent?: Sent, body?: unknown]>([
    ['all that can be refunded', undefined, { record: payment({ refunded_amount: 40_000 }) }],
    [
      'all that can be refunded, above the limit',
      '500.01 EUR',
      { record: payment({ refunded_amount: 39_999 }) },
      {},
    ],
    ['all, where it is null', '900.00 EUR', {}, { amount: null }],
    ['all, where it is zero', '900.00 EUR', {}, { amount: 0 }],
    ['all, where only another is given', '900.01 EUR', { schema }, { fee_amount: 1 }],
    [
      'all, where a field is given that its schema does not have',
      '900.01 EUR',
      { schema },
      { refund_amount: 1 },
    ],
    [
      'all, where the amount is only in the query, which the service ignores',
      '900.01 EUR',
      { path: `${REFUND}?amount=1&currency=EUR` },
      {},
    ],
    [
      'all, where the description has only a total',
      '900.01 EUR',
      { schema: { properties: { total: {} } } },
      { total: 1 },
    ],
    [
      'all, where an action in place of a parameter refunds',
      '900.00 EUR',
      { template: '/transactions/{id}/{action}' },
    ],
    [
      'all, where the description says that the payment is refunded then',
      '900.00 EUR',
      {
        path: '/transactions/t1/undo',
        model: { newStatus: 'partiallyRefunded' },
      },
    ],
    [
      'all that is authorized, where the description says that the payment is captured then',
      '1000.00 EUR',
      {
        path: '/transactions/t1/settle',
        model: { newStatus: 'captured' },
        record: payment({ captured_amount: 0 }),
      },
    ],
    [
      'all that is in the record, whose amounts have a suffix',
      '600.00 EUR',
      {
        record: readRecord({
          amount_money: { amount: 90_000, currency: 'EUR' },
          captured_money: { amount: 80_000, currency: 'EUR' },
          refunded_money: { amount: 20_000, currency: 'EUR' },
        }),
      },
    ],
    [
      'all that is in the record, which has decimals',
      '500.01 EUR',
      {
        record: readRecord(
          parseKeepingNumbers(
            '{"amount":900.00,"captured_amount":500.01,"refunded_amount":0,"currency":"EUR"}',
          ),
        ),
      },
    ],
    [
      'all that is in the record, which mixes numbers with and without decimals',
      '501.00 EUR',
      {
        record: readRecord(
          parseKeepingNumbers('{"amount":900.5,"captured_amount":501,"refunded_amount":0,"currency":"EUR"}'),
        ),
      },
    ],
    [
      'all that is in the record, whose schema has decimals',
      '501.00 EUR',
      {
        record: {
          ...readRecord({ amount: 900, captured_amount: 501, refunded_amount: 0, currency: 'EUR' }),
          schema: { additionalProperties: { type: 'number' } },
        },
      },
    ],
    [
      'all, where the description has no field for an amount',
      '900.01 EUR',
      { schema: { properties: { reason: {}, tax_amount: {} } } },
      { amount: 1, reason: 'x' },
    ],
    ['the parameter that the description has for it', undefined, { values: { amount: '1' } }],
    [
      'all that is captured, where nothing says how much is left',
      '1000.00 EUR',
      { record: payment({ captured_amount: null }) },
      {},
    ],
    [
      'all that is captured, in a field with a hyphen',
      '900.00 EUR',
      {
        record: readRecord({
          currency: 'EUR',
          amount: 100_000,
          'captured-amount': 90_000,
          'refunded-amount': 0,
        }),
      },
      {},
    ],
    ['all that is not captured', undefined, { path: '/transactions/t1:capture', record: payment({}) }, {}],
    [
      'all that is not captured, above the limit',
      '1000.00 EUR',
      { path: '/transactions/t1/captur%65/', record: payment({ captured_amount: 0 }) },
      {},
    ],
  ])('counts as %s', async (_, moved, sent, body) => {
    expect(await refusal(body, { path: REFUND, record: UNREFUNDED, ...sent })).toBe(moved && moves(moved));
  });

  it.each<[Sent]>([
    [{ path: '/payouts', schema }],
    [{ path: '/payouts', schema, body: { fee_amount: 1, currency: 'EUR' } }],
    [{ path: '/payouts?amount=0&currency=EUR', query: ['amount'] }],
    [{ path: '/payouts', query: ['amount'] }],
    [{ path: '/payouts', inHeaders: ['x-amount'] }],
    [{ path: '/payouts', inHeaders: ['x-amount'], headers: { 'x-amount': '0', 'x-currency': 'EUR' } }],
    [{ record: readRecord({ currency: 'EUR' }) }],
  ])('is refused where payctl cannot know it: %j', async (sent) => {
    const reason = 'the request names no amount, so the service decides it';
    expect(await refusal(sent.body ?? { reason: 'x' }, { path: REFUND, ...sent })).toBe(unknown(reason));
  });

  it.each<[Sent, string]>([
    [{ record: { state: 'not_read', id: 't1' } }, '"t1" was not read'],
    [{ record: readRecord({}) }, '"t1" has no currency'],
    [{ path: '/refunds' }, 'payctl does not know which record it concerns'],
  ])(
    'is refused for a refund, as one that is named, where payctl does not know its currency: %j',
    async (sent, why) => {
      const reason = `a refund is in the currency of its record, and ${why}`;
      for (const body of [undefined, { amount: 60_000, currency: 'JPY' }])
        expect(await refusal(body, { path: REFUND, ...sent })).toBe(unknown(reason));
    },
  );

  it.each([
    ['PUT', '/transactions/t1/refund'],
    ['POST', '/refund/t1'],
    ['POST', '/transactions/{id}/createRefund'],
    ['POST', '/refund-payment'],
    ['POST', '/transactions/t1/refunds;v=1/'],
    ['POST', '/transactions/t1/%2572efunds'],
    ['PATCH', '/transactions/{id}/refunds/{amount}?dry=1'],
    ['POST', '/transactions/t1/reFunds'],
    ['POST', '/transactions/t1/REFUNDS'],
    ['POST', '/transactions/t1/refunds/all'],
    ['POST', '/transactions/t1/reverse'],
    ['POST', '/transactions/t1/reversals'],
  ])('counts as all that can be refunded for %s %s', async (method, path) => {
    expect(await refusal({ reason: 'x' }, { method, path, record: UNREFUNDED })).toBe(moves('900.00 EUR'));
  });

  it('does not matter where a change moves nothing', async () => {
    expect(await refusal({ metadata: { a: 'b' } }, { schema, method: 'PATCH' })).toBeUndefined();
    expect(await refusal({ name: 'Ada' })).toBeUndefined();
    expect(await refusal(undefined, { method: 'DELETE' })).toBeUndefined();
    expect(await refusal(undefined, { method: 'DELETE', path: REFUND })).toBeUndefined();
    expect(await refusal(undefined, { path: `${REFUND}/r1/cancel` })).toBeUndefined();
    expect(await refusal(undefined, { path: '/refundable/prerefunds' })).toBeUndefined();
  });
});

describe('no request', () => {
  /** A service that moves what the body names in the currency of the record, and all that is left where it names nothing. */
  const movedBy = (body: object, left: bigint): bigint => {
    const amount: unknown = 'amount' in body ? body.amount : undefined;
    const named = typeof amount === 'string' && /^-?\d+$/.test(amount) ? BigInt(amount) : amount;
    return typeof named === 'bigint' && named !== 0n ? named : left;
  };
  const euros = (limit: bigint) => `${limit / 100n}.${String(limit % 100n).padStart(2, '0')}`;
  const minor = bigInt({ min: 0n, max: 1000n });
  const few = bigInt({ min: 0n, max: 9n });

  it('moves more than the limit by any body of a refund or a capture', { tags: 'slow' }, async () => {
    const amount = oneof(minor, minor.map(String), constantFrom(undefined, null, '', 0n, '0', 'all', true));
    const others = record(
      {
        fee_amount: few,
        refund_amount: few,
        total_amount: few,
        Amount: few,
        currency: constantFrom('EUR', 'eur', 'JPY'),
      },
      { requiredKeys: [] },
    );
    const schemas = constantFrom(undefined, {}, { properties: { amount: { type: 'integer' } } });
    const runs = { allowed: 0, refused: 0 };
    await assert(
      asyncProperty(
        oneof(
          record({ amount }),
          others,
          tuple(record({ amount }), others).map(([own, more]) => ({ ...more, ...own })),
        ),
        tuple(minor, minor, minor),
        schemas,
        constantFrom('refunds', 'capture'),
        async (body, [left, done, limit], schema, action) => {
          const [authorized, captured] = action === 'capture' ? [left + done, done] : [2000n, left + done];
          const value = {
            amount: authorized,
            captured_amount: captured,
            refunded_amount: done,
            currency: 'EUR',
          };
          const reason = await refusal(body, {
            path: `/transactions/t1/${action}`,
            schema,
            record: readRecord(value),
            profiles: [{ name: 'live', maxAmounts: { JPY: '1000000', EUR: euros(limit) } }],
          });
          runs[reason === undefined ? 'allowed' : 'refused'] += 1;
          if (reason === undefined) expect(movedBy(body, left)).toBeLessThanOrEqual(limit);
        },
      ),
      propertyRuns(2000),
    );
    // Limits that refuse everything would pass, too.
    expect(Math.min(runs.allowed, runs.refused)).toBeGreaterThan(10);
  });
});

describe('a refund whose body names the payment', () => {
  it.each([
    ['a/b', '/payments/a%2Fb'],
    [17, '/payments/17'],
    [9007199254740993n, '/payments/9007199254740993'],
  ])('is in the currency of that payment, whose record is read: %s', async (id, expected) => {
    const change = changeOf({ order_id: null, payment_id: id, amount: 1 }, { path: '/refunds' });
    const payments = ['order', 'payment'].map((noun) => {
      return { member: `${noun}_id`, collection: `/${noun}s` };
    });
    const operation = { ...change.call.operation, payments };
    const records = readOnce(async () => REFUNDABLE);
    await requireWithinLimits({ ...change, call: { ...change.call, operation } }, [LIVE], records.read);
    expect(await records.known(changeOf({}, { path: `${expected}?force=true` }))).toBe(REFUNDABLE);
    expect(records.known(changeOf({}, { path: '/refunds' }))).toBeUndefined();
  });
});
