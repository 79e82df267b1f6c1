import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { countedService, type ServiceOptions, type ServicePage } from '../../client/counted-service.ts';
import { clientAt } from '../../client/live-client.ts';
import { answer, codes, get, imported, only } from '../../descriptions/describe.ts';
import { folderForTest } from '../../harness/temporary-folder.ts';
import { importedHome, runImported } from './run-imported.ts';

const thing = { type: 'object', properties: { id: { type: 'integer' } } };
const integer = { type: 'integer' };

type Parameters = Readonly<Record<string, object>>;

/** A list of things with these parameters: an array, or with members next to it an object. */
function listOf(parameters: Parameters, members?: object) {
  const array = { type: 'array', items: thing };
  return get({
    operationId: 'things',
    parameters: Object.entries(parameters).map(([name, schema]) => ({ name, in: 'query', schema })),
    responses: answer(members ? { type: 'object', properties: { data: array, ...members } } : array),
  });
}

async function run(argv: readonly string[], description: object, options: ServiceOptions) {
  const service = await countedService(options);
  const env = { PAYCTL_BASE_URL: service.origin };
  const { sent: _, ...shown } = await runImported(argv, importedHome(description), { env });
  return { ...shown, queries: service.queries() };
}

/** What ids as ndjson look like. */
const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `{"id":${from + index}}\n`).join('');

const ALL = ['things', 'list', '--all', '-o', 'ndjson'];
const byPage = listOf({ page: { ...integer, minimum: 1 }, per_page: { ...integer, maximum: 3 } });

