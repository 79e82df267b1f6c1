import type { buildConnector } from 'undici';
import { errorCode } from '../errors.ts';
import { inspectCertificate, reasonsAgainst, subjectOf } from './certificate.ts';
import { NetworkError } from './network-error.ts';
import type { ConnectLimits, NetworkOptions } from './options.ts';
import { hasSystemCertificates, isUntrusted, type Store, serviceContext } from './trust.ts';
import { openProxyTunnel, targetOf } from './tunnel.ts';

/** A connection that failed because of TLS. */
type Failed<Connection> = {
  readonly error: unknown;
  /** Which certificates it was checked against. */
  readonly from: Store;
  /** Opens it again, checked against the certificates of the operating system too. */
  readonly openAgain: () => Promise<Connection>;
  readonly options: Pick<buildConnector.Options, 'hostname' | 'port'>;
  readonly network: NetworkOptions;
  readonly limits: ConnectLimits;
};

/** How long the look at a certificate may delay the error that it explains, in milliseconds. */
const LONGEST_LOOK = 5_000;

/**
 * Opens a connection again where the operating system may know the authority of the certificate.
 * @throws NetworkError that says what is wrong with the certificate; any other error as it was
 */
export async function recover<Connection>(failed: Failed<Connection>): Promise<Connection> {
  let { error, from } = failed;
  if (
    from === 'bundled' &&
    isUntrusted(errorCode(error instanceof NetworkError ? error.cause : error)) &&
    hasSystemCertificates()
  ) {
    try {
      return await failed.openAgain();
    } catch (again) {
      error = again;
      from = 'system';
    }
  }
  throw await explain(error, { ...failed, from });
}

async function explain(error: unknown, failed: Omit<Failed<unknown>, 'error'>): Promise<unknown> {
  if (error instanceof NetworkError) return error;
  const { network, limits, from, options } = failed;
  const signal = AbortSignal.any([
    limits.signal,
    AbortSignal.timeout(Math.min(limits.timeout, LONGEST_LOOK)),
  ]);
  try {
    const { hostname: host, port } = options;
    const tunnel = network.proxy
      ? await openProxyTunnel(network.proxy, network, { ...limits, signal, target: targetOf(options), from })
      : undefined;
    const secureContext = serviceContext({ ca: network.ca }, from);
    const certificate = await inspectCertificate({
      host,
      port: Number(port || 443),
      tunnel,
      secureContext,
      signal,
    });
    const [first, ...others] = reasonsAgainst(certificate, new Date());
    if (!first) return error;
    const message = `${subjectOf(certificate)} ${[first, ...others].map(({ text }) => text).join('; it ')}`;
    return new NetworkError('tls', `${message} (${certificate.code ?? errorCode(error)})`, {
      hint: first.remedy,
      cause: error,
    });
  } catch {
    // Without a look at the certificate, its code has to do.
    return error;
  }
}
