import { describe, expect, it } from 'vitest';
import { hostileDescription, INHERITED } from '../../harness/hostile-description.ts';
import { startImported } from './imported-emulator.ts';

/** The description of a name, with an action on a record that has the name, too. */
function withAction(name: string) {
  const { paths, ...rest } = hostileDescription(name);
  const action = {
    parameters: [{ name, in: 'path', required: true, schema: { type: 'string' } }],
    post: {
      responses: {
        '200': {
          description: 'D',
          content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
        },
      },
    },
  };
  return {
    ...rest,
    paths: { ...(paths as object), ...Object.fromEntries([[`/${name}/{${name}}/${name}`, action]]) },
  };
}

describe.each(INHERITED)('a description whose every name is %s', (name) => {
  const own = (value: unknown) => Object.fromEntries([[name, value]]);

  it('is served with members, parameters and actions of that name', async () => {
    await using emulator = await startImported(withAction(name));
    const listed = await emulator.call('GET', `/${name}`);
    expect(listed).toMatchObject({ status: 200 });
    const filtered = await emulator.call('GET', `/${name}?${name}=plain`);
    const items = (filtered.body as unknown as { items: Record<string, unknown>[] }).items;
    expect(items.map((item) => Object.entries(item).find(([member]) => member === name)?.[1])).toEqual(
      items.map(() => 'plain'),
    );
    const made = await emulator.call('POST', `/${name}`, { body: { id: '1', ...own('plain') } });
    expect([made.status, Object.entries(made.body).find(([member]) => member === name)]).toEqual([
      200,
      [name, 'plain'],
    ]);
    const { id } = made.body as { id: string };
    expect(await emulator.call('GET', `/${name}/${id}`)).toMatchObject({ status: 200, body: made.body });
    expect(await emulator.call('POST', `/${name}/${id}/${name}`)).toMatchObject({ status: 200 });
    expect(await emulator.call('DELETE', `/${name}/${id}`)).toMatchObject({ status: 204 });
    expect(await emulator.call('GET', `/${name}/${id}`)).toMatchObject({ status: 404 });
  });
});
