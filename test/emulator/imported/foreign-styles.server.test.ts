import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../src/client/client.ts';
import { codes, imported } from '../../descriptions/describe.ts';
import { foreignDescription } from '../../descriptions/foreign-description.ts';
import { startImported } from './imported-emulator.ts';

const description = foreignDescription();

describe('a description in the styles of other services', () => {
  it('gives each operation the command that a person expects, and leaves nothing out', async () => {
    const result = await imported(description);
    expect(codes(result)).toEqual([]);
    expect(
      result.index.operations.map(({ method, command, paginated = false }) =>
        [method, command, ...(paginated ? ['in pages'] : [])].join(' '),
      ),
    ).toEqual([
      'POST accounts list',
      'POST accounts get',
      'POST accounts remove',
      'GET calls list in pages',
      'POST calls create',
      'GET calls get',
      'POST calls update',
      'DELETE calls delete',
      'GET spaces pods list in pages',
      'POST spaces pods create',
      'DELETE spaces pods delete-all',
      'GET spaces pods get',
      'PUT spaces pods replace',
      'PATCH spaces pods update',
      'DELETE spaces pods delete',
      'GET tasks list in pages',
      'GET cards list in pages',
      'GET charges search list in pages',
      'POST charges capture',
    ]);
  });

  it('is served by the emulator, whose lists are followed to their end', async () => {
    await using emulator = await startImported(description);
    const client = createClient({ baseUrl: emulator.emulator.baseUrl, token: () => emulator.token(['*']) });
    onTestFinished(() => client.close());
    const { list } = await client.withDescription(description);
    for (const path of ['/Calls.json', '/tasks', '/cards', '/charges/search']) {
      const pages = await Array.fromAsync(list(`GET ${path}`).pages());
      const ids = pages.flatMap(({ items }) => items.map((item) => (item as { id: string }).id));
      expect([path, ids.length, new Set(ids).size]).toEqual([path, 30, 30]);
      expect(pages.length).toBeGreaterThan(1);
    }
    // The records come before what describes the page.
    expect(Object.keys((await emulator.call('GET', '/Calls.json')).body)[0]).toBe('calls');
    const { body: made } = await emulator.call('POST', '/spaces/a/pods', { body: { id: 'p1', name: 'x' } });
    const { status } = await emulator.call('DELETE', `/spaces/a/pods/${String(made.id)}`);
    expect(status).toBe(200);
  });
});
