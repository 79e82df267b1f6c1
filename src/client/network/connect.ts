import { buildConnector } from 'undici';
import { connectionErrorCode } from '../connection-error-code.ts';
import type { ConnectLimits, NetworkOptions } from './options.ts';
import { forResponses } from './response-socket.ts';
import type { Store } from './trust.ts';

/** Opens connections to one service. */
export type Connector = {
  readonly connect: buildConnector.connector;
  /**
   * The reason of an error of an attempt, where it is in the connection: the proxy that has opened no tunnel when the time is up.
   */
  explain(error: unknown, attempt: { readonly timeIsUp: boolean }): Promise<unknown>;
};

type Connection = NonNullable<Parameters<buildConnector.Callback>[1]>;
type Dial = (options: buildConnector.Options) => Promise<Connection>;

/**
 * Opens connections as the options say: directly or through a proxy, checked against the certificates of Node. If none of them
 * vouches for the service, opens the connection again and checks it against those of the operating system too. Nothing is sent
 * before the certificate was accepted. Fails with NetworkError where a proxy or a certificate is the reason, otherwise with the
 * error of the system.
 */
export function createConnector(network: NetworkOptions, limits: ConnectLimits): Connector {
  const { proxy } = network;
  const dialers = new Map<Store, Promise<Dial>>();
  /** Tunnels that are being opened. */
  const pending: string[] = [];
  let store: Store = 'bundled';

  const open = async (options: buildConnector.Options, from: Store): Promise<Connection> => {
    const dialer = dialers.get(from) ?? createDialer(network, limits, from);
    dialers.set(from, dialer);
    const dial = await dialer;
    if (!proxy) return await dial(options);
    const { openProxyTunnel, targetOf } = await import('./tunnel.ts');
    const target = targetOf(options);
    pending.push(target);
    try {
      return await dial({
        ...options,
        httpSocket: await openProxyTunnel(proxy, network, { ...limits, target, from }),
      });
    } finally {
      pending.splice(pending.indexOf(target), 1);
    }
  };
  const openOrRecover = async (options: buildConnector.Options): Promise<Connection> => {
    const from = store;
    try {
      return await open(options, from);
    } catch (error) {
      if (options.protocol !== 'https:' || connectionErrorCode(error) !== 'tls') throw error;
      const { recover } = await import('./recover.ts');
      const openAgain = () => open(options, 'system');
      const connection = await recover({ error, from, openAgain, options, network, limits });
      store = 'system';
      return connection;
    }
  };
  return {
    connect(options, callback) {
      openOrRecover(options).then(
        (connection) => callback(null, forResponses(connection)),
        (error: Error) => callback(error, null),
      );
    },
    async explain(error, { timeIsUp }) {
      const [target] = pending;
      if (timeIsUp && proxy && target !== undefined)
        return (await import('./tunnel.ts')).silence(proxy, target);
      return error;
    },
  };
}

async function createDialer(network: NetworkOptions, limits: ConnectLimits, store: Store): Promise<Dial> {
  const needsContext =
    store === 'system' || network.ca !== undefined || network.clientCertificate !== undefined;
  const context = needsContext && (await import('./trust.ts')).serviceContext(network, store);
  const dial = buildConnector({
    allowH2: false,
    // Whatever NODE_TLS_REJECT_UNAUTHORIZED says.
    rejectUnauthorized: true,
    timeout: limits.timeout,
    ...(context ? { secureContext: context } : {}),
  });
  return (options) => dialUntil(limits.signal, dial, options);
}

/**
 * Closes a connection that is still being opened when the signal is aborted. Node's option `signal` does the same, but listens to
 * all events that can end a stream, which takes longer than everything else about a connection.
 */
function dialUntil(
  signal: AbortSignal,
  dial: buildConnector.connector,
  options: buildConnector.Options,
): Promise<Connection> {
  const { promise, resolve, reject } = Promise.withResolvers<Connection>();
  // It returns the connection, although its type says otherwise.
  const connection: unknown = dial(options, (...[error, opened]) => {
    signal.removeEventListener('abort', end);
    if (error) reject(error);
    else resolve(opened as Connection);
  });
  function end(): void {
    (connection as Connection).destroy(signal.reason);
  }
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return promise;
}
