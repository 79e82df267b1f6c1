import { describe, expect, it } from 'vitest';
import { type ImportedEmulator, startImported } from './imported-emulator.ts';

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });
const text = { type: 'string' };

type Kind = { readonly path: string; readonly parameter: string; readonly schema: object };

/** Operations that list, make, show, change and delete the records of each kind. */
function describing(kinds: readonly Kind[], others: object = {}): unknown {
  const paths = kinds.flatMap(({ path, parameter, schema }) => {
    const names = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name);
    const above = names.map((name) => ({ name, in: 'path', required: true, schema: text }));
    const one = { 200: { description: 'ok', ...json(schema) } };
    const list = { 200: { description: 'ok', ...json({ type: 'array', items: schema }) } };
    const id = { name: parameter, in: 'path', required: true, schema: text };
    return [
      [
        path,
        {
          parameters: above,
          get: { responses: list },
          post: { requestBody: json(schema), responses: { 201: { description: 'ok', ...json(schema) } } },
        },
      ],
      [
        `${path}/{${parameter}}`,
        {
          parameters: [...above, id],
          get: { responses: one },
          patch: { requestBody: json({ ...schema, required: [] }), responses: one },
          delete: { responses: { 204: { description: 'gone' } } },
        },
      ],
    ];
  });
  const info = { title: 'Places', version: '1' };
  return { openapi: '3.1.0', info, paths: { ...Object.fromEntries(paths), ...others } };
}

const named = (id: string) => ({
  type: 'object',
  required: [id, 'name'],
  properties: { [id]: text, name: text },
});

async function list({ call }: ImportedEmulator, path: string): Promise<readonly Record<string, unknown>[]> {
  return (await call('GET', path)).body as unknown as Record<string, unknown>[];
}

describe('a record is found by the member that its path names', () => {
  it.each([
    ['{widget.key}', 'key'],
    ['{widget-key}', 'key'],
    ['{widgetKey}', 'key'],
    ['{widget_key}', 'widgetKey'],
    ['{widgetCode}', 'widget_code'],
    ['{w}', 'widgetId'],
    ['{slug}', 'slug'],
  ])('%s: %s', async (parameter, member) => {
    const kind = { path: '/widgets', parameter: parameter.slice(1, -1), schema: named(member) };
    await using emulator = await startImported(describing([kind]));
    const body = { [member]: 'mine', name: 'Mine' };
    expect(await emulator.call('POST', '/widgets', { body })).toMatchObject({ status: 201, body });
    expect(await emulator.call('POST', '/widgets', { body })).toMatchObject({ status: 409 });
    expect(await emulator.call('GET', '/widgets/mine')).toMatchObject({ status: 200, body });
    const change = { name: 'Changed' };
    expect(await emulator.call('PATCH', '/widgets/mine', { body: change })).toMatchObject({ body: change });
    expect((await list(emulator, '/widgets'))[0]).toMatchObject({ [member]: 'mine', name: 'Changed' });
    expect(await emulator.call('DELETE', '/widgets/mine')).toMatchObject({ status: 204 });
    expect(await emulator.call('GET', '/widgets/mine')).toMatchObject({ status: 404 });
  });
});

it.each(['search', 'pagination', 'overdue'])(
  'a list at %s below a collection has its records',
  async (word) => {
    const components = { schemas: { Widget: named('id') } };
    const kind = { path: '/widgets', parameter: 'id', schema: { $ref: '#/components/schemas/Widget' } };
    const page = { results: { type: 'array', items: kind.schema }, next: text };
    const responses = { 200: { description: 'ok', ...json({ type: 'object', properties: page }) } };
    const description = describing([kind], { [`/widgets/${word}`]: { get: { responses } } });
    await using emulator = await startImported({ ...(description as object), components });
    const body = { id: 'mine', name: 'Mine' };
    await emulator.call('POST', '/widgets', { body });
    const found = await emulator.call('GET', `/widgets/${word}`);
    const items = await list(emulator, '/widgets');
    expect(found.body).toMatchObject({ results: items.slice(0, 20) });
    expect(items[0]).toMatchObject(body);
  },
);

describe('records below others', () => {
  const keys = describing([
    { path: '/orgs', parameter: 'org', schema: named('id') },
    { path: '/orgs/{org}/projects', parameter: 'project', schema: named('id') },
    { path: '/orgs/{org}/projects/{project}/keys', parameter: 'key', schema: named('id') },
  ]);

  it('are told apart by every record above them', async () => {
    await using emulator = await startImported(keys);
    const post = (path: string, id: string, name: string) =>
      emulator.call('POST', path, { body: { id, name } });
    const [one, other] = ['/orgs/one/projects/web/keys', '/orgs/other/projects/web/keys'];
    for (const org of ['one', 'other']) {
      await post('/orgs', org, org);
      await post(`/orgs/${org}/projects`, 'web', org);
      expect(await post(`/orgs/${org}/projects/web/keys`, 'main', org)).toMatchObject({ status: 201 });
    }
    await post(one, 'second', 'one');
    expect((await list(emulator, one)).map(({ id }) => id)).toEqual(['second', 'main']);
    expect(await list(emulator, other)).toEqual([{ id: 'main', name: 'other' }]);
    await emulator.call('PATCH', `${one}/main`, { body: { name: 'Changed' } });
    expect((await emulator.call('GET', `${other}/main`)).body).toMatchObject({ name: 'other' });
    expect(await emulator.call('DELETE', `${one}/main`)).toMatchObject({ status: 204 });
    expect(await emulator.call('GET', `${one}/main`)).toMatchObject({ status: 404 });
    expect(await emulator.call('GET', `${other}/main`)).toMatchObject({ status: 200 });
    expect(await emulator.call('GET', `${other}/second`)).toMatchObject({ status: 404 });
  });

  it('are told apart by a parameter that names no record, such as an account', async () => {
    const payments = { path: '/shops/{shop}/payments', parameter: 'payment', schema: named('id') };
    await using emulator = await startImported(describing([payments]));
    const made = await emulator.call('POST', '/shops/a%2Fb/payments', { body: { id: 'p', name: 'Mine' } });
    expect(made).toMatchObject({ status: 201 });
    expect(await emulator.call('GET', '/shops/a%2Fb/payments/p')).toMatchObject({ status: 200 });
    for (const shop of ['a', 'b', 'a%252Fb']) {
      expect(await emulator.call('GET', `/shops/${shop}/payments/p`)).toMatchObject({ status: 404 });
      const first = await list(emulator, `/shops/${shop}/payments`);
      expect(first).toHaveLength(30);
      expect(first.map(({ id }) => id)).not.toContain('p');
      const [{ id = '' } = {}] = first;
      expect(await emulator.call('GET', `/shops/${shop}/payments/${String(id)}`)).toMatchObject({
        status: 200,
      });
    }
  });
});

