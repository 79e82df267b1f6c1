import { describe, expect, it } from 'vitest';
import { serve } from '../../client/live-client.ts';
import { answer, codes, document, get, imported, only } from '../../descriptions/describe.ts';
import { importedHome, runImported } from './run-imported.ts';

const issue = { type: 'object', properties: { id: { type: 'integer' }, title: { type: 'string' } } };
const parameters = [
  { name: 'state', in: 'query', schema: { type: 'string' } },
  { name: 'page', in: 'query', schema: { type: 'integer' } },
];
const headers = { Link: { schema: { type: 'string' } } };
const listOf = (schema: object, others: object = {}) => {
  const [[status, response]] = Object.entries(answer(schema)) as [[string, object]];
  return get({ operationId: 'issues', parameters, responses: { [status]: { ...response, ...others } } });
};
const array = listOf({ type: 'array', items: issue });
const declared = listOf({ type: 'array', items: issue }, { headers });
const envelope = listOf({
  type: 'object',
  properties: { total: { type: 'integer' }, results: { type: 'array', items: issue } },
});

const linked = (
  body: string,
  link = '</repositories/7/things?state=open&page=2>; rel="next", </x>; rel="last"',
) => ({
  body,
  headers: { link, 'content-type': 'application/json' },
});
const pages = [linked('[{"id":1, "n":1.0},{"id":2}]'), { body: '[{"id":3}]' }];
const enveloped = [
  linked('{"total":3,"results":[{"id":1},{"id":2}]}'),
  { body: '{"total":3,"results":[{"id":3}]}' },
];
const SECOND = '/repositories/7/things?state=open&page=2';
const run = ['things', 'list', '--state', 'open'];

