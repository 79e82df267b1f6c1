import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { FaultRule } from '../../../src/emulator/faults/plan.ts';
import type { RequestLine } from '../../../src/emulator/request-listener.ts';
import sample from '../../../src/emulator/sample.json' with { type: 'json' };
import { startCaptured } from '../imported/captured-transactions.ts';
import { withNamedRefunds, withoutKeys } from '../imported/sample-variants.ts';
import { requestHead } from '../raw-request.ts';

const REFUNDS = '/transactions/{transaction_id}/refunds';

/** An emulator with one captured transaction, whose next refund meets a fault. */
async function startRefunding(fault: FaultRule, document: unknown = sample) {
  const lines: RequestLine[] = [];
  const faults = [{ method: 'POST', path: REFUNDS, count: 1, ...fault }];
  const options = { faults, onRequest: (line: RequestLine) => lines.push(line) };
  const { emulator, transactions } = await startCaptured(document, 1, options);
  const path = `/transactions/${transactions[0]?.id}/refunds`;
  return {
    ...emulator,
    path,
    /** The requests since then, oldest first. */
    lines,
    refund: (headers: Record<string, string> = {}) =>
      emulator.call('POST', path, { body: { amount: 100 }, headers }),
    async list() {
      const { body } = await emulator.call('GET', path);
      return body.items as { id: string; amount: number; created_at: string }[];
    },
  };
}

const KEY = { 'idempotency-key': 'row-1' };

describe('a planned error of an operation that is performed', () => {
  it.each([500, 502, 504])('of %i comes after the change, which its key finds again', async (status) => {
    await using service = await startRefunding({ status, perform: true });
    expect(await service.refund(KEY)).toMatchObject({ status, body: { type: 'error', status } });
    const made = await service.list();
    expect(made).toHaveLength(1);
    expect(await service.refund(KEY)).toMatchObject({ status: 201, body: { id: made[0]?.id } });
    expect(await service.list()).toEqual(made);
  });

  it('leads to a second change where the operation takes no key', async () => {
    await using service = await startRefunding({ status: 500, perform: true }, withoutKeys);
    expect(await service.refund(KEY)).toMatchObject({ status: 500 });
    expect(await service.refund(KEY)).toMatchObject({ status: 201 });
    expect(await service.list()).toHaveLength(2);
  });
});

describe('a planned drop', () => {
  it.each([
    [true, 1],
    [false, 0],
  ])('with perform %s leaves %i changes and no response', async (perform, count) => {
    await using service = await startRefunding({ drop: true, perform });
    await expect(service.refund(KEY)).rejects.toThrow('fetch failed');
    expect(await service.list()).toHaveLength(count);
    expect(service.lines.map(({ status, method }) => [status, method])).toEqual([
      [0, 'POST'],
      [200, 'GET'],
    ]);
    expect(await service.refund(KEY)).toMatchObject({ status: 201 });
    expect(await service.list()).toHaveLength(1);
  });
});

describe('a planned hold', () => {
  it('performs the operation when its time is over, also if the client has gone', async () => {
    await using service = await startRefunding({ hold_ms: 2000 }, withNamedRefunds(sample));
    const body = JSON.stringify({ amount: 100, external_identifier: 'row-1' });
    const head = requestHead(`POST ${service.path}`, {
      authorization: `Bearer ${await service.token(['*'])}`,
      'content-type': 'application/json',
      'content-length': String(body.length),
    });
    const socket = connect(service.emulator.port, '127.0.0.1');
    await new Promise<void>((resolve) => socket.write(head + body, () => resolve()));
    // The emulator has read it by the time it has responded to several later requests, except on a very busy machine.
    for (let later = 0; later < 5; later += 1) await service.call('GET', '/transactions?limit=1');
    await wait(200);
    socket.destroy();
    await expect
      .poll(() => service.lines.map(({ status, method }) => [status, method]))
      .toContainEqual([0, 'POST']);
    const held = service.lines.find(({ method }) => method === 'POST');
    const [made, ...others] = await service.list();
    expect([made, others]).toEqual([expect.objectContaining({ external_identifier: 'row-1' }), []]);
    expect(held?.milliseconds).toBeGreaterThan(1990);
    const waited = Date.parse(made?.created_at ?? '') - Number(held?.receivedAt);
    expect(waited).toBeGreaterThan(1990);
  });

  it('delays an operation that is performed or not', async () => {
    await using service = await startRefunding({ hold_ms: 60, status: 503 });
    expect([(await service.refund()).status, (await service.refund()).status]).toEqual([503, 201]);
    const [refused] = service.lines;
    expect(refused?.milliseconds).toBeGreaterThan(50);
  });

  it('does not outlast the emulator', async () => {
    const service = await startRefunding({ hold_ms: 600_000 });
    const refused = expect(service.refund()).rejects.toThrow('fetch failed');
    await service.call('GET', '/transactions?limit=1');
    await service[Symbol.asyncDispose]();
    await refused;
  });
});

describe('a forgotten key', () => {
  it('makes a repeated request a new one, and keeps the first response for the next', async () => {
    await using service = await startRefunding({ forget_key: true, after: 1 });
    const first = await service.refund(KEY);
    const second = await service.refund(KEY);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect((await service.refund(KEY)).body).toEqual(first.body);
    expect((await service.list()).map(({ id }) => id)).toEqual([second.body.id, first.body.id]);
  });

  it('of a first request is not kept', async () => {
    await using service = await startRefunding({ forget_key: true });
    await service.refund(KEY);
    await service.refund(KEY);
    expect(await service.list()).toHaveLength(2);
  });
});
