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
