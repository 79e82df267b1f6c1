import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../harness/property-runs.ts';
import { type ImportedEmulator, startImported } from './imported-emulator.ts';

const text = { type: 'string' };
const integer = { type: 'integer' };
const record = { type: 'object', required: ['id'], properties: { id: text, name: text } };

type Parameters = Readonly<Record<string, object>>;

function answer(schema: object, status = 200): object {
  return { responses: { [status]: { description: '', content: { 'application/json': { schema } } } } };
}

/** A description of one list, with these parameters, and these members next to its `items`; without any, of an array. */
function describeList(parameters: Parameters, others?: object, search?: object): unknown {
  const array = { type: 'array', items: { $ref: '#/components/schemas/Thing' } };
  const page = others ? { type: 'object', properties: { items: array, ...others } } : array;
  const query = Object.entries(parameters).map(([name, schema]) => ({ name, in: 'query', schema }));
  const requestBody = { content: { 'application/json': { schema: { type: 'object', properties: search } } } };
  return {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    paths: {
      '/things': {
        get: { parameters: query, ...answer(page) },
        post: {
          requestBody: { content: { 'application/json': { schema: record } } },
          ...answer(record, 201),
        },
      },
      '/things/{id}': {
        get: { parameters: [{ name: 'id', in: 'path', required: true, schema: text }], ...answer(record) },
      },
      ...(search && { '/things/search': { post: { requestBody, ...answer(page) } } }),
    },
    components: { schemas: { Thing: record } },
  };
}

type Answer = Record<string, unknown> & { readonly items: { readonly id: string }[] };

async function read(emulator: ImportedEmulator, query = ''): Promise<Answer> {
  const { status, body } = await emulator.call('GET', `/things${query}`);
  expect(status).toBe(200);
  return (Array.isArray(body) ? { items: body } : body) as Answer;
}

async function ids(emulator: ImportedEmulator, query: string): Promise<string[]> {
  return (await read(emulator, query)).items.map(({ id }) => id);
}

const SIZES = [
  'limit',
  'page_size',
  'pageSize',
  'per_page',
  'perPage',
  'max_results',
  'page[size]',
  '$top',
  'size',
];

describe('the size of a page', () => {
  it.each(SIZES)(
    'is at least 1, and at most 1,000 where the description has no maximum: %s',
    async (name) => {
      await using emulator = await startImported(
        describeList({ [name]: integer, cursor: text }, { next_cursor: { type: ['string', 'null'] } }),
      );
      const key = encodeURIComponent(name);
      for (const size of [0, -1, -(2 ** 53)]) {
        expect(await emulator.call('GET', `/things?${key}=${size}`)).toMatchObject({
          status: 400,
          body: {
            details: [
              {
                type: 'value_error.minimum',
                pointer: `/${name}`,
                message: 'must be at least 1',
                location: 'query',
              },
            ],
          },
        });
      }
      expect((await read(emulator)).items).toHaveLength(20);
      const first = await read(emulator, `?${key}=12`);
      expect(first.items).toHaveLength(12);
      const second = await read(emulator, `?${key}=99999999999999999999&cursor=${first.next_cursor}`);
      expect([second.items.length, second.next_cursor]).toEqual([18, null]);
    },
  );

  it('is a whole number, also where the description calls it a text', async () => {
    await using emulator = await startImported(describeList({ limit: text }));
    expect(await ids(emulator, '?limit=3')).toHaveLength(3);
    expect(await emulator.call('GET', '/things?limit=ten')).toMatchObject({
      status: 400,
      body: { details: [{ type: 'type_error.integer', pointer: '/limit' }] },
    });
  });

  it('is not meant by a filter that is called alike', async () => {
    const sized = { ...record, properties: { ...record.properties, size: integer } };
    const plain = JSON.stringify(describeList({ size: integer }));
    const document: unknown = JSON.parse(plain.replaceAll(JSON.stringify(record), JSON.stringify(sized)));
    await using emulator = await startImported(document);
    expect(await ids(emulator, '?size=0')).toEqual([]);
  });
});

