import { describe, expect, it } from 'vitest';
import { startImported } from './imported-emulator.ts';

const text = { type: 'string' };
const thing = { type: 'object', required: ['id', 'name'], properties: { id: text, name: text } };
const content = { 'application/json': { schema: thing } };
const answer = (schema: object, headers?: object) => ({
  200: { description: '', content: { 'application/json': { schema } }, ...(headers && { headers }) },
});
const body = { content: { 'application/json': { schema: { type: 'object', properties: { name: text } } } } };
const ifMatch = { name: 'If-Match', in: 'header', schema: text };

function things(parameters: readonly object[], headers?: object) {
  return {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    paths: {
      '/things': {
        get: { responses: answer({ type: 'array', items: thing }) },
        post: { requestBody: { required: true, content }, responses: answer(thing) },
      },
      '/things/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
        get: { responses: answer(thing, headers) },
        put: { parameters, requestBody: body, responses: answer(thing) },
        delete: { responses: { 204: { description: '' } } },
      },
      '/slots': { get: { responses: answer({ type: 'array', items: thing }) } },
      '/slots/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
        get: { responses: answer(thing, headers) },
        put: { parameters, requestBody: body, responses: answer(thing) },
      },
      '/settings': {
        get: { responses: answer(thing, headers) },
        put: { parameters, requestBody: body, responses: answer(thing) },
        delete: { responses: { 204: { description: '' } } },
      },
    },
  };
}

async function started(description: object) {
  const emulator = await startImported(description);
  const list = await emulator.call('GET', '/things');
  const [{ id }] = list.body as unknown as [{ id: string }];
  const send = async (method: string, headers: Record<string, string> = {}, path = `/things/${id}`) => {
    const given = method === 'PUT' ? { body: JSON.stringify({ name: `n${Math.random()}` }) } : {};
    return await emulator.send(path, { method, scopes: ['*'], headers, ...given });
  };
  return { emulator, send };
}

