import { describe, expect, it } from 'vitest';
import sample from '../../../src/emulator/sample.json' with { type: 'json' };
import { type ImportedEmulator, startImported } from './imported-emulator.ts';
import { withUpdate } from './sample-variants.ts';

type Schemas = Record<string, { properties: Record<string, unknown>; [keyword: string]: unknown }>;

/** The sample with members of `add` in the schema of a transaction's body and of the transaction. */
function withMembers(add: Record<string, unknown>, keywords: object = {}): typeof sample {
  const copy = structuredClone(sample);
  const schemas = copy.components.schemas as unknown as Schemas;
  for (const name of ['Transaction', 'TransactionCreate'])
    schemas[name] = { ...schemas[name], properties: { ...schemas[name]?.properties, ...add } };
  Object.assign(schemas.TransactionCreate ?? {}, keywords);
  return copy;
}

async function made(emulator: ImportedEmulator, more: object = {}): Promise<Record<string, unknown>> {
  const body = { amount: 1000, currency: 'EUR', ...more };
  const answer = await emulator.call('POST', '/transactions', { body });
  expect(answer.status).toBe(201);
  return answer.body;
}

describe('the default of a member that a body leaves out', () => {
  it('decides how a payment begins', async () => {
    await using emulator = await startImported(sample);
    expect(await made(emulator)).toMatchObject({ status: 'authorized', captured_amount: 0 });
    const captures = withMembers({
      intent: { type: 'string', enum: ['authorize', 'capture'], default: 'capture' },
    });
    await using other = await startImported(captures);
    expect(await made(other)).toMatchObject({ status: 'captured', captured_amount: 1000 });
    expect(await made(other, { intent: 'authorize' })).toMatchObject({ status: 'authorized' });
  });

  it('is that of the branch that an object can be of, where the member may be its ID', async () => {
    const tier = { type: 'string', default: 'basic' };
    const customer = { type: 'object', properties: { name: { type: 'string' }, tier } };
    await using emulator = await startImported(
      withMembers({ customer: { anyOf: [{ type: 'string' }, customer] } }),
    );
    const record = await made(emulator, { customer: { name: 'a' } });
    expect(record.customer).toEqual({ name: 'a', tier: 'basic' });
  });

  it('is stored, also in the objects and elements that the body has', async () => {
    const item = {
      type: 'object',
      properties: { name: { type: 'string' }, quantity: { type: 'integer', default: 1 } },
    };
    const document = withMembers({
      locale: { type: 'string', default: 'en' },
      billing: item,
      items: { type: 'array', items: item },
    });
    await using emulator = await startImported(document);
    const record = await made(emulator, { billing: { name: 'a' }, items: [{ name: 'b' }, { quantity: 3 }] });
    expect(record).toMatchObject({
      locale: 'en',
      billing: { name: 'a', quantity: 1 },
      items: [{ name: 'b', quantity: 1 }, { quantity: 3 }],
    });
    const plain = await made(emulator);
    expect(plain).toMatchObject({ locale: 'en' });
    expect(plain).not.toHaveProperty('billing');
  });

  it('is that of the branch that the body is for', async () => {
    const kind = (value: string, initial: string) => ({
      type: 'object',
      required: ['kind'],
      properties: { kind: { const: value }, mode: { type: 'string', default: initial } },
    });
    const method = { oneOf: [kind('card', 'online'), kind('cash', 'counter')] };
    await using emulator = await startImported(withMembers({ method }));
    expect(await made(emulator, { method: { kind: 'cash' } })).toMatchObject({ method: { mode: 'counter' } });
    expect(await made(emulator, { method: { kind: 'card' } })).toMatchObject({ method: { mode: 'online' } });
  });

  it('counts in an action without a body, and never as an amount of zero', async () => {
    const copy = structuredClone(sample);
    const { properties } = (copy.components.schemas as unknown as Schemas).Capture ?? { properties: {} };
    properties.amount = { type: 'integer', minimum: 0, default: 0 };
    await using emulator = await startImported(copy);
    const path = `/transactions/${String((await made(emulator)).id)}/capture`;
    expect(await emulator.call('POST', path)).toMatchObject({ status: 200, body: { captured_amount: 1000 } });
    properties.amount = { type: 'integer', minimum: 1, default: 250 };
    await using other = await startImported(copy);
    const capture = `/transactions/${String((await made(other)).id)}/capture`;
    expect(await other.call('POST', capture)).toMatchObject({ status: 200, body: { captured_amount: 250 } });
  });

  it('does not decide the status, and a change does not set it', async () => {
    const status = { type: 'string', enum: ['processing', 'authorized', 'captured'], default: 'processing' };
    const captured = { type: 'integer', default: 0 };
    const document = withUpdate(withMembers({ status, captured_amount: captured }), {
      external_identifier: { type: 'string', default: 'none' },
      currency: { type: 'string', default: 'USD' },
    });
    await using emulator = await startImported(document);
    const record = await made(emulator, { intent: 'capture', external_identifier: 'x' });
    expect(record).toMatchObject({ status: 'captured', captured_amount: 1000 });
    const path = `/transactions/${String(record.id)}`;
    expect(await emulator.call('PUT', path, { body: {} })).toMatchObject({
      status: 200,
      body: { external_identifier: 'x', currency: 'EUR' },
    });
  });
});
