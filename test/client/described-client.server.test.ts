import { describe, expect, it } from 'vitest';
import { LARGE_MERCHANT_HEADER, largeDescription } from '../descriptions/large-description.ts';
import { answers } from '../harness/http-server.ts';
import { failureOf } from './failure-of.ts';
import { clientAt, serve } from './live-client.ts';

const id = '8b1f5c0e-6c1d-4b52-9a53-2f1f0d9c8f11';

describe('client.withDescription', () => {
  it('calls operations by their ids, with the scopes that they need', async () => {
    const server = await serve(answers([{ body: { id } }]));
    const scopes: unknown[] = [];
    const token = (needed: { scopes: readonly string[] }) => String(scopes.push(...needed.scopes));
    const client = clientAt(server.origin, {
      token,
      merchantHeader: LARGE_MERCHANT_HEADER,
      merchantAccount: 'acme',
    });
    const { request, operations } = await client.withDescription(largeDescription());
    expect(operations.size).toBe(150);
    expect(await request('create_refund', { path: { transaction_id: id }, body: { amount: 5 } })).toEqual({
      id,
    });
    expect(scopes).toEqual(['transactions.write']);
    expect(server.requests).toMatchObject([
      {
        method: 'POST',
        url: `/transactions/${id}/refunds`,
        body: '{"amount":5}',
        headers: { [LARGE_MERCHANT_HEADER]: 'acme', 'idempotency-key': expect.any(String) },
      },
    ]);
  });

  it('reads lists page by page, by the limits of the description', async () => {
    const server = await serve(
      answers([{ body: { items: [1], next_cursor: 'b' } }, { body: { items: [2] } }, { body: '[3]' }]),
    );
    const { list } = await clientAt(server.origin).withDescription(JSON.stringify(largeDescription()));
    expect(await Array.fromAsync(list('get_ledger_entries').items({ status: ['active'] }))).toEqual([1, 2]);
    expect(await Array.fromAsync(list('get_balances').items())).toEqual([3]);
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/ledger-entries?status=active&limit=10',
      '/ledger-entries?status=active&cursor=b&limit=10',
      '/balances',
    ]);
  });

  it('writes a body in the media type that is chosen, of several', async () => {
    const schema = { type: 'object', properties: { name: { type: 'string' } } };
    const types = ['application/vnd.acme+json', 'application/x-www-form-urlencoded', 'multipart/form-data'];
    const content = Object.fromEntries(types.map((type) => [type, { schema }]));
    const post = { operationId: 'make', requestBody: { content }, responses: { 204: { description: '' } } };
    const server = await serve(answers(types.map(() => ({ status: 204 }))));
    const { request } = await clientAt(server.origin).withDescription({
      openapi: '3.1.0',
      info: { title: 'T', version: '1' },
      paths: { '/things': { post } },
    });
    await request('make', { body: { name: 'a b' } });
    for (const contentType of types.slice(1)) await request('make', { body: { name: 'a b' }, contentType });
    const [json, form, parts] = server.requests;
    expect([json?.headers['content-type'], json?.body]).toEqual([types[0], '{"name":"a b"}']);
    expect([form?.headers['content-type'], form?.body]).toEqual([types[1], 'name=a+b']);
    expect(parts?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(parts?.body).toContain('name="name"');
  });

  it('gives the bytes of an answer that is no JSON, piece by piece', async () => {
    const content = { 'text/csv': {}, 'application/pdf': {} };
    const document = {
      openapi: '3.1.0',
      info: { title: 'Reports', version: '1' },
      paths: { '/report': { get: { operationId: 'report', responses: { 200: { content } } } } },
    };
    const bytes = Buffer.from([0xff, 0, 0x0d]);
    const headers = { 'content-type': 'text/csv' };
    const server = await serve(answers([{ headers, body: bytes }, { body: { status: 'pending' } }]));
    const { download, request } = await clientAt(server.origin).withDescription(document);
    const pieces: Uint8Array[] = [];
    const response = await download('report', (piece) => pieces.push(piece));
    expect(Buffer.concat(pieces)).toEqual(bytes);
    expect(response).toMatchObject({ status: 200, text: '', bytes: 3, headers });
    expect(server.requests[0]?.headers.accept).toBe('text/csv, application/pdf');
    expect((await download('report', () => expect.unreachable())).text).toBe('{"status":"pending"}');
    expect(await failureOf(request('report'))).toMatchObject({
      code: 'answer_not_json',
      hint: 'Use download(id, write).',
    });
    expect(server.requests).toHaveLength(2);
  });

  it('refuses an id that the description does not have, with the nearest', async () => {
    const { request } = await clientAt('http://127.0.0.1:9').withDescription(largeDescription());
    const error = await failureOf(request('create_refunds'));
    expect(error).toMatchObject({ code: 'unknown_operation', hint: 'Did you mean create_refund?' });
  });
});
