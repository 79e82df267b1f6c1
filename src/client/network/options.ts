/** How a client reaches the service, where that is not directly and with the certificates that are bundled with Node. */
export type NetworkOptions = {
  readonly proxy?: ProxyOptions | undefined;
  /** Certificates (PEM) of authorities that are trusted in addition to those of Node. */
  readonly ca?: string | undefined;
  /** What the client identifies itself with to the service (mutual TLS), both as PEM. Never shown to a proxy. */
  readonly clientCertificate?: { readonly cert: string; readonly key: string } | undefined;
  /** Why there is no proxy although one is set, as half a sentence; part of the error of a connection that fails. */
  readonly withoutProxy?: string | undefined;
};

/** An HTTP proxy that opens tunnels (CONNECT). */
export type ProxyOptions = {
  /** `http://HOST:PORT` or `https://HOST:PORT`, without credentials: messages show it. */
  readonly url: string;
  /** Sent to the proxy and to nothing else. */
  readonly credentials?: { readonly username: string; readonly password: string } | undefined;
  /** The setting that chose it, as messages name it: `HTTPS_PROXY`, `--proxy`, `profile acme`. */
  readonly source?: string | undefined;
};

/** A proxy as messages name it: `http://proxy.example.com:3128 (HTTPS_PROXY)`. */
export function nameOfProxy({ url, source }: ProxyOptions): string {
  return source === undefined ? url : `${url} (${source})`;
}

/** How long opening a connection may take, and what ends it. */
export type ConnectLimits = {
  /** Milliseconds. */
  readonly timeout: number;
  readonly signal: AbortSignal;
};
