import { expect, it } from 'vitest';
import { ledgerDescription } from '../../descriptions/ledger-description.ts';
import { startImported } from './imported-emulator.ts';

const TIME = { type: 'string', format: 'date-time' };
const SECONDS = { type: 'integer' };
type Entry = { readonly id: string; readonly updated_at: string; readonly changed?: number };

/** When the clock of the emulator begins, in milliseconds since 1970. */
const START = Date.parse('2026-03-01T10:00:00Z');

/** The parameter, its schema, and whether it takes a record of exactly the time. */
const PARAMETERS = [
  ['updated_at_gte', TIME, true],
  ['updated_at[gt]', TIME, false],
  ['updated_since', TIME, true],
  ['updated_after', { type: 'string' }, false],
  ['updatedAt[after]', TIME, false],
  ['filter[updated_at][gte]', TIME, true],
  ['date_modified:min', TIME, true],
  ['last_modified_from', SECONDS, true],
  ['updated_at[gte]', { type: 'string', pattern: '^[0-9]{10}$' }, true],
] as const;

it.each(PARAMETERS)('a list can be asked for changed records with %s', async (name, schema, isInclusive) => {
  let at = START;
  await using service = await startImported(ledgerDescription({ [name]: schema }), {
    now: () => new Date(at),
  });
  const list = async (since?: number) => {
    const isText = 'format' in schema || !('pattern' in schema || schema.type === 'integer');
    const value = since === undefined || isText ? new Date(since ?? 0).toISOString() : String(since / 1000);
    const query = since === undefined ? '' : `&${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
    const { status, body } = await service.call('GET', `/ledger-entries?limit=100${query}`);
    expect(status).toBe(200);
    return (body.items as readonly Entry[]).map(({ id }) => id);
  };
  const all = await list();
  const [changed = '', later = ''] = [all[7], all[3]];
  await service.call('PATCH', `/ledger-entries/${changed}`, { body: { label: 'first' } });
  at += 60_000;
  await service.call('PATCH', `/ledger-entries/${later}`, { body: { label: 'second' } });
  const created = (await service.call('POST', '/ledger-entries', { body: {} })).body.id;
  expect(await list(at - 60_000)).toEqual(isInclusive ? [created, later, changed] : [created, later]);
  expect(await list(at)).toEqual(isInclusive ? [created, later] : []);
  expect(await list(at + 1000)).toEqual([]);
  expect(await list(Date.parse('2011-01-01'))).toHaveLength(all.length + 1);
});

it('a record keeps the time of its last change as seconds', async () => {
  const members = { updated_at: { type: 'integer', format: 'unix-time' } };
  const document = ledgerDescription({ updated_after: SECONDS }, members);
  const now = new Date(START);
  await using service = await startImported(document, { now: () => now });
  const { body } = await service.call('GET', '/ledger-entries');
  const [{ id = '' } = {}] = body.items as readonly Entry[];
  const changed = await service.call('PATCH', `/ledger-entries/${id}`, { body: { label: 'new' } });
  expect(changed.body).toMatchObject({ label: 'new', updated_at: now.getTime() / 1000 });
  const found = await service.call('GET', `/ledger-entries?updated_after=${now.getTime() / 1000 - 1}`);
  expect(found.body).toMatchObject({ items: [{ id }], next_cursor: null });
});

it('integers of 64 bits are listed, filtered and changed without rounding', async () => {
  await using service = await startImported(ledgerDescription());
  const token = await service.token(['*']);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const url = `${service.emulator.baseUrl}/ledger-entries`;
  const text = await (await fetch(`${url}?limit=100`, { headers })).text();
  const kept = ['9223372036854775807', '-9223372036854775808', '9007199254740993'];
  for (const number of kept) expect(text).toContain(`:${number},`);
  const sent = { method: 'POST', headers, body: '{"amount":9007199254740993}' };
  expect(await (await fetch(url, sent)).text()).toContain('"amount":9007199254740993,');
});
