import { describe, expect, it } from 'vitest';
import { ConnectionError } from '../../../src/client/client.ts';
import { makeAuthority, makeCertificate } from '../../harness/certificates.ts';
import { answers } from '../../harness/http-server.ts';
import { type Misbehaviour, startProxy } from '../../harness/proxy.ts';
import { failureOf } from '../failure-of.ts';
import { trustNoOthers } from '../served-bytes.ts';
import { buyersThrough, HOST, PAGE, serveTls, startProxyTo } from './tls-service.ts';

trustNoOthers();

const credentials = { username: 'user', password: 'p@ss:word' };

describe('a proxy', () => {
  it('reaches a host that only it resolves', async () => {
    const service = await serveTls();
    const proxy = await startProxyTo(service);
    expect(await buyersThrough(proxy, service).list()).toEqual(PAGE);
    expect(proxy.connects.map(({ target }) => target)).toEqual([`${HOST}:443`]);
    expect(service.requests[0]?.headers).toMatchObject({ host: HOST, authorization: 'Bearer secret-token' });
  });

  it('gets neither the token nor anything of a request, and the service nothing of the proxy', async () => {
    const service = await serveTls();
    const proxy = await startProxyTo(service, { credentials: 'user:p@ss:word' });
    const network = { proxy: { url: proxy.url, credentials }, ca: service.ca };
    await buyersThrough(proxy, service, { network }).list();
    expect(proxy.connects[0]?.headers).toEqual({
      host: `${HOST}:443`,
      'proxy-authorization': `Basic ${Buffer.from('user:p@ss:word').toString('base64')}`,
      'proxy-connection': 'keep-alive',
    });
    expect(proxy.carried()).not.toMatch(/secret-token|GET \/|authorization/i);
    expect(
      Object.keys(service.requests[0]?.headers ?? {}).filter((name) => name.startsWith('proxy')),
    ).toEqual([]);
  });

  it('serves a run with one tunnel, and each change with one of its own', async () => {
    const service = await serveTls(
      answers([{ body: PAGE }, { body: PAGE }, { body: { id: 's' } }, { body: PAGE }]),
    );
    const proxy = await startProxyTo(service);
    const buyers = buyersThrough(proxy, service);
    await buyers.list();
    await buyers.list();
    expect(proxy.connects).toHaveLength(1);
    await buyers.shippingDetails.create('b1', {});
    expect(proxy.connects).toHaveLength(2);
    await buyers.list();
    expect(proxy.connects).toHaveLength(2);
  });

  it('may speak TLS itself', async () => {
    const service = await serveTls();
    const authority = makeAuthority({ name: 'Proxy Root' });
    const certificate = makeCertificate({ addresses: ['127.0.0.1'], authority });
    const proxy = await startProxyTo(service, { certificate });
    const ca = `${service.ca}\n${authority.cert}`;
    expect(await buyersThrough(proxy, { ca }).list()).toEqual(PAGE);
  });

  it('that speaks TLS with a certificate of an unknown authority is not given anything', async () => {
    const service = await serveTls();
    const certificate = makeCertificate({ addresses: ['127.0.0.1'], authority: makeAuthority() });
    const proxy = await startProxyTo(service, { certificate });
    const error = await failureOf(buyersThrough(proxy, service, { maxRetries: 0 }).list());
    expect(error).toMatchObject({
      code: 'proxy_unreachable',
      message: `No response from https://${HOST}: the proxy ${proxy.url} (HTTPS_PROXY) cannot be used: no TLS connection to it could be established (UNABLE_TO_VERIFY_LEAF_SIGNATURE)`,
    });
    expect(proxy.connects).toEqual([]);
  });
});

