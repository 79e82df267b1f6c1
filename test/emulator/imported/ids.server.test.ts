import { describe, expect, it } from 'vitest';
import { startImported } from './imported-emulator.ts';

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });

/** Operations that list, make and show orders with these members; `inPath` is the schema of the parameter in the path of one. */
function orders(inPath: object, members: Readonly<Record<string, object>>, parameter = 'order_id'): unknown {
  const properties: Record<string, object> = { ...members, name: { type: 'string' } };
  const schema = { type: 'object', required: Object.keys(properties), properties };
  const { id: _made, ...body } = properties;
  const one = (status: number) => ({ responses: { [status]: { description: '', ...json(schema) } } });
  return {
    openapi: '3.1.0',
    info: { title: 'Orders', version: '1' },
    paths: {
      '/orders': {
        get: { responses: { 200: { description: '', ...json({ type: 'array', items: schema }) } } },
        post: { requestBody: json({ type: 'object', properties: body }), ...one(201) },
      },
      [`/orders/{${parameter}}`]: {
        parameters: [{ name: parameter, in: 'path', required: true, schema: inPath }],
        get: one(200),
      },
    },
  };
}

const text = { type: 'string' };

describe('the id of a record', () => {
  it.each([
    ['the pattern of the path', { ...text, pattern: '^[A-Z0-9]{17}$' }, text, /^[A-Z0-9]{17}$/],
    [
      'the narrower of two patterns',
      { ...text, pattern: '^[A-Z0-9]{17}$' },
      { ...text, pattern: '^[A-Z0-9]+$', maxLength: 36 },
      /^[A-Z0-9]{17}$/,
    ],
    [
      'the pattern of the member where no text matches both',
      { ...text, pattern: '^[a-z]{5}$' },
      { ...text, pattern: '^ord_[0-9]{9}$' },
      /^ord_[0-9]{9}$/,
    ],
    ['the lengths of the path', { ...text, minLength: 20, maxLength: 22 }, text, /^.{20,22}$/],
    [
      'the format of the path',
      { ...text, format: 'uuid' },
      text,
      /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    ],
    ['the length of the member', text, { ...text, maxLength: 10 }, /^.{10}$/],
    ['a number', { type: 'integer' }, { type: 'integer' }, /^\d+$/],
    [
      'the limits of a number',
      { type: 'integer', maximum: 4_000_999_999 },
      { type: 'integer', exclusiveMinimum: 4_000_000_000, multipleOf: 1000 },
      /^4000\d{3}000$/,
    ],
    [
      'the limits of a number in the path',
      { type: 'integer', minimum: 5_000_000 },
      { type: 'integer' },
      /^5\d{6}$/,
    ],
  ])('fits %s', async (_name, inPath, id, expected) => {
    await using emulator = await startImported(orders(inPath, { id }));
    const list = (await emulator.call('GET', '/orders')).body as unknown as readonly { id: unknown }[];
    expect(list).toHaveLength(30);
    const made = await emulator.call('POST', '/orders', { body: { name: 'Mine' } });
    expect(made.status).toBe(201);
    const ids = [...list, made.body].map((one) => String(one.id));
    expect(new Set(ids).size).toBe(31);
    for (const one of ids) expect(one).toMatch(expected);
    for (const one of [ids[0], ids.at(-1)])
      expect((await emulator.call('GET', `/orders/${one}`)).status).toBe(200);
  });

  it.each([
    ['external_id', 'external_order_id', { service_id: text, external_id: text, slug: text }],
    ['order_code', 'code', { id: { type: 'integer' }, domain: text, order_code: text }],
    ['orderKey', 'key', { id: text, email: text, orderKey: text }],
  ])('is its %s where the path has {%s}', async (member, parameter, members) => {
    await using emulator = await startImported(orders(text, members, parameter));
    const body = { name: 'Mine', [member]: 'mine-1' };
    expect((await emulator.call('POST', '/orders', { body })).status).toBe(201);
    expect(await emulator.call('GET', '/orders/mine-1')).toMatchObject({ status: 200, body });
  });
});