describe('a filter of the style deepObject', () => {
  it.each([
    ['filter[size][gte]=3&filter[size][lt]=5', ['b', 'c']],
    ['filter[size]=4', ['c']],
    ['size[gte]=5', ['d']],
  ])('filters by the member that %s names', async (query, names) => {
    const range = { type: 'object', properties: { gte: integer, lt: integer } };
    const filter = { type: 'object', properties: { size: query.includes('=4') ? integer : range } };
    const sized = { ...record, properties: { ...record.properties, size: integer } };
    const plain = JSON.stringify(describeList({ filter, size: range, limit: integer }));
    const deep = plain.replaceAll('"in":"query",', '"in":"query","style":"deepObject","explode":true,');
    const document: unknown = JSON.parse(
      deep
        .replace('"name":"limit","in":"query","style":"deepObject"', '"name":"limit","in":"query"')
        .replaceAll(JSON.stringify(record), JSON.stringify(sized)),
    );
    await using emulator = await startImported(document);
    for (const [index, name] of ['a', 'b', 'c', 'd'].entries())
      await emulator.call('POST', '/things', { body: { id: name, name: `made ${name}`, size: index + 2 } });
    const { body } = await emulator.call('GET', `/things?limit=100&${query}`);
    const made = (body as unknown as readonly { name?: string }[]).filter(({ name }) =>
      name?.startsWith('made '),
    );
    expect(made.map(({ name }) => name?.slice(5)).toSorted()).toEqual(names);
  });
});

describe('a filter that takes any key in brackets', () => {
  it.each([
    ['made[gt]=2026-03-02', ['b']],
    ['made[gte]=2026-03-01&made[lt]=2026-03-02', ['a']],
    ['labels[name]=made', ['a']],
    [`labels[${encodeURIComponent('a"b')}]=made`, ['b']],
    ['labels[name]=none', []],
  ])('filters by the member that %s names', async (query, names) => {
    const pairs = { type: 'object', additionalProperties: text };
    const held = { ...record, properties: { ...record.properties, made: text, labels: pairs } };
    const plain = JSON.stringify(describeList({ made: pairs, labels: pairs, limit: integer }));
    const deep = plain.replaceAll('"in":"query","schema":{"type":"object"', '"style":"deepObject",$&');
    const document: unknown = JSON.parse(deep.replaceAll(JSON.stringify(record), JSON.stringify(held)));
    await using emulator = await startImported(document);
    const records = [
      { id: 'a', made: '2026-03-01T10:00:00Z', labels: { name: 'made' } },
      { id: 'b', made: '2026-03-02T10:00:00Z', labels: { 'a"b': 'made' } },
    ];
    for (const body of records) await emulator.call('POST', '/things', { body });
    const { body } = await emulator.call('GET', `/things?limit=100&${query}`);
    const found = (body as unknown as readonly { labels?: object; made?: string }[]).filter(({ made }) =>
      records.some((one) => one.made === made),
    );
    expect(body).toHaveLength(found.length);
    expect(found.map(({ made }) => records.find((one) => one.made === made)?.id)).toEqual(names);
  });
});

