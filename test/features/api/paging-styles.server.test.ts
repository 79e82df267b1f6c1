import { describe, expect, it } from 'vitest';
import { answer, codes, document, imported, type Json } from '../../descriptions/describe.ts';
import { importedHome, runImported } from './run-imported.ts';

const text = { type: 'string' };
const integer = { type: 'integer' };
const object = (properties: Json) => ({ type: 'object', properties });
const listOf = (item: Json = { id: integer }) => ({ type: 'array', items: object(item) });

/** A description of one list with these parameters, in pages with these members. */
function described(path: string, parameters: Json, page: Json) {
  const query = Object.entries(parameters).map(([name, schema]) => ({ name, in: 'query', schema }));
  return document({ [path]: { get: { parameters: query, responses: answer(object(page)) } } });
}

const things = (parameters: Json, page: Json) => described('/things', parameters, page);
const ALL = ['things', 'list', '--all', '-o', 'csv', '--columns', 'id'];
const link = object({ href: text });

it('the lists of an export name the parameters that a list requires', async () => {
  const required = { parameters: [{ name: 'ids', in: 'query', required: true, schema: text }] };
  const list = { responses: answer(object({ items: listOf() })) };
  const home = importedHome(
    document({ '/albums': { get: { ...list, ...required } }, '/things': { get: list } }),
  );
  const { stdout } = await runImported(['export', '--list', '-o', 'json'], home);
  const needs = JSON.parse(stdout).items.map((item: Json) => [item.resource, item.needs]);
  expect(needs.slice(0, 1)).toEqual([['albums', ['ids']]]);
  expect(needs.find(([resource]: [string]) => resource === 'things')).toEqual(['things', []]);
});

