import type { TLSSocket } from 'node:tls';
import { connectionFault, errorCode } from '../../client/connection-fault.ts';
import { AbortedError } from '../../client/errors.ts';
import { hostOf } from './check-host.ts';
import { fault, ok, skipped, type Verdict } from './finding.ts';
import { type Certificate, judgeCertificate } from './judge-certificate.ts';
import { type Limits, withinLimits } from './limits.ts';

const MOST_NAMES = 5;

/** Looks at the certificate of the service; nothing is sent but the handshake. @throws AbortedError */
export async function checkTls(url: URL, limits: Limits): Promise<Verdict> {
  if (url.protocol === 'http:') return ok('plain http, which stays on this machine: there is no certificate');
  const { connect } = process.getBuiltinModule('node:tls');
  const host = hostOf(url);
  // The certificate is judged here, with all of its faults, instead of being refused for the first one.
  const socket = connect({ host, port: Number(url.port || 443), rejectUnauthorized: false });
  try {
    await withinLimits(handshake(socket), limits);
    return judgeCertificate(certificateOf(socket, host), new Date());
  } catch (error) {
    if (error instanceof AbortedError) throw error;
    return judgeHandshake(error);
  } finally {
    socket.destroy();
  }
}

/** Judges a handshake that did not come about. That there is no connection at all is for the next check to say. */
export function judgeHandshake(error: unknown): Verdict {
  const code = errorCode(error);
  if (connectionFault(error) !== 'tls') return skipped(`no connection (${code || 'the reason is unknown'})`);
  return fault(
    `no TLS is spoken at this address (${code})`,
    'See whether the scheme and the port of the base URL are right.',
  );
}

function handshake(socket: TLSSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('secureConnect', resolve);
    // Stays attached: a socket that fails after the handshake must not end the process.
    socket.on('error', reject);
  });
}

function certificateOf(socket: TLSSocket, host: string): Certificate {
  const peer = socket.getPeerCertificate();
  const { checkServerIdentity } = process.getBuiltinModule('node:tls');
  const names = peer.subjectaltname?.split(', ') ?? [];
  return {
    host,
    code: socket.authorized ? undefined : codeOf(socket.authorizationError),
    validFrom: readDate(peer.valid_from),
    validTo: readDate(peer.valid_to),
    fitsHost: checkServerIdentity(host, peer) === undefined,
    names: names.slice(0, MOST_NAMES).join(', ') + (names.length > MOST_NAMES ? ', ...' : ''),
    issuer: String(peer.issuer?.O ?? peer.issuer?.CN ?? ''),
  };
}

/** Node gives the code itself, whatever its types say. */
function codeOf(error: unknown): string {
  return typeof error === 'string' ? error : errorCode(error);
}

function readDate(text: string | undefined): Date | undefined {
  const date = new Date(text ?? '');
  return Number.isNaN(date.getTime()) ? undefined : date;
}
