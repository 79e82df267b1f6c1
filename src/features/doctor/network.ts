import type { TLSSocket } from 'node:tls';
import { connectionErrorCode } from '../../client/connection-error-code.ts';
import { type Limits, withinLimits } from '../../client/deadline.ts';
import { errorCode } from '../../client/errors.ts';
import { AbortedError } from '../../errors.ts';
import { type Certificate, evaluateCertificate } from './certificate.ts';
import { type CheckResult, fail, pass, skip } from './finding.ts';

/** Codes that say that no name server was reached, which is nothing about the name. */
const NO_NAME_SERVER = new Set(['EAI_AGAIN', 'ETIMEDOUT']);

/** Looks the host of the base URL up, as requests do. @throws AbortedError */
export async function checkHost(url: URL, limits: Limits): Promise<CheckResult> {
  const host = hostOf(url);
  if (isAddress(host)) return pass(`${host} is an IP address; no lookup is needed`, { addresses: [host] });
  const { lookup } = process.getBuiltinModule('node:dns').promises;
  try {
    const found = await withinLimits(lookup(host, { all: true }), limits);
    const addresses = [...new Set(found.map(({ address }) => address))];
    return pass(`${host} is ${addresses.join(', ')}`, { addresses });
  } catch (error) {
    if (error instanceof AbortedError) throw error;
    return evaluateLookup(host, errorCode(error));
  }
}

/** Evaluates a look-up that failed with a code of the system. */
export function evaluateLookup(host: string, code: string): CheckResult {
  const remedy = NO_NAME_SERVER.has(code)
    ? 'No name server responds: check the network connection of this machine.'
    : 'Check the spelling of the base URL.';
  return fail(`${host} cannot be resolved (${code || 'the reason is unknown'})`, remedy, { addresses: [] });
}

/** The host of a URL as sockets take it: an IPv6 address without its brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

function isAddress(host: string): boolean {
  return process.getBuiltinModule('node:net').isIP(host) !== 0;
}

const MOST_NAMES = 5;

/** Looks at the certificate of the service; nothing is sent but the handshake. @throws AbortedError */
export async function checkTls(url: URL, limits: Limits): Promise<CheckResult> {
  if (url.protocol === 'http:') return pass('plain http to this machine; no certificate is needed');
  const { connect } = process.getBuiltinModule('node:tls');
  const host = hostOf(url);
  // The certificate is evaluated here, with everything that is wrong with it, instead of being refused for the first reason.
  const socket = connect({ host, port: Number(url.port || 443), rejectUnauthorized: false });
  try {
    await withinLimits(handshake(socket), limits);
    return evaluateCertificate(certificateOf(socket, host), new Date());
  } catch (error) {
    if (error instanceof AbortedError) throw error;
    return evaluateHandshake(error);
  } finally {
    socket.destroy();
  }
}

/** Evaluates a handshake that did not come about. That there is no connection at all is for the next check to say. */
export function evaluateHandshake(error: unknown): CheckResult {
  const code = errorCode(error);
  if (connectionErrorCode(error) !== 'tls') return skip(`no connection (${code || 'the reason is unknown'})`);
  return fail(
    `the server does not speak TLS at this address (${code})`,
    'Check the scheme and the port of the base URL.',
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