describe('the only document of a path', () => {
  const settings = {
    type: 'object',
    required: ['theme', 'retries'],
    properties: { theme: { enum: ['dark', 'light'] }, retries: { type: 'integer' }, note: text },
  };
  const requestBody = json({ ...settings, required: [] });
  const ok = { type: 'object', required: ['ok'], properties: { ok: { type: 'boolean' } } };
  const paths = {
    '/settings': {
      get: { responses: { 200: { description: 'ok', ...json(settings) } } },
      put: { requestBody, responses: { 204: { description: 'done' } } },
      patch: { requestBody, responses: { 200: { description: 'done', ...json(ok) } } },
      delete: { responses: { 204: { description: 'gone' } } },
    },
  };

  it('is what was put there, whatever the answer to that is', async () => {
    await using emulator = await startImported(describing([], paths));
    const put = { theme: 'dark', retries: 3, note: 'Put' };
    expect(await emulator.call('PUT', '/settings', { body: put })).toMatchObject({ status: 204 });
    expect((await emulator.call('GET', '/settings')).body).toEqual(put);
    const patched = await emulator.call('PATCH', '/settings', { body: { retries: 4 } });
    expect(patched).toMatchObject({ status: 200, body: { ok: expect.any(Boolean) } });
    expect((await emulator.call('GET', '/settings')).body).toEqual({ ...put, retries: 4 });
    expect(await emulator.call('DELETE', '/settings')).toMatchObject({ status: 204 });
    expect(await emulator.call('GET', '/settings')).toMatchObject({ status: 404 });
    await emulator.call('PATCH', '/settings', { body: { retries: 5 } });
    expect((await emulator.call('GET', '/settings')).body).toMatchObject({ retries: 5 });
  });
});

describe('a record of a schema that is hard to fit', () => {
  const chosen = { type: 'array', minItems: 3, uniqueItems: true, items: { enum: ['a', 'b', 'c', 'd'] } };

  it('has elements that differ', async () => {
    const schema = {
      type: 'object',
      required: ['id', 'chosen'],
      properties: { id: text, chosen: { ...chosen, maxItems: 4 }, name: text },
    };
    await using emulator = await startImported(describing([{ path: '/sets', parameter: 'id', schema }]));
    const made = await emulator.call('POST', '/sets', { body: { id: 'x', chosen: ['a', 'c', 'd'] } });
    expect(made).toMatchObject({ status: 201, body: { id: 'x', chosen: ['a', 'c', 'd'] } });
    for (const one of await list(emulator, '/sets'))
      expect(new Set(one.chosen as string[]).size).toBeGreaterThan(2);
  });

  it('leaves out what need not be there and cannot fit', async () => {
    const odd = { allOf: [{ type: 'string' }, { not: { minLength: 0 } }] };
    const schema = { type: 'object', required: ['id'], properties: { id: text, odd, name: text } };
    await using emulator = await startImported(describing([{ path: '/odds', parameter: 'id', schema }]));
    const first = await list(emulator, '/odds');
    expect(first).toHaveLength(30);
    expect(first.filter((one) => 'odd' in one)).toEqual([]);
  });

  it('has its id and what the body says, also where nothing fits it', async () => {
    const odd = { allOf: [{ type: 'string' }, { not: { minLength: 0 } }] };
    const shown = { type: 'object', required: ['id', 'odd'], properties: { id: text, odd, name: text } };
    const list = { 200: { description: 'ok', ...json({ type: 'array', items: shown }) } };
    const paths = {
      '/odds': {
        get: { responses: list },
        post: { requestBody: json(named('name')), responses: { 201: { description: 'ok', ...json(shown) } } },
      },
      '/odds/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
        get: { responses: { 200: { description: 'ok', ...json(shown) } } },
      },
    };
    await using emulator = await startImported(describing([], paths));
    const made = await emulator.call('POST', '/odds', { body: { name: 'Mine' } });
    expect(made).toMatchObject({ status: 201, body: { name: 'Mine' } });
    expect(await emulator.call('GET', `/odds/${String(made.body.id)}`)).toMatchObject({
      status: 200,
      body: made.body,
    });
  });
});
