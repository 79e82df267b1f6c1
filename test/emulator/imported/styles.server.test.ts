import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import type { IndexedOperation } from '../../../src/descriptions/imported-operation.ts';
import { readOperation } from '../../../src/descriptions/read-store.ts';
import { STYLES, type Style, type StyleRequest } from '../../descriptions/styles.ts';
import { type ImportedEmulator, startImported } from './imported-emulator.ts';

const ajv = new Ajv2020({ strict: false, allErrors: true });
(addFormats as unknown as (instance: Ajv2020) => void)(ajv);

/** By the operations of emulators: what the bodies of their responses are validated with, which takes long to compile. */
const validators = new Map<IndexedOperation, ValidateFunction | undefined>();

function validatorOf({ folder }: ImportedEmulator, operation: IndexedOperation) {
  if (!validators.has(operation)) {
    const schema = readOperation(folder, operation).responseBodySchema;
    validators.set(operation, schema === undefined ? undefined : ajv.compile(schema as object));
  }
  return validators.get(operation);
}

type Reply = { readonly status: number; readonly body: Record<string, unknown> };

/** Sends a request and returns its reply, which an independent validator has compared with the schema of the operation. */
async function send(emulator: ImportedEmulator, style: Style, request: StyleRequest): Promise<Reply> {
  const { operationId, method, path, body } = request;
  const { contentType = 'application/json' } = style;
  const isForm = contentType.endsWith('urlencoded');
  const reply = (await emulator.send(path, {
    method,
    scopes: ['*'],
    headers: { 'content-type': contentType },
    ...(body && {
      body: isForm ? new URLSearchParams(body as Record<string, string>).toString() : JSON.stringify(body),
    }),
  })) as Reply;
  const found = emulator.index.operations.find(({ id }) => id === operationId);
  const validate = found && reply.status < 300 ? validatorOf(emulator, found) : undefined;
  if (validate) {
    validate(reply.body);
    expect(validate.errors ?? [], `${method} ${path} ${JSON.stringify(reply.body)}`).toEqual([]);
  }
  return reply;
}

describe.each(STYLES)('a description in the style of $name', (style) => {
  const { request, items, record, members, id } = style;

  it('has records, and create, get, list, change and delete agree', async () => {
    await using emulator = await startImported(style.document);
    const call = (...given: Parameters<typeof request>) => send(emulator, style, request(...given));
    const listed = async () => items((await call('list', {})).body);
    const [first] = await listed();
    expect((await listed()).length).toBeGreaterThan(5);
    const shown = await call('get', { id: id(first ?? {}) });
    expect([shown.status, record(shown.body)]).toEqual([200, first]);
    const made = await call('create', { members: { label: 'Made by a test', colour: 'green' } });
    expect(members(record(made.body))).toMatchObject({ label: 'Made by a test', colour: 'green' });
    const own = id(record(made.body));
    expect(record((await call('get', { id: own })).body)).toEqual(record(made.body));
    expect((await listed())[0]).toEqual(record(made.body));
    const changed = await call('change', { id: own, members: { label: 'Changed', colour: 'green' } });
    expect(members(record(changed.body))).toMatchObject({ label: 'Changed', colour: 'green' });
    expect(record((await call('get', { id: own })).body)).toEqual(record(changed.body));
    expect((await call('delete', { id: own })).status).toBeLessThan(300);
    expect((await call('get', { id: own })).status).toBe(404);
    expect((await listed()).map(id)).not.toContain(own);
  });
});

const json = (schema: unknown) => ({ description: '', content: { 'application/json': { schema } } });
const list = (name: string, item: object) =>
  json({ type: 'object', properties: { [name]: { type: 'array', items: item } } });
const object = (properties: object) => ({ type: 'object', properties });
const paths = (all: object) => ({ openapi: '3.1.0', info: { title: 'Lists', version: '1' }, paths: all });
const text = { type: 'string' };

const feature = { ...object({ value: { oneOf: [text, { type: 'boolean' }, text] } }), required: ['value'] };

it('a POST of a path that ends in a deletion deletes the record', async () => {
  const record = { ...object({ id: text, deleted: { type: 'boolean' } }), required: ['id'] };
  const id = { name: 'id', in: 'path', required: true, schema: text };
  const get = { responses: { 200: json(record) } };
  await using emulator = await startImported(
    paths({
      '/plans': { get: { responses: { 200: list('plans', record) } } },
      '/plans/{id}': { parameters: [id], get },
      '/plans/{id}/delete': { parameters: [id], post: { responses: { 200: json(record) } } },
    }),
  );
  const listed = async () => (await emulator.call('GET', '/plans')).body.plans as { id: string }[];
  const [first] = await listed();
  const { status, body } = await emulator.call('POST', `/plans/${first?.id}/delete`);
  expect([status, body.id]).toEqual([200, first?.id]);
  expect((await emulator.call('GET', `/plans/${first?.id}`)).status).toBe(404);
  expect((await listed()).map((one) => one.id)).not.toContain(first?.id);
});

it('a request with a list of one record has to have one', async () => {
  const style = STYLES.find(({ name }) => name.startsWith('a list of one record'));
  await using emulator = await startImported(style?.document ?? {});
  for (const Widgets of [[], [{ label: 'a' }, { label: 'b' }]]) {
    const { status, body } = await emulator.call('PUT', '/Widgets', { body: { Widgets } });
    expect([status, body.details]).toMatchObject([400, [{ pointer: '/Widgets' }]]);
  }
});