describe('lists in pages by number', () => {
  const totals = {
    total: integer,
    total_pages: integer,
    page: integer,
    per_page: integer,
    has_more: { type: 'boolean' },
    next_page: { type: ['integer', 'null'] },
    count: integer,
  };

  it('give the page that is asked for, with totals', async () => {
    await using emulator = await startImported(describeList({ page: integer, per_page: integer }, totals));
    const whole = await ids(emulator, '?per_page=1000');
    expect(whole).toHaveLength(30);
    const { items, ...first } = await read(emulator, '?per_page=12');
    expect(items.map(({ id }) => id)).toEqual(whole.slice(0, 12));
    const told = { total: 30, total_pages: 3, per_page: 12 };
    expect(first).toEqual({ ...told, page: 1, count: 12, has_more: true, next_page: 2 });
    const { items: rest, ...last } = await read(emulator, '?per_page=12&page=3');
    expect(rest.map(({ id }) => id)).toEqual(whole.slice(24));
    expect(last).toEqual({ ...told, page: 3, count: 6, has_more: false, next_page: null });
    const { items: none, ...beyond } = await read(emulator, '?per_page=12&page=4');
    expect([none, beyond]).toEqual([[], { ...told, page: 4, count: 0, has_more: false, next_page: null }]);
    expect(await ids(emulator, '?page=2')).toEqual(whole.slice(20));
    for (const query of ['?page=9007199254740991&per_page=1000', '?page=99999999999999999999'])
      expect(await ids(emulator, query)).toEqual([]);
    expect(await emulator.call('GET', '/things?page=0')).toMatchObject({
      status: 400,
      body: { details: [{ pointer: '/page', message: 'must be at least 1' }] },
    });
    await emulator.call('POST', '/things', { body: { id: 'new' } });
    expect(await read(emulator, '?per_page=31')).toMatchObject({
      total: 31,
      total_pages: 1,
      has_more: false,
    });
  });

  it('begin at 0 where the description does', async () => {
    const page = { type: 'integer', minimum: 0 };
    const others = { number: integer, last: { type: 'boolean' } };
    await using emulator = await startImported(describeList({ page, size: integer }, others));
    const whole = await ids(emulator, '?size=100');
    expect(await ids(emulator, '?size=7&page=1')).toEqual(whole.slice(7, 14));
    expect(await ids(emulator, '?size=7&page=0')).toEqual(whole.slice(0, 7));
    expect(await read(emulator, '?size=7&page=4')).toMatchObject({ number: 4, last: true });
  });

  it('tell of themselves below `meta`, in camel case and as texts, too', async () => {
    const meta = {
      type: 'object',
      properties: { totalCount: integer, currentPage: text, hasNextPage: { type: 'boolean' } },
    };
    await using emulator = await startImported(
      describeList(
        { pageNumber: integer, pageSize: integer },
        { meta, pagination: { type: 'object', properties: { next_cursor: text } } },
      ),
    );
    expect(await read(emulator, '?pageSize=20&pageNumber=2')).toMatchObject({
      meta: { totalCount: 30, currentPage: '2', hasNextPage: false },
    });
  });

  it('name the next cursor where the description has it', async () => {
    const meta = { type: 'object', properties: { next_cursor: { type: ['string', 'null'] } } };
    await using emulator = await startImported(describeList({ cursor: text, limit: integer }, { meta }));
    const whole = await ids(emulator, '?limit=100');
    const first = await read(emulator, '?limit=20');
    const { next_cursor: cursor } = first.meta as { next_cursor: string };
    const second = await read(emulator, `?limit=20&cursor=${cursor}`);
    expect(second.items.map(({ id }) => id)).toEqual(whole.slice(20));
    expect(second.meta).toEqual({ next_cursor: null });
  });
});

it('pages by number and offset are those of the whole list, whatever is made in between', async () => {
  await using emulator = await startImported(
    describeList(
      { page: integer, per_page: integer, offset: integer },
      { total: integer, has_more: { type: 'boolean' } },
    ),
  );
  const whole = await ids(emulator, '?per_page=1000');
  const step = fc.record({
    size: fc.integer({ min: 1, max: 40 }),
    page: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
    offset: fc.option(fc.nat(60), { nil: undefined }),
    isMade: fc.boolean(),
  });
  const property = fc.asyncProperty(step, async ({ size, page, offset, isMade }) => {
    if (isMade) {
      const made = await emulator.call('POST', '/things', { body: { id: `made-${whole.length}` } });
      whole.unshift(String(made.body.id));
    }
    const from = offset ?? ((page ?? 1) - 1) * size;
    const query = [
      page === undefined ? '' : `&page=${page}`,
      offset === undefined ? '' : `&offset=${offset}`,
    ];
    const { items, ...told } = await read(emulator, `?per_page=${size}${query.join('')}`);
    expect(items.map(({ id }) => id)).toEqual(whole.slice(from, from + size));
    expect(told).toEqual({ total: whole.length, has_more: from + size < whole.length });
  });
  await fc.assert(property, { ...propertyRuns(200), endOnFailure: true });
});

