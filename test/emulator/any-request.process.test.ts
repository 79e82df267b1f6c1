import fc from 'fast-check';
import '../harness/fixed-seeds.ts';
import { beforeAll, expect, it } from 'vitest';
import { type Operation, type OperationId, operations } from '../../src/contract/generated/operations.ts';
import type { Schemas } from '../../src/contract/generated/types.ts';
import { seededSessionId } from '../../src/emulator/seed/checkout-sessions.ts';
import { faultsOf } from '../contract/schema-validator.ts';
import { anyText } from '../harness/any-text.ts';
import { emulatorForAll } from './test-emulator.ts';

const test = emulatorForAll({ buyers: 100 });
let buyerId = '';

beforeAll(async () => {
  const query = "SELECT id FROM buyers WHERE merchant_account_id = 'default'";
  buyerId = String(test.emulator.database.prepare(query).get()?.id);
});

/** Sends a request and checks its answer against the description, whatever its status. */
async function exchange(
  operation: Operation,
  { query = '', body }: { readonly query?: string; readonly body?: string },
): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
  const { method, scopes } = operation;
  const path = operation.path
    .replace('{buyer_id}', buyerId)
    .replace('{checkout_session_id}', seededSessionId(1));
  const answer = await test.send(path + query, { method, scopes, ...(body !== undefined && { body }) });
  const error = answer.status === 422 ? 'ValidationErrorBody' : 'ErrorObject';
  const schema = answer.status < 400 ? (operation.responseSchema as keyof Schemas) : error;
  expect([answer.status, faultsOf(schema, answer.body)]).toEqual([answer.status, []]);
  return answer;
}

it('answers no query with 5xx', async () => {
  const filtered = ['listPaymentMethods', 'listAuditLogs', 'listGiftCards', 'listApiLogs'] as const;
  const request = fc.constantFrom(...filtered).chain((id) => {
    const operation: Operation = operations[id];
    const name = fc.constantFrom(...Object.keys(operation.query), 'cursor', 'limit', '__proto__');
    const value = fc.oneof(anyText(), fc.integer().map(String), fc.constant('succeeded'));
    const pair = fc
      .tuple(name, value)
      .map(([key, text]) => `${key}=${encodeURIComponent(text.toWellFormed())}`);
    return fc.tuple(fc.constant(operation), fc.array(pair, { maxLength: 4 }));
  });
  const property = fc.asyncProperty(request, async ([operation, pairs]) => {
    expect((await exchange(operation, { query: `?${pairs.join('&')}` })).status).toBeLessThan(500);
  });
  await fc.assert(property, { numRuns: 100 });
}, 60_000);

it.each([
  ['createShippingDetail', ['first_name', 'phone_number', 'address']],
  ['updateCheckoutSession', ['cart_items', 'metadata', 'airline', 'expires_at']],
] as const)(
  'takes a body of %s exactly when it fits the description, whatever JSON it is',
  async (id, names) => {
    const operation = operations[id];
    const key = fc.oneof(fc.constantFrom('type', 'id', '__proto__', ...names), fc.string());
    const body = fc.dictionary(key, fc.oneof(fc.jsonValue(), fc.constant(null)), { noNullPrototype: true });
    const property = fc.asyncProperty(body, async (value) => {
      const text = JSON.stringify(value);
      const isGood = faultsOf(operation.bodySchema, JSON.parse(text)).length === 0;
      expect((await exchange(operation, { body: text })).status).toBe(isGood ? operation.successStatus : 400);
    });
    await fc.assert(property, { numRuns: 100 });
  },
  60_000,
);

const enumerated = Object.values(operations as Record<OperationId, Operation>).flatMap(({ id, query }) =>
  Object.entries(query).flatMap(([name, { enum: values }]) => (values ? [[id, name, values] as const] : [])),
);

it.each(enumerated)('%s takes each value of %s and no other', async (id, name, values) => {
  const operation = operations[id as OperationId];
  for (const value of values) {
    const { body } = await exchange(operation, { query: `?limit=100&${name}=${value}` });
    const items = body.items as Record<string, unknown>[];
    expect(items.length, value).toBeGreaterThan(0);
    expect(new Set(items.map((item) => item[name]))).toEqual(new Set([value]));
  }
  for (const value of ['', `${values[0]} `]) {
    const { status, body } = await exchange(operation, { query: `?${name}=${encodeURIComponent(value)}` });
    const message = `must be one of ${values.join(', ')}`;
    const detail = { type: 'value_error.enum', pointer: `/${name}`, message, location: 'query' };
    expect([status, body.details]).toEqual([400, [detail]]);
  }
});

it('answers a limit that is no number with 422, which names the value and its range', async () => {
  const { status, body } = await exchange(operations.listRoles, { query: '?limit=ten' });
  const item = {
    loc: ['query', 'limit'],
    msg: 'must be an integer',
    type: 'int_parsing',
    input: 'ten',
    ctx: { minimum: 1, maximum: 100 },
  };
  expect([status, body]).toEqual([422, { detail: [item] }]);
});
