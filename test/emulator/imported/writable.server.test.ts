import { describe, expect, it } from 'vitest';
import { type ImportedEmulator, startImported } from './imported-emulator.ts';

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const text = { type: 'string' };
const schemas = {
  Secret: { type: 'string', writeOnly: true },
  CardInput: { type: 'object', properties: { brand: text, level: text, number: text, cvc: text } },
  Card: {
    type: 'object',
    properties: { brand: text, last4: text },
    if: { properties: { brand: { const: 'visa' } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { level: text } },
  },
  OpenCard: { type: 'object', properties: { brand: text }, additionalProperties: true },
  Wallet: {
    type: 'object',
    required: ['token', 'kind'],
    properties: { kind: text, token: { type: 'string', writeOnly: true, pattern: '^[a-f]{8}$' } },
  },
  AccountInput: {
    type: 'object',
    properties: {
      name: text,
      code: text,
      level: { type: 'string', readOnly: true },
      secret: text,
      password: text,
      pin: text,
      card: ref('CardInput'),
      cards: { type: 'array', items: ref('CardInput') },
      open: ref('CardInput'),
      wallet: ref('Wallet'),
    },
  },
  Account: {
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'string', readOnly: true },
      name: text,
      code: { type: 'string', readOnly: true },
      level: { type: 'string', readOnly: true },
      secret: { type: 'string', writeOnly: true },
      password: ref('Secret'),
      pin: { allOf: [ref('Secret')], writeOnly: true },
      card: ref('Card'),
      cards: { type: 'array', items: ref('Card') },
      open: ref('OpenCard'),
      wallet: ref('Wallet'),
    },
  },
};
const id = { name: 'id', in: 'path', required: true, schema: text };
const answer = { 200: { description: 'ok', ...json(ref('Account')) } };
const requestBody = json(ref('AccountInput'));
const description = {
  openapi: '3.0.3',
  info: { title: 'Secrets', version: '1' },
  paths: {
    '/accounts': {
      get: { responses: { 200: { description: 'ok', ...json({ type: 'array', items: ref('Account') }) } } },
      post: { requestBody, responses: { 201: { description: 'ok', ...json(ref('Account')) } } },
    },
    '/accounts/{id}': {
      parameters: [id],
      get: { responses: answer },
      put: { requestBody, responses: answer },
    },
    '/accounts/{id}/block': { parameters: [id], post: { requestBody, responses: answer } },
    '/check': { post: { requestBody, responses: answer } },
    '/settings': { get: { responses: answer }, put: { requestBody, responses: answer } },
  },
  components: { schemas },
};

const body = {
  name: 'Till',
  secret: 'hidden-1',
  password: 'hidden-2',
  pin: 'hidden-3',
  card: { brand: 'visa', level: 'gold', number: 'hidden-4', cvc: 'hidden-5' },
  cards: [{ brand: 'amex', number: 'hidden-6' }],
  open: { brand: 'jcb', number: 'shown' },
  wallet: { kind: 'phone', token: 'abcdefab' },
};
const visible = {
  name: 'Till',
  card: { brand: 'visa', level: 'gold' },
  cards: [{ brand: 'amex' }],
  open: { brand: 'jcb', number: 'shown' },
  wallet: { kind: 'phone', token: expect.stringMatching(/^[a-f]{8}$/) },
};

async function answers(emulator: ImportedEmulator): Promise<Record<string, unknown>> {
  const made = await emulator.call('POST', '/accounts', { body });
  const path = `/accounts/${String(made.body.id)}`;
  const [listed] = (await emulator.call('GET', '/accounts')).body as unknown as unknown[];
  return {
    made: made.body,
    shown: (await emulator.call('GET', path)).body,
    listed,
    changed: (await emulator.call('PUT', path, { body })).body,
    acted: (await emulator.call('POST', `${path}/block`, { body })).body,
    echoed: (await emulator.call('POST', '/check', { body })).body,
    set: (await emulator.call('PUT', '/settings', { body })).body,
    read: (await emulator.call('GET', '/settings')).body,
  };
}

describe('what a body has for a member that is only written', () => {
  it('is in no answer, and neither is what the schema of the record does not name', async () => {
    await using emulator = await startImported(description);
    for (const [name, value] of Object.entries(await answers(emulator))) {
      expect([name, value]).toEqual([name, expect.objectContaining(visible)]);
      expect(JSON.stringify(value)).not.toMatch(/hidden|abcdefab/);
    }
  });

  it('is not stored', async () => {
    await using emulator = await startImported(description);
    await answers(emulator);
    const { database } = emulator.emulator;
    const tables = database
      .prepare("SELECT name FROM sqlite_master WHERE name LIKE 'described%records'")
      .all();
    const rows = tables.flatMap(({ name }) => database.prepare(`SELECT * FROM ${String(name)}`).all());
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toMatch(/hidden|abcdefab/);
  });
});

describe('a member that is readOnly in a record', () => {
  it('is set by a body whose own schema names it, and by no other', async () => {
    await using emulator = await startImported(description);
    const sent = { name: 'Till', code: 'till-1', level: 'sent' };
    const { id } = (await emulator.call('POST', '/accounts', { body: sent })).body;
    const { body: shown } = await emulator.call('GET', `/accounts/${String(id)}`);
    expect(shown).toMatchObject({ name: 'Till', code: 'till-1' });
    expect(shown.level).not.toBe('sent');
  });
});
