import { describe, expect, it } from 'vitest';
import { clientAt, serve } from '../../client/live-client.ts';
import { answer, codes, document, get, imported, only } from '../../descriptions/describe.ts';
import { answers } from '../../harness/http-server.ts';
import { importedHome, runImported } from './run-imported.ts';

const thing = {
  type: 'object',
  properties: { id: { type: 'string' }, name: { type: 'string', 'x-personal-data': true } },
};
const text = { type: 'string' };
const parameters = [
  { name: 'cursor', in: 'query', schema: text },
  { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 50 } },
];
const paged = get({
  operationId: 'list_things',
  parameters,
  responses: answer({
    type: 'object',
    properties: {
      total: { type: 'integer' },
      data: { type: 'array', items: thing },
      meta: { type: 'object', properties: { next_cursor: text } },
    },
  }),
});
const pages = [
  { body: '{"total": 3.0, "data": [{"id":"a","n":1.0},{"id":"b"}], "meta":{"next_cursor":"c2"}}' },
  { body: '{"total": 3.0, "data": [{"id":"c","name":"Ada"}], "meta":{"next_cursor":null}}' },
];

describe('a list in an envelope of its own', () => {
  it('is followed to its end, with every value as it was sent', async () => {
    const described = importedHome(paged);
    expect(
      await runImported(['things', 'list', '--all', '-o', 'ndjson', '-q'], described, { script: pages }),
    ).toEqual({
      stdout: '{"id":"a","n":1.0}\n{"id":"b"}\n{"id":"c","name":"********"}\n',
      stderr: '',
      code: 0,
      sent: [
        ['GET', '/things?limit=50'],
        ['GET', '/things?cursor=c2&limit=50'],
      ],
    });
    const whole = await runImported(['things', 'list', '--all', '-o', 'json', '--reveal-pii'], described, {
      script: pages,
    });
    expect(whole.stdout).toBe(
      '{"data":[{"id":"a","n":1.0},{"id":"b"},{"id":"c","name":"Ada"}],"total":3.0,"meta":{"next_cursor":null}}\n',
    );
  });

  it.each([
    [
      'json',
      '{"data":[{"id":"a"},{"id":"b"},{"id":"c"}],"total":4,"meta":{"next_cursor":"c2"},"next_cursor":"c2"}\n',
    ],
    ['yaml', 'data:\n- id: a\n- id: b\n- id: c\ntotal: 4\nmeta:\n  next_cursor: c2\nnext_cursor: c2\n'],
  ])('has no cursor that leaves out the rest of a page that is cut, as %s', async (format, stdout) => {
    const script = [
      { body: '{"total":4,"data":[{"id":"a"},{"id":"b"}],"meta":{"next_cursor":"c2"}}' },
      { body: '{"total":4,"data":[{"id":"c"},{"id":"d"}],"meta":{"next_cursor":"c3"}}' },
    ];
    const argv = ['things', 'list', '-o', format, '--max-items', '3'];
    expect((await runImported(argv, importedHome(paged), { script })).stdout).toBe(stdout);
  });

  it.each([
    [
      ['-o', 'yaml', '--max-items', '2'],
      'data:\n- id: a\n  "n": 1.0\n- id: b\ntotal: 3.0\nmeta:\n  next_cursor: c2\nnext_cursor: c2\n',
    ],
    [['--all', '--jq', '.data | length'], '3\n'],
    [
      ['--all', '-o', 'json', '--columns', 'id'],
      '{"data":[{"id":"a"},{"id":"b"},{"id":"c"}],"total":3.0,"meta":{"next_cursor":null}}\n',
    ],
  ])('keeps its name in a document of many pages: %j', async (flags, expected) => {
    const described = importedHome(paged);
    const { stdout } = await runImported(['things', 'list', '-q', ...flags], described, { script: pages });
    expect(stdout).toBe(expected);
  });

  it('is shown as rows, with the command that continues it', async () => {
    const described = importedHome(paged);
    expect(
      await runImported(['things', 'list', '--limit', '2', '-o', 'csv'], described, { script: pages }),
    ).toEqual({
      stdout: 'id,name\r\na,\r\nb,\r\n',
      stderr:
        'There are more things after these 2. For all pages, add --all. Next page: payctl things list --limit 2 -o csv --cursor c2\n',
      code: 0,
      sent: [['GET', '/things?limit=2']],
    });
  });

  it('is printed as JSON as it came, where it is one page', async () => {
    const described = importedHome(paged);
    const [first] = pages;
    const one = await runImported(
      ['things', 'list', '--limit', '2', '--cursor', 'c1', '-o', 'json'],
      described,
      { script: pages },
    );
    const more = 'There are more things after these 2. For all pages, add --all. Next page:';
    const message = `${more} payctl things list --limit 2 -o json --cursor c2`;
    expect(one).toMatchObject({
      code: 0,
      stderr: `${JSON.stringify({ warning: { code: 'list_cut', message } })}\n`,
      sent: [['GET', '/things?cursor=c1&limit=2']],
    });
    expect(JSON.parse(one.stdout)).toEqual(JSON.parse(first?.body ?? ''));
    const ids = await runImported(['things', 'list', '--jq', '.data[].id'], described, { script: pages });
    expect(ids).toMatchObject({ stdout: 'a\nb\n', code: 0 });
    expect(ids.stderr).toBe(`${more} payctl things list --jq '.data[].id' --cursor c2\n`);
    const last = await runImported(['things', 'list', '-o', 'yaml'], described, { script: pages.slice(-1) });
    expect(last).toMatchObject({
      stderr: 'Personal data is masked. Add --reveal-pii to show it.\n',
      code: 0,
    });
    const raw = await runImported(['api', 'get', '/things?limit=1', '-o', 'ndjson', '-q'], described, {
      script: pages,
    });
    expect(raw.stdout).toBe('{"id":"a","n":1.0}\n{"id":"b"}\n');
  });

  it('fails where the answer has no such list, or a cursor that is none', async () => {
    const described = importedHome(paged);
    for (const [body, member] of [
      ['{"data":{}}', 'data'],
      ['{"data":[],"meta":{"next_cursor":{}}}', 'meta.next_cursor'],
    ] as const) {
      const failed = await runImported(['things', 'list', '-o', 'csv'], described, { script: [{ body }] });
      expect(failed).toMatchObject({ stdout: '', code: 9 });
      expect(failed.stderr).toContain(`The response is not a valid page: it has no usable \`${member}\``);
    }
  });

  it('is paged by the client library, too', async () => {
    const server = await serve(answers(pages));
    const client = clientAt(server.origin);
    const { list } = await client.withDescription(paged);
    const ids = [];
    for await (const item of list('list_things').items()) ids.push((item as { id: string }).id);
    expect(ids).toEqual(['a', 'b', 'c']);
  });

  it('is one page where the description takes no cursor', async () => {
    const bare = document({
      '/things': {
        get: { responses: answer({ type: 'object', properties: { data: { type: 'array', items: thing } } }) },
      },
    });
    const shown = await runImported(['things', 'list', '--all', '-o', 'ndjson', '-q'], importedHome(bare), {
      script: pages,
    });
    expect(shown).toMatchObject({
      stdout: '{"id":"a","n":1.0}\n{"id":"b"}\n',
      stderr: '',
      code: 0,
      sent: [['GET', '/things']],
    });
  });
});

