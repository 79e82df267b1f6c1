import { describe, expect, it } from 'vitest';
import { type ImportedEmulator, startImported } from './imported-emulator.ts';

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });
const text = { type: 'string' };
const record = { type: 'object', required: ['id', 'name'], properties: { id: text, name: text } };
const note = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: text, name: text, org: text },
};
const Note = { $ref: '#/components/schemas/Note' };

function collection(path: string, parameter: string, schema: object): object {
  const names = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name);
  const inPath = (name: string | undefined) => ({ name, in: 'path', required: true, schema: text });
  const one = { 200: { description: '', ...json(schema) } };
  const list = { 200: { description: '', ...json({ type: 'array', items: schema }) } };
  const post = { requestBody: json(schema), responses: { 201: { description: '', ...json(schema) } } };
  return {
    [path]: { parameters: names.map(inPath), get: { responses: list }, post },
    [`${path}/{${parameter}}`]: {
      parameters: [...names, parameter].map(inPath),
      get: { responses: one },
      delete: { responses: { 204: { description: '' } } },
    },
  };
}

const settings = { type: 'object', properties: { colour: text } };
const document = {
  openapi: '3.1.0',
  info: { title: 'Children', version: '1' },
  components: { schemas: { Note: note } },
  paths: {
    ...collection('/orgs', 'org', record),
    ...collection('/orgs/{org}/projects', 'project', record),
    ...collection('/orgs/{org}/projects/{project}/keys', 'key', record),
    ...collection('/orgs/{org}/notes', 'note', Note),
    ...collection('/notes', 'note', Note),
    ...collection('/orgs/{org}/notes/{note}/lines', 'line', record),
    ...collection('/orgs/{org}/rooms/{room}/doors', 'door', record),
    '/orgs/{org}/settings': {
      parameters: [{ name: 'org', in: 'path', required: true, schema: text }],
      get: { responses: { 200: { description: '', ...json(settings) } } },
      put: { requestBody: json(settings), responses: { 200: { description: '', ...json(settings) } } },
    },
  },
};

async function make({ call }: ImportedEmulator, path: string, id: string): Promise<string> {
  expect(await call('POST', path, { body: { id, name: id } })).toMatchObject({ status: 201, body: { id } });
  return `${path}/${id}`;
}

async function listed({ call }: ImportedEmulator, path: string): Promise<readonly unknown[]> {
  const { status, body } = await call('GET', path);
  expect(status).toBe(200);
  return body as unknown as readonly unknown[];
}

