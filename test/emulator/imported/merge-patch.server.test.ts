import { expect, it } from 'vitest';
import { startImported } from './imported-emulator.ts';

const text = { type: 'string' };
const nullable = { type: ['string', 'null'] };

/** Records with nested members, changed by a body of a media type. */
function records(mediaType: string): unknown {
  const inner = {
    type: 'object',
    properties: { a: text, b: text, c: text, deep: { type: 'object', properties: { x: text, y: text } } },
  };
  const patch = {
    type: 'object',
    properties: { a: nullable, b: nullable, c: nullable, deep: { type: ['object', 'null'] } },
  };
  const record = {
    type: 'object',
    required: ['id'],
    properties: { id: text, note: nullable, name: text, inner },
  };
  const body = { type: 'object', properties: { note: nullable, name: nullable, inner: patch } };
  const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });
  const answer = { 200: { description: 'ok', ...json(record) } };
  return {
    openapi: '3.1.0',
    info: { title: 'Records', version: '1' },
    paths: {
      '/records': {
        get: { responses: { 200: { description: 'ok', ...json({ type: 'array', items: record }) } } },
        post: { requestBody: json(body), responses: { 201: { description: 'ok', ...json(record) } } },
      },
      '/records/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
        get: { responses: answer },
        patch: { requestBody: { content: { [mediaType]: { schema: body } } }, responses: answer },
      },
    },
  };
}

it.each([
  // Every member of an object is named in JSON other than a merge patch, unless that cannot fit.
  ['application/json', { b: '3' }, { b: '3' }],
  ['application/json', { a: null, c: '3' }, { b: '2', c: '3', deep: { x: '1', y: '2' } }],
  ['application/merge-patch+json', { b: '3' }, { a: '1', b: '3', deep: { x: '1', y: '2' } }],
  ['application/merge-patch+json', { a: null, deep: { y: null } }, { b: '2', deep: { x: '1' } }],
])('a body of %s sets members of objects: %j', async (mediaType, given, inner) => {
  await using emulator = await startImported(records(mediaType));
  const whole = { a: '1', b: '2', deep: { x: '1', y: '2' } };
  const body = { name: 'Mine', note: 'Noted', inner: whole };
  const { body: made } = await emulator.call('POST', '/records', { body });
  const path = `/records/${String(made.id)}`;
  const change = { inner: given, name: null, note: null };
  const headers = { 'content-type': mediaType };
  const after = { id: made.id, note: null, inner };
  expect(await emulator.call('PATCH', path, { body: change, headers })).toMatchObject({
    status: 200,
    body: after,
  });
  expect((await emulator.call('GET', path)).body).toEqual(after);
});

it('takes a body of each media type of the operation, by its own schema', async () => {
  const description = records('application/merge-patch+json') as {
    paths: Record<string, { patch?: object }>;
  };
  const name = { type: 'object', required: ['name'], properties: { name: text } };
  const content = {
    'application/merge-patch+json': { schema: { type: 'object' } },
    'application/vnd.acme+json': { schema: name },
    'application/x-www-form-urlencoded': { schema: name },
  };
  const item = description.paths['/records/{id}'] as { patch: { requestBody: object } };
  item.patch.requestBody = { content };
  await using emulator = await startImported(description);
  const { body: made } = await emulator.call('POST', '/records', { body: { name: 'a' } });
  const path = `/records/${String(made.id)}`;
  const patch = async (type: string, body: unknown) => {
    const { status } = await emulator.call('PATCH', path, { body, headers: { 'content-type': type } });
    return [status, (await emulator.call('GET', path)).body.name];
  };
  expect(await patch('application/merge-patch+json', { name: 'b' })).toEqual([200, 'b']);
  expect(await patch('application/vnd.acme+json', { name: 'c' })).toEqual([200, 'c']);
  expect(await patch('application/vnd.acme+json', { note: 'd' })).toEqual([400, 'c']);
  expect(await patch('application/json', { name: 'e' })).toEqual([400, 'c']);
});

const patches: readonly (readonly [operations: unknown, status: number, name: string, note?: string])[] = [
  [[{ op: 'replace', path: '/name', value: 'b' }], 200, 'b', 'n'],
  [[{ op: 'add', path: '/note', value: 'm' }], 200, 'a', 'm'],
  [[{ op: 'remove', path: '/note' }], 200, 'a'],
  [[{ op: 'copy', from: '/note', path: '/name' }], 200, 'n', 'n'],
  [[{ op: 'move', from: '/note', path: '/name' }], 200, 'n'],
  [
    [
      { op: 'test', path: '/name', value: 'a' },
      { op: 'replace', path: '/name', value: 'c' },
    ],
    200,
    'c',
    'n',
  ],
  [
    [
      { op: 'replace', path: '/name', value: 'c' },
      { op: 'test', path: '/name', value: 'a' },
    ],
    400,
    'a',
    'n',
  ],
  [[{ op: 'remove', path: '/other' }], 400, 'a', 'n'],
  [[{ op: 'replace', path: '/other/0', value: 1 }], 400, 'a', 'n'],
  [[{ op: 'swap', path: '/name' }], 400, 'a', 'n'],
  [[{ op: 'add' }], 400, 'a', 'n'],
];

it.each(patches)('applies the JSON Patch %j', async (operations, status, name, note) => {
  const description = records('application/json-patch+json') as {
    paths: Record<string, { patch?: object }>;
  };
  const item = description.paths['/records/{id}'] as { patch: { requestBody: object } };
  item.patch.requestBody = { content: { 'application/json-patch+json': { schema: { type: 'array' } } } };
  await using emulator = await startImported(description);
  const { body: made } = await emulator.call('POST', '/records', { body: { name: 'a', note: 'n' } });
  const path = `/records/${String(made.id)}`;
  const headers = { 'content-type': 'application/json-patch+json' };
  expect((await emulator.call('PATCH', path, { body: operations, headers })).status).toBe(status);
  const { body: after } = await emulator.call('GET', path);
  // A member that is removed may be null where its schema allows that.
  expect([after.name, after.note ?? undefined]).toEqual([name, note]);
});
