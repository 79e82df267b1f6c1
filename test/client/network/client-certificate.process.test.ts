import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { errorCode } from '../../../src/client/errors.ts';
import { daysFromNow, makeAuthority, makeCertificate } from '../../harness/certificates.ts';
import { freePort } from '../../harness/free-port.ts';
import { startProxy } from '../../harness/proxy.ts';
import { folderForTest } from '../../harness/temporary-folder.ts';
import { failureOf } from '../failure-of.ts';
import { buyersAt } from '../live-client.ts';
import { buyersThrough, HOST, PAGE } from './tls-service.ts';

const authority = makeAuthority({ name: 'Corp Root' });
const client = makeCertificate({ name: 'Ann Admin', authority });

/** Starts a service that wants a certificate of `authority`; the names of the clients that it let in. */
async function serveMutually(maxVersion: 'TLSv1.2' | 'TLSv1.3') {
  const names: string[] = [];
  const made = makeCertificate({ addresses: ['127.0.0.1'], hosts: [HOST], authority });
  const options = {
    ...made,
    ca: authority.cert,
    requestCert: true,
    rejectUnauthorized: true,
    maxVersion,
  } as const;
  const server = createServer(options, (request, response) => {
    names.push(String((request.socket as TLSSocket).getPeerCertificate().subject.CN));
    response.end(JSON.stringify(PAGE));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  return { origin: `https://127.0.0.1:${port}`, port, names };
}

it.each(['TLSv1.2', 'TLSv1.3'] as const)(
  'a client certificate is shown to the service: %s',
  async (version) => {
    const { origin, names } = await serveMutually(version);
    const network = { ca: authority.cert, clientCertificate: client };
    expect(await buyersAt(origin, { network }).list()).toEqual(PAGE);
    expect(names).toEqual(['Ann Admin']);
  },
);

it('a client certificate is shown to a service that needs no authority of its own', async () => {
  const { origin, names } = await serveMutually('TLSv1.3');
  const known = getCACertificates('default');
  setDefaultCACertificates([...known, authority.cert ?? '']);
  onTestFinished(() => setDefaultCACertificates(known));
  expect(await buyersAt(origin, { network: { clientCertificate: client }, maxRetries: 0 }).list()).toEqual(
    PAGE,
  );
  expect(names).toEqual(['Ann Admin']);
});

it('a client certificate is shown through a proxy, and not to the proxy', async () => {
  const { port, names } = await serveMutually('TLSv1.3');
  const certificate = makeCertificate({ addresses: ['127.0.0.1'], authority });
  const proxy = await startProxy({ routes: { [`${HOST}:443`]: `127.0.0.1:${port}` }, certificate });
  const network = { proxy: { url: proxy.url }, ca: authority.cert, clientCertificate: client };
  expect(await buyersThrough(proxy, { ca: '' }, { network }).list()).toEqual(PAGE);
  expect(names).toEqual(['Ann Admin']);
});

describe.skipIf(spawnSync('openssl', ['version']).status !== 0)(
  'a service that refuses a client (openssl)',
  () => {
    const foreign = makeCertificate({ authority: makeAuthority() });
    const expired = makeCertificate({ authority, from: daysFromNow(-9), to: daysFromNow(-2) });

    it.each([
      ['-tls1_2', 'without a certificate', undefined, 'HANDSHAKE_FAILURE'],
      ['-tls1_3', 'without a certificate', undefined, 'CERTIFICATE_REQUIRED'],
      ['-tls1_2', 'of another authority', foreign, 'UNKNOWN_CA'],
      ['-tls1_3', 'of another authority', foreign, 'UNKNOWN_CA'],
      ['-tls1_3', 'with an expired certificate', expired, 'CERTIFICATE_EXPIRED'],
    ])('gives tls, which is not tried again: %s %s', async (version, _, clientCertificate, alert) => {
      const origin = await startOpenssl(version);
      const network = { ca: authority.cert, clientCertificate };
      const error = await failureOf(buyersAt(origin, { network, maxRetries: 3 }).list());
      expect(error).toMatchObject({ code: 'tls', attempts: 1, outcomeUnknown: false });
      expect(errorCode((error as Error).cause)).toMatch(new RegExp(`_ALERT_${alert}$`));
    });
  },
);

/** Starts a service that ends a connection with an alert, which no server of Node does. */
async function startOpenssl(version: string): Promise<string> {
  const folder = folderForTest();
  const made = makeCertificate({ addresses: ['127.0.0.1'], authority });
  const files = { cert: made.cert, key: made.key, CAfile: authority.cert };
  const words = Object.entries(files).flatMap(([name, text]) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return [`-${name}`, path];
  });
  const port = await freePort();
  const server = spawn('openssl', [
    ...['s_server', '-accept', `127.0.0.1:${port}`, ...words],
    ...['-Verify', '1', '-verify_return_error', '-www', version],
  ]);
  onTestFinished(() => void server.kill('SIGKILL'));
  await expect.poll(() => isListening(port), { timeout: 10_000 }).toBe(true);
  return `https://127.0.0.1:${port}`;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
