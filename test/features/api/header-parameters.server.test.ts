import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clientAt, serve } from '../../client/live-client.ts';
import { answer, codes, document, imported } from '../../descriptions/describe.ts';
import { exchange, importedHome, runImported } from './run-imported.ts';

const header = (name: string, others: object = {}) => ({
  name,
  in: 'header',
  schema: { type: 'string' },
  ...others,
});
const thing = { type: 'object', properties: { id: { type: 'string' } } };
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const description = document({
  '/things': {
    get: {
      parameters: [header('X-Region'), { name: 'x_region', in: 'query', schema: { type: 'string' } }],
      responses: answer({ type: 'array', items: thing }),
    },
  },
  '/things/{id}': {
    parameters: [id],
    get: {
      parameters: [
        header('If-None-Match', { description: 'The version that is known.' }),
        header('Accept'),
        header('Authorization'),
        header('Content-Type'),
      ],
      responses: answer(thing),
    },
    put: {
      parameters: [
        header('If-Match', { required: true }),
        header('X-Mode', { schema: { type: 'string', enum: ['fast', 'safe'] } }),
        header('X-Tags', { schema: { type: 'array', items: { type: 'integer' } } }),
        header('X-Api-Key'),
      ],
      requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
      responses: answer(thing),
    },
  },
});
const put = ['things', 'update', 't1', '-o', 'json'];
const reply = [{ body: '{"id":"t1"}' }];

async function sentHeaders(argv: readonly string[]) {
  const done = await exchange(argv, importedHome(description), { script: reply });
  expect(done).toMatchObject({ stderr: '', code: 0 });
  return done.requests[0]?.headers;
}

