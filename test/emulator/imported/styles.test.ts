import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { readOperation } from '../../../src/descriptions/read-store.ts';
import { STYLES, type Style, type StyleRequest } from '../../descriptions/styles.ts';
import { type ImportedEmulator, startImported } from './imported-emulator.ts';

const ajv = new Ajv2020({ strict: false, allErrors: true });
(addFormats as unknown as (instance: Ajv2020) => void)(ajv);

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
  const schema = found && readOperation(emulator.folder, found).responseBodySchema;
  if (reply.status < 300 && schema !== undefined) {
    const validate = ajv.compile(schema as object);
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
