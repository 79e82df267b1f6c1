import { describe, expect, it } from 'vitest';
import sample from '../../../src/emulator/sample.json' with { type: 'json' };
import { type ImportedEmulator, startImported } from './imported-emulator.ts';
import { silentAmounts } from './sample-variants.ts';

type Paths = Record<string, Record<string, unknown>>;
type Schemas = Record<string, { properties: Record<string, { enum?: string[] }> }>;

const STATUSES = ['processing', 'authorized', 'captured', 'partially_refunded', 'refunded', 'voided'];

/** The sample with operations that delete, cancel and change a refund, and captures that can be listed and deleted. */
function withUndo(document: unknown, statuses: readonly string[] = STATUSES): typeof sample {
  const copy = structuredClone(document) as typeof sample;
  const paths = copy.paths as unknown as Paths;
  const schemas = copy.components.schemas as unknown as Schemas;
  const { get } = copy.paths['/refunds/{refund_id}'];
  const { parameters } = copy.paths['/refunds/{refund_id}'];
  const none = { 204: { description: 'It is gone.' } };
  const body = { type: 'object', properties: { status: { type: 'string' } } };
  const put = {
    requestBody: { content: { 'application/json': { schema: body } } },
    responses: get.responses,
  };
  paths['/refunds/{refund_id}'] = { parameters, get, delete: { responses: none }, put };
  paths['/refunds/{refund_id}/cancel'] = { parameters, post: { responses: get.responses } };
  const nested = '/transactions/{transaction_id}/refunds';
  const text = JSON.stringify(paths[nested])
    .replaceAll('_refund', '_capture')
    .replaceAll('/Refund"', '/Capture_"');
  paths['/transactions/{transaction_id}/captures'] = JSON.parse(text) as Record<string, unknown>;
  paths['/transactions/{transaction_id}/captures/{capture_id}'] = { delete: { responses: none } };
  schemas.Capture_ = structuredClone(schemas.Refund) as never;
  const { Transaction, Refund } = schemas;
  if (Refund?.properties.status) Refund.properties.status.enum = ['CANCELED', 'FAILED', 'SUCCEEDED'];
  if (Transaction?.properties.status && document === sample)
    Transaction.properties.status = { enum: [...statuses] };
  return copy;
}

async function paid(emulator: ImportedEmulator, amount = 1000): Promise<string> {
  const body = { amount, currency: 'EUR', intent: 'capture' };
  const made = await emulator.call('POST', '/transactions', { body });
  const path = `/transactions/${String(made.body.id)}`;
  if (made.body.status !== 'captured') await emulator.call('POST', `${path}/capture`, { body: {} });
  return path;
}

async function refunded(emulator: ImportedEmulator, path: string, amount: number): Promise<string> {
  const made = await emulator.call('POST', `${path}/refunds`, { body: { amount } });
  expect(made).toMatchObject({ status: 201, body: { amount, status: 'SUCCEEDED' } });
  return `/refunds/${String(made.body.id)}`;
}

const now = async (emulator: ImportedEmulator, path: string) => (await emulator.call('GET', path)).body;

