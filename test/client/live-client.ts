import { onTestFinished } from 'vitest';
import type { RequestContext } from '../../src/client/call.ts';
import { type ClientOptions, createClient } from '../../src/client/client.ts';
import type { NetworkOptions } from '../../src/client/network/options.ts';
import { createTransport } from '../../src/client/transport.ts';

export { serve } from '../harness/serve.ts';

/** A client that retries without a wait; the end of the present test closes it. */
export function clientAt(baseUrl: string, options: Partial<ClientOptions> = {}) {
  const client = createClient({ baseUrl, token: 'secret-token', random: () => 0, ...options });
  onTestFinished(() => client.close());
  return client;
}

/** The buyers of such a client. */
export function buyersAt(baseUrl: string, options: Partial<ClientOptions> = {}) {
  return clientAt(baseUrl, options).buyers;
}

/** What `send` needs for operations that have no resource yet; the end of the present test closes its connections. */
export function contextFor(
  origin: string,
  changes: Partial<RequestContext> = {},
  network: NetworkOptions = {},
): RequestContext {
  const transport = createTransport(origin, 30_000, network);
  onTestFinished(() => transport.close());
  return {
    transport,
    origin,
    prefix: '',
    token: () => 'secret-token',
    merchantAccount: undefined,
    merchantHeader: 'x-service-merchant-account-id',
    userAgent: 'payctl-test',
    timeoutMilliseconds: 30_000,
    maxRetries: 3,
    hooks: {},
    random: () => 0,
    ...changes,
  };
}
