import { expect, it } from 'vitest';
import { startImported } from './imported-emulator.ts';

const text = { type: 'string' };
const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });
const answer = (schema: unknown) => ({ 200: { description: 'ok', ...json(schema) } });
const ref = { $ref: '#/components/schemas/Thing' };

/** Things that answer a DELETE in this way, and settings that do the same. */
function things(deleted: unknown) {
  const id = { name: 'id', in: 'path', required: true, schema: text };
  return {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    paths: {
      '/things': { get: { responses: answer({ type: 'array', items: ref }) } },
      '/things/{id}': {
        parameters: [id],
        get: { responses: answer(ref) },
        delete: { responses: answer(deleted) },
      },
      '/settings': { get: { responses: answer(ref) }, delete: { responses: answer(deleted) } },
    },
    components: {
      schemas: { Thing: { type: 'object', required: ['id', 'name'], properties: { id: text, name: text } } },
    },
  };
}

const boolean = { type: 'boolean' };

it.each([
  ['all optional', { type: 'object', properties: { id: text, deleted: boolean } }, ['id', 'deleted']],
  [
    'all required',
    { type: 'object', required: ['id', 'deleted'], properties: { id: text, deleted: boolean } },
    ['id', 'deleted'],
  ],
  [
    'a constant',
    {
      type: 'object',
      required: ['id', 'object', 'deleted'],
      properties: { id: text, object: { const: 'thing' }, deleted: { type: 'boolean', enum: [true] } },
    },
    ['id', 'object', 'deleted'],
  ],
  ['the ID alone', { type: 'object', properties: { id: text } }, ['id']],
  ['another word', { type: 'object', properties: { success: boolean } }, ['success']],
  ['the record', ref, ['id', 'name']],
  ['the record in a member', { type: 'object', required: ['data'], properties: { data: ref } }, ['data']],
])('answers a DELETE with what its response names: %s', async (_, deleted, names) => {
  await using emulator = await startImported(things(deleted));
  const list = (await emulator.call('GET', '/things')).body as unknown as [{ id: string; name: string }];
  const [thing] = list;
  const { status, body } = await emulator.call('DELETE', `/things/${thing.id}`);
  const all = { ...thing, object: 'thing', deleted: true, success: true, data: thing };
  const expected = Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
  expect({ status, body }).toEqual({ status: 200, body: expected });
  expect((await emulator.call('GET', `/things/${thing.id}`)).status).toBe(404);
});

it('answers the DELETE of a single document so, too', async () => {
  const deleted = { type: 'object', properties: { name: text, deleted: boolean } };
  await using emulator = await startImported(things(deleted));
  const { name } = (await emulator.call('GET', '/settings')).body;
  expect((await emulator.call('DELETE', '/settings')).body).toEqual({ name, deleted: true });
});