describe('a record that paths name by two members', () => {
  const contact = {
    type: 'object',
    required: ['id', 'number'],
    properties: { id: { ...text, format: 'uuid', readOnly: true }, number: text, name: text },
  };
  const note = { type: 'object', required: ['id'], properties: { id: text, text } };
  const one = (schema: object) => ({ responses: { 200: { description: '', ...json(schema) } } });
  const below = (parameter: string, item: object) => ({
    parameters: [{ name: parameter, in: 'path', required: true, schema: text }],
    ...item,
  });
  const requestBody = json({ type: 'object', properties: { number: text, name: text, text } });
  const collection = (schema: object) => ({
    get: one({ type: 'array', items: schema }),
    post: { requestBody, responses: { 201: { description: '', ...json(schema) } } },
  });
  const description = (byId: string, byNumber: string) => ({
    openapi: '3.1.0',
    info: { title: 'Contacts', version: '1' },
    paths: {
      '/contacts': collection(contact),
      [`/contacts/{${byId}}`]: below(byId, {
        get: one(contact),
        delete: { responses: { 204: { description: '' } } },
      }),
      [`/contacts/{${byNumber}}`]: below(byNumber, {
        get: one(contact),
        put: { requestBody, ...one(contact) },
      }),
      [`/contacts/{${byNumber}}/notes`]: below(byNumber, collection(note)),
    },
  });

  it.each([
    ['id', 'number'],
    ['contact_id', 'contactNumber'],
    ['number', 'id'],
  ])('is found by either: %s and %s', async (byId, byNumber) => {
    await using emulator = await startImported(description(byId, byNumber));
    const { body: made } = await emulator.call('POST', '/contacts', { body: { number: 'C-7', name: 'Ada' } });
    const paths = [`/contacts/${String(made.id)}`, '/contacts/C-7'];
    for (const path of paths) {
      expect(await emulator.call('GET', path)).toMatchObject({ status: 200, body: made });
      const changed = await emulator.call('PUT', path, { body: { name: path } });
      expect(changed.body).toEqual({ ...made, name: path });
      await emulator.call('PUT', path, { body: { name: 'Ada' } });
      await emulator.call('POST', `${path}/notes`, { body: { text: path } });
    }
    for (const path of paths) {
      const notes = (await emulator.call('GET', `${path}/notes`)).body as unknown as { text: string }[];
      expect(notes.slice(0, 2).map((each) => each.text)).toEqual(paths.toReversed());
    }
    await emulator.call('POST', '/contacts', { body: { number: 'C-8' } });
    expect((await emulator.call('DELETE', '/contacts/C-7')).status).toBe(204);
    for (const path of paths) expect((await emulator.call('GET', path)).status).toBe(404);
    expect((await emulator.call('GET', '/contacts/C-8')).status).toBe(200);
  });

  it('is named below it as the path names it', async () => {
    const about = { type: 'object', properties: { ...note.properties, number: text } };
    const whole = description('id', 'number');
    const others = {
      '/contacts/{id}/tags': below('id', collection(note)),
      '/contacts/{id}/files': below('id', collection(note)),
    };
    const paths = {
      ...whole.paths,
      ...others,
      '/contacts/{number}/notes': below('number', collection(about)),
    };
    await using emulator = await startImported({ ...whole, paths });
    await emulator.call('POST', '/contacts', { body: { number: 'C-7' } });
    const { body } = await emulator.call('POST', '/contacts/C-7/notes', { body: { text: 'a' } });
    expect(body.number).toBe('C-7');
  });

  it('is not found by a member that refers to another record', async () => {
    const comment = {
      type: 'object',
      required: ['id'],
      properties: { id: { ...text, format: 'uuid', readOnly: true }, comment_id: text },
    };
    const sent = json({ type: 'object', properties: { comment_id: text } });
    await using emulator = await startImported({
      openapi: '3.1.0',
      info: { title: 'Comments', version: '1' },
      paths: {
        '/comments': { ...collection(comment), post: { ...collection(comment).post, requestBody: sent } },
        '/comments/{id}': below('id', { get: one(comment) }),
        '/comments/{comment_id}/notes': below('comment_id', collection(note)),
      },
    });
    await emulator.call('POST', '/comments', { body: { comment_id: 'gone' } });
    expect((await emulator.call('GET', '/comments/gone')).status).toBe(404);
    expect((await emulator.call('GET', '/comments/gone/notes')).status).toBe(404);
  });
});
