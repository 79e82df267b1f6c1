import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { buildConnector } from 'undici';
import { setVariables } from '../../text/shell.ts';
import { connectionErrorCode } from '../connection-error-code.ts';
import { errorCode } from '../errors.ts';
import { NetworkError } from './network-error.ts';
import { type ConnectLimits, type NetworkOptions, nameOfProxy, type ProxyOptions } from './options.ts';
import { type Store, serviceContext } from './trust.ts';

/** Where a tunnel leads, and how it is opened. */
type TunnelOptions = ConnectLimits & {
  /** `HOST:PORT` of the service; an IPv6 address has brackets. */
  readonly target: string;
  /** Which certificates an https proxy is checked against. */
  readonly from: Store;
};

/** `HOST:PORT`, as CONNECT names it. */
export function targetOf({ hostname, port }: Pick<buildConnector.Options, 'hostname' | 'port'>): string {
  const host = hostname.includes(':') ? `[${hostname}]` : hostname;
  return `${host}:${port || 443}`;
}

/** Statuses of CONNECT that may be another one a moment later. */
const TEMPORARY = new Set([408, 425, 429]);

/**
 * Opens a tunnel to the service through a proxy: a raw connection, on which the caller speaks TLS. Nothing but CONNECT and the
 * credentials of the proxy is sent.
 * @throws NetworkError `proxy_unreachable`, `proxy_refused`, `proxy_credentials`, `proxy_failed` or `timeout`
 */
export async function openProxyTunnel(
  proxy: ProxyOptions,
  network: NetworkOptions,
  options: TunnelOptions,
): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const request = connectRequest(proxy, network, options);
  const timer = setTimeout(() => request.destroy(silence(proxy, options.target)), options.timeout);
  request.once('connect', (response: IncomingMessage, socket: Socket, head: Buffer) => {
    const { statusCode = 0 } = response;
    if (statusCode >= 200 && statusCode < 300) {
      if (head.length > 0) socket.unshift(head);
      return resolve(socket);
    }
    socket.destroy();
    reject(refusal(proxy, response, options.target));
  });
  // Stays attached: a request that fails a second time must not end the process.
  request.on('error', (error) => reject(toNetworkError(error, proxy)));
  request.end();
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

/** The error of a proxy that has not opened the tunnel in time. */
export function silence(proxy: ProxyOptions, target: string): NetworkError {
  return new NetworkError(
    'timeout',
    `the proxy ${nameOfProxy(proxy)} did not open a tunnel to ${target} in time`,
    {
      hint: `Check that ${sourceOf(proxy)} names a proxy that works, or add --timeout 2m to wait longer.`,
    },
  );
}

function connectRequest(
  proxy: ProxyOptions,
  network: NetworkOptions,
  { target, signal, from }: TunnelOptions,
) {
  const { request: httpRequest } = process.getBuiltinModule('node:http');
  const { protocol, hostname, port } = new URL(proxy.url);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const isTls = protocol === 'https:';
  const address = { host, port: Number(port || (isTls ? 443 : 80)) };
  const connect = () =>
    isTls ? connectTls(address, serviceContext({ ca: network.ca }, from)) : connectPlainly(address);
  const request = httpRequest({
    method: 'CONNECT',
    path: target,
    headers: { host: target, 'proxy-connection': 'keep-alive', ...authorization(proxy) },
    setHost: false,
    signal,
    createConnection: connect,
  });
  // `Connection: close`, which Node would add, makes some proxies end the tunnel after the first response.
  request.removeHeader('connection');
  return request;
}

type Address = { readonly host: string; readonly port: number };

function connectPlainly(address: Address): Socket {
  return process.getBuiltinModule('node:net').connect({ ...address, noDelay: true, keepAlive: true });
}

function connectTls(address: Address, secureContext: SecureContext | undefined): Socket {
  const { connect } = process.getBuiltinModule('node:tls');
  const { isIP } = process.getBuiltinModule('node:net');
  const servername = isIP(address.host) === 0 ? { servername: address.host } : {};
  const trust = secureContext === undefined ? {} : { secureContext };
  return connect({
    ...address,
    ...servername,
    ...trust,
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
  });
}

