import { connectionErrorCode } from '../../client/connection-error-code.ts';
import { type Limits, withinLimits } from '../../client/deadline.ts';
import { errorCode } from '../../client/errors.ts';
import {
  type Certificate,
  inspectCertificate,
  reasonsAgainst,
  subjectOf,
} from '../../client/network/certificate.ts';
import { NetworkError } from '../../client/network/network-error.ts';
import { type NetworkOptions, nameOfProxy } from '../../client/network/options.ts';
import {
  hasSystemCertificates,
  isUntrusted,
  type Store,
  serviceContext,
} from '../../client/network/trust.ts';
import { openProxyTunnel, targetOf } from '../../client/network/tunnel.ts';
import { AbortedError } from '../../errors.ts';
import { fileErrorReason } from '../../files/file-error.ts';
import { dayOf, formatDuration } from '../../text/format.ts';
import { type CheckResult, fail, pass, skip, warn } from './finding.ts';

/** Codes that say that no name server was reached, which is nothing about the name. */
const NO_NAME_SERVER = new Set(['EAI_AGAIN', 'ETIMEDOUT']);

/**
 * Checks the proxy of the settings by opening a tunnel to the service; undefined where no proxy is set.
 * @throws AbortedError
 */
export async function checkProxy(
  url: URL,
  network: NetworkOptions,
  limits: Limits,
): Promise<CheckResult | undefined> {
  const { proxy, withoutProxy } = network;
  if (!proxy) return withoutProxy === undefined ? undefined : pass(withoutProxy, { proxy: null });
  const facts = { proxy: proxy.url, source: proxy.source ?? null };
  const target = targetOf({ hostname: hostOf(url), port: url.port });
  const { timeoutMs: timeout, signal } = limits;
  try {
    const tunnel = openProxyTunnel(proxy, network, { timeout, signal, target, from: 'system' });
    (await withinLimits(tunnel, limits)).destroy();
    return pass(`${nameOfProxy(proxy)} opens a tunnel to ${target}`, facts);
  } catch (error) {
    if (error instanceof AbortedError) throw error;
    if (error instanceof NetworkError) return fail(error.message, error.hint, facts);
    return fail(
      `${nameOfProxy(proxy)} cannot open a tunnel to ${target} (${errorCode(error)})`,
      undefined,
      facts,
    );
  }
}

/** Looks the host of the base URL up, as requests do; a proxy does that itself. @throws AbortedError */
export async function checkHost(
  url: URL,
  limits: Limits,
  network: NetworkOptions = {},
): Promise<CheckResult> {
  const host = hostOf(url);
  if (network.proxy) return skip(`not checked: the proxy resolves ${host}`);
  if (isAddress(host)) return pass(`${host} is an IP address; no lookup is needed`, { addresses: [host] });
  const { lookup } = process.getBuiltinModule('node:dns').promises;
  try {
    const found = await withinLimits(lookup(host, { all: true }), limits);
    const addresses = [...new Set(found.map(({ address }) => address))];
    return pass(`${host} is ${addresses.join(', ')}`, { addresses });
  } catch (error) {
    if (error instanceof AbortedError) throw error;
    return evaluateLookup(host, errorCode(error), network.withoutProxy);
  }
}

/** Evaluates a look-up that failed with a code of the system. */
export function evaluateLookup(host: string, code: string, withoutProxy?: string): CheckResult {
  const message = `${host} cannot be resolved (${code || 'the reason is unknown'})`;
  if (withoutProxy !== undefined) {
    const exclusion = 'If the host is reached through the proxy, remove it from NO_PROXY.';
    return fail(`${message}; ${withoutProxy}`, exclusion, { addresses: [] });
  }
  const remedy = NO_NAME_SERVER.has(code)
    ? 'No name server responds: check the network connection of this machine.'
    : 'Check the spelling of the base URL. If this network has a proxy, set HTTPS_PROXY.';
  return fail(message, remedy, { addresses: [] });
}