describe('a proxy that does not help', () => {
  /** The error of a list, and how many tunnels were asked for. */
  async function failsWith(misbehaves: Misbehaviour, options = {}) {
    const service = await serveTls();
    const proxy = await startProxyTo(service, { misbehaves });
    const error = await failureOf(buyersThrough(proxy, service, { maxRetries: 2, ...options }).list());
    expect(error).toBeInstanceOf(ConnectionError);
    expect(service.connections()).toBe(0);
    const { message, hint, code, attempts } = error as ConnectionError;
    const steady = (text = '') => text.replace(proxy.url, 'PROXY');
    const connects = proxy.connects.length;
    return { code, message: steady(message), hint: steady(hint), attempts, connects };
  }

  it.each([
    [403, 'Forbidden'],
    [404, 'Not Found'],
    [302, 'Found'],
  ])('refuses with %i: said once, and not tried again', async (status, words) => {
    expect(await failsWith(status)).toEqual({
      code: 'proxy_refused',
      message: `No response from https://${HOST}: the proxy PROXY (HTTPS_PROXY) refused a tunnel to ${HOST}:443 (${status} ${words})`,
      hint: `Ask the administrator of the proxy to allow ${HOST}:443, or add the host to NO_PROXY if it can be reached directly.`,
      attempts: 1,
      connects: 1,
    });
  });

  it.each([
    [502, 'Bad Gateway'],
    [503, 'Service Unavailable'],
    [504, 'Gateway Timeout'],
    [429, 'Too Many Requests'],
  ])('cannot reach the service with %i: tried again', async (status, words) => {
    expect(await failsWith(status)).toEqual({
      code: 'proxy_failed',
      message: `No response from https://${HOST}: the proxy PROXY (HTTPS_PROXY) could not open a tunnel to ${HOST}:443 (${status} ${words})`,
      hint: 'Check the host in the base URL; the proxy may be unable to resolve or reach it. If it is right, try again later.',
      attempts: 3,
      connects: 3,
    });
  });

  it('resets the connection: tried again, and not for ever', async () => {
    expect(await failsWith('reset')).toEqual({
      code: 'proxy_unreachable',
      message: `No response from https://${HOST}: the proxy PROXY (HTTPS_PROXY) cannot be used: it closed the connection without a response (ECONNRESET)`,
      hint: 'Correct or remove HTTPS_PROXY, or check that you are in the network of the proxy.',
      attempts: 3,
      connects: 3,
    });
  });

  it('answers with something other than HTTP', async () => {
    expect(await failsWith('not-http')).toMatchObject({
      code: 'proxy_unreachable',
      message: expect.stringMatching(/cannot be used: its response is not HTTP \(HPE_\w+\)$/),
    });
  });

  it('says nothing: the time limit covers it', async () => {
    expect(await failsWith('silent', { timeoutMilliseconds: 150, maxRetries: 1 })).toEqual({
      code: 'timeout',
      message: `No response from https://${HOST}: the proxy PROXY (HTTPS_PROXY) did not open a tunnel to ${HOST}:443 in time`,
      hint: 'Check that HTTPS_PROXY names a proxy that works, or add --timeout 2m to wait longer.',
      attempts: 2,
      // From undici 8.13 on, the second attempt waits for the tunnel that the first one has asked for.
      connects: expect.toSatisfy((count: number) => count === 1 || count === 2),
    });
  });

  it('refuses one request and says nothing to another: each has its own reason', async () => {
    const service = await serveTls();
    const ways: Misbehaviour[] = ['silent', 403];
    const proxy = await startProxyTo(service, { misbehaves: () => ways.shift() });
    const buyers = buyersThrough(proxy, service, { timeoutMilliseconds: 2_000, maxRetries: 0 });
    const list = failureOf(buyers.list());
    await expect.poll(() => proxy.connects.length).toBe(1);
    const change = await failureOf(buyers.shippingDetails.create('b1', {}));
    expect([change, await list]).toMatchObject([{ code: 'proxy_refused' }, { code: 'timeout' }]);
  });

  it('is not named where its tunnel is open, and the service says nothing', async () => {
    const service = await serveTls(answers([{ body: PAGE }, () => {}]));
    const proxy = await startProxyTo(service);
    const buyers = buyersThrough(proxy, service, { timeoutMilliseconds: 1_000, maxRetries: 0 });
    await buyers.list();
    expect(await failureOf(buyers.list())).toMatchObject({
      code: 'timeout',
      message: `No response from https://${HOST}: no complete response within 1000 ms`,
    });
    expect([proxy.connects.length, service.requests.length]).toEqual([1, 2]);
  });

  it('is not there', async () => {
    const service = await serveTls();
    const proxy = await startProxyTo(service);
    await proxy.close();
    const error = await failureOf(buyersThrough(proxy, service, { maxRetries: 0 }).list());
    expect(error).toMatchObject({
      code: 'proxy_unreachable',
      message: `No response from https://${HOST}: the proxy ${proxy.url} (HTTPS_PROXY) cannot be used: it refused the connection (ECONNREFUSED)`,
    });
  });

  it('has a name that nobody knows', async () => {
    const network = { proxy: { url: 'http://no-such-proxy.invalid:3128', source: 'profile acme' } };
    const error = await failureOf(buyersThrough({ url: '' }, { ca: '' }, { network, maxRetries: 0 }).list());
    expect(error).toMatchObject({
      code: 'proxy_unreachable',
      message: expect.stringMatching(
        /: the proxy http:\/\/no-such-proxy\.invalid:3128 \(profile acme\) cannot be used: its host name could not be resolved \(E\w+\)$/,
      ),
    });
  });
});

describe('a change through a proxy that fails', () => {
  it.each<[Misbehaviour, number]>([
    [502, 2],
    ['reset', 2],
    [403, 1],
    [407, 1],
  ])('was not sent (%s), which decides whether it is tried again', async (misbehaves, connects) => {
    const service = await serveTls();
    const proxy = await startProxyTo(service, { misbehaves });
    const buyers = buyersThrough(proxy, service, { maxRetries: 1 });
    const error = await failureOf(buyers.shippingDetails.create('b1', {}));
    expect(error).toMatchObject({ outcomeUnknown: false });
    expect([proxy.connects.length, service.requests.length]).toEqual([connects, 0]);
  });
});

