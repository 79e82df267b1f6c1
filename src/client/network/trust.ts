import type { SecureContext } from 'node:tls';
import type { NetworkOptions } from './options.ts';

/** Codes of a certificate whose authority the certificates at hand do not hold: others may. */
const UNTRUSTED = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Whether a certificate was refused only because nobody vouches for it. */
export function isUntrusted(code: string): boolean {
  return UNTRUSTED.has(code);
}

/** Which certificates a connection is checked against. */
export type Store = 'bundled' | 'system';

let loaded: readonly string[] | undefined;

/**
 * The certificates that the operating system trusts (PEM), read once: that takes 60 ms on Linux, and seconds on some Macs.
 * Empty where there are none or they cannot be read.
 */
function systemCertificates(): readonly string[] {
  const { getCACertificates } = process.getBuiltinModule('node:tls');
  try {
    loaded ??= getCACertificates('system');
  } catch {
    loaded = [];
  }
  return loaded;
}

/** Whether the system trusts any certificate that the other connection was not checked against. */
export function hasSystemCertificates(): boolean {
  return systemCertificates().length > 0;
}

/**
 * What connections are made with; undefined where Node's own certificates are enough. With the store `system`
 * its certificates count in addition to the bundled ones, those of `NODE_EXTRA_CA_CERTS` and those of the options. An https proxy never
 * gets the client certificate.
 * @throws what Node throws for certificates and keys that it cannot read
 */
export function serviceContext(
  { ca, clientCertificate: client }: Pick<NetworkOptions, 'ca' | 'clientCertificate'>,
  store: Store,
): SecureContext | undefined {
  const { createSecureContext, getCACertificates } = process.getBuiltinModule('node:tls');
  const added = [...(ca === undefined ? [] : [ca]), ...(store === 'system' ? systemCertificates() : [])];
  if (added.length === 0 && !client) return undefined;
  const trusted = added.length === 0 ? {} : { ca: [...getCACertificates('default'), ...added] };
  return createSecureContext({ ...trusted, ...client });
}
