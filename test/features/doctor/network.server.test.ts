import { describe, expect, it } from 'vitest';
import { withinLimits } from '../../../src/client/deadline.ts';
import { ConnectionError } from '../../../src/client/errors.ts';
import { AbortedError } from '../../../src/errors.ts';
import {
  checkHost,
  checkTls,
  evaluateHandshake,
  evaluateLookup,
} from '../../../src/features/doctor/network.ts';
import { evaluateNoResponse, evaluateResponse, probe } from '../../../src/features/doctor/probe.ts';
import { serve } from '../../e2e/paged-service.ts';

const limits = { timeoutMs: 2_000, signal: new AbortController().signal };
const coded = (code: string) => Object.assign(new Error('text'), { code });

describe('the host name', () => {
  it.each([
    ['http://127.0.0.1:8080', '127.0.0.1'],
    ['http://[::1]:8080/api', '::1'],
  ])('is not looked up where it is an address: %s', async (url, address) => {
    expect(await checkHost(new URL(url), limits)).toEqual({
      state: 'pass',
      message: `${address} is an IP address; no lookup is needed`,
      facts: { addresses: [address] },
    });
  });

  it('is looked up as requests do it', async () => {
    const result = await checkHost(new URL('http://localhost:1'), limits);
    expect(result).toMatchObject({
      state: 'pass',
      message: expect.stringMatching(/^localhost is .*(127\.0\.0\.1|::1)/),
    });
  });

  it.each([
    ['ENOTFOUND', 'Check the spelling of the base URL. If this network has a proxy, set HTTPS_PROXY.'],
    ['EAI_AGAIN', 'No name server responds: check the network connection of this machine.'],
    ['ETIMEDOUT', 'No name server responds: check the network connection of this machine.'],
  ])('fails with a remedy for %s', (code, remedy) => {
    const message = `api.example.com cannot be resolved (${code})`;
    const facts = { addresses: [] };
    expect(evaluateLookup('api.example.com', code)).toEqual({ state: 'fail', message, remedy, facts });
  });
});