describe.each([
  ['a parameter If-Match', things([ifMatch])],
  ['an ETag', things([], { ETag: { schema: text } })],
])('a record of which the description names %s', (_, description) => {
  it('has a version that changes with it, and a change needs it', async () => {
    const { emulator, send } = await started(description);
    await using _emulator = emulator;
    for (const path of [undefined, '/settings']) {
      const first = (await send('GET', {}, path)).headers.get('etag') ?? '';
      expect(first).toMatch(/^"[\w-]{22}"$/);
      expect((await send('GET', {}, path)).headers.get('etag')).toBe(first);
      const changed = await send('PUT', { 'if-match': `"x", ${first}` }, path);
      expect(changed.status).toBe(200);
      const second = (await send('GET', {}, path)).headers.get('etag') ?? '';
      expect([changed.headers.get('etag'), second === first]).toEqual([second, false]);
      const refused = await send('PUT', { 'if-match': first }, path);
      expect([refused.status, refused.body]).toEqual([
        412,
        {
          type: 'error',
          code: 'precondition_failed',
          status: 412,
          message: 'The record has another version than the request asks for',
          details: [],
        },
      ]);
      expect((await send('GET', {}, path)).headers.get('etag')).toBe(second);
      expect((await send('PUT', { 'if-match': `W/${second}` }, path)).status).toBe(412);
      expect((await send('PUT', { 'if-none-match': '*' }, path)).status).toBe(412);
      expect((await send('PUT', { 'if-match': '*' }, path)).status).toBe(200);
      expect((await send('PUT', {}, path)).status).toBe(200);
    }
  });

  it('is not sent again to a request that has its version', async () => {
    const { emulator, send } = await started(description);
    await using _emulator = emulator;
    const etag = (await send('GET')).headers.get('etag') ?? '';
    for (const known of [etag, `W/${etag}`, `"a", ${etag}`, '*']) {
      const { status, headers, body: sent } = await send('GET', { 'if-none-match': known });
      expect([status, sent, headers.get('etag')]).toEqual([304, {}, etag]);
    }
    expect((await send('GET', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('is changed by one of many requests that have the same version', async () => {
    const { emulator, send } = await started(description);
    await using _emulator = emulator;
    const etag = (await send('GET')).headers.get('etag') ?? '';
    const sent = await Promise.all(Array.from({ length: 20 }, () => send('PUT', { 'if-match': etag })));
    expect(sent.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(412)]);
  });

  it('has no version where it is not there', async () => {
    const { emulator, send } = await started(description);
    await using _emulator = emulator;
    expect((await send('DELETE', {}, '/settings')).status).toBe(204);
    for (const wanted of ['*', '"x"']) {
      const { status, headers } = await send('PUT', { 'if-match': wanted }, '/settings');
      expect([status, headers.get('etag')]).toEqual([412, null]);
      expect((await send('GET', { 'if-match': wanted }, '/settings')).status).toBe(404);
    }
    expect((await send('PUT', { 'if-none-match': '*' }, '/settings')).status).toBe(200);
    expect((await send('PUT', { 'if-match': '*' }, '/settings')).status).toBe(200);
  });

  it('is created by a PUT whose conditions hold where there is none', async () => {
    const { emulator, send } = await started(description);
    await using _emulator = emulator;
    for (const wanted of ['*', '"x"'])
      expect((await send('PUT', { 'if-match': wanted }, '/slots/new')).status).toBe(412);
    expect((await send('GET', {}, '/slots/new')).status).toBe(404);
    const created = await send('PUT', { 'if-none-match': '*' }, '/slots/new');
    expect([created.status, created.headers.get('etag')]).toEqual([200, expect.stringMatching(/^"/)]);
    expect((await send('PUT', { 'if-none-match': '*' }, '/slots/new')).status).toBe(412);
    expect((await send('PUT', { 'if-match': '*' }, '/slots/new')).status).toBe(200);
  });

  it('is deleted in this version alone', async () => {
    const { emulator, send } = await started(description);
    await using _emulator = emulator;
    const etag = (await send('GET')).headers.get('etag') ?? '';
    expect((await send('DELETE', { 'if-match': '"other"' })).status).toBe(412);
    expect((await send('DELETE', { 'if-match': etag })).status).toBe(204);
    expect((await send('GET', { 'if-none-match': etag })).status).toBe(404);
  });
});

describe('a record', () => {
  it('is refused under an idempotency key only as long as it has another version', async () => {
    const key = { name: 'Idempotency-Key', in: 'header', schema: text };
    const { emulator, send } = await started(things([ifMatch, key]));
    await using _emulator = emulator;
    const etag = (await send('GET')).headers.get('etag') ?? '';
    const put = async (version: string) => {
      const [{ id }] = (await emulator.call('GET', '/things')).body as unknown as [{ id: string }];
      const headers = { 'if-match': version, 'idempotency-key': 'k' };
      return await emulator.send(`/things/${id}`, {
        method: 'PUT',
        scopes: ['*'],
        headers,
        body: '{"name":"n"}',
      });
    };
    expect((await put('"other"')).status).toBe(412);
    const first = await put(etag);
    const again = await put(etag);
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(first.headers.get('etag')).toMatch(/^"/);
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(again.body).toEqual(first.body);
  });

  it('has no version that the description does not name', async () => {
    const { emulator, send } = await started(things([]));
    await using _emulator = emulator;
    expect((await send('GET')).headers.get('etag')).toBeNull();
    expect((await send('PUT', { 'if-match': '"x"' })).status).toBe(200);
  });

  it('is not changed without a header that is required', async () => {
    const { emulator, send } = await started(things([{ ...ifMatch, required: true }]));
    await using _emulator = emulator;
    const refused = await send('PUT');
    expect(refused).toMatchObject({
      status: 400,
      body: { details: [{ pointer: '/if-match', location: 'header' }] },
    });
  });
});