describe('a list that is paged by number', () => {
  it('is followed to an empty page where nothing says how many there are', async () => {
    expect(await run(ALL, byPage, { total: 7 })).toEqual({
      stdout: lines(1, 7),
      stderr: '',
      code: 0,
      queries: ['per_page=3', 'per_page=3&page=2', 'per_page=3&page=3', 'per_page=3&page=4'],
    });
  });

  it('has no filter in the number and the size of a page that is empty', async () => {
    const argv = ['things', 'list', '--page', '99', '--per-page', '2'];
    const shown = await run(argv, byPage, { total: 3 });
    expect(shown).toMatchObject({ stdout: '', stderr: 'No things on this page.\n', code: 0 });
  });

  it.each([
    [
      'has_more',
      { has_more: { type: 'boolean' } },
      ({ offset, size, total }: ServicePage) => ({ has_more: offset + size < total }),
    ],
    [
      'last',
      { last: { type: 'boolean' } },
      ({ offset, size, total }: ServicePage) => ({ last: offset + size >= total }),
    ],
    [
      'total_pages',
      { total_pages: integer },
      ({ size, total }: ServicePage) => ({ total_pages: Math.ceil(total / size) }),
    ],
    [
      'meta.total_count',
      { meta: { type: 'object', properties: { totalCount: integer } } },
      ({ total }: ServicePage) => ({ meta: { totalCount: total } }),
    ],
    ['total', { total: integer }, ({ total }: ServicePage) => ({ total })],
    [
      'next_page',
      { next_page: { type: ['integer', 'null'] } },
      ({ page, offset, size, total }: ServicePage) => ({
        next_page: offset + size < total ? page + 1 : null,
      }),
    ],
  ])('ends where the answer says so: %s', async (_, members, told) => {
    const description = listOf(
      { page: { ...integer, minimum: 1 }, per_page: { ...integer, maximum: 3 } },
      members,
    );
    const body = (page: ServicePage) => ({ data: page.items, ...told(page) });
    expect(await run(ALL, description, { total: 7, body })).toEqual({
      stdout: lines(1, 7),
      stderr: '',
      code: 0,
      queries: ['per_page=3', 'per_page=3&page=2', 'per_page=3&page=3'],
    });
    const one = await run(['things', 'list', '-o', 'ndjson'], description, { total: 1, body });
    expect(one).toMatchObject({ stdout: lines(1, 1), stderr: '', code: 0, queries: [''] });
  });

  it.each([
    [{ total: integer }, ({ items }: ServicePage) => ({ data: items, total: items.length })],
    [{ total_pages: integer }, ({ items }: ServicePage) => ({ data: items, total_pages: 0 })],
    [{ total_count: integer }, ({ items }: ServicePage) => ({ data: items, total_count: 1 })],
    [{ has_more: { type: 'boolean' } }, ({ items }: ServicePage) => ({ data: items, has_more: 'no' })],
  ])('does not end where the answer says something that cannot be so: %j', async (members, body) => {
    const description = listOf(
      { page: { ...integer, minimum: 1 }, per_page: { ...integer, maximum: 3 } },
      members,
    );
    const shown = await run(ALL, description, { total: 7, body });
    expect(shown).toMatchObject({ stdout: lines(1, 7), stderr: '', code: 0 });
  });

  it.each([
    [{ default: 0 }, 0, ['', 'page=1', 'page=2', 'page=3']],
    [{ default: 1 }, 1, ['', 'page=2', 'page=3', 'page=4']],
    [{}, 0, ['', 'page=1', 'page=2', 'page=3']],
    [{}, 1, ['', 'page=1', 'page=2', 'page=3', 'page=4']],
    [{ minimum: 0 }, 1, ['', 'page=1', 'page=2', 'page=3', 'page=4']],
  ])(
    'begins at the page that the description gives, or that a request finds: %j, %i',
    async (limits, first, queries) => {
      const shown = await run(ALL, listOf({ page: { ...integer, ...limits } }), { total: 6, first });
      expect(shown).toEqual({ stdout: lines(1, 6), stderr: '', code: 0, queries });
    },
  );

  it('begins at the page that the answer calls 1', async () => {
    const members = { meta: { type: 'object', properties: { current_page: integer } } };
    const body = ({ items, page }: ServicePage) => ({ data: items, meta: { current_page: page } });
    const shown = await run(ALL, listOf({ page: integer }, members), { total: 3, body });
    expect(shown).toMatchObject({ stdout: lines(1, 3), queries: ['', 'page=2', 'page=3'] });
    const from0 = await run(ALL, listOf({ page: integer }, members), { total: 3, first: 0, body });
    expect(from0).toMatchObject({ stdout: lines(1, 3), queries: ['', 'page=1', 'page=2'] });
  });

  it.each(['page[number]', 'pageNumber', 'page_no'])('may call its number %s', async (parameter) => {
    const description = listOf({
      [parameter]: { ...integer, minimum: 1 },
      'page[size]': { ...integer, maximum: 2 },
    });
    const shown = await run(ALL, description, { total: 3, parameter, size: 'page[size]' });
    expect(shown).toMatchObject({ stdout: lines(1, 3), stderr: '', code: 0 });
    expect(shown.queries.map((query) => decodeURIComponent(query))).toEqual([
      'page[size]=2',
      `page[size]=2&${parameter}=2`,
      `page[size]=2&${parameter}=3`,
    ]);
  });

  it('is one page without --all, with the command for the next one', async () => {
    const flags = ['things', 'list', '-o', 'csv'];
    expect(await run(flags, byPage, { total: 7 })).toEqual({
      stdout: 'id\r\n1\r\n2\r\n',
      stderr:
        'There may be more things after these 2. For all pages, add --all. Next page: payctl things list -o csv --cursor 2\n',
      code: 0,
      queries: [''],
    });
    const next = await run([...flags, '--cursor', '2', '-q'], byPage, { total: 7 });
    expect(next).toMatchObject({ stdout: 'id\r\n3\r\n4\r\n', queries: ['page=2'] });
    const json = await run(['things', 'list', '-o', 'json', '--per-page', '3'], byPage, { total: 7 });
    expect(JSON.parse(json.stderr).warning).toEqual({
      code: 'list_may_be_cut',
      message:
        'There may be more things after these 3. For all pages, add --all. Next page: payctl things list -o json --per-page 3 --cursor 2:3',
    });
  });

  it('is asked only once where nobody says how it is numbered, and one page is read', async () => {
    const shown = await run(['things', 'list', '-o', 'csv'], listOf({ page: integer }), { total: 3 });
    expect(shown).toEqual({
      stdout: 'id\r\n1\r\n2\r\n',
      stderr: 'There may be more things after these 2. All of them: payctl things list -o csv --all\n',
      code: 0,
      queries: [''],
    });
  });

  it.each([
    [
      ['--cursor', '2'],
      ['page=2', 'page=3', 'page=4', 'page=5'],
    ],
    [
      ['--page', '2'],
      ['page=2', 'page=3', 'page=4', 'page=5'],
    ],
    [
      ['--cursor', '2:3'],
      ['page=2&per_page=3', 'page=3&per_page=3', 'page=4&per_page=3'],
    ],
  ])('goes on from a page in the pages that its number counts: %j', async (flags, queries) => {
    const shown = await run([...ALL, ...flags], byPage, { total: 7 });
    expect(shown).toMatchObject({ stdout: lines(queries[0] === 'page=2' ? 3 : 4, 7), stderr: '', queries });
  });

  it('ends at an empty page where the number of all items counts some that nobody gets', async () => {
    const members = { total_count: integer };
    const body = ({ items }: ServicePage) => ({ data: items, total_count: 9 });
    const description = listOf({ page: { ...integer, minimum: 1 } }, members);
    expect(await run(['things', 'list', '--all', '-o', 'csv'], description, { total: 3, body })).toEqual({
      stdout: 'id\r\n1\r\n2\r\n3\r\n',
      stderr: 'The service says that there are more things, but it sends none.\n',
      code: 0,
      queries: ['', 'page=2', 'page=3'],
    });
  });

  it.each([0, '0', 1, -1, true, 7, 2 ** 53 - 1])(
    'goes to the next page, whatever number of it the last page with items names: %j',
    async (next_page) => {
      const description = listOf(
        { page: { ...integer, minimum: 1 }, per_page: { ...integer, maximum: 3 } },
        { next_page: {} },
      );
      const body = ({ items, page }: ServicePage) => ({
        data: items,
        next_page: page === 2 ? next_page : page === 1 ? 2 : null,
      });
      const shown = await run(ALL, description, { total: 6, body });
      expect(shown).toEqual({
        stdout: lines(1, 6),
        stderr: '',
        code: 0,
        queries: ['per_page=3', 'per_page=3&page=2', 'per_page=3&page=3'],
      });
    },
  );

  it('takes no number of items for that of a page', async () => {
    const members = { next_offset: { type: ['integer', 'null'] } };
    const description = listOf({ page: { ...integer, minimum: 1 } }, members);
    const body = ({ items, offset, size, total }: ServicePage) => ({
      data: items,
      next_offset: offset + size < total ? offset + size : null,
    });
    const shown = await run(ALL, description, { total: 7, body });
    expect(shown).toMatchObject({ stdout: lines(1, 7), stderr: '', code: 0 });
    expect(shown.queries).toEqual(['', 'page=2', 'page=3', 'page=4']);
  });

  it('says from where to go on where a page fails', async () => {
    const body = ({ items, page }: ServicePage) => (page < 3 ? items : 'no page');
    const shown = await run(['things', 'list', '--all', '-o', 'csv'], byPage, { total: 9, body });
    expect(shown).toMatchObject({ stdout: 'id\r\n1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n', code: 9 });
    expect(shown.stderr).toContain('payctl things list --all -o csv --no-header --cursor 3:3\n');
  });

  it('continues a file at the page that failed', async () => {
    const file = join(folderForTest(), 'things.csv');
    let failures = 1;
    const body = ({ items, page }: ServicePage) => (page === 3 && failures-- > 0 ? 'no page' : items);
    const list = ['things', 'list', '--page', '2', '--all', '-o', 'csv', '--output-file', file];
    const service = await countedService({ total: 10, body });
    const home = importedHome(byPage);
    const env = { PAYCTL_BASE_URL: service.origin };
    const failed = await runImported(list, home, { env });
    expect(failed).toMatchObject({ stdout: '', code: 9 });
    expect(failed.stderr).toContain(`Resume with: payctl ${list.join(' ')} --resume\n`);
    const rest = await runImported([...list, '--resume'], home, { env });
    expect(rest).toMatchObject({ stdout: '', stderr: `Wrote 8 items to ${file}.\n`, code: 0 });
    const queries = ['page=2', 'page=3', 'page=3', 'page=4', 'page=5', 'page=6'];
    expect(service.queries()).toEqual(queries);
    expect(readFileSync(file, 'utf8')).toBe('id\r\n3\r\n4\r\n5\r\n6\r\n7\r\n8\r\n9\r\n10\r\n');
  });

  it('takes a cursor for a number where its pages name none', async () => {
    const members = { next: { type: ['string', 'null'] } };
    const description = listOf({ page: { ...integer, minimum: 1 }, cursor: { type: 'string' } }, members);
    const body = ({ items, page }: ServicePage) => ({ data: items, next: page < 2 ? '?page=2' : null });
    expect(await run(ALL, description, { total: 4, body })).toMatchObject({
      stdout: lines(1, 4),
      stderr: '',
    });
    const second = await run(['things', 'list', '--cursor', '2', '-o', 'ndjson'], description, {
      total: 4,
      body,
    });
    expect(second).toMatchObject({ stdout: lines(3, 4), queries: ['page=2'] });
  });

  it('follows links where the pages have some', async () => {
    const service: ServiceOptions = { total: 5 };
    const members = {
      _links: {
        type: 'object',
        properties: { next: { type: 'object', properties: { href: { type: 'string' } } } },
      },
    };
    const body = ({ items, page, url }: ServicePage) => {
      const last = page === 3;
      url.searchParams.set('page', String(page + 1));
      return { data: items, _links: last ? {} : { next: { href: url.pathname + url.search } } };
    };
    const shown = await run(ALL, listOf({ page: integer }, members), { ...service, body });
    expect(shown).toEqual({ stdout: lines(1, 5), stderr: '', code: 0, queries: ['', 'page=2', 'page=3'] });
  });
});

