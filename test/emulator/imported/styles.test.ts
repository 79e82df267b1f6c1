import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { readOperation } from '../../../src/descriptions/read-store.ts';
import { STYLES, type Style } from '../../descriptions/styles.ts';
import { type ImportedEmulator, startImported } from './imported-emulator.ts';

const ajv = new Ajv2020({ strict: false, allErrors: true });
(addFormats as unknown as (instance: Ajv2020) => void)(ajv);

/** Sends a request and returns its body, which an independent validator has compared with the schema of the operation. */
function caller(emulator: ImportedEmulator, { contentType = 'application/json' }: Style) {
  return async (method: string, path: string, members?: object) => {
    const isForm = contentType.endsWith('urlencoded');
    const response = await emulator.send(path, {
      method,
      scopes: ['*'],
      headers: { 'content-type': contentType },
      ...(members && {
        body: isForm ? new URLSearchParams({ ...members }).toString() : JSON.stringify(members),
      }),
    });
    const isItem = /\/[^/]+$/.exec(path)?.[0].toLowerCase().startsWith('/widgets') === false;
    const found = emulator.index.operations.find(
      (one) => one.method === method && one.path.includes('{') === isItem,
    );
    const schema = found && readOperation(emulator.folder, found).responseBodySchema;
    if (response.status < 300 && schema !== undefined) {
      const validate = ajv.compile(schema as object);
      validate(response.body);
      expect(validate.errors ?? [], `${method} ${path} ${JSON.stringify(response.body)}`).toEqual([]);
    }
    return response as { status: number; body: Record<string, unknown> };
  };
}

describe.each(STYLES)('a description in the style of $name', (style) => {
  const { collection, item, change, items, record, body, members, id } = style;

  it('has records, and create, get, list, change and delete agree', async () => {
    await using emulator = await startImported(style.document);
    const call = caller(emulator, style);
    const first = await call('GET', collection);
    expect(first.status).toBe(200);
    const [known] = items(first.body);
    expect(items(first.body).length).toBeGreaterThan(5);
    const shown = await call('GET', item(id(known ?? {})));
    expect([shown.status, record(shown.body)]).toEqual([200, known]);
    const made = await call('POST', collection, body({ label: 'Made by a test', colour: 'green' }));
    expect([made.status, members(record(made.body))]).toMatchObject([
      201,
      { label: 'Made by a test', colour: 'green' },
    ]);
    const own = item(id(record(made.body)));
    expect(record((await call('GET', own)).body)).toEqual(record(made.body));
    expect(items((await call('GET', collection)).body)[0]).toEqual(record(made.body));
    const changed = await call(change, own, body({ label: 'Changed', colour: 'green' }));
    expect([changed.status, members(record(changed.body))]).toMatchObject([
      200,
      { label: 'Changed', colour: 'green' },
    ]);
    expect(record((await call('GET', own)).body)).toEqual(record(changed.body));
    expect((await call('DELETE', own)).status).toBe(204);
    expect((await call('GET', own)).status).toBe(404);
    expect(items((await call('GET', collection)).body).map(id)).not.toContain(id(record(made.body)));
  });
});