describe('a collection', () => {
  it('has records, also where nothing names one of them', async () => {
    const get = { responses: { 200: list('regions', object({ continent: text })) } };
    await using emulator = await startImported(paths({ '/regions': { get } }));
    const { body } = await emulator.call('GET', '/regions');
    expect((body as { regions: unknown[] }).regions.length).toBeGreaterThan(5);
  });

  it('has its usual size where the default of the size is below one', async () => {
    const limit = { name: 'limit', in: 'query', schema: { type: 'integer', default: -1 } };
    const get = { parameters: [limit], responses: { 200: list('zones', object({ id: text })) } };
    await using emulator = await startImported(paths({ '/zones': { get } }));
    const { status, body } = await emulator.call('GET', '/zones');
    expect([status, (body as { zones: unknown[] }).zones.length]).toEqual([200, 20]);
    expect((await emulator.call('GET', '/zones?limit=-2')).status).toBe(400);
  });

  it('has records that are named as the record is, not as what a deletion returns', async () => {
    const node = object({ metadata: object({ name: text }) });
    const outcome = object({ code: { type: 'integer' }, metadata: object({}) });
    const name = { name: 'name', in: 'path', required: true, schema: text };
    const document = paths({
      '/nodes': { get: { responses: { 200: list('items', node) } } },
      '/nodes/{name}': {
        parameters: [name],
        delete: { responses: { 200: json(outcome) } },
        get: { responses: { 200: json(node) } },
      },
    });
    await using emulator = await startImported(document);
    const { body } = await emulator.call('GET', '/nodes');
    const [{ metadata }] = (body as { items: [{ metadata: { name: string } }] }).items;
    expect((await emulator.call('GET', `/nodes/${metadata.name}`)).body).toMatchObject({ metadata });
  });

  it('of databases, warehouses or cases has each record in a member of its name', async () => {
    const one = (name: string) => {
      const record = object({ label: text, uuid: text });
      const id = { name: 'id', in: 'path', required: true, schema: text };
      return {
        [`/${name}s`]: { get: { responses: { 200: list(`${name}s`, record) } } },
        [`/${name}s/{id}`]: {
          parameters: [id],
          get: { responses: { 200: json(object({ notice: text, [name]: record })) } },
        },
      };
    };
    const document = paths({ ...one('database'), ...one('warehouse'), ...one('case') });
    await using emulator = await startImported(document);
    for (const name of ['database', 'warehouse', 'case']) {
      const { body } = await emulator.call('GET', `/${name}s`);
      const [first] = body[`${name}s`] as [{ uuid: string }];
      expect((await emulator.call('GET', `/${name}s/${first.uuid}`)).body[name]).toEqual(first);
    }
  });

  it('of keys is named by their numbers where the path has an identifier', async () => {
    const record = object({ name: text, id: { type: 'integer', example: 512189 } });
    const id = { name: 'key_identifier', in: 'path', required: true, schema: { ...text } };
    const document = paths({
      '/keys': { get: { responses: { 200: list('keys', record) } } },
      '/keys/{key_identifier}': { parameters: [id], get: { responses: { 200: json(record) } } },
    });
    await using emulator = await startImported(document);
    const { body } = await emulator.call('GET', '/keys');
    const keys = body.keys as { id: number }[];
    expect(new Set(keys.map((key) => key.id)).size).toBe(keys.length);
    expect((await emulator.call('GET', `/keys/${keys[1]?.id}`)).body).toEqual(keys[1]);
  });

  it.each([
    [
      'fits one branch of a union each, where the first can have no value',
      {
        oneOf: [
          {
            ...object({ id: text, type: { allOf: [{ enum: ['a', 'b'] }, { enum: ['c'] }] } }),
            required: ['type'],
          },
          { ...object({ id: text, type: { const: 'b' } }), required: ['type'] },
        ],
      },
    ],
    [
      'leaves out what fits several branches of a union',
      {
        ...object({
          id: text,
          plans: {
            type: 'array',
            minItems: 1,
            items: object({ features: { type: 'array', minItems: 6, items: feature } }),
          },
        }),
        required: ['plans'],
      },
    ],
  ])('%s', async (_, record) => {
    const named = { $ref: '#/components/schemas/Plan' };
    const get = { responses: { 200: json({ type: 'array', items: named }) } };
    const document = { ...paths({ '/plans': { get } }), components: { schemas: { Plan: record } } };
    await using emulator = await startImported(document);
    const { body } = await emulator.call('GET', '/plans');
    const validate = ajv.compile({ type: 'array', items: record });
    validate(body);
    expect(validate.errors ?? []).toEqual([]);
    expect(body.length).toBeGreaterThan(5);
  });

  it('takes no further record where each ID that is allowed has one', async () => {
    const record = object({ id: { ...text, pattern: '^[ab]$' } });
    const made = { requestBody: json(object({ label: text })), responses: { 201: json(record) } };
    await using emulator = await startImported(
      paths({ '/slots': { get: { responses: { 200: list('slots', record) } }, post: made } }),
    );
    expect((await emulator.call('POST', '/slots', { body: {} })).status).toBe(409);
  });
});