describe('a list that is paged by offset', () => {
  it.each(['offset', 'skip', 'start', '$skip'])(
    'is followed by the items that came: %s',
    async (parameter) => {
      const description = listOf({
        [parameter]: { ...integer, minimum: 0, default: 0 },
        limit: { ...integer, maximum: 3 },
      });
      const shown = await run(ALL, description, {
        total: 5,
        counts: 'items',
        parameter,
        size: 'limit',
        largest: 2,
      });
      expect(shown).toMatchObject({ stdout: lines(1, 5), stderr: '', code: 0 });
      const numbers = shown.queries.map((query) => new URLSearchParams(query).get(parameter));
      expect(numbers).toEqual([null, '2', '4', '5']);
    },
  );

  it.each([
    [0, {}, ['', 'start=2', 'start=4']],
    [1, {}, ['', 'start=2', 'start=3', 'start=5']],
    [1, { minimum: 1 }, ['', 'start=3', 'start=5']],
  ])('counts from %i as the description or a request says: %j', async (first, limits, starts) => {
    const description = listOf({ start: { ...integer, ...limits }, limit: integer });
    const options = { total: 4, counts: 'items', parameter: 'start', size: 'limit', first } as const;
    const shown = await run(ALL, description, options);
    expect(shown).toEqual({ stdout: lines(1, 4), stderr: '', code: 0, queries: starts });
  });

  it('is not mixed with a page number', async () => {
    const parameters = { offset: integer, page: integer, limit: integer };
    const description = listOf(parameters);
    const options = { total: 9, counts: 'items', parameter: 'offset', size: 'limit' } as const;
    expect(await run(ALL, description, { ...options, total: 3 })).toMatchObject({
      stdout: lines(1, 3),
      code: 0,
    });
    for (const one of [
      ['things', 'list', '--page', '2', '-o', 'csv'],
      ['api', 'get', '/things?page=2', '-o', 'csv'],
    ])
      expect(await run(one, description, options)).toMatchObject({
        stderr: '',
        code: 0,
        queries: ['page=2'],
      });
    for (const all of [
      [...ALL, '--page', '2'],
      ['api', 'get', '/things?page=2', '--all', '-o', 'ndjson'],
    ]) {
      const refused = await run(all, description, options);
      expect(refused).toMatchObject({ stdout: '', code: 2, queries: [] });
      expect(JSON.parse(refused.stderr).error.message).toBe(
        'The pages of this list are counted by "offset", not by "page"',
      );
    }
  });

  it('may be written as in JSON:API', async () => {
    const description = listOf({ 'page[offset]': integer, 'page[limit]': { ...integer, maximum: 2 } });
    const options = { total: 3, counts: 'items', parameter: 'page[offset]', size: 'page[limit]' } as const;
    const shown = await run(ALL, description, options);
    expect(shown).toMatchObject({ stdout: lines(1, 3), stderr: '', code: 0 });
    expect(shown.queries).toHaveLength(3);
  });

  it('is no time', async () => {
    const period = await imported(listOf({ start: integer, end: integer, limit: integer }));
    expect(only(period).paging).toBeUndefined();
    expect(codes(period)).toEqual(['paging_not_followed /paths/~1things/get']);
  });
});

