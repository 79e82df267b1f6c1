import type { Socket } from 'node:net';
import type { DetailedPeerCertificate, PeerCertificate, SecureContext, TLSSocket } from 'node:tls';
import { dayOf, formatDuration } from '../../text/format.ts';
import { errorCode } from '../errors.ts';
import { isUntrusted } from './trust.ts';

/** The certificate of a server. */
export type Certificate = {
  readonly host: string;
  /** Why it is not trusted, as Node calls it; undefined when it is. */
  readonly code: string | undefined;
  readonly validFrom: Date | undefined;
  readonly validTo: Date | undefined;
  /** Whether it is issued for the host. */
  readonly fitsHost: boolean;
  /** The names that it is made out for. */
  readonly names: string;
  readonly issuer: string;
  /** The first certificate above it that has expired, where the server sent it along. */
  readonly expiredIssuer?: { readonly name: string; readonly validTo: Date } | undefined;
};

/** One thing that is wrong with a certificate, as the end of a sentence that it begins, and what to do. */
export type Reason = { readonly text: string; readonly remedy: string };

/** Reasons that mostly show in the certificate itself; else it is one of the certificates above it. */
const VISIBLE = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'HOSTNAME_MISMATCH',
]);

/** What to do about an authority that neither Node nor the operating system knows. */
const TRUST =
  "If it is your company's certificate authority, set NODE_EXTRA_CA_CERTS to its PEM file, or trust it in a profile: payctl profiles set NAME --ca-file AUTHORITY.pem";

/** Everything for which a certificate is refused at a moment, the reason that decides first. */
export function reasonsAgainst(certificate: Certificate, now: Date): Reason[] {
  const visible = [...dateReasons(certificate, now), ...nameReasons(certificate)];
  return [...trustReasons(certificate, visible.length > 0), ...visible];
}

function trustReasons({ host, code, issuer, expiredIssuer }: Certificate, isExplained: boolean): Reason[] {
  if (code === undefined || (isExplained && VISIBLE.has(code))) return [];
  if (code === 'DEPTH_ZERO_SELF_SIGNED_CERT') return [{ text: 'is self-signed', remedy: TRUST }];
  if (isUntrusted(code)) {
    return [
      {
        text: `is issued by an authority that neither Node nor the operating system trusts (${issuer || 'without a name'})`,
        remedy: TRUST,
      },
    ];
  }
  if (code === 'CERT_REVOKED') {
    const remedy = `Do not connect: the operator of ${host} must replace it.`;
    return [{ text: 'has been revoked', remedy }];
  }
  if (code === 'CERT_HAS_EXPIRED') {
    const which = expiredIssuer ? ` (${expiredIssuer.name}, on ${dayOf(expiredIssuer.validTo)})` : '';
    const remedy = `The operator of ${host} must install a current chain, unless the date of this machine is wrong.`;
    return [{ text: `is issued by an authority whose certificate expired${which}`, remedy }];
  }
  return [{ text: `is not valid (${code})`, remedy: `The operator of ${host} must replace it.` }];
}

function dateReasons({ host, validFrom, validTo }: Certificate, now: Date): Reason[] {
  if (validTo && validTo <= now) {
    const ago = formatDuration(now.getTime() - validTo.getTime());
    const remedy = `The operator of ${host} must renew it, unless the date of this machine is wrong.`;
    return [{ text: `expired on ${dayOf(validTo)}, ${ago} ago`, remedy }];
  }
  if (validFrom && validFrom > now) {
    const remedy = 'Check the date of this machine.';
    return [{ text: `is not valid before ${dayOf(validFrom)}`, remedy }];
  }
  return [];
}

function nameReasons({ host, fitsHost, names }: Certificate): Reason[] {
  if (fitsHost) return [];
  const remedy = `Check that ${host} is the right host. In a public network, sign in with a browser first.`;
  return [{ text: `is issued for ${names || 'no host'}`, remedy }];
}

/** A certificate as a sentence begins with it; one of an unknown authority names it later on. */
export function subjectOf({ host, issuer, code }: Certificate): string {
  const by = issuer && !isUntrusted(code ?? '') ? `, issued by ${issuer},` : '';
  return `the certificate of ${host}${by}`;
}

/** How a certificate is looked at. */
export type Inspection = {
  /** As sockets take it: an IPv6 address without its brackets. */
  readonly host: string;
  readonly port: number;
  /** A tunnel to the service; a direct connection where there is none. */
  readonly tunnel?: Socket | undefined;
  readonly secureContext?: SecureContext | undefined;
  readonly signal: AbortSignal;
};

/**
 * Looks at the certificate of a server; nothing is sent but the handshake. The certificate is judged here, with everything that
 * is wrong with it, instead of being refused for the first reason.
 * @throws what the connection fails with
 */
export async function inspectCertificate(inspection: Inspection): Promise<Certificate> {
  const { connect } = process.getBuiltinModule('node:tls');
  const { isIP } = process.getBuiltinModule('node:net');
  const { host, port, tunnel, secureContext, signal } = inspection;
  const socket = connect({
    ...(tunnel ? { socket: tunnel } : {}),
    ...(secureContext ? { secureContext } : {}),
    ...(isIP(host) === 0 ? { servername: host } : {}),
    host,
    port,
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: false,
  });
  const abort = () => socket.destroy(new Error('aborted'));
  signal.addEventListener('abort', abort, { once: true });
  try {
    await handshake(socket);
    return certificateOf(socket, host);
  } finally {
    signal.removeEventListener('abort', abort);
    socket.destroy();
  }
}

function handshake(socket: TLSSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('secureConnect', resolve);
    // Stays attached: a socket that fails after the handshake must not end the process.
    socket.on('error', reject);
  });
}

const MOST_NAMES = 5;

function certificateOf(socket: TLSSocket, host: string): Certificate {
  const peer = socket.getPeerCertificate(true);
  const { checkServerIdentity } = process.getBuiltinModule('node:tls');
  const names = peer.subjectaltname?.split(', ') ?? [];
  return {
    host,
    code: socket.authorized ? undefined : codeOf(socket.authorizationError),
    validFrom: readDate(peer.valid_from),
    validTo: readDate(peer.valid_to),
    fitsHost: checkServerIdentity(host, peer) === undefined,
    names: names.slice(0, MOST_NAMES).join(', ') + (names.length > MOST_NAMES ? ', ...' : ''),
    issuer: nameOf(peer.issuer),
    expiredIssuer: findExpiredIssuer(peer, new Date()),
  };
}

function findExpiredIssuer(peer: DetailedPeerCertificate, now: Date): Certificate['expiredIssuer'] {
  const seen = new Set<string>([peer.fingerprint256]);
  let issuer: DetailedPeerCertificate | undefined = peer.issuerCertificate;
  // A root is its own issuer.
  while (issuer && !seen.has(issuer.fingerprint256)) {
    const validTo = readDate(issuer.valid_to);
    if (validTo && validTo <= now) return { name: nameOf(issuer.subject), validTo };
    seen.add(issuer.fingerprint256);
    issuer = issuer.issuerCertificate;
  }
  return undefined;
}

function nameOf(name: PeerCertificate['issuer'] | undefined): string {
  return String(name?.O ?? name?.CN ?? '');
}

/** Node gives the code itself, whatever its types say. */
function codeOf(error: unknown): string {
  return typeof error === 'string' ? error : errorCode(error);
}

function readDate(text: string | undefined): Date | undefined {
  const date = new Date(text ?? '');
  return Number.isNaN(date.getTime()) ? undefined : date;
}