describe('the pages of a list', () => {
  it.each<[string, Json, Json, readonly [Json, Json], string]>([
    [
      'a text for the offset, in the object of the next page',
      { offset: text },
      { data: listOf(), next_page: { oneOf: [object({ offset: text, path: text }), { type: 'null' }] } },
      [
        { data: [{ id: 1 }], next_page: { offset: 'eyJ0', path: '/x' } },
        { data: [{ id: 2 }], next_page: null },
      ],
      '/things?offset=eyJ0',
    ],
    [
      'a text for the page, beside what says that there are more',
      { page: text },
      { data: listOf(), has_more: { type: 'boolean' }, next_page: { type: ['string', 'null'] } },
      [
        { data: [{ id: 1 }], has_more: true, next_page: 'WzE' },
        { data: [{ id: 2 }], has_more: false, next_page: null },
      ],
      '/things?page=WzE',
    ],
    [
      'a cursor of the same name as its parameter',
      { cursor: text },
      { things: listOf(), cursor: text },
      [{ things: [{ id: 1 }], cursor: 'a b' }, { things: [{ id: 2 }] }],
      '/things?cursor=a%20b',
    ],
    [
      'continue, in the metadata',
      { continue: text, limit: integer },
      { metadata: object({ continue: text, remainingItemCount: integer }), items: listOf() },
      [
        { metadata: { continue: 'tok', remainingItemCount: 1 }, items: [{ id: 1 }] },
        { metadata: { continue: '' }, items: [{ id: 2 }] },
      ],
      '/things?continue=tok',
    ],
    [
      'a relative address that is called an URI',
      { PageSize: integer, PageToken: text },
      { things: listOf(), next_page_uri: { type: 'string', nullable: true }, page_size: integer },
      [
        { things: [{ id: 1 }], next_page_uri: '/v1/things?PageToken=PA1' },
        { things: [{ id: 2 }], next_page_uri: null },
      ],
      '/v1/things?PageToken=PA1',
    ],
    [
      'the object of a link among the links of HAL',
      { limit: integer, from: text },
      { data: listOf(), _links: object({ self: link, next: { oneOf: [link, { type: 'null' }] } }) },
      [
        { data: [{ id: 1 }], _links: { self: { href: '/things' }, next: { href: '/things?from=b' } } },
        { data: [{ id: 2 }], _links: { self: { href: '/things?from=b' }, next: null } },
      ],
      '/things?from=b',
    ],
    [
      'an address among the links of JSON:API',
      { 'page[size]': integer },
      { data: listOf(), links: object({ first: text, next: { type: ['string', 'null'] } }) },
      [
        { data: [{ id: 1 }], links: { first: '/things', next: '/things?page%5Bnumber%5D=2' } },
        { data: [{ id: 2 }], links: { first: '/things', next: null } },
      ],
      '/things?page%5Bnumber%5D=2',
    ],
    [
      'a link in the object of the next page',
      { limit: integer },
      { results: listOf(), paging: object({ next: object({ link: text }) }) },
      [{ results: [{ id: 1 }], paging: { next: { link: '/things?after=2' } } }, { results: [{ id: 2 }] }],
      '/things?after=2',
    ],
    [
      'a cursor in the object of the next page, before its link',
      { after: text },
      { results: listOf(), paging: object({ next: object({ link: text, after: text }) }) },
      [{ results: [{ id: 1 }], paging: { next: { link: '/other', after: 'x' } } }, { results: [{ id: 2 }] }],
      '/things?after=x',
    ],
    [
      'an iterator, which the last page has, too',
      { iterator: { ...text, nullable: true }, after: { ...text, format: 'date-time' }, limit: integer },
      { data: listOf(), done: { type: 'boolean' }, iterator: { ...text, nullable: true } },
      [
        { data: [{ id: 1 }], done: false, iterator: 'it1' },
        { data: [{ id: 2 }], done: true, iterator: 'it2' },
      ],
      '/things?iterator=it1',
    ],
    [
      'a cursor called "after", for the parameter of that name',
      { before: text, after: text, limit: integer },
      {
        data: listOf(),
        list_metadata: object({ before: { ...text, nullable: true }, after: { ...text, nullable: true } }),
      },
      [
        { data: [{ id: 1 }], list_metadata: { before: null, after: 'tok' } },
        { data: [{ id: 2 }], list_metadata: { before: 'tok', after: null } },
      ],
      '/things?after=tok',
    ],
    [
      'a text called "next", for the parameter of that name',
      { next: text, prev: text },
      { pagination: object({ next: text, prev: text }), models: listOf() },
      [
        { pagination: { next: 'tok' }, models: [{ id: 1 }] },
        { pagination: {}, models: [{ id: 2 }] },
      ],
      '/things?next=tok',
    ],
    [
      'a number for the item that it begins at, which becomes smaller',
      { limit: integer, from: integer },
      { results: listOf(), from: { ...integer, nullable: true }, next: { ...integer, nullable: true } },
      [
        { results: [{ id: 1 }], from: 2, next: 1 },
        { results: [{ id: 2 }], from: 1, next: null },
      ],
      '/things?from=1',
    ],
    [
      'its number where no parameter takes the cursor',
      { page: integer, per_page: integer },
      {
        data: listOf(),
        pages: object({ page: integer, total_pages: integer, next: object({ starting_after: text }) }),
      },
      [
        { data: [{ id: 1 }], pages: { page: 1, total_pages: 2, next: { starting_after: 'x' } } },
        { data: [{ id: 2 }], pages: { page: 2, total_pages: 2, next: null } },
      ],
      '/things?page=2',
    ],
    [
      'its first item, until there are no more',
      { start_index: { ...integer, default: 0 }, count: integer },
      { data: listOf(), is_more: { type: 'boolean' } },
      [
        { data: [{ id: 1 }], is_more: true },
        { data: [{ id: 2 }], is_more: false },
      ],
      '/things?start_index=1',
    ],
  ])('are found by %s', async (_, parameters, page, bodies, second) => {
    const description = things(parameters, page);
    expect(codes(await imported(description))).toEqual([]);
    const script = bodies.map((body) => ({ body }));
    const { stdout, stderr, code, sent } = await runImported(ALL, importedHome(description), { script });
    expect([stdout, stderr, code]).toEqual(['id\r\n1\r\n2\r\n', '', 0]);
    expect(sent).toEqual([
      ['GET', '/things'],
      ['GET', second],
    ]);
  });

  it.each([
    ['after_cursor', 'X-After-Cursor'],
    ['cursor', 'X-Next-Cursor'],
    ['page_token', 'X-Next-Page-Token'],
  ])('are found by a cursor for %s in the header %s', async (parameter, header) => {
    const parameters = [parameter, 'per_page'].map((name) => ({ name, in: 'query', schema: text }));
    const response = { ...Object(answer(listOf())['200']), headers: { [header]: { schema: text } } };
    const description = document({ '/things': { get: { parameters, responses: { 200: response } } } });
    expect(codes(await imported(description))).toEqual([]);
    const script = [
      { body: [{ id: 1 }], headers: { [header]: 'a b', 'content-type': 'application/json' } },
      { body: [{ id: 2 }] },
    ];
    const home = importedHome(description);
    const { stdout, stderr, code, sent } = await runImported(ALL, home, { script });
    expect([stdout, stderr, code]).toEqual(['id\r\n1\r\n2\r\n', '', 0]);
    expect(sent).toEqual([
      ['GET', '/things'],
      ['GET', `/things?${parameter}=a%20b`],
    ]);
    const one = await runImported(['things', 'list'], home, { script });
    expect(one.stderr).toBe(
      "There are more things after this one. For all pages, add --all. Next page: payctl things list --cursor 'a b'\n",
    );
  });

  it.each([
    ['token', { card: text, token: text }],
    ['sid', { name: text, sid: text }],
    ['card_id', { card_id: text, name: text }],
  ])('begin after the last item by its %s', async (name, item) => {
    const page = { data: listOf(item), has_more: { type: 'boolean' } };
    const script = [
      { body: { data: [{ [name]: 'a' }, { [name]: 'b' }], has_more: true } },
      { body: { data: [{ [name]: 'c' }], has_more: false } },
    ];
    const argv = ['cards', 'list', '--all', '-o', 'csv', '--columns', name, '--reveal-secrets'];
    const home = importedHome(described('/cards', { starting_after: text }, page));
    const { stdout, code, sent } = await runImported(argv, home, { script });
    expect([stdout, code]).toEqual([`${name}\r\na\r\nb\r\nc\r\n`, 0]);
    expect(sent).toEqual([
      ['GET', '/cards'],
      ['GET', '/cards?starting_after=b'],
    ]);
  });

  it('begin after the last item of an array by its token', async () => {
    const parameters = [{ name: 'starting_after', in: 'query', schema: text }];
    const get = { parameters, responses: answer(listOf({ token: text })) };
    const script = [{ body: [{ token: 'a' }] }, { body: [{ token: 'b' }] }, { body: [] }];
    const home = importedHome(document({ '/cards': { get } }));
    const { code, sent } = await runImported(['cards', 'list', '--all', '-o', 'ndjson'], home, { script });
    expect([code, sent.map(([, url]) => url)]).toEqual([
      0,
      ['/cards', '/cards?starting_after=a', '/cards?starting_after=b'],
    ]);
  });

  const SNOWFLAKE = { type: 'string', format: 'snowflake' };
  const array = (parameters: Json, item: object) => {
    const query = Object.entries(parameters).map(([name, schema]) => ({ name, in: 'query', schema }));
    return document({ '/things': { get: { parameters: query, responses: answer(listOf(item as Json)) } } });
  };
  const both = { after: SNOWFLAKE, before: SNOWFLAKE, limit: integer };

  it.each<[string, Json, readonly Json[][], string]>([
    ['after', { after: SNOWFLAKE, limit: integer }, [[{ id: '9' }, { id: '10' }], []], 'after=10'],
    ['after', both, [[{ id: '9' }, { id: '10' }], []], 'after=10'],
    ['before', both, [[{ id: '10' }, { id: '9' }], []], 'before=9'],
  ])('are %s the last item where %j take IDs', async (_, parameters, bodies, second) => {
    const description = array(parameters, { id: text });
    expect(codes(await imported(description))).toEqual([]);
    const script = bodies.map((body) => ({ body }));
    const { stderr, code, sent } = await runImported(ALL, importedHome(description), { script });
    expect([stderr, code, sent.map(([, url]) => url)]).toEqual(['', 0, ['/things', `/things?${second}`]]);
    const [, cursor] = second.split('=');
    const typed = second.startsWith('before') ? second.replace('=', ':') : (cursor ?? '');
    const one = await runImported(['things', 'list', '--cursor', typed], importedHome(description), {
      script: [{ body: [] }],
    });
    expect(one.sent).toEqual([['GET', `/things?${second}`]]);
  });

  it('are after the record in the last item, which has no other ID', async () => {
    const user = { type: 'object', properties: { id: text } };
    const description = document({
      '/members': {
        get: {
          parameters: [
            { name: 'after', in: 'query', schema: { ...integer, minimum: 0 } },
            { name: 'limit', in: 'query', schema: integer },
          ],
          responses: answer({
            type: 'array',
            items: { type: 'object', required: ['user'], properties: { user, joined_at: text } },
          }),
        },
      },
    });
    const script = [{ body: [{ user: { id: '900719925474099312' } }] }, { body: [] }];
    const { code, sent } = await runImported(['members', 'list', '--all'], importedHome(description), {
      script,
    });
    expect([code, sent.at(-1)]).toEqual([0, ['GET', '/members?after=900719925474099312']]);
  });

  it('have an unknown order where IDs are in none, and one ID is not that of every item', async () => {
    const home = importedHome(array(both, { id: text }));
    const mixed = await runImported(['things', 'list'], home, {
      script: [{ body: [{ id: '1' }, { id: '3' }, { id: '2' }] }],
    });
    expect(mixed.stderr).toContain('There may be more things');
    const same = await runImported(
      ALL,
      importedHome(array({ after: SNOWFLAKE, limit: integer }, { id: text })),
      {
        script: [
          {
            body: [
              { id: '1', n: 1 },
              { id: '1', n: 2 },
            ],
          },
        ],
      },
    );
    expect(same.code).toBe(9);
  });

  it('are not found by a text or a time called "after"', async () => {
    for (const schema of [text, { ...text, format: 'date-time' }]) {
      const [issue] = codes(await imported(array({ after: schema, limit: integer }, { id: text })));
      expect(issue).toContain('paging_not_followed');
    }
  });

  it('are not on another origin, whatever the page says', async () => {
    const script = [
      { body: { things: [{ id: 1 }], next_page_uri: 'https://elsewhere.example/things?page=2' } },
    ];
    const home = importedHome(things({}, { things: listOf(), next_page_uri: text }));
    const { stdout, stderr, code, sent } = await runImported(ALL, home, { script });
    expect([stdout, code, sent]).toEqual(['id\r\n1\r\n', 9, [['GET', '/things']]]);
    expect(stderr).toContain('leads to another origin');
  });
});

