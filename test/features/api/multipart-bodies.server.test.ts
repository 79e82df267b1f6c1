import { execFileSync } from 'node:child_process';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clientAt, serve } from '../../client/live-client.ts';
import { answer, document, type Json } from '../../descriptions/describe.ts';
import type { RecordedRequest } from '../../harness/http-server.ts';
import { exchange, importedHome, runImported } from './run-imported.ts';

/** Every byte, so that nothing passes that is read as text. */
const BYTES = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256));

const evidence = (openapi: '3.0.3' | '3.1.0'): Json => {
  const file =
    openapi === '3.0.3' ? { type: 'string', format: 'binary' } : { contentMediaType: 'application/pdf' };
  return document(
    {
      '/disputes/{dispute_id}/evidence': {
        post: {
          operationId: 'add_evidence',
          parameters: [
            { name: 'dispute_id', in: 'path', required: true, schema: { type: 'string' } },
            { name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } },
          ],
          requestBody: {
            required: true,
            content: {
              'multipart/form-data': {
                encoding: { scan: { contentType: 'image/png, image/jpeg' } },
                schema: {
                  type: 'object',
                  required: ['file', 'reason'],
                  properties: {
                    file: { ...file, maxLength: 80_000 },
                    scan: { type: 'string', format: 'binary' },
                    more: { type: 'array', maxItems: 2, items: { type: 'string', format: 'binary' } },
                    reason: { type: 'string', enum: ['fraud', 'other'] },
                    amount: { type: 'integer' },
                    tags: { type: 'array', items: { type: 'string' } },
                    details: {
                      type: 'object',
                      properties: { phone: { type: 'string' }, count: { type: 'integer' } },
                    },
                    client_secret: { type: 'string' },
                  },
                },
              },
            },
          },
          responses: answer({ type: 'object', properties: { id: { type: 'string' } } }, '201'),
        },
      },
    },
    { openapi },
  );
};

const add = ['disputes', 'evidence', 'dp_1', '--idempotency-key', 'k1'];
const script = [{ status: 201, body: '{"id":"ev_1"}' }];

function home(openapi: '3.0.3' | '3.1.0' = '3.1.0') {
  const described = importedHome(evidence(openapi));
  const path = join(described.home, 'evidence.pdf');
  writeFileSync(path, BYTES);
  return { described, path };
}

async function parsed({ bytes, headers }: RecordedRequest) {
  const form = await new Response(new Uint8Array(bytes), {
    headers: { 'content-type': headers['content-type'] ?? '' },
  }).formData();
  return await Promise.all(
    [...form].map(async ([name, value]) =>
      typeof value === 'string'
        ? [name, value]
        : [name, value.name, value.type, Buffer.from(await value.arrayBuffer())],
    ),
  );
}

