import { expect, it } from 'vitest';
import { answer, document } from '../../descriptions/describe.ts';
import { startImported } from './imported-emulator.ts';

const schema = { type: 'object', properties: { theme: { type: 'string' } } };
const description = document({
  '/shops/{shop}/settings': {
    parameters: [{ name: 'shop', in: 'path', required: true, schema: { type: 'string' } }],
    get: { responses: answer(schema) },
    put: {
      requestBody: { content: { 'application/json': { schema } } },
      responses: answer(schema),
    },
    delete: { responses: { 204: { description: 'Deleted.' } } },
  },
});

it('logs each change of a single document by the ids of its path, and no deletion of nothing', async () => {
  await using emulator = await startImported(description);
  const path = '/shops/one/settings';
  expect((await emulator.call('PUT', path, { body: { theme: 'dark' } })).body).toEqual({ theme: 'dark' });
  for (const _ of [1, 2]) expect((await emulator.call('DELETE', path)).status).toBe(204);
  const logs = (await emulator.call('GET', '/audit-logs?limit=5')).body.items as {
    readonly action: string;
    readonly resource: { readonly type: string };
  }[];
  const resource = { type: 'settings', id: 'one', name: 'Settings' };
  const changes = logs.filter((one) => one.resource.type === 'settings');
  expect(changes.map((one) => [one.action, one.resource])).toEqual([
    ['deleted', resource],
    ['updated', resource],
  ]);
});

it('keeps a document apart from the records that a search finds at its path', async () => {
  const animal = { type: 'object', required: ['uid'], properties: { uid: { type: 'string' } } };
  const found = { type: 'object', properties: { animals: { type: 'array', items: animal } } };
  const body = { content: { 'application/json': { schema: { type: 'object' } } } };
  await using emulator = await startImported(
    document({
      '/animal': { get: { responses: answer(animal) } },
      '/animal/search': { post: { requestBody: body, responses: answer(found) } },
    }),
  );
  const search = async () =>
    (await emulator.call('POST', '/animal/search', { body: {} })).body.animals as { uid: string }[];
  const { uid } = (await emulator.call('GET', '/animal')).body;
  const animals = await search();
  expect(animals).toHaveLength(30);
  expect(animals.map((one) => one.uid)).not.toContain(uid);
});

it('takes a JSON Patch of a single document', async () => {
  const patched = document({
    '/settings': {
      get: { responses: answer(schema) },
      patch: {
        requestBody: { content: { 'application/json-patch+json': { schema: { type: 'array' } } } },
        responses: answer(schema),
      },
    },
  });
  await using emulator = await startImported(patched);
  const body = [{ op: 'add', path: '/theme', value: 'dark' }];
  const headers = { 'content-type': 'application/json-patch+json' };
  expect((await emulator.call('PATCH', '/settings', { body, headers })).body).toEqual({ theme: 'dark' });
  expect((await emulator.call('GET', '/settings')).body).toEqual({ theme: 'dark' });
});

it('names a document by every parameter of its path', async () => {
  const name = { name: 'name', in: 'path', required: true, schema: { type: 'string' } };
  const corrected = { 'x-payctl-action': 'document', responses: answer(schema) };
  await using emulator = await startImported(
    document({
      '/settings/{name}': {
        parameters: [name],
        get: corrected,
        put: { ...corrected, requestBody: { content: { 'application/json': { schema } } } },
      },
    }),
  );
  for (const theme of ['dark', 'light'])
    await emulator.call('PUT', `/settings/${theme}`, { body: { theme } });
  for (const theme of ['dark', 'light'])
    expect((await emulator.call('GET', `/settings/${theme}`)).body).toEqual({ theme });
});