describe('a list that cannot be followed', () => {
  const page = { items: listOf() };
  const body = { items: [{ id: 1 }, { id: 2 }] };

  it.each<[string, Json, Json, Json, string]>([
    [
      'It pages by "skipToken", which payctl does not follow by itself',
      { skipToken: text },
      page,
      body,
      'The list is paged by "skipToken", which payctl does not follow, so there may be more things',
    ],
    [
      'It takes a page size ("per_page"), but the description does not say how to request the next page: payctl prints one page, or follows a Link header',
      { per_page: { ...integer, maximum: 2 } },
      page,
      body,
      'The page is full, and the description does not say how to request the next one',
    ],
    [
      'Its pages name a next cursor, but it takes no "cursor": payctl prints one page, or follows a Link header',
      {},
      { ...page, next_cursor: text },
      { ...body, next_cursor: 'c' },
      'There are more things, but the description has no parameter for the cursor in the page',
    ],
    [
      'Its pages say whether there are more, but the description does not say how to request the next page: payctl prints one page, or follows a Link header',
      {},
      { ...page, has_more: { type: 'boolean' } },
      { ...body, has_more: true },
      'The service says that there are more things, but it sends none',
    ],
    [
      'It pages by "end_cursor", which payctl does not follow by itself',
      { end_cursor: text },
      page,
      body,
      'The list is paged by "end_cursor", which payctl does not follow, so there may be more things',
    ],
  ])('is reported at the import, and fails with --all: %s', async (issue, parameters, members, sent, why) => {
    const description = things(parameters, members);
    expect((await imported(description)).index.issues.map(({ message }) => message)).toEqual([issue]);
    const home = importedHome(description);
    const all = await runImported(ALL, home, { script: [{ body: sent }] });
    expect([all.stdout, all.code]).toEqual(['id\r\n1\r\n2\r\n', 9]);
    expect(all.stderr).toMatch(
      /^Error: The list may be incomplete\. .* \(200 paging_unknown\)\nRequest: GET /,
    );
    expect(all.stderr).toContain(why);
    const one = await runImported(
      ALL.filter((word) => word !== '--all'),
      home,
      { script: [{ body: sent }] },
    );
    expect([one.stdout, one.code]).toEqual([all.stdout, 0]);
    // As the error says.
    expect(one.stderr).toMatch(/there (?:may be|are) more things/i);
    const document = await runImported(['things', 'list', '-o', 'json'], home, { script: [{ body: sent }] });
    expect(document.stderr).toContain('"code":"list_');
  });

  it('ends an export, which speaks of no flag that it does not have', async () => {
    const home = importedHome(things({ skipToken: text }, page));
    const argv = ['export', 'things', '--to', `${home.home}/copy`];
    const { code, stderr } = await runImported(argv, home, { script: [{ body }] });
    expect([code, stderr.includes('paging_unknown'), stderr.includes('--all')]).toEqual([9, true, false]);
    expect(stderr).toContain('To print what the service sends: payctl things list');
  });

  it('leaves no file behind that would pass for all of it', async () => {
    const home = importedHome(things({ skipToken: text }, page));
    const argv = ['things', 'list', '--all', '-o', 'csv', '--output-file', `${home.home}/all.csv`];
    const { code, stderr } = await runImported(argv, home, { script: [{ body }] });
    expect([code, stderr.includes('paging_unknown')]).toEqual([9, true]);
    const again = await runImported(argv, home, { script: [{ body: { items: [] } }] });
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('Wrote 0 items')]);
  });

  it('is complete where its page is not full, which it says', async () => {
    const home = importedHome(things({ limit: { ...integer, maximum: 3 } }, page));
    const { code, stderr } = await runImported(ALL, home, { script: [{ body }] });
    expect([code, stderr]).toEqual([
      0,
      'The description defines no cursor for this list, so payctl cannot tell whether there are more things.\n',
    ]);
  });
});
