import type { lookup } from 'node:dns';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createSecureServer } from 'node:http2';
import type { AddressInfo, createServer as createTcpServer, LookupFunction, Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { TLSSocket } from 'node:tls';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { makeAuthority, makeCertificate } from '../../harness/certificates.ts';
import { answers, type Handler } from '../../harness/http-server.ts';
import { startProxy } from '../../harness/proxy.ts';
import { buyersAt, clientAt, serve } from '../live-client.ts';
import { certificate, head, SCHEMES, serveBytes, trustNoOthers } from '../served-bytes.ts';
import { PAGE, serveTls } from './tls-service.ts';

trustNoOthers();

const hasIpv6 = Object.values(networkInterfaces()).some((list) =>
  list?.some(({ address }) => address === '::1'),
);

describe('a machine that has slept', () => {
  const HOUR = 3_600_000;
  const sleep = () => {
    const now = Date.now.bind(Date);
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + HOUR);
    onTestFinished(() => void clock.mockRestore());
  };

  it('gets a new connection for the next page', async () => {
    const server = await serve(answers([{ body: PAGE }, { body: PAGE }, { body: PAGE }]));
    const buyers = buyersAt(server.origin);
    await buyers.list();
    sleep();
    expect(await buyers.list()).toEqual(PAGE);
    expect(server.connections()).toBe(2);
    await buyers.list();
    expect(server.connections()).toBe(2);
  });

  it('has a page that was on its way sent again, long before the time limit', async () => {
    const never: Handler = () => sleep();
    const server = await serve(answers([never, { body: PAGE }]));
    const errors: unknown[] = [];
    const hooks = {
      onRetry: ({ error }: { error: Error & { code?: string } }) => void errors.push(error.code),
    };
    expect(await buyersAt(server.origin, { hooks }).list()).toEqual(PAGE);
    expect(errors).toEqual(['connection_lost']);
  });

  it.each(SCHEMES)('takes no part of a response without a length for the whole: over %s', async (scheme) => {
    const parts = ['{"items":[]}', `${JSON.stringify(PAGE)}\n`];
    const { origin } = await serveBytes(scheme, ({ socket, end }) => {
      socket.write(head('200 OK', 'content-type: application/json') + parts.shift());
      if (parts.length > 0) sleep();
      else end('end');
    });
    expect(await buyersAt(origin, { network: { ca: certificate.cert } }).list()).toEqual(PAGE);
  });

  it('closes its new connection with the client', async () => {
    const sockets: (Socket | null)[] = [];
    const server = await serve((_, response) => {
      sockets.push(response.socket);
      response.end(JSON.stringify(PAGE));
    });
    const client = clientAt(server.origin);
    await client.buyers.list();
    sleep();
    await client.buyers.list();
    const closed = once(sockets[1] as Socket, 'close');
    await client.close();
    await closed;
  });

  it('does not send a change again, and does not give it up', async () => {
    const late: Handler = (_, response) => {
      sleep();
      setTimeout(() => response.end('{"id":"s"}'), 1_500);
    };
    const server = await serve(answers([late]));
    expect(await buyersAt(server.origin).shippingDetails.create('b1', {})).toEqual({ id: 's' });
    expect(server.requests).toHaveLength(1);
  });
});

describe('a service that closes idle connections', () => {
  it.each([
    ['at once', 0],
    ['after a moment', 30],
  ])('is asked for the next page all the same: %s', async (_, delay) => {
    const server = await serve((_request, response) => {
      response.end(JSON.stringify(PAGE));
      setTimeout(() => response.socket?.destroy(), delay);
    });
    const buyers = buyersAt(server.origin);
    await buyers.list();
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(await buyers.list()).toEqual(PAGE);
  });

  it('just when the next page is asked for is asked again', async () => {
    const closes: Handler = (_, response) => response.socket?.resetAndDestroy();
    const server = await serve(answers([{ body: PAGE }, closes, { body: PAGE }]));
    const buyers = buyersAt(server.origin);
    await buyers.list();
    expect(await buyers.list()).toEqual(PAGE);
    expect(server.requests).toHaveLength(3);
  });
});

