import { describe, expect, it } from 'vitest';
import { generate } from '../../../src/schemas/values/generate.ts';
import { createRandom } from '../../../src/text/random.ts';
import { startImported } from '../../emulator/imported/imported-emulator.ts';

const MADE = Date.UTC(2025, 10, 20, 12);
const DAY_MS = 24 * 3600 * 1000;

function made(name: string, schema: object, { isFresh = false, seed = 1 } = {}): unknown {
  const random = createRandom(seed);
  const root = { type: 'object', required: [name], properties: { [name]: schema } };
  const value = generate(root, { root, random, atMs: MADE, noun: 'thing', isFresh }) as Record<
    string,
    unknown
  >;
  return value[name];
}

const FORMS = [
  ['invoice_date', '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[1-2][0-9]|3[0-1])$', /^2025-1[12]-\d\d$/],
  [
    'time_posted',
    '^[0-9]{4}-[0-9]{2}-[0-9]{2}[T,t][0-9:]{8}([.][0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})$',
    /^2025-11-2\dT/,
  ],
  ['posted', '^\\d{4}-\\d{2}-\\d{2}$', /^2025-11-2\d$/],
  ['expiry_date', '^\\d{2}/\\d{2}$', /^11\/30$/],
  ['expiration', '^(0[1-9]|1[0-2])\\d{2}$', /^1130$/],
  ['start_date', '^\\d{8}$', /^202511\d\d$/],
  ['birth_date', '^\\d{4}-\\d{2}-\\d{2}$', /^(19[6-9]|20)\d\d?-/],
  ['run_time', '^\\d{2}:\\d{2}$', /^\d\d:\d\d$/],
] as const;

describe('dates that are made', () => {
  it.each(FORMS)(
    'are near the record where a pattern says how they are written: %s',
    (name, pattern, form) => {
      for (let seed = 1; seed <= 20; seed += 1) {
        const text = made(name, { type: 'string', pattern }, { seed });
        expect(text).toMatch(form);
        expect(text).toMatch(new RegExp(pattern));
        expect(made(name, { type: 'string', pattern }, { seed })).toBe(text);
      }
    },
  );

  it('are not put where a pattern means other digits', () => {
    expect(made('phone', { type: 'string', pattern: '^[0-9-]{8,14}$' })).not.toMatch(/^2025/);
    expect(made('code', { type: 'string', pattern: '^[0-9A-Za-z:.-]{24}$' })).not.toMatch(/^2025/);
  });

  const dated = { type: 'string', format: 'date-time' };

  it.each([false, true])('are in the order of what they tell: fresh %s', (isFresh) => {
    for (let seed = 1; seed <= 50; seed += 1) {
      const at = (name: string) => Date.parse(String(made(name, dated, { isFresh, seed })));
      expect(at('created_at')).toBe(MADE);
      for (const name of ['started_at', 'captured_at', 'completed_at', 'updated_at', 'cancel_time'])
        expect([name, at(name) >= MADE, at(name) <= at('updatedAt')]).toEqual([name, true, true]);
      expect(at('started_at')).toBeLessThanOrEqual(at('completed_at'));
      expect(at('due_date')).toBe(MADE + 30 * DAY_MS);
      expect(at('expiresAt')).toBeGreaterThanOrEqual(MADE + 30 * DAY_MS);
    }
  });

  it('are numbers of seconds, or of milliseconds where the limits say so', () => {
    const seconds = MADE / 1000;
    expect(made('created', { type: 'integer' })).toBe(seconds);
    expect(made('updated_at', { type: 'integer' })).toBe(seconds + 86_400);
    expect(made('createdAt', { type: 'number', minimum: 1e12 })).toBe(MADE);
    expect(made('created', { type: 'integer', maximum: 10 })).toBeLessThanOrEqual(10);
    expect(made('processing_time', { type: 'integer' })).toBeLessThanOrEqual(100);
  });
});

it('the first records expire in years, but what is expired has expired, and nothing else is later than the seeded past', async () => {
  const link = {
    type: 'object',
    required: ['id', 'status', 'created_at', 'opened_at', 'updated_at', 'expires_at', 'valid_until'],
    properties: {
      id: { type: 'string' },
      status: { enum: ['active', 'expired'] },
      created_at: { type: 'string', format: 'date-time' },
      opened_at: { type: 'string', format: 'date-time' },
      updated_at: { type: 'string', format: 'date-time' },
      expires_at: { type: 'string', format: 'date-time' },
      valid_until: { type: 'string', format: 'date' },
    },
  };
  const answer = (schema: object) => ({
    responses: { 200: { description: '', content: { 'application/json': { schema } } } },
  });
  await using emulator = await startImported({
    openapi: '3.1.0',
    info: { title: 'Links', version: '1' },
    paths: { '/links': { get: answer({ type: 'array', items: link }) } },
  });
  const { body } = await emulator.call('GET', '/links');
  const links = body as unknown as {
    status: string;
    created_at: string;
    opened_at: string;
    updated_at: string;
    expires_at: string;
    valid_until: string;
  }[];
  expect(new Set(links.map(({ status }) => status))).toEqual(new Set(['active', 'expired']));
  const order = links.map((one) => [one.created_at, one.opened_at, one.updated_at].map(Date.parse));
  // The first record was created within the last day, so that the day after its creation is not over.
  const end = Math.max(...order.map(([, , updated = 0]) => updated));
  expect(end % DAY_MS).toBe(9 * 3600 * 1000);
  for (const [created = 0, opened = 0, updated = 0] of order) {
    expect([created <= opened, opened <= updated]).toEqual([true, true]);
    expect(updated).toBe(Math.min(created + DAY_MS, end));
  }
  for (const { status, created_at: created, expires_at: expires, valid_until: until } of links) {
    const days = (Date.parse(expires) - Date.parse(created)) / DAY_MS;
    expect([status, days]).toEqual([status, status === 'expired' ? 30 : 5 * 365]);
    expect(expires.slice(0, 10)).toBe(until);
  }
});
