import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clientAt, serve } from '../../client/live-client.ts';
import { answer, codes, document, imported } from '../../descriptions/describe.ts';
import { exchange, importedHome, runImported } from './run-imported.ts';

const operation = (operationId: string, content: object) => ({
  operationId,
  requestBody: { required: true, content },
  responses: answer({ type: 'object' }, '201'),
});
const schema = { type: 'string' };
const imports = document({
  '/imports': {
    post: operation('create_import', { 'text/csv; charset=utf-8': { schema } }),
    get: { responses: {} },
  },
  '/logos': { put: operation('set_logo', { 'image/png': {}, 'image/jpeg': {} }) },
  '/photos': { put: operation('set_photo', { 'image/*': {} }) },
  '/blobs': {
    put: operation('set_blob', {
      'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
    }),
  },
});
const BYTES = Buffer.from([0xef, 0xbb, 0xbf, 0xff, 0x00, 0x0d, 0x0a, 0x80]);
const ok = { status: 201, body: '{}' };

function home(name = 'rows.csv') {
  const described = importedHome(imports);
  const path = join(described.home, name);
  writeFileSync(path, BYTES);
  return { described, path };
}

describe('an operation that takes neither JSON nor a form', () => {
  it.each([
    [['imports', 'create'], 'rows.csv', 'text/csv'],
    [['imports', 'create'], 'rows', 'text/csv'],
    [['blobs', 'update'], 'rows.csv', 'application/octet-stream'],
    [['logos', 'update'], 'a.jpg', 'image/jpeg'],
    [['logos', 'update'], 'a.bin', 'image/png'],
    [['photos', 'update'], 'a.webp', 'image/webp'],
    [['api', 'post', '/imports'], 'a.csv', 'text/csv'],
  ])('sends the bytes of a file unchanged: %j %s', async (words, name, type) => {
    const { described, path } = home(name);
    const argv = [...words, '--data', `@${path}`, '-o', 'json'];
    const done = await exchange(argv, described, { script: [{ status: 201, body: {} }] });
    expect(done).toMatchObject({ stdout: '{}\n', stderr: '', code: 0 });
    expect(done.requests[0]?.headers).toMatchObject({ 'content-type': type, 'content-length': '8' });
    expect(done.requests[0]?.bytes).toEqual(BYTES);
  });

  it('sends a text as it is typed where the type is one of texts', async () => {
    const done = await runImported(['imports', 'create', '--data', 'a,b\nc,d'], home().described, {
      script: [ok],
    });
    expect(done.sent).toEqual([['POST', '/imports', 'a,b\nc,d']]);
  });

  it.each<[readonly string[], string]>([
    [['imports', 'create'], 'The request needs a body (no_body)\nNothing was sent. Add --data @FILE.'],
    [
      ['imports', 'create', '-F', 'a=1'],
      'The body is text/csv, which has no fields for --field (bad_field)\nUse --data @FILE',
    ],
    [
      ['api', 'post', '/imports', '-F', 'a=1'],
      'The body is text/csv, which has no fields for --field (bad_field)',
    ],
    [['blobs', 'update', '--data', 'text'], '--data must be @FILE or -, not a text (bad_body)'],
    [
      ['imports', 'create', '--data', '@/nowhere'],
      '--data cannot read the file /nowhere: no such file or directory (unreadable_file)',
    ],
    [['imports', 'create', '--data', '@'], '--data @ needs the path of a file after the @ (bad_flag)'],
    [['imports', 'create', '--data', '@/tmp'], '--data cannot read the file /tmp: it is a directory'],
  ])('is refused before anything is sent: %j', async (argv, message) => {
    const failed = await runImported(argv, home().described);
    expect(failed).toMatchObject({ stdout: '', code: 2, sent: [] });
    expect(failed.stderr).toContain(`Error: ${message}`);
  });

  it('is asked for where it may be left out', async () => {
    const optional = document({
      '/imports': { put: { requestBody: { content: { 'text/csv': {} } }, responses: {} } },
    });
    const described = importedHome(optional);
    const failed = await runImported(['imports', 'update'], described);
    expect(failed).toMatchObject({ code: 2, sent: [] });
    expect(failed.stderr).toBe(
      'Error: The request has no body, which the description has for it (no_body)\nNothing was sent. Add --data @FILE, or --no-validate to send the request without a body.\n',
    );
    const sent = await runImported(['imports', 'update', '--no-validate'], described, {
      script: [{ body: {} }],
    });
    expect(sent.sent).toEqual([['PUT', '/imports']]);
  });

  it('says that an @ is missing before the name of a file', async () => {
    const { described, path } = home();
    const failed = await runImported(['imports', 'create', '--data', path], described);
    expect(failed).toMatchObject({ code: 2, sent: [] });
    expect(failed.stderr).toBe(
      `Error: --data must be @FILE or -, not the name of a file (bad_body)\nNothing was sent. To send the file, put an @ before its name: --data @${path}\n`,
    );
  });

  it('refuses a file of a type that cannot be known where any of a kind is allowed', async () => {
    const { described, path } = home('photo.bin');
    const failed = await runImported(['photos', 'update', '--data', `@${path}`], described);
    expect(failed).toMatchObject({ code: 2, sent: [] });
    expect(failed.stderr).toContain('The file must be image/*, which its name does not say');
  });

  it('is shown by --dry-run and --verbose without its bytes', async () => {
    const { described, path } = home();
    const shown = await runImported(['imports', 'create', '--data', `@${path}`, '--dry-run'], described);
    expect(shown.stdout).toContain('\ncontent-type: text/csv\ncontent-length: 8\n');
    expect(shown.stdout.split('\n\n')[1]).toBe('@rows.csv (text/csv, 8 bytes)\n');
    const typed = await runImported(['imports', 'create', '--data', 'a,b', '-v'], described, {
      script: [ok],
    });
    expect(typed.stderr).toContain('> ******** (text/csv)\n');
  });

  it('has no fields in its help, and an example in api show', async () => {
    const { described } = home();
    const help = await runImported(['imports', 'create', '--help'], described);
    expect(help.stdout).toContain('--data @FILE|-');
    expect(help.stdout).not.toContain('--field');
    const shown = await runImported(['api', 'show', 'set_logo'], described);
    expect(shown.stdout).toContain('Body (image/png or image/jpeg, required)\n\nExample\n  --data @FILE\n');
  });

  it('is chosen last: JSON, a form and parts come first', async () => {
    const types = [
      'text/csv',
      'multipart/form-data',
      'application/x-www-form-urlencoded',
      'application/json',
    ];
    const kinds = types.map(async (_, count) => {
      const content = Object.fromEntries(types.slice(0, count + 1).map((type) => [type, { schema: {} }]));
      const [record] = (await imported(document({ '/a': { post: operation('a', content) } }))).records;
      return [record?.operation.bodyKind, record?.operation.bodyType];
    });
    expect(await Promise.all(kinds)).toEqual([
      ['bytes', 'text/csv'],
      ['multipart', 'multipart/form-data'],
      [undefined, 'application/x-www-form-urlencoded'],
      [undefined, undefined],
    ]);
  });

  it('is not run where its type cannot be in a header, or is multipart of another kind', async () => {
    const content = (type: string) => document({ '/a': { post: operation('a', { [type]: {} }) } });
    for (const type of ['multipart/related', 'csv', 'a/b\r\nx: y'])
      expect(codes(await imported(content(type)))).toEqual([
        'skipped body_not_json /paths/~1a/post/requestBody',
      ]);
  });
});

describe('the library', () => {
  it('sends texts, bytes, Blobs and streams unchanged', async () => {
    const server = await serve(
      (_, reply) => void reply.writeHead(201, { 'content-type': 'application/json' }).end('{}'),
    );
    const client = await clientAt(server.origin).withDescription(imports);
    const stream = async function* () {
      yield BYTES;
    };
    for (const body of ['a,b', BYTES, new Blob(['c']), stream()])
      await client.request('create_import', { body });
    expect(server.requests.map(({ bytes }) => bytes)).toEqual([
      Buffer.from('a,b'),
      BYTES,
      Buffer.from('c'),
      BYTES,
    ]);
    await client.request('set_logo', { body: new Blob(['x'], { type: 'image/jpeg' }) });
    expect(server.requests.at(-1)?.headers['content-type']).toBe('image/jpeg');
    await expect(client.request('create_import', { body: { a: 1 } })).rejects.toMatchObject({
      code: 'bad_body',
    });
  });
});
