import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../src/client/client.ts';
import { startImported } from './imported-emulator.ts';

const integer = { type: 'integer' };
const text = { type: 'string' };
const boolean = { type: 'boolean' };
const object = (properties: object) => ({ type: 'object', properties });
const ten = { ...integer, maximum: 10 };
const record = { type: 'object', required: ['id'], properties: { id: text, name: text } };
const links = { type: 'array', items: object({ rel: text, href: text }) };

type Shape = readonly [
  parameters: Readonly<Record<string, object>>,
  members?: object | undefined,
  list?: string | undefined,
  headers?: object,
];

/** How the lists of a description may be paged. */
const SHAPES: readonly Shape[] = [
  [{ page: integer, per_page: ten }],
  [
    { page: { ...integer, default: 0 }, size: ten },
    { total_pages: integer, page: integer },
  ],
  [{ page: { ...integer, minimum: 0 }, per_page: ten }, { total: integer }],
  [
    { page: { ...integer, default: 0 }, size: { ...integer, default: 20 } },
    { totalPages: integer, number: integer, last: boolean },
    'content',
  ],
  [{ 'page[number]': integer, 'page[size]': ten }, { links: object({ next: text, prev: text }) }],
  [{ page: integer }, { _links: object({ next: object({ href: text }) }) }],
  [{ page: integer }, { count: integer, next: { type: ['string', 'null'] } }],
  [
    { page: integer, page_size: ten },
    { total_pages: integer, links },
  ],
  [{ offset: integer, limit: ten }, { total_count: integer }],
  [{ start: integer, limit: ten }],
  [{ offset: integer, limit: ten }, { next_offset: { type: ['integer', 'null'] } }],
  [{ startIndex: { ...integer, minimum: 1 }, count: ten }, { totalResults: integer }],
  [{ starting_after: text, limit: ten }],
  [{ starting_after: text, limit: ten }, { meta: object({ has_more: boolean }) }],
  [{ after: text, first: integer }, { page_info: object({ end_cursor: text, has_next_page: boolean }) }],
  [{ next_page_token: { ...text, pattern: '^x+$' }, page_size: ten }, { next_page_token: text }],
  [{ next_page_token: { ...text, maxLength: 5 }, page_size: ten }, { links }],
  [{ continuationToken: text }, { continuationToken: text }],
  [{ after: text, limit: ten }, { paging: object({ next: object({ after: text, link: text }) }) }],
  [{ marker: text, limit: ten }, { next_marker: text }],
  [{}, { next_url: { type: ['string', 'null'] } }],
  [{ limit: ten }, { paging: object({ next: text }) }],
  [{ offset: text, limit: ten }, { next_page: object({ offset: text, path: text }) }, 'data'],
  [
    { page: text, limit: ten },
    { has_more: boolean, next_page: { type: ['string', 'null'] } },
  ],
  [{ cursor: text, limit: ten }, { cursor: text }],
  [{ continue: text, limit: ten }, { metadata: object({ continue: text }) }],
  [
    { PageSize: ten, Page: integer, PageToken: text },
    { next_page_uri: { type: ['string', 'null'] }, page: integer },
    'things',
  ],
  [{ page: integer, limit: ten }, { paging: object({ next: object({ link: text }) }) }, 'results'],
  [{ after_cursor: text, per_page: ten }, undefined, undefined, { 'X-After-Cursor': { schema: text } }],
  [{ cursor: text, limit: ten }, { count: integer }, 'things', { 'X-Next-Cursor': { schema: text } }],
  [
    { iterator: text, limit: ten },
    { iterator: { type: ['string', 'null'] }, done: boolean },
  ],
  [{ after: text, page_size: ten }, { next: { type: ['string', 'null'] } }, 'things'],
  [{ cursor: text, page_size: ten }, { next: text }],
  [{ next: text, limit: ten }, { pagination: object({ next: text, prev: text }) }, 'models'],
  [
    { from: integer, limit: ten },
    { from: { type: ['integer', 'null'] }, next: { type: ['integer', 'null'] }, total: integer },
    'results',
  ],
  [
    { page: integer, per_page: ten },
    {
      pages: object({
        page: integer,
        total_pages: integer,
        next: { type: ['object', 'null'], properties: { starting_after: text } },
      }),
    },
  ],
  [
    { start_index: integer, count: ten },
    { is_more: boolean, start_index: integer },
  ],
  [{ after: { ...text, format: 'uuid' }, limit: ten }],
  [
    { startIndex: integer, count: ten },
    { totalResults: integer, startIndex: integer, itemsPerPage: integer },
    'Resources',
  ],
];

function describeThings([parameters, members, list = 'data', headers]: Shape) {
  const array = { type: 'array', items: { $ref: '#/components/schemas/Thing' } };
  const schema = members ? object({ [list]: array, ...members }) : array;
  const query = Object.entries(parameters).map(([name, one]) => ({ name, in: 'query', schema: one }));
  return {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    paths: {
      '/things': {
        get: {
          operationId: 'things',
          parameters: query,
          responses: {
            200: {
              description: '',
              content: { 'application/json': { schema } },
              ...(headers && { headers }),
            },
          },
        },
      },
    },
    components: { schemas: { Thing: record } },
  };
}

describe('a list of the emulator', () => {
  it.each(SHAPES.map((shape) => ({ shape })))(
    'is followed to its end, each record once: $shape',
    async ({ shape }) => {
      const description = describeThings(shape);
      await using emulator = await startImported(description);
      expect(emulator.index.operations[0]?.paginated).toBe(true);
      const client = createClient({ baseUrl: emulator.emulator.baseUrl, token: () => emulator.token(['*']) });
      onTestFinished(() => client.close());
      const { list } = await client.withDescription(description);
      const pages = await Array.fromAsync(list('things').pages());
      const ids = pages.flatMap(({ items }) => items.map((item) => (item as { id: string }).id));
      expect([ids.length, new Set(ids).size]).toEqual([30, 30]);
      expect(pages.length).toBeGreaterThan(1);
    },
  );

  it('is paged by the parameter for cursors that its description names', async () => {
    const next = { type: ['string', 'null'] };
    await using emulator = await startImported(describeThings([{ after: text, page_size: ten }, { next }]));
    const first = await emulator.call('GET', '/things?page_size=10');
    expect(first.body.next).toMatch(/^[\w-]+$/);
    const second = await emulator.call('GET', `/things?page_size=10&after=${first.body.next}`);
    expect(second).toMatchObject({ status: 200, body: { data: { length: 10 } } });
    expect(second.body.data).not.toEqual(first.body.data);
  });
});
