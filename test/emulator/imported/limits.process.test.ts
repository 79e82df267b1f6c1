import { describe, expect, it, vi } from 'vitest';
import type { EmulatorDatabase } from '../../../src/emulator/store/database.ts';
import { startImported } from './imported-emulator.ts';

const answer = (schema: unknown) => ({
  responses: { 200: { description: 'Done.', content: { 'application/json': { schema } } } },
});
const text = { type: 'string' };
const record = { $ref: '#/components/schemas/Record' };
const page = {
  type: 'object',
  required: ['items'],
  properties: { items: { type: 'array', items: record }, next_cursor: { type: ['string', 'null'] } },
};
const cursor = ['cursor', 'limit', 'status', 'size_gte', 'size_lt', 'made_at_lte'].map((name) => ({
  name,
  in: 'query',
  schema:
    name === 'status'
      ? { type: 'array', items: text }
      : { type: /limit|size/.test(name) ? 'integer' : 'string' },
}));

/** A description of so many collections, each with a list and an item. */
function describeCollections(count: number): unknown {
  const paths = Array.from({ length: count }, (_, index) => [
    [`/things-${index}`, { get: { parameters: cursor, ...answer(page) } }],
    [
      `/things-${index}/{thing_id}`,
      {
        get: {
          parameters: [{ name: 'thing_id', in: 'path', required: true, schema: text }],
          ...answer(record),
        },
      },
    ],
  ]).flat();
  return {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    paths: Object.fromEntries(paths),
    components: {
      schemas: {
        Record: {
          type: 'object',
          required: ['id', 'status', 'parts'],
          properties: {
            id: text,
            status: { enum: ['open', 'closed'] },
            size: { type: 'integer' },
            made_at: { type: 'string', format: 'date-time' },
            parts: { type: 'array', items: record },
            inner: { oneOf: [record, { type: 'null' }] },
          },
        },
      },
    },
  };
}

/** How the database runs each statement on records that some work sends. */
async function plansOf(database: EmulatorDatabase, work: () => Promise<unknown>): Promise<string[]> {
  const spy = vi.spyOn(database, 'prepare');
  await work();
  const statements = spy.mock.calls.map(([sql]) => sql).filter((sql) => /FROM \(?.*_records/s.test(sql));
  spy.mockRestore();
  return statements.flatMap((sql) => {
    const rows = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
    return rows.map(({ detail }) => String(detail)).filter((detail) => detail.includes('_records'));
  });
}

describe('a large emulator of a description', () => {
  it('answers each of 10,000 operations, whose schemas contain themselves', async () => {
    await using emulator = await startImported(describeCollections(5000));
    expect(emulator.index.operations).toHaveLength(10_000);
    for (const index of [0, 2500, 4999]) {
      const list = await emulator.call('GET', `/things-${index}?limit=100`);
      expect(list.body.items).toHaveLength(30);
      const [first] = list.body.items as { id: string }[];
      expect((await emulator.call('GET', `/things-${index}/${first?.id}`)).body).toEqual(first);
    }
    expect(await emulator.call('GET', '/things-5000')).toMatchObject({ status: 404 });
  }, 120_000);

  it('pages through 100,000 records by key, with as much memory as for a few', async () => {
    await using emulator = await startImported(describeCollections(1));
    await emulator.call('GET', '/things-0');
    const { database } = emulator.emulator;
    const table = String(
      database.prepare("SELECT name FROM sqlite_master WHERE name LIKE '%\\_records' ESCAPE '\\'").get()
        ?.name,
    );
    database.execute(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
      INSERT INTO ${table} (kind, account, parent, id, created_ms, document)
      SELECT kind, account, '', 'x' || i, i,
        json_object('id', 'x' || i, 'status', iif(i % 1000, 'open', 'closed'), 'parts', json_array(), 'size', i + 1000,
          'made_at', strftime('%Y-%m-%dT%H:%M:%SZ', i, 'unixepoch')) FROM n
      JOIN (SELECT kind, account FROM ${table} LIMIT 1)`);
    const before = process.memoryUsage.rss();
    let [count, cursor] = [0, ''];
    do {
      const { body } = await emulator.call('GET', `/things-0?limit=1000${cursor}`);
      count += (body.items as unknown[]).length;
      cursor = typeof body.next_cursor === 'string' ? `&cursor=${body.next_cursor}` : '';
    } while (cursor !== '');
    expect(count).toBe(100_030);
    const ids = async (query: string) => {
      const { body } = await emulator.call('GET', `/things-0?limit=1000&${query}`);
      const items = body.items as { readonly id: string }[];
      return items.map(({ id }) => id).filter((id) => /^x\d+$/.test(id));
    };
    const closed = Array.from({ length: 100 }, (_, index) => `x${100_000 - index * 1000}`);
    expect(await ids('status=closed')).toEqual(closed);
    expect(await ids('status=closed&status=nothing')).toEqual(closed);
    expect(await ids('size_gte=1500&size_lt=1503')).toEqual(['x502', 'x501', 'x500']);
    expect(await ids('made_at_lte=1970-01-01T00:00:02%2B00:00')).toEqual(['x2', 'x1']);
    expect(await ids('made_at_lte=1970-01-01T01:00:00Z&status=closed')).toEqual(['x3000', 'x2000', 'x1000']);
    const queries = ['status=closed', 'status=open&status=closed', 'size_lt=9', 'size_gte=3&status=open'];
    for (const query of queries) {
      const plans = await plansOf(database, () => ids(`${query}&made_at_lte=1971-01-01T00:00:00Z`));
      expect(plans.length).toBeGreaterThan(0);
      expect(plans.filter((plan) => !/^SEARCH .* USING (COVERING )?INDEX/.test(plan))).toEqual([]);
    }
    expect(process.memoryUsage.rss() - before).toBeLessThan(150 * 1024 * 1024);
  }, 120_000);
});