describe('a list whose next page is told in another way', () => {
  const list = (parameter: string, envelope: object) =>
    get({
      operationId: 'list_things',
      parameters: [
        { name: parameter, in: 'query', schema: text },
        { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 50 } },
      ],
      responses: answer({
        type: 'object',
        properties: { data: { type: 'array', items: thing }, ...envelope },
      }),
    });
  const byLastId = list('starting_after', { has_more: { type: 'boolean' } });
  const lastIdPages = [
    { body: '{"data":[{"id":"a"},{"id":"b"}],"has_more":true}' },
    { body: '{"data":[{"id":"c"}],"has_more":false}' },
  ];
  const byToken = list('pageToken', { nextPageToken: text });
  const tokenPages = [
    { body: '{"data":[{"id":"a"},{"id":"b"}],"nextPageToken":"t 2"}' },
    { body: '{"data":[{"id":"c"}]}' },
  ];

  it.each(['"true"', '1', '"false"', '{}'])('ends with an error where has_more is %s', async (value) => {
    const script = [{ body: `{"data":[{"id":"a"}],"has_more":${value}}` }];
    const run = await runImported(['things', 'list', '--all'], importedHome(byLastId), { script });
    expect(run).toMatchObject({ code: 9, stderr: expect.stringContaining('it has no usable `has_more`') });
  });

  it.each([
    ['the ID of the last item', byLastId, lastIdPages, 'starting_after=b', 'b'],
    ['a token', byToken, tokenPages, 'pageToken=t%202', "'t 2'"],
  ])('is followed by %s', async (_, description, script, parameter, cursor) => {
    const described = importedHome(description);
    expect(await runImported(['things', 'list', '--all', '-o', 'ndjson'], described, { script })).toEqual({
      stdout: '{"id":"a"}\n{"id":"b"}\n{"id":"c"}\n',
      stderr: '',
      code: 0,
      sent: [
        ['GET', '/things?limit=50'],
        ['GET', `/things?${parameter}&limit=50`],
      ],
    });
    const flags = ['things', 'list', '--limit', '2', '-o', 'csv', '--columns', 'id'];
    expect(await runImported(flags, described, { script })).toMatchObject({
      stdout: 'id\r\na\r\nb\r\n',
      stderr: `There are more things after these 2. For all pages, add --all. Next page: payctl ${flags.join(' ')} --cursor ${cursor}\n`,
      sent: [['GET', '/things?limit=2']],
    });
    const last = { script: script.slice(1) };
    for (const format of ['csv', 'json']) {
      const args = ['things', 'list', '--cursor', 'x', '-o', format, '-q'];
      const { sent } = await runImported(args, described, last);
      expect(sent).toEqual([['GET', `/things?${parameter.replace(/=.*/, '=x')}`]]);
    }
  });

  const object = (properties: object) => ({ type: 'object', properties });
  it.each([
    [
      'after',
      { page_info: object({ end_cursor: text, has_next_page: { type: 'boolean' } }) },
      (next: string | null) => ({ page_info: { end_cursor: next ?? 'last', has_next_page: next !== null } }),
    ],
    [
      'start_cursor',
      { next_cursor: text, has_more: { type: 'boolean' } },
      (next: string | null) => ({ next_cursor: next, has_more: next !== null }),
    ],
    [
      'cursor',
      { next_cursor: text, has_more: { type: 'boolean' } },
      (next: string | null) => ({ next_cursor: next ?? 'last', has_more: next !== null }),
    ],
    [
      'next_page_token',
      { next_page_token: text },
      (next: string | null) => ({ next_page_token: next ?? '' }),
    ],
    [
      'after',
      { paging: object({ next: object({ after: text }) }) },
      (next: string | null) => (next === null ? {} : { paging: { next: { after: next } } }),
    ],
    [
      'continuationToken',
      { continuationToken: text },
      (next: string | null) => ({ continuationToken: next }),
    ],
    [
      'starting_after',
      { meta: object({ has_more: { type: 'boolean' } }) },
      (next: string | null) => ({ meta: { has_more: next !== null } }),
    ],
  ])('is followed by %s, as its pages say: %j', async (parameter, envelope, told) => {
    const description = list(parameter, envelope);
    const known = await imported(description);
    expect([codes(known), only(known).paginated]).toEqual([[], true]);
    const script = [
      { body: { data: [{ id: 'a' }, { id: 'b' }], ...told('b') } },
      { body: { data: [{ id: 'c' }], ...told(null) } },
    ];
    const argv = ['things', 'list', '--all', '-o', 'ndjson'];
    expect(await runImported(argv, importedHome(description), { script })).toEqual({
      stdout: '{"id":"a"}\n{"id":"b"}\n{"id":"c"}\n',
      stderr: '',
      code: 0,
      sent: [
        ['GET', '/things?limit=50'],
        ['GET', `/things?${parameter}=b&limit=50`],
      ],
    });
    const whole = await runImported(['things', 'list', '--all', '--json'], importedHome(description), {
      script,
    });
    const last: object = told(null);
    expect(JSON.parse(whole.stdout)).toEqual({
      data: [{ id: 'a' }, { id: 'b' }, { id: 'c' }],
      ...last,
      ...('next_cursor' in last && { next_cursor: null }),
    });
    const raw = await runImported(
      ['api', 'get', `/things?${parameter}=b`, '--all', '-o', 'ndjson'],
      importedHome(description),
      { script: script.slice(1) },
    );
    expect(raw).toMatchObject({ stdout: '{"id":"c"}\n', sent: [['GET', `/things?${parameter}=b&limit=50`]] });
  });

  it('takes no time for a cursor', async () => {
    const page = object({ data: { type: 'array', items: thing }, has_more: { type: 'boolean' } });
    const after = { name: 'after', in: 'query', schema: { ...text, format: 'date-time' } };
    const known = await imported(get({ parameters: [after], responses: answer(page) }));
    expect([codes(known), only(known).paginated]).toEqual([
      ['paging_not_followed /paths/~1things/get'],
      false,
    ]);
  });
});

