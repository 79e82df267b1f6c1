import { describe, expect, it } from 'vitest';
import { document, type Json } from '../../descriptions/describe.ts';
import { importedForAll, startImported } from './imported-emulator.ts';

const binary = { type: 'string', format: 'binary' };
const text = { type: 'string' };
const evidence = {
  type: 'object',
  required: ['id', 'reason'],
  properties: {
    id: { type: 'string', format: 'uuid' },
    reason: text,
    amount: { type: 'integer' },
    details: { type: 'object', properties: { phone: text } },
    tags: { type: 'array', items: text },
    scan: text,
    file: { type: 'object', properties: { filename: text, size: { type: 'integer' }, url: text } },
    more: { type: 'array', items: { type: 'object', additionalProperties: true } },
  },
};
const request = {
  type: 'object',
  required: ['reason'],
  properties: {
    ...evidence.properties,
    file: binary,
    scan: binary,
    more: { type: 'array', maxItems: 2, items: binary },
  },
};

function service(content: Json, schema: unknown = evidence): Json {
  const record = { description: '', content: { 'application/json': { schema } } };
  const id = { name: 'evidence_id', in: 'path', required: true, schema: text };
  return document({
    '/evidence': {
      post: {
        operationId: 'add',
        parameters: [{ name: 'Idempotency-Key', in: 'header', schema: text }],
        requestBody: { required: true, content },
        responses: { 201: record },
      },
    },
    '/evidence/{evidence_id}': { parameters: [id], get: { operationId: 'read', responses: { 200: record } } },
  });
}

type Emulator = Awaited<ReturnType<typeof startImported>>;

async function post(
  emulator: Emulator,
  body: FormData | Blob | string,
  headers: Record<string, string> = {},
) {
  const response = new Response(body);
  const type = headers['content-type'] ?? response.headers.get('content-type') ?? '';
  return await emulator.send('/evidence', {
    method: 'POST',
    scopes: ['*'],
    body: new Uint8Array(await response.arrayBuffer()),
    headers: { ...headers, 'content-type': type },
  });
}

function form(...pairs: readonly (readonly [string, string | File])[]): FormData {
  const made = new FormData();
  for (const [name, value] of pairs) made.append(name, value as string);
  return made;
}

const parts = { 'multipart/form-data': { schema: request } };
const file = (name: string, size = 3) => new File([new Uint8Array(size)], name, { type: 'application/pdf' });

describe('a body of parts', () => {
  const started = importedForAll(service(parts));

  it('becomes a record, in which a file is as much as its schema has members for', async () => {
    const emulator = started();
    const given = form(
      ['reason', 'fraud'],
      ['amount', '1200'],
      ['details', '{"phone":"1"}'],
      ['tags', 'a'],
      ['tags', 'b'],
      ['scan', file('scan.pdf')],
      ['file', file('é".pdf', 2_000_000)],
      ['more', file('more.pdf', 0)],
    );
    const { status, body } = await post(emulator, given);
    expect({ status, body }).toMatchObject({
      status: 201,
      body: {
        reason: 'fraud',
        amount: 1200,
        details: { phone: '1' },
        tags: ['a', 'b'],
        scan: 'scan.pdf',
        file: { filename: 'é".pdf', size: 2_000_000 },
        more: [{ name: 'more.pdf', type: 'application/pdf', size: 0 }],
      },
    });
    expect((await emulator.call('GET', `/evidence/${body.id}`)).body).toEqual(body);
  });

  it('may have the members of an object in brackets', async () => {
    const emulator = started();
    const { status, body } = await post(
      emulator,
      form(['reason', 'x & y'], ['details[phone]', '+1'], ['tags', '["a"]']),
    );
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { reason: 'x & y', details: { phone: '+1' }, tags: ['a'] },
    });
  });

  it('gives the record the name and the size of its only file', async () => {
    const record = {
      type: 'object',
      required: ['id'],
      properties: { id: text, filename: text, bytes: { type: 'integer' } },
    };
    await using emulator = await startImported(service(parts, record));
    const { body } = await post(emulator, form(['reason', 'x'], ['file', file('a.pdf', 7)]));
    expect(body).toMatchObject({ filename: 'a.pdf', bytes: 7 });
  });

  it.each<[string, FormData, string, string]>([
    ['without a required member', form(['amount', '1']), '/reason', 'is required'],
    [
      'with a text that is no number',
      form(['reason', 'x'], ['amount', 'ten']),
      '/amount',
      'must be an integer, not a string',
    ],
    [
      'with too many files',
      form(['reason', 'x'], ...[1, 2, 3].map((n) => ['more', file(`${n}`)] as const)),
      '/more',
      'must have at most 2 elements',
    ],
    [
      'with a document that is none',
      form(['reason', 'x'], ['details', '{']),
      '/details',
      'must be an object, not a string',
    ],
  ])('is refused %s', async (_, given, pointer, message) => {
    const emulator = started();
    const { status, body } = await post(emulator, given);
    expect(status).toBe(400);
    expect(body.details).toMatchObject([{ pointer, message }]);
  });

  it.each([
    ['multipart/form-data', '--x'],
    ['multipart/form-data; boundary=x', ''],
    ['multipart/form-data; boundary=x', 'no boundary'],
    ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="a\r\n\r\n1\r\n--x--'],
    ['multipart/form-data; boundary=x', `--x\r\n${'a'.repeat(100_000)}`],
    ['text/plain', 'a'],
  ])('is refused as %s where it is not valid: %j', async (type, text) => {
    const emulator = started();
    const { status } = await post(emulator, text, { 'content-type': type });
    expect(status).toBe(400);
  });

  it('is refused where a part is JSON that is nested too deep', async () => {
    const emulator = started();
    const details = `${'{"phone":'.repeat(5000)}1${'}'.repeat(5000)}`;
    const { status } = await post(emulator, form(['reason', 'x'], ['details', details]));
    expect(status).toBe(400);
  });

  it('is the same request with the same key, whatever its boundary', async () => {
    const emulator = started();
    const send = (reason: string) =>
      post(emulator, form(['reason', reason], ['file', file('a')]), { 'idempotency-key': 'k' });
    const first = await send('x');
    expect(await send('x')).toMatchObject({ status: 201, body: first.body });
    expect((await send('y')).status).toBe(409);
  });

  it('is at most 16 MiB', async () => {
    const emulator = started();
    const { status, body } = await post(
      emulator,
      form(['reason', 'x'], ['file', file('a', 16 * 1024 * 1024)]),
    );
    expect(status).toBe(400);
    expect(body.details).toMatchObject([{ message: 'the body must be at most 16777216 bytes' }]);
  });
});

describe('a body that is one file', () => {
  it('is taken with any of its media types, and no other', async () => {
    await using emulator = await startImported(service({ 'text/csv': {}, 'image/*': {} }));
    const statusOf = async (type: string) =>
      (await post(emulator, new Blob([new Uint8Array([255, 0])], { type }))).status;
    expect(await Promise.all(['text/csv', 'image/png', 'application/json'].map(statusOf))).toEqual([
      201, 201, 400,
    ]);
  });

  it('gives the record its size', async () => {
    const record = { type: 'object', required: ['id'], properties: { id: text, size: { type: 'integer' } } };
    await using emulator = await startImported(service({ 'text/csv': {} }, record));
    const { body } = await post(emulator, new Blob(['a,b'], { type: 'text/csv' }));
    expect(body).toMatchObject({ size: 3 });
    expect((await emulator.call('GET', `/evidence/${body.id}`)).body).toEqual(body);
  });
});
