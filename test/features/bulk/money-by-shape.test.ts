import {
  type Arbitrary,
  array,
  assert,
  asyncProperty,
  constantFrom,
  integer,
  oneof,
  record,
} from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { movedBy } from '../../../src/cli/money/limits.ts';
import { actionOf, type Change, isLeftToService } from '../../../src/cli/money/moved.ts';
import { MoneyByShape } from '../../../src/features/bulk/plan/money-by-shape.ts';
import { parseKeepingNumbers } from '../../../src/json/exact.ts';
import { propertyRuns } from '../../harness/property-runs.ts';

type Request = {
  readonly path?: string;
  readonly id?: string;
  readonly schema?: unknown;
  readonly body: unknown;
  readonly query?: string;
};

function changeOf({ path = '/transactions', id = 't1', schema, body, query = '' }: Request): Change {
  const operation = {
    ...{ id: 'create', method: 'POST', path, scopes: [], query: {}, requestSchema: schema },
    pathParameters: path.includes('{id}') ? ['id'] : [],
    hasBody: true,
  } as unknown as Change['call']['operation'];
  const call = { operation, path: path.includes('{id}') ? { id } : {}, headers: {}, body };
  return { method: 'POST', path: path.replace('{id}', encodeURIComponent(id)) + query, call };
}

async function directly(change: Change) {
  const moved = await movedBy(change, async () => ({ state: 'none' }));
  const isLeft = actionOf(change) !== undefined && isLeftToService(change);
  return { moved: 'unknown' in moved ? 'unknown' : moved, isLeft };
}

async function byShape(money: MoneyByShape, change: Change) {
  const { moved, isLeft } = await money.of(change);
  return { moved: 'unknown' in moved ? 'unknown' : moved, isLeft };
}

describe('MoneyByShape', () => {
  it('calculates the money of a row from that of another one', async () => {
    const schema = { properties: { amount: { type: 'number' }, quantity: { type: 'integer' } } };
    const money = new MoneyByShape(schema);
    const of = async (amount: number, currency: string, quantity: number) =>
      await money.of(changeOf({ schema, body: { amount, currency, quantity, note: `order ${amount}` } }));
    const group = vi.spyOn(Map, 'groupBy');
    await of(5, 'EUR', 3);
    await of(1, 'JPY', 1);
    const calls = group.mock.calls.length;
    expect(await of(7, 'EUR', 3)).toEqual({
      moved: { amounts: [{ minor: 2100n, currency: 'EUR' }], isOpen: false },
      isLeft: false,
    });
    expect(await of(9, 'JPY', 1)).toMatchObject({ moved: { amounts: [{ minor: 9n, currency: 'JPY' }] } });
    expect(group.mock.calls.length).toBe(calls);
    group.mockRestore();
  });

  const note = {
    oneOf: [
      { properties: { kind: { const: 'a' }, amount: { type: 'number' } } },
      { properties: { kind: { const: 'b' }, amount: { type: 'integer' } } },
    ],
  };
  it.each<[string, Request, Partial<Request>]>([
    ['currency', { body: { amount: 5, currency: 'EUR' } }, { body: { amount: 5, currency: 'JPY' } }],
    [
      'quantity',
      { body: { amount: 5, currency: 'EUR', quantity: 1 } },
      { body: { amount: 5, currency: 'EUR', quantity: 2 } },
    ],
    [
      'other amount',
      { body: { amount: 5, fee: 1, currency: 'EUR' } },
      { body: { amount: 5, fee: 2, currency: 'EUR' } },
    ],
    ['zero', { body: { amount: 5, currency: 'EUR' } }, { body: { amount: 0, currency: 'EUR' } }],
    ['JSON Patch', { body: { op: 'replace', path: '/note' } }, { body: { op: 'replace', path: '/amount' } }],
    ['text with an amount', { body: { note: 'x' } }, { body: { note: '{"amount":5}' } }],
    ['member of an amount', { body: { amount: { units: 'x' } } }, { body: { amount: { units: '12' } } }],
    [
      'branch of a union',
      { schema: note, body: { kind: 'a', amount: 5, currency: 'EUR' } },
      { body: { kind: 'b', amount: 5, currency: 'EUR' } },
    ],
    ['word in the path', { path: '/orders/{id}', id: 'o1', body: {} }, { id: 'refund-1' }],
    [
      'argument that is JSON',
      { path: '/orders/{id}', id: 'o1', body: { amount: 5, currency: 'EUR' } },
      { id: '{"amount":5}' },
    ],
    ['query', { body: {} }, { query: '?amount=5' }],
  ])('tells requests with another %s apart', async (_, first, other) => {
    const [one, two] = [changeOf(first), changeOf({ ...first, ...other })];
    const money = new MoneyByShape(first.schema);
    await money.of(one);
    expect(await directly(two)).not.toEqual(await directly(one));
    expect(await byShape(money, two)).toEqual(await directly(two));
  });

  it('says of each row what is said of it alone', { tags: 'slow' }, async () => {
    await assert(
      asyncProperty(settings, tables, async (setting, requests) => {
        const money = new MoneyByShape(setting.schema);
        for (const request of requests) {
          const change = changeOf({ ...request, ...setting });
          expect(await byShape(money, change)).toEqual(await directly(change));
        }
      }),
      propertyRuns(3000),
    );
  });
});