describe('a list that goes on after an ID', () => {
  it('is followed where nothing says that there is more', async () => {
    const description = listOf({ starting_after: { type: 'string' }, limit: { ...integer, maximum: 2 } });
    const options = { total: 3, counts: 'ids', parameter: 'starting_after', size: 'limit' } as const;
    expect(await run(ALL, description, options)).toEqual({
      stdout: lines(1, 3),
      stderr: '',
      code: 0,
      queries: ['limit=2', 'limit=2&starting_after=2', 'limit=2&starting_after=3'],
    });
  });
});

describe('the client library', () => {
  it('reads counted lists in any number of runs', async () => {
    const service = await countedService({ total: 5, first: 0 });
    const { list } = await clientAt(service.origin).withDescription(listOf({ page: integer }));
    const things = list('things');
    const runs = [things.items(), things.items()].map((items) => Array.fromAsync(items));
    for (const items of await Promise.all(runs)) expect(items).toEqual([1, 2, 3, 4, 5].map((id) => ({ id })));
    expect((await things.list({ page: 1 })).items).toEqual([{ id: 3 }, { id: 4 }]);
    const pages = await Array.fromAsync(things.pages({ cursor: '1' }));
    expect(pages.map(({ items }) => items.length)).toEqual([2, 1, 0]);
  });
});