describe('a proxy that wants credentials', () => {
  async function failure(changes: { challenge?: string; given?: boolean; source?: string }) {
    const service = await serveTls();
    const proxy = await startProxyTo(service, {
      credentials: 'user:other',
      ...(changes.challenge === undefined ? {} : { challenge: changes.challenge }),
    });
    const { source = 'HTTPS_PROXY', given } = changes;
    const options = { url: proxy.url, source, ...(given ? { credentials } : {}) };
    const error = await failureOf(
      buyersThrough(proxy, service, { network: { proxy: options, ca: service.ca }, maxRetries: 2 }).list(),
    );
    expect(error).toMatchObject({ code: 'proxy_credentials', attempts: 1 });
    expect(proxy.connects).toHaveLength(1);
    const { message, hint = '' } = error as ConnectionError;
    expect(`${message}${hint}`).not.toContain('p@ss');
    const steady = (text: string) => text.replace(String(proxy.port), 'PORT').replace(/^.*: the/, 'the');
    return [steady(message), steady(hint)];
  }

  it('says how to give them, in the variable that named it', async () => {
    expect(await failure({})).toEqual([
      'the proxy http://127.0.0.1:PORT (HTTPS_PROXY) requires a user name and a password (407)',
      'Set them in a variable, with special characters percent-encoded: export HTTPS_PROXY=http://USER:PASSWORD@127.0.0.1:PORT',
    ]);
  });

  it.each(['--proxy', 'profile acme'])('names a variable where %s chose it', async (source) => {
    const [, hint] = await failure({ source });
    expect(hint).toContain('export PAYCTL_PROXY=http://USER:PASSWORD@127.0.0.1:PORT');
  });

  it('says that they are wrong', async () => {
    const [message] = await failure({ given: true });
    expect(message).toBe(
      'the proxy http://127.0.0.1:PORT (HTTPS_PROXY) rejected the user name or the password (407)',
    );
  });

  it('of a kind that payctl does not speak is named with a way out', async () => {
    const [message, hint] = await failure({ challenge: 'Negotiate, NTLM' });
    expect(message).toContain(
      'accepts only Negotiate, NTLM authentication, and payctl supports only Basic (407)',
    );
    expect(hint).toMatch(/such as px or cntlm/);
  });

  it('and offers Basic beside others is answered with Basic', async () => {
    const [message] = await failure({ challenge: 'Negotiate, Basic realm="corp"' });
    expect(message).toContain('requires a user name and a password');
  });
});

describe('a connection that lasts', () => {
  it('survives an idle limit of the proxy between two pages', async () => {
    const service = await serveTls(answers([{ body: PAGE }, { body: PAGE }]));
    const proxy = await startProxyTo(service, { idleLimit: 500 });
    const buyers = buyersThrough(proxy, service);
    await buyers.list();
    await expect.poll(() => proxy.tunnels(), { timeout: 10_000 }).toBe(0);
    expect(await buyers.list()).toEqual(PAGE);
    expect(proxy.connects.length).toBeGreaterThan(1);
  });

  it('survives a restart of the proxy', async () => {
    const service = await serveTls(answers([{ body: PAGE }, { body: PAGE }]));
    const first = await startProxyTo(service);
    const buyers = buyersThrough(first, service);
    await buyers.list();
    await first.close();
    const second = await startProxyTo(service, { port: first.port });
    expect(await buyers.list()).toEqual(PAGE);
    expect(second.connects).toHaveLength(1);
  });

  it('is closed with its client, also while the proxy is silent', async () => {
    const proxy = await startProxy({ misbehaves: 'silent' });
    const buyers = buyersThrough(proxy, { ca: '' }, { network: { proxy: { url: proxy.url } } });
    const abort = new AbortController();
    const list = failureOf(buyers.list({}, { signal: abort.signal }));
    await expect.poll(() => proxy.connects.length).toBe(1);
    abort.abort();
    expect(await list).toMatchObject({ code: 'aborted' });
  });
});

it('no proxy leaves a note in the error of a direct connection that fails', async () => {
  const withoutProxy =
    'the proxy of HTTPS_PROXY was not used, because NO_PROXY excludes api.corp.invalid ("corp.invalid")';
  const error = await failureOf(
    buyersThrough(
      { url: '' },
      { ca: '' },
      { network: { proxy: undefined, ca: undefined, withoutProxy }, maxRetries: 0 },
    ).list(),
  );
  expect(error).toMatchObject({
    code: 'dns',
    message: expect.stringMatching(`; ${withoutProxy.replace(/[()]/g, '\\$&')}$`),
  });
});
