import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { daysFromNow, makeAuthority } from '../../harness/certificates.ts';
import type { Home } from '../../harness/run-payctl.ts';
import { HOST, type NetworkOptions, startNetwork } from './corporate.ts';

/** A set-up that does not work: the network, and the settings of a run in it. */
type BrokenSetUp = {
  readonly network?: NetworkOptions;
  /** Changes of the settings for which all would be well. */
  readonly env?: (all: {
    readonly proxyUrl: string;
    readonly file: (name: string, text: string) => string;
  }) => Readonly<Record<string, string | undefined>>;
  /** The proxy has gone away. */
  readonly isProxyGone?: boolean;
};

const html = '<!doctype html><title>Welcome</title>';

/** The set-ups of docs/networks.md, by the headings there. */
export const BROKEN_SET_UPS: Readonly<Record<string, BrokenSetUp>> = {
  'The proxy is not there': { isProxyGone: true },
  'The proxy says nothing': {
    network: { proxy: { misbehaves: 'silent' } },
    env: () => ({ PAYCTL_TIMEOUT: '300ms' }),
  },
  'The proxy requires a user name and a password': { network: { proxy: { credentials: 'ann:sesame' } } },
  'The proxy rejects the password': {
    network: { proxy: { credentials: 'ann:sesame' } },
    env: ({ proxyUrl }) => ({ HTTPS_PROXY: proxyUrl.replace('://', '://ann:wrong-password@') }),
  },
  'The proxy accepts only Kerberos or NTLM': {
    network: { proxy: { credentials: 'ann:sesame', challenge: 'Negotiate, NTLM' } },
  },
  'The proxy forbids the host': { network: { proxy: { misbehaves: 403 } } },
  'The proxy does not reach the host': { network: { proxy: { misbehaves: 502 } } },
  'The proxy is a SOCKS proxy': {
    env: () => ({ HTTPS_PROXY: undefined, ALL_PROXY: 'socks5://proxy.corp.example:1080' }),
  },
  'NO_PROXY excludes the host': { env: () => ({ NO_PROXY: 'localhost,.corp.invalid' }) },
  'No proxy is set': { env: () => ({ HTTPS_PROXY: undefined }) },
  'The proxy inspects TLS, and its authority is not trusted': {
    network: { authority: makeAuthority({ name: 'Corp TLS Inspection' }) },
    env: () => ({ NODE_EXTRA_CA_CERTS: undefined }),
  },
  'NODE_EXTRA_CA_CERTS names a file that is not there': {
    env: () => ({ NODE_EXTRA_CA_CERTS: '/etc/ssl/corp.pem' }),
  },
  'The certificate has expired': { network: { from: daysFromNow(-40), to: daysFromNow(-5) } },
  'The certificate is not valid yet': { network: { from: daysFromNow(2) } },
  'The certificate is for another host': { network: { hosts: ['portal.hotel.example'], addresses: [] } },
  'A web page responds instead of the service': {
    network: {
      handler: (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(html),
    },
  },
  'Certificate checks are turned off': { env: () => ({ NODE_TLS_REJECT_UNAUTHORIZED: '0' }) },
};

/** What doctor says first of a set-up, as a warning or a failure; ports, dates and speeds are the same each time. */
export async function diagnose(
  home: Home,
  setUp: BrokenSetUp,
): Promise<{ state: string; name: string; message: string; remedy: string }> {
  const network = await startNetwork(home, setUp.network);
  if (setUp.isProxyGone) await network.proxy.close();
  const file = (name: string, text: string) => {
    writeFileSync(join(home.path, name), text);
    return join(home.path, name);
  };
  const env = { ...network.env, ...setUp.env?.({ proxyUrl: network.proxy.url, file }) };
  const run = await home.payctl(['doctor', '--json'], { env });
  const { checks } = JSON.parse(run.stdout) as {
    readonly checks: readonly Readonly<Record<'state' | 'name' | 'message' | 'remedy', string>>[];
  };
  const found = checks.find(({ state }) => state === 'fail' || state === 'warn');
  const steady = (text = '') =>
    text
      .replaceAll(network.proxy.url.replace(/^http:\/\//, ''), 'proxy.corp.example:3128')
      .replaceAll(
        network.proxy.url.replace('://', '://USER:PASSWORD@'),
        'http://USER:PASSWORD@proxy.corp.example:3128',
      )
      .replaceAll(`127.0.0.1:${network.proxy.port}`, 'proxy.corp.example:3128')
      .replaceAll(HOST, 'api.example.com')
      .replaceAll('.corp.invalid', '.example.com')
      .replace(/\b\d{4}-\d\d-\d\d\b/g, '2026-03-01')
      .replace(/\bin \d+ ms\b/g, 'in 41 ms')
      .replace(/\((ENOTFOUND|EAI_AGAIN)\)/, '(ENOTFOUND)');
  return {
    state: found?.state ?? 'none',
    name: found?.name ?? 'none',
    message: steady(found?.message),
    remedy: steady(found?.remedy),
  };
}