describe('lists from an offset', () => {
  it.each(['offset', 'skip', '$skip'])('leave out so many of the newest: %s', async (name) => {
    await using emulator = await startImported(
      describeList(
        { [name]: integer, limit: integer },
        { offset: integer, total_count: integer, hasMore: { type: 'boolean' } },
      ),
    );
    const whole = await ids(emulator, '?limit=100');
    const key = encodeURIComponent(name);
    const { items, ...told } = await read(emulator, `?${key}=25&limit=4`);
    expect(items.map(({ id }) => id)).toEqual(whole.slice(25, 29));
    expect(told).toEqual({ offset: 25, total_count: 30, hasMore: true });
    expect(await ids(emulator, `?${key}=30`)).toEqual([]);
    expect(await ids(emulator, `?${key}=9007199254740993`)).toEqual([]);
    expect(await emulator.call('GET', `/things?${key}=-1`)).toMatchObject({ status: 400 });
  });
});

type Paged = Answer & {
  readonly pages: { readonly per_page: number; readonly next: { readonly starting_after: string } };
};

it('a search is paged by the members of an object in its body', async () => {
  const pagination = { type: 'object', properties: { per_page: integer, starting_after: text } };
  const pages = { type: 'object', properties: { per_page: integer, next: pagination } };
  const search = { name: text, pagination };
  await using emulator = await startImported(describeList({ limit: integer }, { pages }, search));
  const ask = (body: object) => emulator.call('POST', '/things/search', { body });
  const first = (await ask({ pagination: { per_page: 2 } })).body as Paged;
  expect([first.items.length, first.pages.per_page]).toEqual([2, 2]);
  const { starting_after } = first.pages.next;
  const second = (await ask({ pagination: { per_page: 2, starting_after } })).body as Paged;
  expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(4);
});

it('a search is paged by the members of its body', async () => {
  const search = { page: integer, page_size: integer, name: text };
  await using emulator = await startImported(describeList({ limit: integer }, { total: integer }, search));
  const whole = await ids(emulator, '?limit=100');
  const ask = (body: object) => emulator.call('POST', '/things/search', { body });
  const found = (await ask({ page: 2, page_size: 20 })).body as Answer;
  expect(found.items.map(({ id }) => id)).toEqual(whole.slice(20));
  expect(found.total).toBe(30);
  expect(await ask({ page_size: 0 })).toMatchObject({ status: 400 });
});

describe('a list without a parameter for pages', () => {
  it('is whole up to 10,000 records, and says so where it is not', async () => {
    await using emulator = await startImported(
      describeList({}, { total: integer, has_more: { type: 'boolean' } }),
    );
    await read(emulator);
    const { database } = emulator.emulator;
    const table = String(
      database.prepare("SELECT name FROM sqlite_master WHERE name LIKE '%\\_records' ESCAPE '\\'").get()
        ?.name,
    );
    const fill = (from: number, to: number) =>
      database.execute(`WITH RECURSIVE n (i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${to})
        INSERT INTO ${table} (kind, account, parent, id, created_ms, document)
        SELECT kind, account, '', 'x' || i, i, json_object('id', 'x' || i) FROM n
        JOIN (SELECT kind, account FROM ${table} LIMIT 1)`);
    const send = () => emulator.send('/things', { scopes: ['*'] });
    fill(1, 9970);
    const whole = await send();
    expect([(whole.body as Answer).items.length, whole.body.total, whole.body.has_more]).toEqual([
      10_000,
      10_000,
      false,
    ]);
    expect(whole.headers.get('warning')).toBeNull();
    fill(9971, 9971);
    const cut = await send();
    expect([(cut.body as Answer).items.length, cut.body.total, cut.body.has_more]).toEqual([
      10_000,
      10_001,
      true,
    ]);
    expect(cut.headers.get('warning')).toBe(
      '299 payctl "Only the newest 10000 records are listed; the description names no parameter to fetch the others"',
    );
  });
});

