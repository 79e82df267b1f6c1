import { describe, expect, it } from 'vitest';
import { answer, document } from '../../descriptions/describe.ts';
import { startImported } from './imported-emulator.ts';

const text = { type: 'string' };
const object = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
});
const named = (name: string, schema: object = text) => ({ name, in: 'path', required: true, schema });
const requestBody = (schema: object) => ({ content: { 'application/json': { schema } } });

describe('a PUT of an ID that is not there', () => {
  const alias = object({ name: text, target: text }, ['name', 'target']);
  const body = requestBody(object({ target: text }, ['target']));
  const paths = {
    '/aliases': { get: { responses: answer(object({ aliases: { type: 'array', items: alias } })) } },
    '/aliases/{name}': {
      parameters: [named('name')],
      get: { responses: answer(alias) },
      put: { requestBody: body, responses: answer(alias) },
      delete: { responses: { 204: { description: '' } } },
    },
  };

  it('creates the record where no POST does, once', async () => {
    await using emulator = await startImported(document(paths));
    const put = (target: string) => emulator.call('PUT', '/aliases/mine', { body: { target } });
    const made = { name: 'mine', target: 'one' };
    expect(await put('one')).toMatchObject({ status: 200, body: made });
    expect(await emulator.call('GET', '/aliases/mine')).toMatchObject({ status: 200, body: made });
    expect((await put('two')).body).toEqual({ ...made, target: 'two' });
    const { aliases } = (await emulator.call('GET', '/aliases')).body as unknown as {
      readonly aliases: readonly { readonly name: string }[];
    };
    expect(aliases.filter(({ name }) => name === 'mine').length).toBe(1);
    await emulator.call('DELETE', '/aliases/mine');
    expect(await emulator.call('GET', '/aliases/mine')).toMatchObject({ status: 404 });
  });

  it('creates it with a number, where IDs are numbers', async () => {
    const thing = object({ id: { type: 'integer' }, label: text }, ['id']);
    await using emulator = await startImported(
      document({
        '/things': { get: { responses: answer({ type: 'array', items: thing }) } },
        '/things/{id}': {
          parameters: [named('id', { type: 'integer' })],
          put: { requestBody: requestBody(object({ label: text })), responses: answer(thing) },
        },
      }),
    );
    const made = await emulator.call('PUT', '/things/7000001', { body: { label: 'x' } });
    expect(made).toMatchObject({ status: 200, body: { id: 7000001, label: 'x' } });
  });

  it('is a 404 where a POST creates records', async () => {
    const post = { requestBody: body, responses: answer(alias, '201') };
    const described = document({ ...paths, '/aliases': { ...paths['/aliases'], post } });
    await using emulator = await startImported(described);
    const changed = await emulator.call('PUT', '/aliases/mine', { body: { target: 'one' } });
    expect(changed).toMatchObject({ status: 404 });
  });
});

it('a record that may have any members is stored', async () => {
  const free = { type: 'object' };
  await using emulator = await startImported(
    document({
      '/notes': { post: { requestBody: requestBody(free), responses: answer(free, '201') } },
      '/notes/{id}': { parameters: [named('id')], get: { responses: answer(free) } },
    }),
  );
  const body = { id: 'one', title: 'x', tags: ['a'] };
  expect(await emulator.call('POST', '/notes', { body })).toMatchObject({ status: 201, body });
  expect(await emulator.call('GET', '/notes/one')).toMatchObject({ status: 200, body });
});
