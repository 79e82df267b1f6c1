import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Operation, type OperationId, operations } from '../../src/contract/generated/operations.ts';
import type { Schemas } from '../../src/contract/generated/types.ts';
import { seededSessionId } from '../../src/emulator/seed/checkout-sessions.ts';
import { faultsOf } from '../contract/schema-validator.ts';
import { anyText } from './any-text.ts';
import { apiLogs, startTestEmulator, type TestEmulator } from './test-emulator.ts';

const all = Object.values(operations) as Operation[];
const named = all.map((operation) => [`${operation.method} ${operation.path}`, operation] as const);
const bodies: Readonly<Record<string, unknown>> = {
  createShippingDetail: { first_name: 'Zoé', address: { city: 'Paris', country: 'FR' } },
  updateCheckoutSession: { metadata: { a: 1 } },
  createPaymentServiceSession: { domain_name: 'shop.example.com' },
};

let test: TestEmulator;
let buyerId = '';

beforeAll(async () => {
  test = await startTestEmulator({ buyers: 300 });
  const row = test.emulator.database
    .prepare("SELECT id FROM buyers WHERE merchant_account_id = 'default'")
    .get();
  buyerId = String(row?.id);
});
afterAll(() => test[Symbol.asyncDispose]());

function pathOf(operation: Operation): string {
  return operation.path
    .replace('{buyer_id}', buyerId)
    .replace('{checkout_session_id}', seededSessionId(1))
    .replace('{payment_service_definition_id}', 'acme-bank-redirect');
}

