import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { IndexedOperation } from '../../../src/descriptions/imported-operation.ts';
import { readOperation } from '../../../src/descriptions/read-store.ts';
import { answer, document } from '../../descriptions/describe.ts';
import { LARGE_MERCHANT_HEADER, largeDescription } from '../../descriptions/large-description.ts';
import { type ImportedEmulator, startImported } from './imported-emulator.ts';

let emulator: ImportedEmulator;
beforeAll(async () => {
  emulator = await startImported(largeDescription());
});
afterAll(async () => {
  await emulator[Symbol.asyncDispose]();
});

const ajv = new Ajv2020({ strict: false, allErrors: true });
(addFormats as unknown as (instance: Ajv2020) => void)(ajv);

/** What an independent validator has against an answer. */
function problems(operation: IndexedOperation, body: unknown): string[] {
  const { responseBodySchema } = readOperation(emulator.folder, operation);
  if (responseBodySchema === undefined) return [];
  const validate = ajv.compile(responseBodySchema as object);
  return validate(body)
    ? []
    : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}

/** Those that payctl's own contract answers. */
const OWN = new Set(['/buyers', '/checkout/sessions/{session_id}']);

/** The path with the ids of records that exist. */
async function existing(path: string): Promise<string> {
  let result = '';
  for (const segment of path.split('/').slice(1)) {
    if (!segment.startsWith('{')) {
      result += `/${segment}`;
      continue;
    }
    const { body } = await emulator.call('GET', result);
    const items = (Array.isArray(body) ? body : body.items) as { id: string }[];
    result += `/${items[0]?.id}`;
  }
  return result;
}

function operations(method: string): IndexedOperation[] {
  return emulator.index.operations.filter((one) => one.method === method && !OWN.has(one.path));
}

describe('the emulator of a description of 150 operations', () => {
  it('answers every GET with what its schema allows', async () => {
    const found: string[] = [];
    for (const operation of operations('GET')) {
      const query = operation.path === '/exchange-rates' ? '?from=EUR&to=USD' : '';
      const path = await existing(operation.path);
      const { status, body } = await emulator.call('GET', path + query);
      if (status !== 200) found.push(`${status} ${path} ${JSON.stringify(body)}`);
      found.push(...problems(operation, body).map((one) => `${path} ${one}`));
    }
    expect(found).toEqual([]);
  });

  it('finds every record again that was created', async () => {
    const body = { amount: 1234, currency: 'EUR', display_name: 'Made by a test' };
    const created = operations('POST').filter((one) => /^add_/.test(one.id));
    expect(created.length).toBeGreaterThan(15);
    for (const operation of created) {
      const made = await emulator.call('POST', operation.path, { body });
      expect(made).toMatchObject({ status: 201, body });
      expect(problems(operation, made.body)).toEqual([]);
      const listed = await emulator.call('GET', operation.path);
      const items = (Array.isArray(listed.body) ? listed.body : listed.body.items) as unknown[];
      expect(items[0]).toEqual(made.body);
      const item = operations('GET').find((one) => one.path.startsWith(`${operation.path}/{`));
      if (!item) continue;
      const found = await emulator.call('GET', `${operation.path}/${String(made.body.id)}`);
      expect(found).toMatchObject({ status: 200, body: made.body });
    }
  });

  it('shows every update and every delete', async () => {
    for (const operation of [...operations('PUT'), ...operations('DELETE')]) {
      if (operation.path.includes('receipt-template')) continue;
      const path = await existing(operation.path);
      const body = { amount: 77, currency: 'SEK' };
      const isUpdate = operation.method === 'PUT';
      const changed = await emulator.call(operation.method, path, isUpdate ? { body } : {});
      expect([changed.status, path]).toEqual([isUpdate ? 200 : 204, path]);
      const again = await emulator.call(operation.method, path, isUpdate ? { body } : {});
      expect([again.status, path]).toEqual([isUpdate ? 200 : 404, path]);
      if (!isUpdate) continue;
      const list = await emulator.call('GET', path.slice(0, path.lastIndexOf('/')));
      expect((list.body.items as { id: string }[]).find(({ id }) => path.endsWith(id))).toMatchObject(body);
    }
  });

  it('refuses every operation without a token and without its scope', async () => {
    for (const operation of emulator.index.operations) {
      const path = operation.path.replaceAll(/\{.*?\}/g, 'x');
      const { method } = operation;
      expect(await emulator.send(path, { method, scopes: [] })).toMatchObject({ status: 401 });
      if (operation.scopes.length === 0) continue;
      const { status, body } = await emulator.send(path, { method, scopes: ['other.read', 'other.write'] });
      expect([status, body.code, path]).toEqual([403, 'forbidden', path]);
    }
  });

  it('keeps the records of the merchant accounts apart', async () => {
    const headers = { [LARGE_MERCHANT_HEADER]: 'outlet' };
    const ofOutlet = await emulator.call('GET', '/payouts?limit=100', { headers });
    const ofDefault = await emulator.call('GET', '/payouts?limit=100');
    const [id] = (ofOutlet.body.items as { id: string }[]).map((one) => one.id);
    expect(JSON.stringify(ofDefault.body)).not.toContain(id);
    expect(await emulator.call('GET', `/payouts/${id}`)).toMatchObject({ status: 404 });
    expect(await emulator.call('GET', `/payouts/${id}`, { headers })).toMatchObject({ status: 200 });
    expect(
      await emulator.call('GET', '/payouts', { headers: { [LARGE_MERCHANT_HEADER]: 'nowhere' } }),
    ).toMatchObject({
      status: 404,
    });
  });
});

describe('the first records of a schema that takes long', () => {
  // Where the machine is busy, the system may deliver no byte of the other requests in the moments left for them.
  it('are made while other requests are handled', { retry: 5 }, async () => {
    const list = { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } };
    await using slow = await startImported(document({ '/things': { get: { responses: answer(list) } } }));
    // Opens the description.
    expect(await slow.call('GET', '/nothing')).toMatchObject({ status: 404 });
    let now = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
      now += 60;
      return now;
    });
    let isDone = false;
    let handled = 0;
    const others = (async () => {
      for (; !isDone; handled += 1) expect((await slow.call('GET', '/buyers?limit=1')).status).toBe(200);
    })();
    const first = await slow.call('GET', '/things');
    isDone = true;
    await others;
    clock.mockRestore();
    expect(handled).toBeGreaterThan(4);
    expect([first.status, first.body]).toEqual([
      200,
      Array.from({ length: 30 }, () => ({ id: expect.any(String) })),
    ]);
    expect((await slow.call('GET', '/things')).body).toEqual(first.body);
  });
});
