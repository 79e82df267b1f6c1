import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { RequestLine } from '../../src/emulator/request-listener.ts';
import { startEmulator } from '../../src/emulator/server.ts';
import { rawRequest, requestHead } from './raw-request.ts';
import {
  apiLogs,
  emulatorForAll,
  startTestEmulator,
  type TestEmulator,
  temporaryDirectory,
} from './test-emulator.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Status, headers and parsed body of one raw answer. */
function parse(answer: string): { status: number; head: string; body: Record<string, unknown> } {
  const [head = '', text = ''] = answer.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head: head.toLowerCase(), body: JSON.parse(text) };
}

describe('a started emulator', () => {
  const test = emulatorForAll({ buyers: 3, onRequest: (line) => lines.push(line) });
  const lines: RequestLine[] = [];

  const bearer = async (scopes = ['buyers.read']) => ({
    authorization: `Bearer ${await test.token(scopes)}`,
  });

  it('listens on the loopback interface alone, and says where', () => {
    const { baseUrl, port } = test.emulator;
    expect(baseUrl).toBe(`http://127.0.0.1:${port}`);
    expect(port).toBeGreaterThan(0);
  });

  it('sends every answer with type, request id and date', async () => {
    const ids = new Set<string>();
    for (const options of [{}, { scopes: [] }, { method: 'DELETE' }]) {
      const { headers } = await test.send('/buyers', options);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(headers.get('x-request-id')).toMatch(uuid);
      expect(Date.parse(headers.get('date') ?? '')).toBeGreaterThan(Date.now() - 60_000);
      ids.add(headers.get('x-request-id') ?? '');
    }
    expect(ids.size).toBe(3);
  });

  it.each([
    '/',
    '/nothing',
    '/buyers/',
    '/buyers/x',
    '/buyers/gift-cards/x',
    '/buyers//shipping-details',
    '/Buyers',
    '/checkout/sessions',
    '/unknown',
    '/__emulator/x',
  ])('answers 404 for %s, token or not, whatever the method', async (path) => {
    const notFound = {
      type: 'error',
      code: 'not_found',
      status: 404,
      message: 'The resource could not be found',
      details: [],
    };
    for (const options of [{}, { scopes: [] }, { method: 'POST' }]) {
      const { status, body } = await test.send(path, options);
      expect([status, body]).toEqual([404, notFound]);
    }
  });

  it.each(['//buyers', '//evil.example/buyers', '/buyers//', '/a/../buyers', '*', 'http://h//buyers'])(
    'answers 404 for the raw target %s',
    async (target) => {
      expect(parse(await rawRequest(test.emulator.port, requestHead(`GET ${target}`))).status).toBe(404);
    },
  );

  it('takes the absolute form of a target and an encoded path for what they mean', async () => {
    for (const target of ['http://any.example/buyers?limit=1', '/%62uyers?limit=1']) {
      const answer = await rawRequest(test.emulator.port, requestHead(`GET ${target}`, await bearer()));
      expect(parse(answer)).toMatchObject({ status: 200, body: { limit: 1 } });
    }
  });

  it.each(['/%', '/buyers%ZZ', '/%FF/x'])('answers 400 for the malformed path %s', async (target) => {
    const { status, body } = parse(await rawRequest(test.emulator.port, requestHead(`GET ${target}`)));
    expect(status).toBe(400);
    expect(body.details).toEqual([
      {
        type: 'value_error.encoding',
        pointer: '',
        message: 'the path is not valid percent-encoded UTF-8',
        location: 'path',
      },
    ]);
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('answers 405 with Allow for %s', async (method) => {
    const { status, headers, body } = await test.send('/buyers', { method, scopes: [] });
    expect([status, headers.get('allow')]).toEqual([405, 'GET']);
    expect(body).toEqual({
      type: 'error',
      code: 'method_not_allowed',
      status: 405,
      message: 'Method Not Allowed',
      details: [],
    });
  });

  it('answers 405 without a body for HEAD', async () => {
    const { status, body } = await test.send('/buyers', { method: 'HEAD' });
    expect([status, body]).toEqual([405, {}]);
  });

  it('checks in the order path, method, token, scope, merchant account, query', async () => {
    const headers = { 'x-service-merchant-account-id': 'nobody' };
    const bad = '?limit=0';
    const status = async (path: string, options: Parameters<TestEmulator['send']>[1]) =>
      (await test.send(path + bad, { headers, ...options })).status;
    expect(await status('/nowhere', { method: 'POST', scopes: [] })).toBe(404);
    expect(await status('/buyers', { method: 'POST', scopes: [] })).toBe(405);
    expect(await status('/buyers', { scopes: [] })).toBe(401);
    expect(await status('/buyers', { scopes: ['roles.read'] })).toBe(403);
    expect(await status('/buyers', {})).toBe(404);
    expect(await status('/buyers', { headers: {} })).toBe(400);
  });

  it('names the needed scope in a 403', async () => {
    const { status, body } = await test.send('/buyers', { scopes: ['roles.read', 'buyers.write'] });
    expect(status).toBe(403);
    expect(body).toEqual({
      type: 'error',
      code: 'forbidden',
      status: 403,
      message: 'This request requires the scope buyers.read',
      details: [],
    });
  });

  it.each([['*'], ['*.read'], ['buyers.*'], ['buyers.read']])('lets the scope %s through', async (scope) => {
    expect((await test.send('/buyers', { scopes: [scope] })).status).toBe(200);
  });

  it('answers 400 for a body over 1 MiB, once it has come in whole, and takes a smaller one', async () => {
    const head = async (length: number) =>
      requestHead('GET /buyers', { 'content-length': String(length), ...(await bearer()) });
    const mebibyte = 1024 * 1024;
    const { port } = test.emulator;
    const refused = parse(await rawRequest(port, (await head(mebibyte + 1)) + 'x'.repeat(mebibyte + 1)));
    expect(refused.status).toBe(400);
    expect(refused.body.details).toEqual([
      {
        type: 'value_error.body_too_large',
        pointer: '',
        message: 'the body must be at most 1048576 bytes',
        location: 'body',
      },
    ]);
    const taken = parse(await rawRequest(port, (await head(mebibyte)) + 'x'.repeat(mebibyte)));
    expect(taken.status).toBe(200);
  });

  it('answers 400 in the shape of the contract to what is not HTTP or has endless headers', async () => {
    const { port } = test.emulator;
    for (const text of ['nonsense\r\n\r\n', requestHead('GET /buyers', { x: 'y'.repeat(100_000) })]) {
      const { status, head, body } = parse(await rawRequest(port, text));
      expect(status).toBe(400);
      expect(head).toContain('content-type: application/json; charset=utf-8');
      expect(head).toMatch(/x-request-id: [0-9a-f-]{36}/);
      expect(head).toMatch(/^date: .* gmt$/m);
      expect(body).toMatchObject({ type: 'error', code: 'bad_request', status: 400 });
    }
  });

  it('answers 405 to a request for a tunnel', async () => {
    const { port } = test.emulator;
    const { status, head, body } = parse(await rawRequest(port, requestHead('CONNECT a.example:443', {})));
    expect(status).toBe(405);
    expect(head).toMatch(/^allow:\r?$/m);
    expect(body).toMatchObject({ type: 'error', code: 'method_not_allowed', status: 405 });
  });

  it('answers a request without Host, with Expect and with Upgrade as any other', async () => {
    const { port } = test.emulator;
    expect(parse(await rawRequest(port, 'GET /x HTTP/1.1\r\nconnection: close\r\n\r\n')).status).toBe(404);
    expect(parse(await rawRequest(port, requestHead('GET /x', { expect: 'magic' }))).status).toBe(404);
    const upgrade = requestHead('GET /x', { connection: 'upgrade, close', upgrade: 'websocket' });
    expect(parse(await rawRequest(port, upgrade)).status).toBe(404);
  });

  it('keeps running when clients go away in the middle of a request or of a response', async () => {
    const { port } = test.emulator;
    const authorization = await bearer();
    const texts = [
      'GET /buy',
      requestHead('GET /buyers', { 'content-length': '100', ...authorization }),
      requestHead('GET /buyers?limit=100', authorization),
      requestHead('CONNECT a.example:443', {}),
    ];
    for (const text of texts) {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      await new Promise((resolve) => socket.write(text, resolve));
      socket.resetAndDestroy();
    }
    expect((await test.send('/buyers')).status).toBe(200);
    expect(apiLogs(test).filter((log) => Number(log.response_status_code) >= 500)).toEqual([]);
  });

  it('leaves it to clients to end idle connections, because one that it ended could be in use again', async () => {
    const { headers } = await test.send('/buyers');
    expect([headers.get('connection'), headers.get('keep-alive')]).toEqual(['keep-alive', null]);
  });

  it('reports each request with its status and time, without its token', async () => {
    await test.send('/buyers?search=a%20report');
    await test.send('/nothing/to/report', { method: 'POST' });
    await fetch(`${test.emulator.baseUrl}/__emulator`);
    // A request is over for the emulator after its client has the response, so lines of earlier tests may come between.
    const reported = () => lines.filter(({ path }) => path.endsWith('report'));
    await expect.poll(() => reported().length).toBe(2);
    expect(reported()).toEqual([
      {
        method: 'GET',
        path: '/buyers?search=a%20report',
        status: 200,
        receivedAt: expect.any(Date),
        milliseconds: expect.any(Number),
      },
      {
        method: 'POST',
        path: '/nothing/to/report',
        status: 404,
        receivedAt: expect.any(Date),
        milliseconds: expect.any(Number),
      },
    ]);
  });
});

describe('an emulator with an internal error', () => {
  it('answers 500 server_error, keeps the log, and keeps running', async () => {
    await using test = await startTestEmulator({ buyers: 3 });
    test.emulator.database.execute('ALTER TABLE buyers RENAME TO hidden');
    const { status, body } = await test.send('/buyers');
    expect(status).toBe(500);
    expect(body).toMatchObject({
      type: 'error',
      code: 'server_error',
      status: 500,
      message: 'Request could not be processed',
      details: [{ type: 'internal_error', location: 'emulator' }],
    });
    expect(apiLogs(test).map((log) => log.response_status_code)).toEqual([500]);
    test.emulator.database.execute('ALTER TABLE hidden RENAME TO buyers');
    expect((await test.send('/buyers')).status).toBe(200);
  });

  it('answers even when the log cannot be kept or the caller of onRequest throws', async () => {
    await using test = await startTestEmulator({
      buyers: 3,
      onRequest: () => {
        throw new Error('a bug of the caller');
      },
    });
    test.emulator.database.execute('DROP TABLE api_logs');
    expect((await test.send('/nothing')).status).toBe(404);
    expect((await test.send('/buyers')).status).toBe(200);
  });
});

describe('starting an emulator', () => {
  it('fails with port_in_use and a hint on a port that is taken', async () => {
    await using test = await startTestEmulator();
    using directory = temporaryDirectory();
    const { port } = test.emulator;
    await expect(startEmulator({ directory: directory.path, port })).rejects.toMatchObject({
      name: 'PayctlError',
      code: 'port_in_use',
      message: `Port ${port} on 127.0.0.1 is in use`,
      hint: 'Choose another port with --port; 0 selects any free port.',
    });
  });

  it.each([
    [{ port: 65_536 }, 'port must be an integer from 0 to 65535, not 65536'],
    [{ port: 1.5 }, 'port must be an integer from 0 to 65535, not 1.5'],
    [{ seed: -1 }, 'seed must be an integer from 0 to 4294967295, not -1'],
    [{ until: '2026-02-29' }, 'until must be a date, not "2026-02-29"'],
    [{ untilIfNew: 'today' }, 'PAYCTL_EMULATOR_UNTIL must be a date, not "today"'],
    [{ buyers: Number.NaN }, 'buyers must be an integer from 0 to 10000000, not NaN'],
  ])('fails with invalid_option for %j', async (options, message) => {
    using directory = temporaryDirectory();
    await expect(startEmulator({ directory: directory.path, ...options })).rejects.toMatchObject({
      name: 'UsageError',
      code: 'invalid_option',
      message,
    });
  });

  it('frees its port and refuses connections once it is closed', async () => {
    const test = await startTestEmulator();
    const { baseUrl, port } = test.emulator;
    await test.send('/buyers');
    await test[Symbol.asyncDispose]();
    await expect(fetch(baseUrl)).rejects.toThrow();
    using directory = temporaryDirectory();
    const again = await startEmulator({ directory: directory.path, port });
    expect(again.port).toBe(port);
    await again.close();
  });
});
