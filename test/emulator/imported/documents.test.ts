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
