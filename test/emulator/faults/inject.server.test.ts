import { describe, expect, it } from 'vitest';
import type { FaultPlan } from '../../../src/emulator/faults/plan.ts';
import type { RequestLine } from '../../../src/emulator/request-listener.ts';
import { faultsOf } from '../../contract/schema-validator.ts';
import { rawRequest, requestHead } from '../raw-request.ts';
import { apiLogs, startTestEmulator, type TestEmulator } from '../test-emulator.ts';

const start = (faults: FaultPlan, onRequest?: (line: RequestLine) => void) =>
  startTestEmulator({ buyers: 60, faults, ...(onRequest && { onRequest }) });

async function raw(test: TestEmulator, target = '/buyers'): Promise<{ head: string; body: string }> {
  const authorization = `Bearer ${await test.token(['buyers.read'])}`;
  const answer = await rawRequest(test.emulator.port, requestHead(`GET ${target}`, { authorization }));
  const end = answer.indexOf('\r\n\r\n');
  return { head: answer.slice(0, end).toLowerCase(), body: answer.slice(end + 4) };
}

const lengthIn = (head: string) => Number(/content-length: (\d+)/.exec(head)?.[1]);

describe('a planned status', () => {
  it('is answered as often as planned, with Retry-After, and kept as an API log', async () => {
    await using test = await start([{ path: '/buyers', status: 429, count: 2, retry_after: 3 }]);
    const answers = [await test.send('/buyers'), await test.send('/buyers'), await test.send('/buyers')];
    expect(answers.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([
      [429, '3'],
      [429, '3'],
      [200, null],
    ]);
    const error = {
      type: 'error',
      status: 429,
      code: 'too_many_requests',
      message: 'Generic error',
      details: [],
    };
    expect(answers[0]?.body).toEqual(error);
    expect(apiLogs(test).map((log) => log.response_body)).toEqual([error, error]);
  });

  it.each([409, 422, 500, 418, 599])('of %i has the body that belongs to it', async (status) => {
    await using test = await start([{ status }]);
    const answer = await test.send('/buyers');
    expect(answer.status).toBe(status);
    expect(faultsOf(status === 422 ? 'ValidationErrorBody' : 'ErrorObject', answer.body)).toEqual([]);
    expect(apiLogs(test)).toHaveLength(1);
  });

  it.each([
    [{ code: 'too_early' }, 425, 'too_early'],
    [{ status: 503 }, 503, 'service_unavailable'],
    [{ status: 599 }, 599, 'server_error'],
    [{ status: 422, code: 'odd' }, 422, 'odd'],
    [{ status: 500, code: 'locked' }, 500, 'locked'],
  ])('from %j is %i with the code %s', async (rule, status, code) => {
    await using test = await start([rule]);
    const answer = await test.send('/buyers');
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it('does not run the operation, and comes before its checks', async () => {
    await using test = await start([{ method: 'POST', status: 500, count: 1 }]);
    const id = test.emulator.database
      .prepare("SELECT id FROM buyers WHERE merchant_account_id = 'default'")
      .get()?.id;
    const create = () =>
      test.send(`/buyers/${id}/shipping-details`, { method: 'POST', scopes: ['buyers.write'], body: '{}' });
    const count = () => test.emulator.database.prepare('SELECT count(*) AS n FROM shipping_details').get()?.n;
    expect([(await create()).status, count()]).toEqual([500, 0]);
    expect([(await create()).status, count()]).toEqual([201, 1]);
  });
});

describe('a planned body', () => {
  it('that is cut ends the connection half way', async () => {
    await using test = await start([{ body: 'cut' }]);
    const { head, body } = await raw(test);
    expect(lengthIn(head)).toBeGreaterThan(1000);
    expect(Math.abs(Buffer.byteLength(body) - lengthIn(head) / 2)).toBeLessThan(2);
    await expect(test.send('/buyers')).rejects.toThrow();
  });

  it('that is malformed is whole and no JSON, and its error is kept whole', async () => {
    await using test = await start([{ body: 'malformed' }]);
    for (const target of ['/buyers', '/nothing']) {
      const { head, body } = await raw(test, target);
      expect(Buffer.byteLength(body)).toBe(lengthIn(head));
      expect(() => JSON.parse(body)).toThrow(SyntaxError);
    }
    expect(apiLogs(test).flatMap((log) => faultsOf('ApiLog', log))).toEqual([]);
    expect(apiLogs(test)[0]?.response_body).toMatchObject({ code: 'not_found' });
  });

  it('of HTML has its type and the status of the answer', async () => {
    await using test = await start([
      { body: 'html', count: 1 },
      { body: 'html', status: 502 },
    ]);
    const ok = await raw(test);
    expect(ok.head).toMatch(/^http\/1.1 200 .*content-type: text\/html; charset=utf-8/s);
    const bad = await raw(test);
    expect(bad.head).toMatch(/^http\/1.1 502 /);
    expect(bad.body).toContain('<h1>502</h1>');
    expect(Buffer.byteLength(bad.body)).toBe(lengthIn(bad.head));
    expect(apiLogs(test).map((log) => log.response_status_code)).toEqual([502]);
  });

  it('that trickles takes its time and comes whole', async () => {
    await using test = await start([{ body: 'trickle', latency_ms: 300 }]);
    const begin = performance.now();
    const { status, body } = await test.send('/buyers');
    expect(performance.now() - begin).toBeGreaterThan(250);
    expect([status, faultsOf('BuyerPage', body)]).toEqual([200, []]);
  });

  it('that is hostile has terrible names and still fits the description', async () => {
    await using test = await start([{ body: 'hostile' }]);
    const { status, body } = await test.send('/buyers');
    expect([status, faultsOf('BuyerPage', body)]).toEqual([200, []]);
    const names = (body.items as { display_name: string }[]).map((item) => item.display_name);
    expect(names).toHaveLength(20);
    expect(names.map((name) => name.length).filter((length) => length > 1000)).toEqual([1024 * 1024]);
    for (const mark of ['\u001b[', '\u009b', '\u202e', '\t', '\n', '\r', '\u2028', '\u0000', '=HYPERLINK']) {
      expect([mark, names.filter((name) => name.includes(mark)).length > 1]).toEqual([mark, true]);
    }
    const error = await test.send('/nothing');
    expect(String(error.body.message)).toContain('\u001b[');
    expect(apiLogs(test)[0]?.response_body).toEqual(error.body);
  });

  it('that is hostile reaches the names within items', async () => {
    await using test = await start([{ body: 'hostile' }]);
    const { body } = await test.send('/audit-logs?limit=1', { scopes: ['audit-logs.read'] });
    const [entry] = body.items as { user: { name: string }; resource: { name: string } }[];
    expect([entry?.user.name.length, entry?.resource.name.length]).toEqual([1024 * 1024, 1024 * 1024]);
  });
});

describe('a planned latency', () => {
  it('delays the answer, and neither the client that goes nor the close of the emulator waits for it', async () => {
    const lines: RequestLine[] = [];
    const test = await start([{ latency_ms: 120, count: 1 }, { latency_ms: 60_000 }], (line) =>
      lines.push(line),
    );
    const begin = performance.now();
    expect((await test.send('/buyers')).status).toBe(200);
    expect(performance.now() - begin).toBeGreaterThan(100);
    // On a busy machine a client can go before its request was read.
    const goAway = () =>
      fetch(`${test.emulator.baseUrl}/buyers`, { signal: AbortSignal.timeout(50) }).catch(() => undefined);
    await expect.poll(async () => [await goAway(), lines.at(1)?.status]).toEqual([undefined, 0]);
    const closing = performance.now();
    const waiting = expect(test.send('/buyers')).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 50));
    await test[Symbol.asyncDispose]();
    await waiting;
    expect(performance.now() - closing).toBeLessThan(50_000);
  });
});

describe('a planned drop', () => {
  it('ends the connection without a response after the operation has run, and is reported with status 0', async () => {
    const lines: RequestLine[] = [];
    await using test = await start([{ drop: true, count: 1 }], (line) => lines.push(line));
    const id = test.emulator.database
      .prepare("SELECT id FROM buyers WHERE merchant_account_id = 'default'")
      .get()?.id;
    const request = { method: 'POST', scopes: ['buyers.write'], body: '{}' };
    await expect(test.send(`/buyers/${id}/shipping-details`, request)).rejects.toThrow();
    const stored = test.emulator.database.prepare('SELECT count(*) AS n FROM shipping_details').get()?.n;
    expect([stored, lines.map(({ status }) => status), apiLogs(test)]).toEqual([1, [0], []]);
    expect((await test.send('/buyers')).status).toBe(200);
  });
});

describe('a planned cursor', () => {
  it('that repeats leads from the second page to itself for ever', async () => {
    await using test = await start([{ cursor: 'repeat' }]);
    const first = await test.send('/buyers?limit=5');
    const second = await test.send(`/buyers?limit=5&cursor=${first.body.next_cursor}`);
    const third = await test.send(`/buyers?limit=5&cursor=${second.body.next_cursor}`);
    expect(second.body.next_cursor).toBe(first.body.next_cursor);
    expect(third.body).toEqual(second.body);
    expect(faultsOf('BuyerPage', third.body)).toEqual([]);
    expect((await test.send('/buyers?limit=0&cursor=x')).status).toBe(400);
  });
});
