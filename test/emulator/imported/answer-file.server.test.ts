import { describe, expect, it } from 'vitest';
import { type ImportedEmulator, startImported } from './imported-emulator.ts';

const path = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }];
const file = (...types: string[]) => ({
  responses: { 200: { content: Object.fromEntries(types.map((type) => [type, {}])) } },
});
const json = (schema: unknown) => ({
  responses: { 200: { content: { 'application/json': { schema } } } },
});
const REPORT = { $ref: '#/components/schemas/Report' };
const DESCRIPTION = {
  openapi: '3.1.0',
  info: { title: 'Reports', version: '1' },
  paths: {
    '/reports': { get: json({ type: 'object', properties: { items: { type: 'array', items: REPORT } } }) },
    '/reports/{id}': { get: { parameters: path, ...json(REPORT) } },
    '/reports/{id}/csv': { get: { parameters: path, ...file('text/csv') } },
    '/reports/{id}/render': { post: { parameters: path, ...file('application/pdf') } },
    '/reports/export': { get: file('text/csv', 'application/x-ndjson', 'application/pdf') },
    '/receipts/{id}': { get: { parameters: path, ...file('application/pdf') } },
    '/receipts/{id}/text': {
      get: { parameters: path, ...file('text/plain', 'application/xml', 'text/html') },
    },
    '/logo': { get: file('image/*') },
    '/archive': { get: file('application/octet-stream') },
  },
  components: {
    schemas: {
      Report: {
        type: 'object',
        required: ['id', 'name', 'lines'],
        properties: {
          id: { type: 'string', format: 'uuid' },
          name: { type: 'string' },
          lines: { type: 'array', items: { type: 'integer' } },
        },
      },
    },
  },
};

async function ask(
  { emulator, token }: ImportedEmulator,
  target: string,
  { method = 'GET', accept }: { readonly method?: string; readonly accept?: string } = {},
) {
  const authorization = `Bearer ${await token(['*'])}`;
  const response = await fetch(emulator.baseUrl + target, {
    method,
    headers: { authorization, ...(accept !== undefined && { accept }) },
  });
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, type: response.headers.get('content-type'), body, text: body.toString() };
}

describe('an operation of a description whose answer is no JSON', () => {
  it('answers with the records of its collection as CSV, the same each time', async () => {
    await using emulator = await startImported(DESCRIPTION);
    const { body } = await emulator.call('GET', '/reports');
    const [first] = body.items as { id: string; name: string }[];
    const answer = await ask(emulator, '/reports/export');
    expect([answer.status, answer.type]).toEqual([200, 'text/csv; charset=utf-8']);
    const [header, row] = answer.text.split('\r\n');
    expect(header).toBe('id,name');
    expect(row).toBe(`${first?.id},${first?.name}`);
    expect(await ask(emulator, '/reports/export')).toEqual(answer);
  });

  it('answers with the record of its path, and with 404 where there is none', async () => {
    await using emulator = await startImported(DESCRIPTION);
    const { body } = await emulator.call('GET', '/reports');
    const [, second] = body.items as { id: string; name: string }[];
    const { text } = await ask(emulator, `/reports/${second?.id}/csv`);
    expect(text).toBe(`id,name\r\n${second?.id},${second?.name}\r\n`);
    const missing = await ask(emulator, '/reports/none/csv');
    expect([missing.status, JSON.parse(missing.text)]).toEqual([
      404,
      expect.objectContaining({ code: 'not_found' }),
    ]);
  });

  it('answers with the type that is accepted, else with the first one', async () => {
    await using emulator = await startImported(DESCRIPTION);
    const typeOf = async (target: string, accept?: string) =>
      (await ask(emulator, target, accept === undefined ? {} : { accept })).type;
    expect(await typeOf('/reports/export', 'application/pdf')).toBe('application/pdf');
    expect(await typeOf('/reports/export', '*/*')).toBe('text/csv; charset=utf-8');
    expect(await typeOf('/receipts/1/text', 'application/xml;q=0.5')).toBe('application/xml');
    expect(await typeOf('/logo', 'image/*')).toBe('image/png');
    expect(await typeOf('/archive')).toBe('application/octet-stream');
  });

  it('answers with a file of the type', async () => {
    await using emulator = await startImported(DESCRIPTION);
    expect((await ask(emulator, '/receipts/1')).text).toMatch(/^%PDF-1\.4\n[\s\S]*%%EOF\n$/);
    expect((await ask(emulator, '/receipts/1/text')).text).toBe('# GET /receipts/{id}/text\n');
    expect((await ask(emulator, '/receipts/1/text', { accept: 'text/html' })).text).toContain(
      '<!doctype html>',
    );
    expect((await ask(emulator, '/logo')).body.subarray(1, 4).toString()).toBe('PNG');
    expect((await ask(emulator, '/archive')).body).toHaveLength(256);
    const lines = (await ask(emulator, '/reports/export', { accept: 'application/x-ndjson' })).text;
    expect(JSON.parse(lines.split('\n')[0] ?? '')).toHaveProperty('lines');
  });

  it('answers with a file to a change, too', async () => {
    await using emulator = await startImported(DESCRIPTION);
    const { body } = await emulator.call('GET', '/reports');
    const [first] = body.items as { id: string }[];
    const answer = await ask(emulator, `/reports/${first?.id}/render`, { method: 'POST' });
    expect([answer.status, answer.type]).toEqual([200, 'application/pdf']);
    expect((await ask(emulator, '/reports/none/render', { method: 'POST' })).status).toBe(404);
  });
});