describe('a list whose pages are linked by headers', () => {
  it.each([
    ['ndjson', '{"id":1,"n":1.0}\n{"id":2}\n{"id":3}\n'],
    ['json', '[{"id":1, "n":1.0},{"id":2},{"id":3}]\n'],
    ['yaml', '- id: 1\n  "n": 1.0\n- id: 2\n- id: 3\n'],
    ['csv', 'id,title\r\n1,\r\n2,\r\n3,\r\n'],
    ['table', 'ID\tTITLE\n1\t\n2\t\n3\t\n'],
  ])('is followed to its end with --all as %s', async (format, stdout) => {
    for (const description of [array, declared]) {
      const script = format === 'ndjson' ? [linked('[{"id":1,"n":1.0},{"id":2}]'), pages[1] ?? {}] : pages;
      const shown = await runImported([...run, '--all', '-o', format], importedHome(description), {
        script,
      });
      expect(shown).toEqual({
        stdout,
        stderr: '',
        code: 0,
        sent: [
          ['GET', '/things?state=open'],
          ['GET', SECOND],
        ],
      });
    }
  });

  it('ends where the link says that the next page has no results', async () => {
    const parameters = [
      { name: 'cursor', in: 'query', schema: { type: 'string' } },
      { name: 'per_page', in: 'query', schema: { type: 'integer' } },
    ];
    const responses = answer({ type: 'array', items: issue });
    const link = (at: string, results: boolean) =>
      `</things?&cursor=0:0:1>; rel="previous"; results="false"; cursor="0:0:1", </things?&cursor=${at}>; rel="next"; results="${results}"; cursor="${at}"`;
    const script = [linked('[{"id":1}]', link('0:1:0', true)), linked('[{"id":2}]', link('0:2:0', false))];
    for (const all of [parameters, parameters.slice(1)]) {
      const home = importedHome(get({ operationId: 'things', parameters: all, responses }));
      const shown = await runImported(['things', 'list', '--all', '-o', 'ndjson'], home, { script });
      expect([shown.stderr, shown.code, shown.sent.length]).toEqual(['', 0, 2]);
      expect(shown.sent[1]).toEqual(['GET', expect.stringMatching(/^\/things\?&?cursor=0(:|%3A)1(:|%3A)0$/)]);
      const last = await runImported(['things', 'list', '--all'], home, { script: script.slice(1) });
      expect([last.stderr, last.code]).toEqual(['', 0]);
    }
  });

  it.each([
    [['api', 'get', '/things?state=open'], "All of them: payctl api get '/things?state=open' --all"],
    [
      ['api', 'get', '/things?state=open&page=2'],
      "For all pages, add --all. Next page: payctl api get '/things?state=open&page=2' --cursor 3",
    ],
    [[...run, '--cursor', SECOND], undefined],
    [
      [...run, '--page', '2'],
      'For all pages, add --all. Next page: payctl things list --state open --cursor 3',
    ],
    [run, 'All of them: payctl things list --state open --all'],
  ])('may go on where it is paged by number and has no link: %j', async (argv, how) => {
    const script = [{ body: '[{"id":3}]' }];
    expect((await runImported(argv, importedHome(array), { script })).stderr).toBe(
      how === undefined ? '' : `There may be more things after this one. ${how}\n`,
    );
    expect((await runImported(argv, importedHome(declared), { script })).stderr).toBe('');
  });

  it('is followed in an envelope, too', async () => {
    const described = importedHome(envelope);
    const all = await runImported([...run, '--all', '-o', 'json'], described, { script: enveloped });
    expect(all).toMatchObject({
      stdout: '{"results":[{"id":1},{"id":2},{"id":3}],"total":3}\n',
      stderr: '',
      code: 0,
    });
    expect(all.sent).toEqual([
      ['GET', '/things?state=open'],
      ['GET', SECOND],
    ]);
  });

  it.each([
    ['csv', array, pages, 'id,title\r\n1,\r\n2,\r\n'],
    ['json', array, pages, '[{"id":1, "n":1.0},{"id":2}]\n'],
    ['json', envelope, enveloped, '{"total":3,"results":[{"id":1},{"id":2}]}\n'],
  ])('says as %s how to get the next page, which works', async (format, description, script, stdout) => {
    const described = importedHome(description);
    const flags = [...run, '-o', format];
    const one = await runImported(flags, described, { script });
    const text = `There are more things after these 2. For all pages, add --all. Next page: payctl ${flags.join(' ')} --cursor '${SECOND}'`;
    expect({
      ...one,
      stderr: one.stderr.startsWith('{') ? JSON.parse(one.stderr).warning.message : one.stderr.trimEnd(),
    }).toEqual({
      stdout,
      stderr: text,
      code: 0,
      sent: [['GET', '/things?state=open']],
    });
    const next = await runImported([...flags, '--cursor', SECOND], described, { script: script.slice(1) });
    expect(next).toMatchObject({ stderr: '', code: 0, sent: [['GET', SECOND]] });
    expect(next.stdout).toContain('3');
  });

  it('stops at --max-items, and has as JSON only so many', async () => {
    const flags = [...run, '--max-items', '1', '-o', 'json', '-q'];
    const shown = await runImported(flags, importedHome(array), { script: pages });
    expect(shown).toMatchObject({
      stdout: '[{"id":1, "n":1.0}]\n',
      code: 0,
      sent: [['GET', '/things?state=open']],
    });
  });

  it('is filtered by jq as one array', async () => {
    const flags = [...run, '--all', '--jq', 'map(.id) | add'];
    expect(await runImported(flags, importedHome(array), { script: pages })).toMatchObject({
      stdout: '6\n',
      code: 0,
    });
  });

  it('sends no token to another origin, and keeps what it has printed', async () => {
    const other = await serve((_, reply) => void reply.end('[]'));
    const script = [linked('[{"id":1}]', `<${other.origin}/things?page=2>; rel="next"`)];
    const failed = await runImported([...run, '--all', '-o', 'csv'], importedHome(array), { script });
    expect(failed).toMatchObject({
      stdout: 'id,title\r\n1,\r\n',
      code: 9,
      sent: [['GET', '/things?state=open']],
    });
    expect(failed.stderr).toContain(
      `The link to the next page leads to another origin, "${other.origin}", and is not followed`,
    );
    expect(failed.stderr).toMatch(/\(200 link_refused\)\nRequest: GET \S+\nThe token is sent only to /);
    expect(other.requests).toEqual([]);
    const one = await runImported([...run, '-o', 'csv'], importedHome(array), { script });
    expect(one).toMatchObject({ stdout: 'id,title\r\n1,\r\n', code: 0 });
    expect(one.stderr).toBe(
      `There are more things after this one. The link to the next page leads to another origin, "${other.origin}", and is not followed: "${other.origin}/things?page=2".\n`,
    );
    const chosen = await runImported(
      [...run, '--cursor', `${other.origin}/things?page=2`],
      importedHome(array),
    );
    expect(chosen).toMatchObject({ stdout: '', code: 2, sent: [] });
    expect(chosen.stderr).toContain('is not valid for this list (bad_cursor)');
    expect(other.requests).toEqual([]);
  });

  it('is one of pages for the import where the description names the header', async () => {
    const known = await imported(declared);
    expect(codes(known)).toEqual([]);
    expect([only(known).isLinked, known.index.operations[0]?.paginated]).toEqual([true, true]);
    const unknown = await imported(array);
    expect(codes(unknown)).toEqual([]);
    expect([only(unknown).isLinked, only(unknown).paging]).toEqual([
      undefined,
      { counted: { parameter: 'page', counts: 'pages' } },
    ]);
  });

  it('offers its flags where the description names the header', async () => {
    const help = await runImported(['things', 'list', '--help'], importedHome(declared));
    for (const flag of ['--cursor', '--all', '--max-items']) expect(help.stdout).toContain(flag);
    const unpaged = get({ operationId: 'issues', responses: answer({ type: 'array', items: issue }) });
    const plain = await runImported(['things', 'list', '--help'], importedHome(unpaged));
    expect(plain.stdout).not.toContain('--cursor');
  });

  it('leaves a parameter of the description its flag', async () => {
    const own = document({
      '/things': {
        get: {
          parameters: [{ name: 'max_items', in: 'query', schema: { type: 'integer' } }],
          responses: answer({ type: 'array', items: issue }),
        },
      },
    });
    const shown = await runImported(['things', 'list', '--max-items', '5', '-o', 'json'], importedHome(own), {
      script: [{ body: '[]' }],
    });
    expect(shown).toMatchObject({
      stdout: '[]\n',
      stderr: '',
      code: 0,
      sent: [['GET', '/things?max_items=5']],
    });
  });
});
