import { meaningOf } from '../client/connection-error.ts';
import { connectionErrorCode } from '../client/connection-error-code.ts';
import { NetworkError } from '../client/network/network-error.ts';
import type { NetworkOptions } from '../client/network/options.ts';
import { BodyError, createTransport, type Transport } from '../client/transport.ts';

/** How long a receiver may take to respond, in milliseconds. */
const RESPONSE_LIMIT_MS = 10_000;

/** The largest response of a receiver that is read; only its status counts. */
const LARGEST_RESPONSE = 64 * 1024;

/** What to send, and where. */
export type Posting = {
  /** `http:` or `https:`, without credentials. */
  readonly url: string;
  /** By their names in lower case, without those of the connection. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
};

/** How an attempt ended. */
export type Outcome = {
  /** Undefined where no response came. */
  readonly status: number | undefined;
  /** Why no response came, as a clause. */
  readonly problem: string | undefined;
  readonly milliseconds: number;
  /** Where a redirect leads, which is never followed. */
  readonly location?: string | undefined;
};

/** Only a 2xx says that the receiver has taken the event. */
export function isDelivered({ status }: Pick<Outcome, 'status'>): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

/** Sends events to receivers. */
export type Sender = {
  /** Sends once. Rejects only if `signal` is aborted, with its reason. */
  post(posting: Posting, signal: AbortSignal): Promise<Outcome>;
  close(): Promise<void>;
};

/** Opens a sender. `networkFor` is what reaches a receiver: directly, or through the proxy and with the certificates of the settings. */
export function openSender(networkFor: (url: URL) => NetworkOptions = () => ({})): Sender {
  const transports = new Map<string, Transport>();
  const transportTo = (url: URL) => {
    const known = transports.get(url.origin);
    if (known) return known;
    const made = createTransport(url.origin, RESPONSE_LIMIT_MS, networkFor(url));
    transports.set(url.origin, made);
    return made;
  };
  return {
    async post({ url: text, headers, body }, signal) {
      const url = new URL(text);
      const started = performance.now();
      const end = (outcome: Omit<Outcome, 'milliseconds'>): Outcome => ({
        ...outcome,
        milliseconds: Math.round(performance.now() - started),
      });
      const limit = AbortSignal.timeout(RESPONSE_LIMIT_MS);
      try {
        const { status, headers: received } = await transportTo(url).send({
          method: 'POST',
          path: url.pathname + url.search,
          headers,
          body,
          signal: AbortSignal.any([signal, limit]),
          largestBody: LARGEST_RESPONSE,
          receive: async () => 0,
        });
        return end({ status, problem: undefined, location: received.location });
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof BodyError) return end({ status: error.status, problem: undefined });
        if (limit.aborted)
          return end({ status: undefined, problem: `no response within ${RESPONSE_LIMIT_MS} ms` });
        return end({ status: undefined, problem: problemOf(error) });
      }
    },
    async close() {
      await Promise.all([...transports.values()].map((transport) => transport.close()));
    },
  };
}

function problemOf(error: unknown): string {
  return error instanceof NetworkError ? error.message : meaningOf(connectionErrorCode(error), error);
}
