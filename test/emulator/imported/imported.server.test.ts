import { describe, expect, it } from 'vitest';
import { importDescription } from '../../../src/descriptions/import-description.ts';
import { importFolder } from '../../../src/descriptions/read-store.ts';
import { storeImport } from '../../../src/descriptions/store.ts';
import { startTestEmulator, temporaryDirectory } from '../test-emulator.ts';
import { startImported } from './imported-emulator.ts';

const json = (schema: unknown) => ({ description: 'Done.', content: { 'application/json': { schema } } });
const node = { $ref: '#/components/schemas/Node' };
const expression = { $ref: '#/components/schemas/Expression' };
const text = { type: 'string' };

const document = {
  openapi: '3.1.0',
  info: { title: 'Nodes', version: '1' },
  paths: {
    '/nodes': {
      get: { responses: { 200: json({ properties: { items: { type: 'array', items: node } } }) } },
      post: { responses: { 201: json(node) } },
    },
    '/nodes/{node_id}': {
      parameters: [{ name: 'node_id', in: 'path', required: true, schema: text }],
      get: { responses: { 200: json(node) } },
    },
    '/formulas/one': { get: { responses: { 200: json(expression) } } },
    '/checks': {
      post: {
        responses: {
          201: json({
            oneOf: ['person', 'company'].map((name) => ({
              type: 'object',
              properties: { [name]: text },
              additionalProperties: false,
            })),
          }),
        },
      },
    },
    '/rates': {
      get: {
        parameters: [
          { name: 'from', in: 'query', schema: { type: 'string', pattern: '^[A-Z]{3}$' } },
          {
            name: 'to',
            in: 'query',
            schema: { type: 'array', items: { type: 'string', pattern: '^[A-Z]{3}$' } },
          },
          { name: 'mail', in: 'query', schema: { type: 'string', format: 'email' } },
          { name: 'slow', in: 'query', schema: { type: 'string', pattern: '^(a+)+$' } },
        ],
        responses: { 200: json({ type: 'object' }) },
      },
    },
    '/pings': {
      get: { responses: { 200: { description: 'Nothing.' } } },
      post: { responses: { 200: { description: 'Nothing.' } } },
    },
  },
  components: {
    schemas: {
      Node: { type: 'object', required: ['id', 'inner'], properties: { id: text, inner: node } },
      Expression: {
        oneOf: [
          {
            type: 'object',
            required: ['left', 'right'],
            properties: { left: expression, right: expression },
            additionalProperties: false,
          },
          { type: 'object', required: ['value'], properties: { value: text }, additionalProperties: false },
        ],
      },
    },
  },
};

describe('the operations of a description', () => {
  it.each([
    ['GET', '/nodes'],
    ['POST', '/nodes'],
    ['GET', '/nodes/a'],
  ])('say with 501 that nothing fits a schema that requires itself: %s %s', async (method, path) => {
    await using emulator = await startImported(document);
    expect(await emulator.call(method, path)).toMatchObject({
      status: 501,
      body: {
        type: 'error',
        code: 'not_implemented',
        status: 501,
        message:
          'The emulator cannot respond to this operation: Node requires a value that contains another one of its own, without an end',
        details: [],
      },
    });
  });

  it('end where a schema contains itself in one branch only', async () => {
    for (let seed = 1; seed < 6; seed += 1) {
      await using emulator = await startImported(document, { seed });
      const { status, body } = await emulator.call('GET', '/formulas/one');
      expect([status, 'left' in body || 'value' in body]).toEqual([200, true]);
    }
  });

  it('answer with a value that fits one branch of a union only', async () => {
    await using emulator = await startImported(document);
    const { status, body } = await emulator.call('POST', '/checks');
    expect([status, Object.keys(body).length]).toEqual([201, 1]);
  });

  it('compare the query with the patterns and formats of the description', async () => {
    await using emulator = await startImported(document);
    expect(await emulator.call('GET', '/rates?from=EUR&to=USD&to=SEK&mail=a@b.example')).toMatchObject({
      status: 200,
    });
    const { status, body } = await emulator.call('GET', '/rates?from=euro&to=USD&to=x&mail=a');
    expect([status, body.code]).toEqual([400, 'bad_request']);
    const pattern = { type: 'value_error.pattern', message: 'must match the pattern "^[A-Z]{3}$"' };
    expect(body.details).toEqual([
      { ...pattern, pointer: '/from', location: 'query' },
      { ...pattern, pointer: '/to', location: 'query' },
      { type: 'value_error.email', pointer: '/mail', message: 'must be a valid email', location: 'query' },
    ]);
    const slow = await emulator.call('GET', `/rates?slow=${'a'.repeat(200)}!`);
    expect([slow.status, slow.body]).toEqual([200, {}]);
  });

  it.each(['GET', 'POST'])('answer a %s without content as the description says', async (method) => {
    await using emulator = await startImported(document);
    const { status, body, headers } = await emulator.send('/pings', { method, scopes: ['*'] });
    const type = headers.get('content-type');
    expect({ status, body, type, length: headers.get('content-length') }).toEqual({
      status: 200,
      body: {},
      type: null,
      length: '0',
    });
  });
});

it('another import is served a second later, and one that cannot be found is not', async () => {
  using stored = temporaryDirectory();
  const folderOf = async (path: string) => {
    const described = {
      openapi: '3.1.0',
      info: { title: path, version: '1' },
      paths: { [path]: { get: { responses: { 200: json({ type: 'object' }) } } } },
    };
    const imported = await importDescription(JSON.stringify(described), { file: 'service.json' });
    return importFolder(stored.path, storeImport(stored.path, imported));
  };
  let now = Date.now();
  let found: string | undefined | Error = await folderOf('/first');
  await using emulator = await startTestEmulator({
    now: () => new Date(now),
    description: async () => {
      if (found instanceof Error) throw found;
      return found;
    },
  });
  const statuses = async () => {
    const ask = (path: string) => emulator.send(path, { scopes: ['*'] });
    return [(await ask('/first')).status, (await ask('/second')).status];
  };
  expect(await statuses()).toEqual([200, 404]);
  found = await folderOf('/second');
  expect(await statuses()).toEqual([200, 404]);
  now += 1000;
  expect(await statuses()).toEqual([404, 200]);
  found = new Error('cannot be read');
  now += 1000;
  expect(await statuses()).toEqual([404, 200]);
  found = undefined;
  now += 1000;
  expect(await statuses()).toEqual([404, 404]);
});