const major = { type: 'number' };
const settings = record({
  path: constantFrom('/transactions', '/transactions/{id}/refunds', '/orders/{id}', '/payments/{id}/capture'),
  schema: constantFrom<unknown[]>(
    undefined,
    { properties: { amount: { type: 'integer' }, note: { type: 'string' } } },
    { properties: { amount: major, total: { type: 'integer' } } },
    { properties: { amount: { anyOf: [{ type: 'integer' }, { type: 'null' }] } } },
    {
      oneOf: [
        { required: ['note'], properties: { note: { const: 'a' }, amount: major } },
        { required: ['note'], properties: { note: { const: 'b' }, amount: { type: 'integer' } } },
      ],
    },
  ),
});
const numbers: Arbitrary<unknown> = oneof(
  integer({ min: -1, max: 3 }),
  constantFrom<unknown[]>(500, 12_345, 0.5, 7n, null, '5', '5.00', '', '5.00EUR', 'x'),
  constantFrom('5.00', '1e2').map((text) => parseKeepingNumbers(`{"a":${text}}`).a),
);
const texts = constantFrom<unknown[]>(
  'a',
  'b',
  '12',
  ' {"amount": 5}',
  '[{"op":"add"}]',
  '/amount',
  'EUR',
  'replace',
  3,
);
const column = (names: readonly string[], values: Arbitrary<unknown>) =>
  record({ name: constantFrom(...names), cells: array(values, { minLength: 3, maxLength: 3 }) });
const columns = array(
  oneof(
    { weight: 4, arbitrary: column(['amount'], numbers) },
    { weight: 3, arbitrary: column(['currency'], constantFrom<unknown[]>('EUR', 'JPY', 'eur', 'XXX', '')) },
    { weight: 2, arbitrary: column(['total', 'fee', 'amounts', 'value', 'quantity'], numbers) },
    { weight: 2, arbitrary: column(['note', 'reference'], texts) },
    { weight: 2, arbitrary: column(['op', 'path', 'from', 'a[amount]', 'settlement_currency'], texts) },
    { weight: 1, arbitrary: column(['amount', 'lines'], record({ value: numbers, note: texts })) },
    { weight: 1, arbitrary: column(['lines'], constantFrom<unknown[]>([{ amount: 5 }], [], {})) },
  ),
  { maxLength: 4 },
);
const ids = constantFrom('t1', 't2', 'refund-1', 'x', 'beef', 'capture 7', '%72efund1', 'a/b1');
const queries = constantFrom('', '', '?amount=5', '?currency=EUR');
/** Requests whose bodies have the same members, with one of three values each. */
const tables = record({
  columns,
  id: array(ids, { minLength: 3, maxLength: 3 }),
  query: array(queries, { minLength: 3, maxLength: 3 }),
  rows: array(array(integer({ min: 0, max: 2 }), { minLength: 6, maxLength: 6 }), {
    minLength: 8,
    maxLength: 8,
  }),
}).map(({ columns: all, id, query, rows }) =>
  rows.map(([forId = 0, forQuery = 0, ...cells]): Request => {
    const body = Object.fromEntries(all.map(({ name, cells: values }, at) => [name, values[cells[at] ?? 0]]));
    return { id: id[forId] ?? '', query: query[forQuery] ?? '', body };
  }),
);