describe('an operation that takes multipart/form-data', () => {
  it('says how to send a file that is given in place of its fields', async () => {
    const { described, path } = home();
    const run = await runImported([...add, '--data', `@${path}`], described, { script });
    expect(run).toMatchObject({
      stdout: '',
      code: 2,
      stderr: expect.stringMatching(
        /^Error: --data cannot read the file .*evidence\.pdf: it is not valid UTF-8.* \(unreadable_file\)\n--data takes fields as JSON\. Send a file with: -F FIELD=@FILE\n$/,
      ),
    });
    expect(run.sent).toEqual([]);
  });

  it.each(['3.0.3', '3.1.0'] as const)(
    'sends files, texts and JSON as parts (OpenAPI %s)',
    async (openapi) => {
      const { described, path } = home(openapi);
      const jpeg = join(described.home, 'photo.JPG');
      writeFileSync(jpeg, 'jpeg');
      const flags = ['file', 'scan', 'more[]', 'more[]'].flatMap((name, index) => [
        '-F',
        `${name}=@${index === 1 ? jpeg : path}`,
      ]);
      const done = await exchange(
        [
          ...add,
          ...flags,
          '-F',
          'reason=fraud',
          '-F',
          'amount=12',
          '-F',
          'tags[]=a',
          '-F',
          'tags[]=b',
          '-F',
          'details.count=1',
          '-o',
          'json',
        ],
        described,
        { script },
      );
      expect(done).toMatchObject({ stdout: '{"id":"ev_1"}\n', stderr: '', code: 0 });
      const [request] = done.requests as [RecordedRequest];
      expect(Number(request.headers['content-length'])).toBe(request.bytes.length);
      expect(request.body).toContain('Content-Type: application/json\r\n\r\n{"count":1}\r\n');
      const parts = await parsed(request);
      expect(parts).toEqual([
        ['file', 'evidence.pdf', 'application/pdf', BYTES],
        ['scan', 'photo.JPG', 'image/jpeg', Buffer.from('jpeg')],
        ['more', 'evidence.pdf', 'application/pdf', BYTES],
        ['more', 'evidence.pdf', 'application/pdf', BYTES],
        ['reason', 'fraud'],
        ['amount', '12'],
        ['tags', 'a'],
        ['tags', 'b'],
        ['details', '{"count":1}'],
      ]);
    },
  );

  it('sends the same bytes again in a retry, which is safe with a key', async () => {
    const { described, path } = home();
    const done = await exchange([...add, '-F', `file=@${path}`, '-F', 'reason=fraud', '-q'], described, {
      script: [{ status: 503 }, ...script],
      env: { PAYCTL_MAX_RETRIES: '1' },
    });
    expect(done).toMatchObject({ stderr: '', code: 0 });
    const [first, second] = done.requests;
    expect(done.requests).toHaveLength(2);
    expect(second?.bytes.equals(first?.bytes ?? Buffer.alloc(0))).toBe(true);
    expect(second?.headers).toEqual(first?.headers);
  });

  it('does not send a file again that was changed after the first attempt', async () => {
    const { described, path } = home();
    const server = await serve((_, reply) => {
      writeFileSync(path, 'another');
      reply.writeHead(503, { 'content-type': 'application/json' }).end('{}');
    });
    const env = { PAYCTL_BASE_URL: server.origin, PAYCTL_MAX_RETRIES: '3' };
    const done = await runImported([...add, '-F', `file=@${path}`, '-F', 'reason=fraud'], described, {
      env,
    });
    // Not 2, which promises that nothing was sent: the first attempt may have been processed.
    expect(done.code).toBe(9);
    expect(done.stderr).toContain(
      `Error: The file ${path} has changed since it was checked (file_changed)\nOutcome unknown: `,
    );
    expect(server.requests).toHaveLength(1);
  });

  it.each<[string, (path: string) => readonly string[], string]>([
    [
      'without a required file',
      () => ['-F', 'reason=fraud'],
      'The request body is not valid: /file is required (bad_body)',
    ],
    [
      'with a value that the schema does not allow',
      (path) => ['-F', `file=@${path}`, '-F', 'reason=frud'],
      '/reason must be one of fraud, other (did you mean fraud?)',
    ],
    [
      'with too many files',
      (path) => [
        '-F',
        `file=@${path}`,
        '-F',
        'reason=fraud',
        ...Array(3)
          .fill(['-F', `more[]=@${path}`])
          .flat(),
      ],
      '/more must have at most 2 elements',
    ],
    [
      'with a text for a file',
      (path) => ['-F', `file=@${path}`, '-F', 'scan=x'],
      '--field scan must be a file (bad_field)\nUse -F scan=@FILE.',
    ],
    [
      'with a file for a list of files',
      (path) => ['-F', `more=@${path}`],
      '--field more must be a list of files (bad_field)\nUse -F more[]=@FILE, once for each file.',
    ],
    [
      'with a text for a file in --data',
      () => ['--data', '{"file":"@/etc/passwd","scan":"@/etc/passwd","reason":"fraud"}'],
      '/scan must be a file (-F with @FILE)',
    ],
    [
      'with a member that is misspelt',
      (path) => ['-F', `file=@${path}`, '-F', 'reason=fraud', '-F', 'tag[]=x'],
      'The request body has the field /tag, which is not in the description',
    ],
  ])('is refused %s', async (_, flagsFor, message) => {
    const { described, path } = home();
    const failed = await runImported([...add, ...flagsFor(path)], described);
    expect(failed).toMatchObject({ stdout: '', code: 2, sent: [] });
    expect(failed.stderr).toContain(message);
  });

  it.each<[string, (path: string) => void, string]>([
    ['is missing', () => {}, 'no such file or directory'],
    ['is a directory', (path) => mkdirSync(path), 'it is a directory'],
    ['is a pipe', (path) => execFileSync('mkfifo', [path]), 'it is a pipe, not a regular file'],
    [
      'is larger than 1 GiB',
      (path) => {
        writeFileSync(path, '');
        truncateSync(path, 2 ** 30 + 1);
      },
      'it is larger than 1 GiB',
    ],
  ])('is refused where a file %s', async (_, make, reason) => {
    const { described } = home();
    const path = join(described.home, 'other.bin');
    make(path);
    const failed = await runImported([...add, '-F', `file=@${path}`, '-F', 'reason=fraud'], described);
    expect(failed).toMatchObject({ stdout: '', code: 2, sent: [] });
    expect(failed.stderr).toContain(
      `Error: --field file cannot read the file ${path}: ${reason} (unreadable_file)\n`,
    );
  });

  it('is refused where a file is larger than the schema allows', async () => {
    const { described, path } = home();
    truncateSync(path, 80_001);
    const failed = await runImported([...add, '-F', `file=@${path}`, '-F', 'reason=fraud'], described);
    expect(failed.stderr).toContain('/file must have at most 80000 bytes');
  });

  it('is shown by --dry-run as its parts, without bytes and secrets', async () => {
    const { described, path } = home();
    const secret = join(described.home, 'secret.txt');
    writeFileSync(secret, 'hidden\n');
    const given = [
      ...add,
      '-F',
      `file=@${path}`,
      '-F',
      'reason=fraud',
      '-F',
      'details.count=1',
      '-F',
      `client_secret=@${secret}`,
      '--dry-run',
    ];
    const shown = await runImported(given, described);
    expect(shown).toMatchObject({ stderr: '', code: 0, sent: [] });
    expect(shown.stdout).toMatch(/\ncontent-length: 7\d{4}\n/);
    expect(shown.stdout).toContain('\ncontent-type: multipart/form-data\n');
    expect(shown.stdout.split('\n\n')[1]).toBe(
      'file=@evidence.pdf (application/pdf, 70000 bytes)\nreason=fraud\ndetails={"count":1} (application/json)\nclient_secret=********\n',
    );
    const json = await runImported([...given, '-o', 'json'], described);
    expect(JSON.parse(json.stdout)).toMatchObject({
      method: 'POST',
      body: null,
      parts: [
        { name: 'file', value: null, file: 'evidence.pdf', media_type: 'application/pdf', size: 70_000 },
        { name: 'reason', value: 'fraud', file: null, media_type: 'text/plain', size: 5 },
        { name: 'details', value: '{"count":1}', media_type: 'application/json' },
        { name: 'client_secret', value: '********' },
      ],
    });
  });

  it('is shown by --verbose without texts', async () => {
    const { described, path } = home();
    const done = await runImported(
      [
        ...add,
        '-F',
        `file=@${path}`,
        '-F',
        'reason=fraud',
        '-F',
        'amount=12',
        '-F',
        'details.phone=5551234',
        '-v',
      ],
      described,
      { script },
    );
    expect(done.stderr).toContain(
      '> file=@evidence.pdf (application/pdf, 70000 bytes)\n> reason=********\n> amount=12\n> details=******** (application/json)\n',
    );
    expect(done.stderr).toMatch(/> content-type: multipart\/form-data; boundary=payctl-/);
    expect(done.stderr).not.toContain('5551234');
  });

  it('takes bytes of standard input', async () => {
    const { described } = home();
    const failed = await runImported([...add, '-F', 'file=-', '-F', 'reason=fraud', '--dry-run'], described);
    expect(failed.stdout).toContain('file=@file (application/pdf, 0 bytes)\n');
    const twice = await runImported(
      [...add, '-F', 'file=-', '-F', 'scan=@-', '-F', 'reason=fraud'],
      described,
    );
    expect(twice).toMatchObject({ code: 2, sent: [] });
    expect(twice.stderr).toContain('--field scan cannot read standard input, which another flag has read');
  });

  it('is in the help, in api show and in the list of operations that can be run', async () => {
    const { described } = home();
    const shown = await runImported(['api', 'show', 'add_evidence'], described);
    expect(shown.stdout).toContain('Body (multipart/form-data, required)\n');
    expect(shown.stdout).toMatch(/\n {2}file +file \(application\/pdf\), at most 80000 bytes, required\./);
    expect(shown.stdout).toContain('\nExample\n  -F file=@FILE -F reason=other\n');
    const help = await runImported(['disputes', 'evidence', '--help'], described);
    expect(help.stdout).toContain('PATH=@FILE sends a file');
  });
});