describe('a list whose page size is not called limit', () => {
  const list = (name: string, schema: object) =>
    get({
      operationId: 'list_things',
      parameters: [
        { name: 'page_token', in: 'query', schema: text },
        { name, in: 'query', schema },
      ],
      responses: answer({
        type: 'object',
        properties: { data: { type: 'array', items: thing }, next_page_token: text },
      }),
    });
  const script = [
    { body: '{"data":[{"id":"a"},{"id":"b"}],"next_page_token":"t2"}' },
    { body: '{"data":[{"id":"c"}]}' },
  ];
  const sized = list('page_size', { type: 'integer', maximum: 50 });

  it.each([
    ['the largest page for all items', ['--all'], ['page_size=50', 'page_size=50']],
    ['no more than are wanted', ['--max-items', '3'], ['page_size=3', 'page_size=1']],
    ['the pages that were chosen', ['--page-size', '2', '--all'], ['page_size=2', 'page_size=2']],
    ['fewer at the end', ['--page-size', '2', '--max-items', '3'], ['page_size=2', 'page_size=1']],
  ])('is asked for %s', async (_, flags, queries) => {
    const args = ['things', 'list', ...flags, '-o', 'ndjson', '-q'];
    const { stdout, sent } = await runImported(args, importedHome(sized), { script });
    expect(stdout).toBe('{"id":"a"}\n{"id":"b"}\n{"id":"c"}\n');
    expect(sent.map(([, path]) => new URLSearchParams(String(path).split('?')[1]))).toEqual(
      queries.map((query, index) => new URLSearchParams(index === 0 ? query : `${query}&page_token=t2`)),
    );
  });

  it.each([
    ['a single page', sized, []],
    ['a parameter that is no number', list('page_size', text), ['--all']],
  ])('is asked for nothing where there is %s', async (_, description, flags) => {
    const args = ['things', 'list', ...flags, '-o', 'ndjson', '-q'];
    const { sent } = await runImported(args, importedHome(description), { script });
    expect(sent[0]).toEqual(['GET', '/things']);
  });
});
