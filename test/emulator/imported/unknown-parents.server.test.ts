import { expect, it } from 'vitest';
import { answer, document } from '../../descriptions/describe.ts';
import { startImported } from './imported-emulator.ts';

const part = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string' }, name: { type: 'string' } },
};
const thing = { name: 'thing', in: 'path', required: true, schema: { type: 'string' } };
const description = document({
  '/things/{thing}': {
    parameters: [thing],
    delete: { responses: { 204: { description: 'Deleted.' } } },
  },
  '/things/{thing}/parts': {
    parameters: [thing],
    get: { responses: answer({ type: 'array', items: part }) },
    post: {
      requestBody: {
        content: {
          'application/json': { schema: { type: 'object', properties: { name: part.properties.name } } },
        },
      },
      responses: answer(part, '201'),
    },
  },
});

it('responds to operations below a record that no schema describes', async () => {
  await using emulator = await startImported(description);
  const created = await emulator.call('POST', '/things/one/parts', { body: { name: 'Wheel' } });
  expect(created).toMatchObject({ status: 201, body: { name: 'Wheel' } });
  const { status, body } = await emulator.call('GET', '/things/one/parts');
  expect(status).toBe(200);
  expect(body).toContainEqual(created.body);
});

it('lists first records below each record that has every id, and deletes them with it', async () => {
  const guild = { ...part, properties: { ...part.properties, parts: { type: 'integer' } } };
  const get = { responses: answer(guild) };
  const paths = (description as { paths: Record<string, object> }).paths;
  const item = { ...paths['/things/{thing}'], get };
  await using emulator = await startImported(document({ ...paths, '/things/{thing}': item }));
  const ids = async (of: string) => {
    const { body } = await emulator.call('GET', `/things/${of}/parts`);
    return (body as unknown as readonly { readonly id: string }[]).map(({ id }) => id);
  };
  const [one, other] = [await ids('one'), await ids('other')];
  expect([one.length, other.length]).toEqual([30, 30]);
  expect(one.filter((id) => other.includes(id))).toEqual([]);
  expect(await ids('one')).toEqual(one);
  expect(await emulator.call('DELETE', '/things/one')).toMatchObject({ status: 204 });
  expect(await emulator.call('GET', '/things/one/parts')).toMatchObject({ status: 404 });
  expect(await ids('other')).toEqual(other);
});