describe('a list whose pages are named by records', () => {
  const named = { limit: integer, starting_after: text, ending_before: text };
  const envelope = { has_more: { type: 'boolean' }, first_id: text, last_id: text };

  it.each([
    ['starting_after', 'ending_before', named],
    ['after', 'before', { limit: integer, after: text, before: text }],
    ['after_id', 'before_id', { limit: integer, after_id: text, before_id: text }],
  ])('is read to its end by %s, and back by %s', async (after, before, parameters) => {
    await using emulator = await startImported(describeList(parameters, envelope));
    type Page = { items: { id: string }[]; has_more: boolean; first_id: string; last_id: string };
    const page = async (query: string) =>
      (await emulator.call('GET', `/things?limit=12${query}`)).body as unknown as Page;
    const whole = (await emulator.call('GET', '/things?limit=100')).body.items as { id: string }[];
    const first = await page('');
    const second = await page(`&${after}=${first.items.at(-1)?.id}`);
    const third = await page(`&${after}=${second.items.at(-1)?.id}`);
    expect([...first.items, ...second.items, ...third.items]).toEqual(whole);
    expect([first, second, third].map((one) => one.has_more)).toEqual([true, true, false]);
    expect([second.first_id, second.last_id]).toEqual([second.items[0]?.id, second.items.at(-1)?.id]);
    const back = await page(`&${before}=${third.items[0]?.id}`);
    expect([back.items, back.has_more]).toEqual([second.items, true]);
    const start = await page(`&${before}=${second.items[0]?.id}`);
    expect([start.items, start.has_more]).toEqual([first.items, false]);
    expect(await emulator.call('GET', `/things?${after}=unknown`)).toMatchObject({
      status: 400,
      body: { details: [{ pointer: `/${after}`, message: 'is not the id of a record of this list' }] },
    });
  });

  it('takes a time for no record', async () => {
    const time = { type: 'string', format: 'date-time' };
    await using emulator = await startImported(describeList({ after: time, before: time }, envelope));
    const list = await emulator.call('GET', '/things?after=2020-01-01T00:00:00Z');
    expect(list).toMatchObject({ status: 200 });
    expect(list.body.items).toHaveLength(30);
  });
});

describe('a list that names the address of its next page', () => {
  const url = { type: ['string', 'null'], format: 'uri' };

  it.each([
    ['next_url', { limit: integer, after: text, before: text }, { next_url: url, previous_url: url }],
    [
      'links.next',
      { limit: integer, cursor: text },
      { links: { type: 'object', properties: { next: text } } },
    ],
    ['next', { limit: integer, offset: integer }, { count: integer, next: url, previous: url }],
    ['next_page_url', { limit: integer, page: integer }, { next_page_url: url }],
  ])('is read to its end by %s', async (name, parameters, envelope) => {
    const also = { ...parameters, name: text, tags: { type: 'array', items: text } };
    await using emulator = await startImported(describeList(also, envelope));
    const whole = (await emulator.call('GET', '/things?limit=100')).body.items;
    const found: unknown[] = [];
    let path = '/things?limit=12&tags=a&tags=b%26';
    for (let pages = 0; path !== '' && pages < 5; pages += 1) {
      const { status, body } = await emulator.call('GET', path);
      expect(status).toBe(200);
      found.push(...(body.items as unknown[]));
      const next = name.split('.').reduce<unknown>((at, one) => (at as Record<string, unknown>)?.[one], body);
      const { baseUrl } = emulator.emulator;
      if (next) expect(String(next).startsWith(`${baseUrl}/things?limit=12&tags=a&tags=b%26&`)).toBe(true);
      path = next ? String(next).slice(baseUrl.length) : '';
    }
    expect(found).toEqual(whole);
  });
});
