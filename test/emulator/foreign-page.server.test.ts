import { beforeAll, expect, it } from 'vitest';
import { rawRequest } from './raw-request.ts';
import { apiLogs, emulatorForAll } from './test-emulator.ts';

const test = emulatorForAll({ buyers: 3, faults: [{ path: '/roles', status: 503, count: 1 }] });
let token = '';

beforeAll(async () => {
  token = await test.token(['*']);
});

const send = (headers: readonly string[], target = '/nothing') =>
  rawRequest(
    test.emulator.port,
    `${[`GET ${target} HTTP/1.1`, 'Connection: close', ...headers].join('\r\n')}\r\n\r\n`,
  );

it.each([
  ['an origin of another site', ['Host: 127.0.0.1', 'Origin: https://evil.example']],
  ['an origin without a name', ['Host: 127.0.0.1', 'Origin: null']],
  ['an origin of another port', ['Host: 127.0.0.1', 'Origin: http://127.0.0.1:1']],
  ['a browser that says cross-site', ['Host: 127.0.0.1', 'Sec-Fetch-Site: cross-site']],
  ['a browser that says same-site', ['Host: localhost', 'Sec-Fetch-Site: same-site']],
  ['the name of another host', ['Host: evil.example']],
  ['the name of another host, which begins as this one', ['Host: 127.0.0.1.evil.example']],
  ['an origin that fits the name of another host', ['Host: evil.example', 'Origin: http://evil.example']],
])('answers 403 to a request with %s, and records and does nothing', async (_, headers) => {
  for (const target of ['/nothing', '/roles', '/__emulator?challenge=x']) {
    const answer = await send([...headers, `Authorization: Bearer ${token}`], target);
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual({
      type: 'error',
      code: 'forbidden',
      status: 403,
      message: 'The emulator does not take requests from web pages of other sites',
      details: [],
    });
  }
  expect(apiLogs(test)).toEqual([]);
});

it('serves its own origin, every name of this machine, and clients that send no Host', async () => {
  for (const headers of [
    ['Host: localhost:4010', 'Origin: http://localhost:4010', 'Sec-Fetch-Site: same-origin'],
    ['Host: api.localhost', 'Sec-Fetch-Site: none'],
    ['Host: [::1]:80'],
    [],
  ]) {
    expect(await send(headers)).toMatch(/^HTTP\/1\.1 404 /);
  }
  expect(apiLogs(test)).toHaveLength(4);
});