describe('the library', () => {
  it('sends blobs, bytes and streams as files, and a stream only once', async () => {
    const server = await serve(
      (_, reply) => void reply.writeHead(503, { 'content-type': 'application/json' }).end('{}'),
    );
    const client = await clientAt(server.origin, { maxRetries: 1 }).withDescription(evidence('3.0.3'));
    const path = { dispute_id: 'dp_1' };
    const stream = async function* () {
      yield Buffer.from('one ');
      yield Buffer.from('two');
    };
    const body = {
      file: new File(['a'], 'a.csv', { type: 'text/csv' }),
      scan: Buffer.from('b'),
      more: [stream()],
      reason: 'fraud',
    };
    await expect(client.request('add_evidence', { path, body })).rejects.toMatchObject({ status: 503 });
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]?.headers).toMatchObject({ 'transfer-encoding': 'chunked' });
    expect(await parsed(server.requests[0] as RecordedRequest)).toEqual([
      ['file', 'a.csv', 'text/csv', Buffer.from('a')],
      ['scan', 'scan', 'image/png', Buffer.from('b')],
      ['more', 'more', 'application/octet-stream', Buffer.from('one two')],
      ['reason', 'fraud'],
    ]);
    const again = { ...body, more: [new Blob(['c'])] };
    await expect(client.request('add_evidence', { path, body: again })).rejects.toMatchObject({
      status: 503,
    });
    expect(server.requests).toHaveLength(3);
    expect(server.requests[2]?.bytes).toEqual(server.requests[1]?.bytes);
    expect(server.requests[2]?.body).toContain('\r\n\r\nc\r\n');
  });
});