function authorization({ credentials }: ProxyOptions): Record<string, string> {
  if (!credentials) return {};
  const pair = Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64');
  return { 'proxy-authorization': `Basic ${pair}` };
}

function refusal(proxy: ProxyOptions, response: IncomingMessage, target: string): NetworkError {
  const { statusCode: status = 0 } = response;
  if (status === 407) return credentialsWanted(proxy, String(response.headers['proxy-authenticate'] ?? ''));
  const { STATUS_CODES } = process.getBuiltinModule('node:http');
  const reason = STATUS_CODES[status] === undefined ? String(status) : `${status} ${STATUS_CODES[status]}`;
  if (status >= 500 || TEMPORARY.has(status)) {
    const message = `the proxy ${nameOfProxy(proxy)} could not open a tunnel to ${target} (${reason})`;
    return new NetworkError('proxy_failed', message, {
      hint: 'Check the host in the base URL; the proxy may be unable to resolve or reach it. If it is right, try again later.',
    });
  }
  const message = `the proxy ${nameOfProxy(proxy)} refused a tunnel to ${target} (${reason})`;
  return new NetworkError('proxy_refused', message, {
    hint: `Ask the administrator of the proxy to allow ${target}, or add the host to NO_PROXY if it can be reached directly.`,
  });
}

function credentialsWanted(proxy: ProxyOptions, challenge: string): NetworkError {
  const schemes = challenge.match(/(?<=^|,\s*)[A-Za-z][\w-]*(?=\s|,|$)/g) ?? [];
  const name = nameOfProxy(proxy);
  const isBasic = schemes.length === 0 || schemes.some((scheme) => scheme.toLowerCase() === 'basic');
  if (!isBasic) {
    const message = `the proxy ${name} accepts only ${schemes.join(', ')} authentication, and payctl supports only Basic (407)`;
    return new NetworkError('proxy_credentials', message, {
      hint: 'Run a local proxy that authenticates for you, such as px or cntlm, and set HTTPS_PROXY to its address.',
    });
  }
  const variable = variableOf(proxy);
  const example = `export ${variable}=${proxy.url.replace('://', '://USER:PASSWORD@')}`;
  const message = proxy.credentials
    ? `the proxy ${name} rejected the user name or the password (407)`
    : `the proxy ${name} requires a user name and a password (407)`;
  return new NetworkError('proxy_credentials', message, {
    hint: `Set them in a variable, with special characters percent-encoded: ${example}`,
  });
}

/** The variable that credentials belong in: the one that chose the proxy, `PAYCTL_PROXY` where that was no variable. */
function variableOf({ source = '' }: ProxyOptions): string {
  return /^\w+_proxy$/i.test(source) ? source : 'PAYCTL_PROXY';
}

function sourceOf({ source }: ProxyOptions): string {
  return source ?? 'the proxy option';
}

const REASONS: Readonly<Record<string, string>> = {
  dns: 'its host name could not be resolved',
  connection_refused: 'it refused the connection',
  unreachable: 'it cannot be reached',
  connection_lost: 'it closed the connection without a response',
  tls: 'no TLS connection to it could be established',
  timeout: 'it does not respond',
};

function toNetworkError(error: unknown, proxy: ProxyOptions): NetworkError {
  if (error instanceof NetworkError) return error;
  const code = errorCode(error);
  const reason = code.startsWith('HPE_') ? 'its response is not HTTP' : REASONS[connectionErrorCode(error)];
  const suffix = code ? ` (${code})` : '';
  return new NetworkError(
    'proxy_unreachable',
    `the proxy ${nameOfProxy(proxy)} cannot be used: ${reason}${suffix}`,
    {
      hint: hintFor(error, proxy),
      cause: error,
    },
  );
}

function hintFor(error: unknown, proxy: ProxyOptions): string {
  return connectionErrorCode(error) === 'tls'
    ? `Check that the proxy speaks TLS (most do not: http://), and that its authority is trusted: ${setVariables({ NODE_EXTRA_CA_CERTS: 'AUTHORITY.pem' })}`
    : `Correct or remove ${sourceOf(proxy)}, or check that you are in the network of the proxy.`;
}