type Request = {
  readonly query?: string;
  readonly path?: string;
  readonly method?: string;
  readonly scopes?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** Sends a request and checks its answer against the description, whatever its status. */
async function exchange(
  operation: Operation,
  request: Request = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  const {
    query = '',
    path = pathOf(operation),
    method = operation.method,
    scopes = operation.scopes,
  } = request;
  const given =
    operation.id in bodies && method === operation.method ? JSON.stringify(bodies[operation.id]) : undefined;
  const body = request.body ?? given;
  const { status, body: answer } = await test.send(path + query, {
    method,
    scopes,
    ...(request.headers && { headers: request.headers }),
    ...(body !== undefined && { body }),
  });
  const error = status === 422 ? 'ValidationErrorBody' : 'ErrorObject';
  const schema = status < 400 ? (operation.responseSchema as keyof Schemas) : error;
  expect([status, faultsOf(schema, answer)], JSON.stringify(answer).slice(0, 500)).toEqual([status, []]);
  if (status < 400) expect(status).toBe(operation.successStatus);
  else if (status !== 422) expect(answer.status).toBe(status);
  return { status, body: answer };
}

describe.each(named)('%s', (_, operation) => {
  it('answers a good request as the description says', async () => {
    const { status, body } = await exchange(operation);
    expect(status).toBe(operation.successStatus);
    if (Array.isArray(body.items)) expect(body.items.length).toBeGreaterThan(0);
  });

  it('answers 401, 403, 404 and 405 in the shape of an error', async () => {
    const headers = { 'x-service-merchant-account-id': 'nobody' };
    const other = operation.method === 'GET' ? 'POST' : 'DELETE';
    expect((await exchange(operation, { scopes: [] })).status).toBe(401);
    expect((await exchange(operation, { scopes: ['nothing.read'] })).status).toBe(403);
    expect((await exchange(operation, { headers })).status).toBe(
      operation.merchantAccount ? 404 : operation.successStatus,
    );
    expect((await exchange(operation, { method: other })).status).toBe(405);
  });

  it.each(operation.scopes)('lets the scope %s alone through', async (scope) => {
    expect((await exchange(operation, { scopes: [scope] })).status).toBe(operation.successStatus);
  });

  it('shows records of the other merchant account to a request for it', async () => {
    const headers = { 'x-service-merchant-account-id': 'outlet' };
    const { status, body } = await exchange(operation, { headers });
    if (operation.pathParameters.length > 0 && operation.merchantAccount) expect(status).toBe(404);
    else expect(status).toBe(operation.successStatus);
    for (const item of (body.items ?? []) as Record<string, unknown>[]) {
      expect(item.merchant_account_id ?? 'outlet').toBe('outlet');
    }
  });

  it('answers no query whatever with 5xx', async () => {
    const name = fc.constantFrom(...Object.keys(operation.query), 'cursor', 'limit', '__proto__');
    const value = fc.oneof(anyText, fc.integer().map(String), fc.constant('succeeded'));
    const pair = fc
      .tuple(name, value)
      .map(([key, text]) => `${key}=${encodeURIComponent(text.toWellFormed())}`);
    const property = fc.asyncProperty(fc.array(pair, { maxLength: 4 }), async (pairs) => {
      expect((await exchange(operation, { query: `?${pairs.join('&')}` })).status).toBeLessThan(500);
    });
    await fc.assert(property, { numRuns: 60 });
  });
});

describe.each(named.filter(([, { paginated }]) => paginated))('the pages of %s', (_, operation) => {
  it('fit the description from the first to the last', async () => {
    const count = async (limit: number) => {
      let [items, cursor] = [0, ''];
      do {
        const { body } = await exchange(operation, { query: `?limit=${limit}${cursor}` });
        items += (body.items as unknown[]).length;
        cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`;
      } while (cursor !== '');
      return items;
    };
    expect(await count(3)).toBe(await count(100));
  });

  it('is refused with 422 when its limit is no number, and with 400 when it is out of range', async () => {
    const { status, body } = await exchange(operation, { query: '?limit=ten' });
    const ctx = { minimum: 1, maximum: 100 };
    const item = {
      loc: ['query', 'limit'],
      msg: 'must be an integer',
      type: 'int_parsing',
      input: 'ten',
      ctx,
    };
    expect([status, body]).toEqual([422, { detail: [item] }]);
    expect((await exchange(operation, { query: '?limit=101' })).status).toBe(400);
    expect((await exchange(operation, { query: '?cursor=x' })).status).toBe(400);
  });
});

const enumerated = all.flatMap(({ id, query }) =>
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
  for (const value of ['', 'Succeeded', 'created ', 'x']) {
    const { status, body } = await exchange(operation, { query: `?${name}=${encodeURIComponent(value)}` });
    const message = `must be one of ${values.join(', ')}`;
    const fault = { type: 'value_error.enum', pointer: `/${name}`, message, location: 'query' };
    expect([status, body.details]).toEqual([400, [fault]]);
  }
});

describe.each(named.filter(([, { hasBody }]) => hasBody))('the body of %s', (_, operation) => {
  const refused = async (body: string) => (await exchange(operation, { body })).status;

  it('is refused when it is missing, no JSON, no object, not UTF-8 or nested too deep', async () => {
    const unreadable = operation.errors.includes(422) ? 422 : 400;
    expect(await refused('')).toBe(400);
    for (const text of ['{', ' ', 'null', '[]', '"x"', '12', '{"a":1}x', "{'a':1}", '\ufeff{}']) {
      expect([text, await refused(text)]).toEqual([text, unreadable]);
    }
    expect(await refused(`{"a":${'['.repeat(500_000)}`)).toBe(400);
    expect(await refused(`{"a":${'[{"b":'.repeat(60)}1${'}]'.repeat(60)}}`)).toBe(400);
    expect(await refused(`{"a":"${'[{\\"'.repeat(1000)}"}`)).toBe(operation.successStatus);
  });

  it('is never answered with 5xx, and as the description says, whatever JSON it is', async () => {
    const { properties } = await import('../../src/contract/generated/description.json', {
      with: { type: 'json' },
    }).then(
      ({ default: document }) =>
        document.components.schemas[operation.bodySchema as 'ShippingDetailCreate'] as {
          properties?: object;
        },
    );
    const names = Object.keys(properties ?? {});
    const key = fc.oneof(fc.constantFrom('type', 'id', '__proto__', ...names), fc.string());
    const body = fc.dictionary(key, fc.oneof(fc.jsonValue(), fc.constant(null)), { noNullPrototype: true });
    const property = fc.asyncProperty(body, async (value) => {
      const sent = JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
      const isGood = faultsOf(operation.bodySchema as keyof Schemas, sent).length === 0;
      const { status } = await exchange(operation, { body: JSON.stringify(value) });
      expect(status).toBe(isGood ? operation.successStatus : 400);
    });
    await fc.assert(property, { numRuns: 150 });
  });
});

it('keeps API logs that fit the description, and none of a fault of its own', () => {
  const logs = apiLogs(test);
  expect(logs.length).toBeGreaterThan(100);
  for (const log of logs) expect(faultsOf('ApiLog', log)).toEqual([]);
  expect(logs.filter((log) => Number(log.response_status_code) >= 500)).toEqual([]);
});