/** The host of a URL as sockets take it: an IPv6 address without its brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

function isAddress(host: string): boolean {
  return process.getBuiltinModule('node:net').isIP(host) !== 0;
}

/**
 * Looks at the certificate of the service as requests do: by the certificates of Node, and where none of them vouches for it by
 * those of the operating system too. Nothing is sent but the handshake. @throws AbortedError
 */
export async function checkTls(url: URL, network: NetworkOptions, limits: Limits): Promise<CheckResult> {
  if (url.protocol === 'http:') return pass('plain http to this machine; no certificate is needed');
  try {
    const bundled = await inspect(url, { network, limits, store: 'bundled' });
    if (!isUntrusted(bundled.code ?? '') || !hasSystemCertificates()) {
      return evaluateCertificate(bundled, 'bundled', new Date());
    }
    const certificate = await inspect(url, { network, limits, store: 'system' });
    return evaluateCertificate(certificate, 'system', new Date());
  } catch (error) {
    if (error instanceof AbortedError) throw error;
    return evaluateHandshake(error);
  }
}

type Look = { readonly network: NetworkOptions; readonly limits: Limits; readonly store: Store };

async function inspect(url: URL, { network, limits, store }: Look): Promise<Certificate> {
  const { timeoutMs: timeout, signal } = limits;
  const end = AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
  const host = hostOf(url);
  const look = async () => {
    const target = targetOf({ hostname: host, port: url.port });
    const tunnel =
      network.proxy &&
      (await openProxyTunnel(network.proxy, network, { timeout, signal: end, target, from: store }));
    const secureContext = serviceContext(network, store);
    return await inspectCertificate({
      host,
      port: Number(url.port || 443),
      tunnel,
      secureContext,
      signal: end,
    });
  };
  return await withinLimits(look(), limits);
}

/** The result where NODE_EXTRA_CA_CERTS names a file that Node could not read, which is then most likely the reason. */
export function withExtraCertificates(tls: CheckResult, path: string | undefined): CheckResult {
  if (tls.state !== 'fail' || path === undefined) return tls;
  try {
    process.getBuiltinModule('node:fs').readFileSync(path);
    return tls;
  } catch (error) {
    const remedy = `NODE_EXTRA_CA_CERTS names ${path}, which cannot be read: ${fileErrorReason(error)}.`;
    return { ...tls, remedy };
  }
}

/** Evaluates a handshake that did not come about. The next check reports a missing connection. */
export function evaluateHandshake(error: unknown): CheckResult {
  const code = errorCode(error);
  if (connectionErrorCode(error) !== 'tls') return skip(`no connection (${code || 'the reason is unknown'})`);
  if (code.includes('_ALERT_')) return skip(`the service refused the connection (${code})`);
  return fail(
    `the server does not speak TLS at this address (${code})`,
    'Check the scheme and the port of the base URL.',
  );
}

const EARLY_DAYS = 21;
const DAY_MS = 86_400_000;

const STORES: Readonly<Record<Store, string>> = {
  bundled: 'checked against the certificates of Node',
  system: 'checked against the certificates of Node and the operating system',
};

/** Evaluates a certificate at a moment: every reason to refuse it, or how long it is still good. */
export function evaluateCertificate(certificate: Certificate, store: Store, now: Date): CheckResult {
  const [first, ...others] = reasonsAgainst(certificate, now);
  const { host, validTo, issuer } = certificate;
  const facts = { valid_to: validTo?.toISOString() ?? null, issuer, store };
  const subject = subjectOf(certificate);
  if (first) {
    const texts = [first, ...others].map(({ text }) => text);
    return fail(`${subject} ${texts.join('; it ')} (${STORES[store]})`, first.remedy, facts);
  }
  if (!validTo) return pass(`${subject} is valid (${STORES[store]})`, facts);
  const left = validTo.getTime() - now.getTime();
  const until = `${subject} is valid until ${dayOf(validTo)}, for ${formatDuration(left)}`;
  if (left >= EARLY_DAYS * DAY_MS) return pass(`${until} (${STORES[store]})`, facts);
  return warn(`${until} more (${STORES[store]})`, `The operator of ${host} must renew it.`, facts);
}