describe('header parameters of an operation', () => {
  it('are flags, and are sent as headers', async () => {
    expect(
      await sentHeaders([
        ...put,
        '--if-match',
        '"v1", "v2"',
        '--x-mode',
        'fast',
        '--x-tags',
        '1',
        '--x-tags',
        '2',
      ]),
    ).toMatchObject({
      'if-match': '"v1", "v2"',
      'x-mode': 'fast',
      'x-tags': '1,2',
      authorization: 'Bearer opaque',
    });
  });

  it('never decide the headers that payctl sends itself', async () => {
    const help = await runImported(['things', 'get', '--help'], importedHome(description));
    expect(help.stdout).toMatch(/--if-none-match TEXT\s+The version that is known\./);
    expect(help.stdout).not.toMatch(/--accept|--authorization|--content-type/);
    const server = await serve((_, response) => void response.end('{}'));
    const { request } = await clientAt(server.origin).withDescription(description);
    const headers = { Authorization: 'x', 'Content-Type': 'x', host: 'evil.example', 'x-other': '1' };
    await request('GET /things/{id}', { path: { id: '1' }, headers });
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: 'Bearer secret-token',
      'x-other': '1',
      host: new URL(server.origin).host,
    });
    expect(server.requests[0]?.headers['content-type']).toBeUndefined();
  });

  it.each([
    [[], 'Missing flag --if-match'],
    [['--if-match', 'a', '--x-mode', 'fats'], '--x-mode cannot be "fats"'],
    [['--if-match', 'a\r\nx: y'], '--if-match must be 1 to 8000 printable ASCII characters'],
    [['--if-match', 'é'], '--if-match must be 1 to 8000 printable ASCII characters'],
    [
      ['--if-match', 'a', '--x-api-key', 's3cret'],
      '--x-api-key takes a secret, which must not be an argument',
    ],
  ])('are checked before anything is sent: %j', async (flags, message) => {
    const failed = await runImported([...put, ...flags], importedHome(description), { script: reply });
    expect(failed).toMatchObject({ stdout: '', code: 2, sent: [] });
    expect(failed.stderr).toContain(message.replaceAll('"', failed.stderr.startsWith('{') ? '\\"' : '"'));
  });

  it('show no secrets in what is printed of the request', async () => {
    const described = importedHome(description);
    const file = join(described.home, 'key');
    writeFileSync(file, 's3cret\n');
    const flags = ['things', 'update', 't1', '--if-match', '"v"', '--x-api-key', `@${file}`];
    const shown = await runImported([...flags, '--dry-run'], described);
    expect(shown.stdout).toContain('if-match: "v"\nx-api-key: ********\n');
    const traced = await runImported([...flags, '-v'], described, { script: reply });
    expect(traced.stderr).toContain('> x-api-key: ********');
    expect(shown.stdout + traced.stderr).not.toContain('s3cret');
  });

  it('have a flag of their own beside a query parameter of the same name', async () => {
    const flags = ['things', 'list', '--x-region', 'q', '--param-x-region', 'h', '-o', 'json'];
    const { requests } = await exchange(flags, importedHome(description), { script: [{ body: '[]' }] });
    expect(requests[0]).toMatchObject({ url: '/things?x_region=q', headers: { 'x-region': 'h' } });
  });

  it('are shown by api show', async () => {
    const { stdout } = await runImported(['api', 'show', 'things', 'update'], importedHome(description));
    expect(stdout).toContain('Headers\n  --if-match   string, required.\n');
    const json = await runImported(['api', 'show', 'things', 'update', '--json'], importedHome(description));
    expect(JSON.parse(json.stdout).headers[0]).toEqual({
      flag: '--if-match',
      name: 'if-match',
      type: 'string',
      required: true,
      summary: null,
    });
  });

  it('make an answer without a body no failure', async () => {
    const script = [{ status: 304 }];
    const flags = ['things', 'get', 't1', '--if-none-match', '"v1"'];
    expect(await runImported(flags, importedHome(description), { script })).toMatchObject({
      stdout: '',
      stderr: 'Not modified: the service has nothing newer.\n',
      code: 0,
    });
    const server = await serve((_, response) => void response.writeHead(304).end());
    const { request } = await clientAt(server.origin).withDescription(description);
    await expect(request('GET /things/{id}', { path: { id: '1' } })).rejects.toMatchObject({
      code: 'not_modified',
      status: 304,
    });
  });

  it('are sent once, in whatever case the library is given a name that the client sends, too', async () => {
    const server = await serve((_, response) => void response.end('{}'));
    const { request } = await clientAt(server.origin).withDescription(description);
    const headers = { Accept: 'text/x', 'USER-AGENT': 'x', 'Accept-Encoding': 'br', 'X-Other': '1' };
    await request('PUT /things/{id}', { path: { id: '1' }, headers, body: {} });
    const sent = server.requests[0]?.headers ?? {};
    expect(sent).toMatchObject({ accept: 'application/json', 'accept-encoding': 'gzip', 'x-other': '1' });
    expect(sent['user-agent']).toMatch(/^payctl\S*$/);
  });

  it.each([
    'X-HTTP-Method-Override',
    'X-HTTP-Method',
    'X-Method-Override',
    'X-Original-URL',
    'X-Rewrite-URL',
  ])('make no other request of one: %s', async (name) => {
    const get = { parameters: [header(name)], responses: answer(thing) };
    const found = await imported(document({ '/a': { get } }));
    expect(codes(found)).toEqual(['header_not_sent /paths/~1a/get/parameters/0']);
    const refused = await runImported(
      ['a', 'get', `--${name.toLowerCase()}`, 'DELETE'],
      importedHome(document({ '/a': { get } })),
    );
    expect(refused).toMatchObject({ code: 2, sent: [] });
  });

  it('are not sent where they belong to the connection', async () => {
    const found = await imported(
      document({
        '/a': {
          get: {
            parameters: [header('Cookie'), header('X Y'), header('User-Agent', { required: true })],
            responses: answer(thing),
          },
        },
        '/b': {
          get: { parameters: [header('Transfer-Encoding', { required: true })], responses: answer(thing) },
        },
        '/c': {
          get: {
            parameters: [header('X-Filter', { required: true, schema: { type: 'object' } })],
            responses: answer(thing),
          },
        },
      }),
    );
    expect(codes(found)).toEqual([
      'header_not_sent /paths/~1a/get/parameters/0',
      'header_not_sent /paths/~1a/get/parameters/1',
      'skipped header_required /paths/~1b/get/parameters/0',
      'skipped header_required /paths/~1c/get/parameters/0',
    ]);
    expect(found.records.map(({ operation }) => operation.headers)).toEqual([undefined]);
  });
});