describe('a connection over TLS', () => {
  it('carries HTTP/1.1, also to a service that prefers HTTP/2', async () => {
    const made = makeCertificate({ addresses: ['127.0.0.1'] });
    const versions: string[] = [];
    const server = createSecureServer({ ...made, allowHTTP1: true }, (request, response) => {
      versions.push(request.httpVersion);
      response.end(JSON.stringify(PAGE));
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    expect(await buyersAt(`https://127.0.0.1:${port}`, { network: { ca: made.cert } }).list()).toEqual(PAGE);
    expect(versions).toEqual(['1.1']);
  });

  it('resumes the session of an earlier one, which spares the service a handshake', async () => {
    const resumed: boolean[] = [];
    const service = await serveTls((_, response) => {
      resumed.push((response.socket as TLSSocket).isSessionReused());
      response.end('{"id":"s"}');
    });
    const buyers = buyersAt(service.origin, { network: { ca: service.ca } });
    for (let count = 0; count < 5; count += 1) await buyers.shippingDetails.create('b1', {});
    expect(resumed[0]).toBe(false);
    expect(resumed).toContain(true);
  });
});

describe('a host name with several addresses', () => {
  /** Makes every host name have these addresses. */
  function resolveTo(addresses: readonly string[]): void {
    const dns = process.getBuiltinModule('node:dns');
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    const fake: LookupFunction = (_host, _options, callback) => callback(null, found);
    const spy = vi.spyOn(dns, 'lookup').mockImplementation(fake as unknown as typeof lookup);
    onTestFinished(() => void spy.mockRestore());
  }

  it.each([
    ['answers nothing', '192.0.2.1'],
    ['refuses', '127.0.0.2'],
    ['is of another network', '2001:db8::1'],
  ])('is reached though its first one %s', async (_, first) => {
    const server = await serve(answers([{ body: PAGE }]));
    resolveTo([first, '127.0.0.1']);
    const { port } = new URL(server.origin);
    const timeoutMilliseconds = 5_000;
    const buyers = buyersAt(`http://service.test:${port}`, { timeoutMilliseconds, maxRetries: 0 });
    expect(await buyers.list()).toEqual(PAGE);
  });

  it('is reached through a proxy of which the same is true', async () => {
    const authority = makeAuthority();
    const made = makeCertificate({ hosts: ['service.test'], authority });
    const server = await serve(answers([{ body: PAGE }]), made);
    const { port } = new URL(server.origin);
    const proxy = await startProxy({ routes: { 'service.test:443': `127.0.0.1:${port}` } });
    resolveTo(['192.0.2.1', '127.0.0.1']);
    const network = { proxy: { url: `http://proxy.test:${proxy.port}` }, ca: authority.cert };
    const options = { network, timeoutMilliseconds: 5_000, maxRetries: 0 };
    expect(await buyersAt('https://service.test', options).list()).toEqual(PAGE);
  });
});

describe.skipIf(!hasIpv6)('IPv6 alone', () => {
  async function listenOnIpv6(server: ReturnType<typeof createTcpServer>): Promise<number> {
    await new Promise<void>((resolve) => server.listen(0, '::1', resolve));
    onTestFinished(() => void server.close());
    return (server.address() as AddressInfo).port;
  }

  it('reaches a service by its address', async () => {
    const server = createServer((_, response) => void response.end(JSON.stringify(PAGE)));
    const port = await listenOnIpv6(server);
    onTestFinished(() => server.closeAllConnections());
    expect(await buyersAt(`http://[::1]:${port}`).list()).toEqual(PAGE);
  });

  it('reaches a service over TLS, whose address a proxy gets in brackets', async () => {
    const authority = makeAuthority();
    const server = await serve(answers([{ body: PAGE }]), makeCertificate({ addresses: ['::1'], authority }));
    const { port } = new URL(server.origin);
    const proxy = await startProxy({ routes: { '[::1]:8443': `127.0.0.1:${port}` } });
    const network = { proxy: { url: proxy.url }, ca: authority.cert };
    expect(await buyersAt('https://[::1]:8443', { network }).list()).toEqual(PAGE);
    expect(proxy.connects[0]?.target).toBe('[::1]:8443');
  });
});