describe('what belongs to a record that is deleted', () => {
  it('is in the audit log, each record by its kind and name', async () => {
    await using emulator = await startImported(document);
    await make(emulator, '/orgs', 'a');
    await make(emulator, `${await make(emulator, '/orgs/a/projects', 'p')}/keys`, 'k');
    await make(emulator, `${await make(emulator, '/orgs/a/notes', 'n')}/lines`, 'l');
    await make(emulator, '/orgs/a/rooms/r/doors', 'd');
    await emulator.call('DELETE', '/orgs/a');
    const { body } = await emulator.call('GET', '/audit-logs?action=deleted&limit=100');
    const items = body.items as readonly { resource: { type: string; id: string; name: string } }[];
    const own = items.filter(({ resource }) => ['a', 'p', 'k', 'n', 'l', 'd'].includes(resource.id));
    expect(own.map(({ resource }) => resource)).toContainEqual({ type: 'key', id: 'k', name: 'k' });
    expect(own.map(({ resource }) => `${resource.type} ${resource.name}`).sort()).toEqual([
      'door d',
      'key k',
      'line l',
      'note n',
      'org a',
      'project p',
    ]);
    expect(new Set(items.map(({ resource }) => `${resource.type} ${resource.id}`)).size).toBe(items.length);
  });

  it('is deleted with it, at any depth, and does not come back with a new record of the id', async () => {
    await using emulator = await startImported(document);
    const grow = async (org: string) => {
      await make(emulator, '/orgs', org);
      await make(emulator, `${await make(emulator, `/orgs/${org}/projects`, `p-${org}`)}/keys`, 'k');
      await make(emulator, `${await make(emulator, `/orgs/${org}/notes`, `n-${org}`)}/lines`, 'l');
      await make(emulator, `/orgs/${org}/rooms/r/doors`, 'd');
      await emulator.call('PUT', `/orgs/${org}/settings`, { body: { colour: 'red' } });
    };
    await grow('a');
    await grow('b');
    const doors = (await listed(emulator, '/orgs/b/rooms/r/doors')).length;
    expect((await emulator.call('DELETE', '/orgs/a')).status).toBe(204);
    for (const path of ['/orgs/a', '/orgs/a/projects', '/orgs/a/projects/p-a/keys/k', '/notes/n-a'])
      expect([path, (await emulator.call('GET', path)).status]).toEqual([path, 404]);
    await make(emulator, '/orgs', 'a');
    expect(await listed(emulator, '/orgs/a/projects')).toEqual([]);
    expect(await listed(emulator, '/orgs/a/notes')).toEqual([]);
    expect(await listed(emulator, '/orgs/a/rooms/r/doors')).toEqual([]);
    expect((await emulator.call('GET', '/orgs/a/settings')).body).not.toMatchObject({ colour: 'red' });
    await make(emulator, '/orgs/a/projects', 'p-a');
    await make(emulator, '/orgs/a/notes', 'n-a');
    expect(await listed(emulator, '/orgs/a/projects/p-a/keys')).toEqual([]);
    expect(await listed(emulator, '/orgs/a/notes/n-a/lines')).toEqual([]);
    expect(await listed(emulator, '/orgs/b/projects')).toHaveLength(1);
    expect(await listed(emulator, '/orgs/b/projects/p-b/keys')).toHaveLength(1);
    expect(await listed(emulator, '/orgs/b/notes/n-b/lines')).toHaveLength(1);
    expect(await listed(emulator, '/orgs/b/rooms/r/doors')).toHaveLength(doors);
    expect((await emulator.call('GET', '/orgs/b/settings')).body).toMatchObject({ colour: 'red' });
  });

  it('is deleted with a record that is named by another path', async () => {
    await using emulator = await startImported(document);
    await make(emulator, '/orgs', 'a');
    await make(emulator, `${await make(emulator, '/orgs/a/notes', 'n')}/lines`, 'l');
    expect((await emulator.call('DELETE', '/notes/n')).status).toBe(204);
    await make(emulator, '/orgs/a/notes', 'n');
    expect(await listed(emulator, '/orgs/a/notes/n/lines')).toEqual([]);
  });

  it('are first records, too, whether they were asked for or not', async () => {
    for (const isAsked of [true, false]) {
      await using emulator = await startImported(document);
      const [first] = (await listed(emulator, '/orgs')) as readonly { id: string }[];
      const path = `/orgs/${first?.id}`;
      if (isAsked) expect(await listed(emulator, `${path}/projects`)).not.toEqual([]);
      await emulator.call('DELETE', path);
      await make(emulator, '/orgs', String(first?.id));
      expect(await listed(emulator, `${path}/projects`)).toEqual([]);
    }
  });
});

describe('records that would be below themselves', () => {
  const Group = { $ref: '#/components/schemas/Group' };
  const groups = collection('/groups', 'group', Group);

  it.each([
    [
      'groups of notes and notes of groups',
      {
        ...collection('/notes', 'note', Note),
        ...collection('/groups/{group}/notes', 'note', Note),
        ...collection('/notes/{note}/groups', 'group', Group),
      },
    ],
    ['groups of groups', collection('/groups/{group}/groups', 'other', Group)],
    ['steps of a group', { '/groups/{group}/{step}': { post: { responses: { 200: json(Group) } } } }],
  ])('are lists of their own: %s', async (_, others) => {
    const components = { schemas: { Note: note, Group: record } };
    await using emulator = await startImported({ ...document, components, paths: { ...groups, ...others } });
    const { status, body } = await emulator.call('GET', '/groups');
    expect(status).toBe(200);
    const [first] = body as unknown as { id: string }[];
    expect(await emulator.call('GET', `/groups/${first?.id}`)).toMatchObject({ status: 200, body: first });
  });
});