describe('a refund that is taken back', () => {
  const ways: readonly (readonly [string, (emulator: ImportedEmulator, path: string) => Promise<unknown>])[] =
    [
      ['deleted', (emulator, path) => emulator.call('DELETE', path)],
      ['cancelled', (emulator, path) => emulator.call('POST', `${path}/cancel`)],
      ['changed to failed', (emulator, path) => emulator.call('PUT', path, { body: { status: 'FAILED' } })],
    ];

  it.each(ways)('gives the amount back when it is %s', async (_name, undo) => {
    await using emulator = await startImported(withUndo(sample));
    const path = await paid(emulator);
    const [first, second] = [await refunded(emulator, path, 400), await refunded(emulator, path, 600)];
    expect(await now(emulator, path)).toMatchObject({ status: 'refunded', refunded_amount: 1000 });
    expect(await undo(emulator, second)).toMatchObject({ status: expect.toBeOneOf([200, 204]) });
    expect(await now(emulator, path)).toMatchObject({ status: 'partially_refunded', refunded_amount: 400 });
    await undo(emulator, first);
    await emulator.call('DELETE', first);
    expect(await now(emulator, path)).toMatchObject({
      status: 'captured',
      captured_amount: 1000,
      refunded_amount: 0,
    });
    await refunded(emulator, path, 1000);
    expect(await now(emulator, path)).toMatchObject({ status: 'refunded', refunded_amount: 1000 });
  });

  it('is not made again, and gives nothing back twice', async () => {
    await using emulator = await startImported(withUndo(sample));
    const path = await paid(emulator);
    await refunded(emulator, path, 300);
    const refund = await refunded(emulator, path, 400);
    await emulator.call('POST', `${refund}/cancel`);
    expect(await emulator.call('PUT', refund, { body: { status: 'SUCCEEDED' } })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'status'], msg: 'cannot be SUCCEEDED, because it is CANCELED' }] },
    });
    expect(await emulator.call('POST', `${refund}/cancel`)).toMatchObject({ status: 400 });
    expect(await emulator.call('PUT', refund, { body: { status: 'FAILED' } })).toMatchObject({ status: 200 });
    expect(await now(emulator, path)).toMatchObject({ refunded_amount: 300 });
  });

  it('leads back to the only status of a captured payment', async () => {
    const document = withUndo(sample, ['authorized', 'captured', 'refunded']);
    await using emulator = await startImported(document);
    const path = await paid(emulator);
    await refunded(emulator, path, 400);
    const refund = await refunded(emulator, path, 600);
    expect(await now(emulator, path)).toMatchObject({ status: 'refunded' });
    await emulator.call('DELETE', refund);
    expect(await now(emulator, path)).toMatchObject({ status: 'captured', refunded_amount: 400 });
  });

  it('is counted where no schema says what was refunded', async () => {
    await using emulator = await startImported(withUndo(silentAmounts));
    const path = await paid(emulator);
    const refund = await refunded(emulator, path, 700);
    expect(await emulator.call('POST', `${path}/refunds`, { body: { amount: 301 } })).toMatchObject({
      status: 422,
    });
    await emulator.call('DELETE', refund);
    await refunded(emulator, path, 1000);
  });
});

describe('a capture that is taken back', () => {
  it('gives the amount back, but not what was refunded', async () => {
    const statuses = ['AUTHORIZED', 'PARTIALLY_CAPTURED', 'CAPTURED', 'REFUNDED', 'VOIDED'];
    await using emulator = await startImported(withUndo(sample, statuses));
    const body = { amount: 1000, currency: 'EUR', intent: 'authorize' };
    const path = `/transactions/${String((await emulator.call('POST', '/transactions', { body })).body.id)}`;
    const capture = async (amount: number) => {
      const made = await emulator.call('POST', `${path}/captures`, { body: { amount } });
      return `${path}/captures/${String(made.body.id)}`;
    };
    const first = await capture(400);
    expect(await now(emulator, path)).toMatchObject({ status: 'PARTIALLY_CAPTURED', captured_amount: 400 });
    const second = await capture(600);
    expect(await now(emulator, path)).toMatchObject({ status: 'CAPTURED', captured_amount: 1000 });
    await emulator.call('DELETE', second);
    expect(await now(emulator, path)).toMatchObject({ status: 'PARTIALLY_CAPTURED', captured_amount: 400 });
    const refund = await refunded(emulator, path, 100);
    expect(await emulator.call('DELETE', first)).toMatchObject({ status: 400 });
    await emulator.call('DELETE', refund);
    expect((await emulator.call('DELETE', first)).status).toBe(204);
    expect(await now(emulator, path)).toMatchObject({ status: 'AUTHORIZED', captured_amount: 0 });
    expect(await emulator.call('POST', `${path}/void`)).toMatchObject({
      status: 200,
      body: { status: 'VOIDED' },
    });
  });
});
