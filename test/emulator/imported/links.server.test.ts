import { describe, expect, it } from 'vitest';
import { findLink } from '../../../src/client/paging/link-header.ts';
import { startImported } from './imported-emulator.ts';

const record = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };

type Parameter = { readonly type: string; readonly description?: string };

function things(headers: object | undefined, parameters: Readonly<Record<string, Parameter>>) {
  const query = Object.entries(parameters).map(([name, { description, ...schema }]) => ({
    ...{ name, in: 'query', schema },
    description,
  }));
  const content = { 'application/json': { schema: { type: 'array', items: record } } };
  return {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    paths: {
      '/things': { get: { parameters: query, responses: { 200: { description: '', content, headers } } } },
    },
  };
}

const integer = { type: 'integer' };
const linked = { Link: { schema: { type: 'string' } } };

describe('a list whose description names a Link header, or takes a cursor for which a page has no place,', () => {
  it.each<[string, object | undefined, Readonly<Record<string, Parameter>>]>([
    ['page numbers', linked, { page: integer, per_page: integer }],
    ['offsets', linked, { offset: integer, limit: integer }],
    ['cursors', linked, { cursor: { type: 'string' }, limit: integer }],
    ['a cursor', undefined, { cursor: { type: 'string' }, limit: integer }],
    [
      'what it begins after',
      undefined,
      { after: { type: 'string', description: 'A cursor.' }, limit: integer },
    ],
  ])('is linked from page to page by %s', async (_, headers, parameters) => {
    await using emulator = await startImported(things(headers, parameters));
    const size = 'per_page' in parameters ? 'per_page' : 'limit';
    const seen: string[] = [];
    let pages = 0;
    let path: string | undefined = `/things?${size}=10`;
    while (path !== undefined && pages < 9) {
      const { status, body, headers: sent } = await emulator.send(path, { scopes: ['*'] });
      expect(status).toBe(200);
      const records = body as unknown as readonly { id: string }[];
      seen.push(...records.map(({ id }) => id));
      pages += 1;
      const next: string | undefined = findLink(sent.get('link') ?? '', 'next').target;
      path = next === undefined ? undefined : new URL(next).pathname + new URL(next).search;
    }
    expect([pages, new Set(seen).size, seen.length]).toEqual([3, 30, 30]);
  });

  it('has no such header where the description names none', async () => {
    await using emulator = await startImported(things(undefined, { page: integer, per_page: integer }));
    const { headers } = await emulator.send('/things?per_page=10', { scopes: ['*'] });
    expect(headers.get('link')).toBeNull();
  });
});
