import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/client.ts';
import { answer, get } from '../descriptions/describe.ts';
import { startServer } from '../harness/http-server.ts';
import { propertyRuns } from '../harness/property-runs.ts';
import { countedHandler, type ServicePage } from './counted-service.ts';

const integer = { type: 'integer' };

/** What a page may say about itself; it may say nothing. */
const TOLD: readonly (readonly [object, (page: ServicePage) => object])[] = [
  [{ has_more: { type: 'boolean' } }, ({ offset, size, total }) => ({ has_more: offset + size < total })],
  [{ total: integer }, ({ total }) => ({ total })],
  [{ total: integer }, ({ items }) => ({ total: items.length })],
  [{ total_count: integer }, ({ total }) => ({ total_count: total })],
  [{ total_pages: integer }, ({ size, total }) => ({ total_pages: Math.ceil(total / size) })],
  [
    { meta: { type: 'object', properties: { current_page: integer } } },
    ({ page }) => ({ meta: { current_page: page } }),
  ],
  // For people, whatever a request calls the page.
  [
    { meta: { type: 'object', properties: { current_page: integer } } },
    ({ offset, size }) => ({ meta: { current_page: offset / size + 1 } }),
  ],
];

const services = fc.record({
  total: fc.nat(12),
  usual: fc.integer({ min: 1, max: 5 }),
  largest: fc.integer({ min: 1, max: 6 }),
  counts: fc.constantFrom('pages' as const, 'items' as const),
  first: fc.constantFrom(0, 1),
  isSaid: fc.constantFrom('default', 'minimum', 'nothing'),
  isSized: fc.boolean(),
  beyond: fc.constantFrom(200, 404),
  told: fc.option(fc.constantFrom(...TOLD), { nil: undefined }),
  maxItems: fc.option(fc.integer({ min: 1, max: 14 }), { nil: undefined }),
});

type Service = typeof services extends fc.Arbitrary<infer Value> ? Value : never;

/** The description of such a service, and what serves it. */
function made({ counts, first, isSaid, isSized, told, ...service }: Service) {
  const said = isSaid === 'default' ? { default: first } : isSaid === 'minimum' ? { minimum: first } : {};
  const array = { type: 'array', items: { type: 'object', properties: { id: integer } } };
  const parameters = [
    { name: counts === 'pages' ? 'page' : 'start', in: 'query', schema: { ...integer, ...said } },
    { name: 'limit', in: 'query', schema: { ...integer, ...(isSized && { maximum: 4 }) } },
  ];
  const schema = told ? { type: 'object', properties: { data: array, ...told[0] } } : array;
  const description = get({ operationId: 'things', parameters, responses: answer(schema) });
  const parameter = counts === 'pages' ? 'page' : 'start';
  const body = (page: ServicePage) => (told ? { data: page.items, ...told[1](page) } : page.items);
  return {
    description,
    handler: countedHandler({ ...service, counts, first, parameter, size: 'limit', body }),
  };
}

const idsOf = (items: readonly unknown[]) => items.map((item) => (item as { id: number }).id);
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

async function withService<Result>(
  service: Service,
  use: (
    open: () => ReturnType<Awaited<ReturnType<ReturnType<typeof createClient>['withDescription']>>['list']>,
  ) => Promise<Result>,
): Promise<Result> {
  const { description, handler } = made(service);
  const server = await startServer(handler);
  const client = createClient({ baseUrl: server.origin, token: 'x', maxRetries: 0 });
  try {
    const { list } = await client.withDescription(description);
    return await use(() => list('things'));
  } finally {
    await client.close();
    await server.close();
  }
}

describe('a list that is paged by numbers', () => {
  it('has every item once and in its order, however the service counts and caps', async () => {
    const property = fc.asyncProperty(services, async (service) => {
      const { maxItems, total } = service;
      const items = await withService(service, (open) => Array.fromAsync(open().items({}, { maxItems })));
      expect(idsOf(items)).toEqual(upTo(Math.min(total, maxItems ?? total)));
    });
    await fc.assert(property, { ...propertyRuns(300, 80), endOnFailure: true });
  });

  it('goes on from any of its cursors where it was left', async () => {
    const property = fc.asyncProperty(services, fc.nat(5), async (service, at) => {
      const ids = await withService({ ...service, beyond: 200 }, async (open) => {
        const pages = await Array.fromAsync(open().pages());
        const left = pages.slice(0, at + 1);
        const cursor = left.at(-1)?.next_cursor;
        const rest = cursor ? await Array.fromAsync(open().items({ cursor })) : [];
        return idsOf([...left.flatMap(({ items }) => items), ...rest]);
      });
      expect(ids).toEqual(upTo(service.total));
    });
    await fc.assert(property, { ...propertyRuns(300, 80), endOnFailure: true });
  });
});
