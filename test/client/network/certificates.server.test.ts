import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConnectionError } from '../../../src/client/client.ts';
import {
  type CertificateOptions,
  daysFromNow,
  makeAuthority,
  makeCertificate,
} from '../../harness/certificates.ts';
import { answers } from '../../harness/http-server.ts';
import { startProxy } from '../../harness/proxy.ts';
import { serve } from '../../harness/serve.ts';
import { failureOf } from '../failure-of.ts';
import { buyersAt } from '../live-client.ts';
import { buyersThrough, HOST, PAGE, serveTls, startProxyTo } from './tls-service.ts';

const day = (days: number) => daysFromNow(days).toISOString().slice(0, 10);
const authority = makeAuthority({ name: 'Corp Root' });

/** The error of a list against a service with such a certificate, whose authority the client trusts unless it says otherwise. */
async function failsWith(options: CertificateOptions, ca: string | undefined = authority.cert) {
  const service = await serveTls(answers([]), { authority, ...options });
  const error = await failureOf(buyersAt(service.origin, { network: { ca }, maxRetries: 3 }).list());
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({ code: 'tls', attempts: 1, outcomeUnknown: false });
  expect(service.requests).toEqual([]);
  const { message, hint } = error as ConnectionError;
  return [
    message
      .replace(service.origin, 'SERVICE')
      .replace(/^No response from SERVICE: the certificate of 127.0.0.1/, ''),
    hint,
  ];
}

const TRUST =
  "If it is your company's certificate authority, set NODE_EXTRA_CA_CERTS to its PEM file, or trust it in a profile: payctl profiles set NAME --ca-file AUTHORITY.pem";
const RENEW = 'The operator of 127.0.0.1 must renew it, unless the date of this machine is wrong.';

describe('a certificate', () => {
  it('of an authority that the client is given is accepted', async () => {
    const service = await serveTls();
    expect(await buyersAt(service.origin, { network: { ca: service.ca } }).list()).toEqual(PAGE);
  });

  it('below an intermediate one that the client is given is accepted', async () => {
    const intermediate = makeAuthority({ name: 'Corp Issuing', authority });
    const service = await serveTls(undefined, { authority: intermediate });
    const ca = `${authority.cert}\n${intermediate.cert}`;
    expect(await buyersAt(service.origin, { network: { ca } }).list()).toEqual(PAGE);
  });

  it('that expired names issuer, date and remedy', async () => {
    expect(await failsWith({ from: daysFromNow(-40), to: daysFromNow(-5) })).toEqual([
      `, issued by Corp Root, expired on ${day(-5)}, 5 days ago (CERT_HAS_EXPIRED)`,
      RENEW,
    ]);
  });

  it('that is not valid yet', async () => {
    expect(await failsWith({ from: daysFromNow(2) })).toEqual([
      `, issued by Corp Root, is not valid before ${day(2)} (CERT_NOT_YET_VALID)`,
      'Check the date of this machine.',
    ]);
  });

  it('of another host', async () => {
    expect(await failsWith({ addresses: [], hosts: ['other.example.com'] })).toEqual([
      ', issued by Corp Root, is issued for DNS:other.example.com (ERR_TLS_CERT_ALTNAME_INVALID)',
      'Check that 127.0.0.1 is the right host. In a public network, sign in with a browser first.',
    ]);
  });

  it('of an unknown authority', async () => {
    const other = makeAuthority({ name: 'Foreign Root' });
    expect(await failsWith({ authority: other })).toEqual([
      ' is issued by an authority that neither Node nor the operating system trusts (Foreign Root) (UNABLE_TO_VERIFY_LEAF_SIGNATURE)',
      TRUST,
    ]);
  });

  it('that signs itself', async () => {
    const made = makeCertificate({ addresses: ['127.0.0.1'] });
    const server = await serve(answers([]), made);
    const error = await failureOf(buyersAt(server.origin, { maxRetries: 0 }).list());
    expect(error).toMatchObject({
      message: `No response from ${server.origin}: the certificate of 127.0.0.1 is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT)`,
      hint: TRUST,
    });
  });

  it('below an authority that expired does not get advice to trust it', async () => {
    const expired = makeAuthority({ name: 'Old Root', from: daysFromNow(-40), to: daysFromNow(-3) });
    expect(await failsWith({ authority: expired }, expired.cert)).toEqual([
      ', issued by Old Root, is issued by an authority whose certificate expired (Old Root, on '.concat(
        `${day(-3)}) (CERT_HAS_EXPIRED)`,
      ),
      'The operator of 127.0.0.1 must install a current chain, unless the date of this machine is wrong.',
    ]);
  });

  it('is looked at through the proxy, too', async () => {
    const service = await serveTls(answers([]), { authority, from: daysFromNow(-40), to: daysFromNow(-5) });
    const proxy = await startProxyTo(service);
    const error = await failureOf(buyersThrough(proxy, { ca: authority.cert }).list());
    expect(error).toMatchObject({
      code: 'tls',
      attempts: 1,
      message: `No response from https://${HOST}: the certificate of ${HOST}, issued by Corp Root, expired on ${day(-5)}, 5 days ago (CERT_HAS_EXPIRED)`,
    });
    expect(proxy.carried()).not.toContain('secret-token');
  });

  it('is not looked at where the connection breaks before it comes', async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.on('error', () => {}).once('data', () => socket.destroy());
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void server.close());
    const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await failureOf(buyersAt(origin, { maxRetries: 0 }).list())).toMatchObject({
      code: 'connection_lost',
    });
    expect(connections).toBe(1);
  });

  it('keeps the code of the system where nothing can be seen of it', async () => {
    const proxy = await startProxy({ routes: { [`${HOST}:443`]: '127.0.0.1:1' } });
    const error = await failureOf(buyersThrough(proxy, { ca: authority.cert }, { maxRetries: 0 }).list());
    expect(error).toMatchObject({ code: 'proxy_failed' });
  });
});

describe('a certificate is checked', () => {
  it('whatever NODE_TLS_REJECT_UNAUTHORIZED says', async () => {
    const service = await serveTls(answers([]), { authority });
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      const error = await failureOf(buyersAt(service.origin, { maxRetries: 0 }).list());
      expect(error).toMatchObject({ code: 'tls' });
      expect(service.requests).toEqual([]);
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
    }
  });
});