describe('TLS', () => {
  it('is not asked of plain http, which stays on this machine', async () => {
    expect(await checkTls(new URL('http://127.0.0.1:1'), {}, limits)).toEqual({
      state: 'pass',
      message: 'plain http to this machine; no certificate is needed',
    });
  });

  it('is at fault where something else is spoken', async () => {
    const server = await serve((_, response) => void response.end());
    const result = await checkTls(new URL(server.origin.replace('http:', 'https:')), {}, limits);
    expect(result).toMatchObject({
      state: 'fail',
      message: expect.stringMatching(/^the server does not speak TLS at this address \((ERR_SSL_|EPROTO)/),
      remedy: 'Check the scheme and the port of the base URL.',
    });
  });

  it.each(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT'])(
    'leaves it to the next check to say that there is no connection: %s',
    (code) => {
      expect(evaluateHandshake(coded(code))).toEqual({ state: 'skip', message: `no connection (${code})` });
    },
  );
});

describe('the answer', () => {
  const response = (status: number) => ({ status, milliseconds: 41.6, sentAt: 0, headers: {} });

  const judge = (status: number, headers = {}) =>
    evaluateResponse({ response: { ...response(status), headers } }, new URL('https://api.example.com'));

  it.each([200, 304, 401, 404, 429])('is good whatever it says: %i', (status) => {
    expect(judge(status)).toEqual({
      state: 'pass',
      message: 'the service responds in 42 ms',
      facts: { status, milliseconds: 42 },
      from: 'service',
    });
  });

  it.each([500, 503])('fails when it says that the service is down: %i', (status) => {
    expect(judge(status, { 'content-type': 'text/html' })).toEqual({
      state: 'fail',
      message: `the service responds in 42 ms with an error (${status})`,
      remedy: 'Try again later, or contact the operator of the service.',
      facts: { status, milliseconds: 42 },
      from: 'failing',
    });
  });

  const html = { 'content-type': 'Text/HTML; charset=utf-8' };
  const signIn =
    'Open https://api.example.com in a browser and sign in: the network or a proxy in front of the service requires it.';
  const path = 'Check the path of the base URL: the API is not at this address.';
  const proxy = 'Add the credentials to the address of the proxy: HTTPS_PROXY=http://USER:PASSWORD@HOST:PORT';
  const firewall =
    'Ask the operator of the proxy or firewall in front of the service to let this machine through.';

  it.each([
    [302, { location: 'https://portal.example/login?to=x', ...html }, 'a redirect', signIn],
    [307, { location: 'http://10.0.0.1/' }, 'a redirect', signIn],
    [303, { location: '//sso.example' }, 'a redirect', signIn],
    [302, { location: '/login' }, 'a redirect', path],
    [302, {}, 'a redirect', path],
    [301, { location: 'https://[' }, 'a redirect', path],
    [
      308,
      { location: 'https://new.example/roles' },
      'a redirect',
      'If you know that https://new.example is the service, set the base URL to it.',
    ],
    [
      200,
      html,
      'a web page',
      'Open the base URL in a browser: the network may require you to sign in, or the base URL is wrong.',
    ],
    [404, html, 'a web page', 'Check that the base URL points to the service.'],
    [401, html, 'a web page', firewall],
    [403, html, 'a web page', firewall],
    [407, {}, 'a proxy that requires credentials', proxy],
  ])('fails with one remedy where something else responds: %i %j', (status, headers, what, remedy) => {
    expect(judge(status, headers)).toEqual({
      state: 'fail',
      message: `${what} responds in 42 ms instead of the service (${status})`,
      remedy,
      facts: { status, milliseconds: 42 },
      from: 'elsewhere',
    });
  });

  it('is asked for without a token, at the base URL itself', async () => {
    const server = await serve((_, response) => void response.writeHead(404, { 'x-test': 'yes' }).end('no'));
    const given = await probe(new URL(`${server.origin}/prefix`), 'payctl/1.2.3', limits);
    expect(given).toMatchObject({ status: 404, headers: { 'x-test': 'yes' } });
    expect(Math.abs(given.sentAt - Date.now())).toBeLessThan(60_000);
    expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /prefix']);
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('is missed with the reason and what is probable', async () => {
    const server = await serve(() => {});
    const timeoutMs = 50;
    const failure = await probe(new URL(server.origin), 'payctl', { ...limits, timeoutMs }).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(ConnectionError);
    if (!(failure instanceof ConnectionError)) return;
    expect(evaluateNoResponse(failure)).toEqual({
      state: 'fail',
      message: `No response from ${server.origin}: no complete response within 50 ms`,
      remedy: 'Probably the service is slow or unreachable; add --timeout 2m to wait longer.',
    });
  });

  it('is not waited for after an interrupt', async () => {
    const abort = new AbortController();
    const server = await serve(() => abort.abort());
    const waiting = probe(new URL(server.origin), 'payctl', { ...limits, signal: abort.signal });
    await expect(waiting).rejects.toThrow(AbortedError);
  });
});

describe('withinLimits', () => {
  const never = new Promise<never>(() => {});

  it('gives what the work gives', async () => {
    expect(await withinLimits(Promise.resolve(7), limits)).toBe(7);
    await expect(withinLimits(Promise.reject(coded('EPERM')), limits)).rejects.toThrow('text');
  });

  it('ends with ETIMEDOUT when the time is up', async () => {
    await expect(withinLimits(never, { ...limits, timeoutMs: 5 })).rejects.toMatchObject({
      code: 'ETIMEDOUT',
    });
  });

  it('ends with the run, also where the run has ended before', async () => {
    const abort = new AbortController();
    const waiting = withinLimits(never, { ...limits, signal: abort.signal });
    abort.abort();
    await expect(waiting).rejects.toThrow(AbortedError);
    await expect(withinLimits(never, { ...limits, signal: abort.signal })).rejects.toThrow(AbortedError);
  });
});
