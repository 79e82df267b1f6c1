import { describe, expect, it } from 'vitest';
import { startDescribed } from './described-emulator.ts';

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
const cursor = ['cursor', 'limit', 'status'].map((name) => ({
  name,
  in: 'query',
  schema: { type: name === 'limit' ? 'integer' : 'string' },
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
            parts: { type: 'array', items: record },
            inner: { oneOf: [record, { type: 'null' }] },
          },
        },
      },
    },
  };
}

describe('a large emulator of a description', () => {
  it('answers each of 10,000 operations, whose schemas contain themselves', async () => {
    await using emulator = await startDescribed(describeCollections(5000));
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
    await using emulator = await startDescribed(describeCollections(1));
    await emulator.call('GET', '/things-0');
    const { database } = emulator.emulator;
    const table = String(
      database.prepare("SELECT name FROM sqlite_master WHERE name LIKE '%\\_records' ESCAPE '\\'").get()
        ?.name,
    );
    database.execute(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
      INSERT INTO ${table} (kind, account, parent, id, created_ms, document)
      SELECT kind, account, '', 'x' || i, i,
        json_object('id', 'x' || i, 'status', iif(i % 1000, 'open', 'closed'), 'parts', json_array()) FROM n
      JOIN (SELECT kind, account FROM ${table} LIMIT 1)`);
    const before = process.memoryUsage.rss();
    let [count, cursor] = [0, ''];
    do {
      const { body } = await emulator.call('GET', `/things-0?limit=1000${cursor}`);
      count += (body.items as unknown[]).length;
      cursor = typeof body.next_cursor === 'string' ? `&cursor=${body.next_cursor}` : '';
    } while (cursor !== '');
    expect(count).toBe(100_030);
    const closed = await emulator.call('GET', '/things-0?limit=1000&status=closed');
    expect((closed.body.items as unknown[]).length).toBeGreaterThanOrEqual(100);
    expect(process.memoryUsage.rss() - before).toBeLessThan(150 * 1024 * 1024);
  }, 120_000);
});
