import type { ClientOptions } from '../../../src/client/client.ts';
import { type CertificateOptions, makeAuthority, makeCertificate } from '../../harness/certificates.ts';
import { answers, type Handler, type TestServer } from '../../harness/http-server.ts';
import { type ProxyOptions, startProxy, type TestProxy } from '../../harness/proxy.ts';
import { serve } from '../../harness/serve.ts';
import { buyersAt } from '../live-client.ts';

/** One page without a successor. */
export const PAGE = { items: [{ type: 'buyer', id: 'b1' }], next_cursor: null };

/** A host that no name server knows: only a proxy reaches it. */
export const HOST = 'api.corp.invalid';

/** A service behind TLS, and the authority that vouches for it. */
export type TlsService = TestServer & { readonly ca: string; readonly port: number };

/** Starts a service for `HOST` and 127.0.0.1 with a certificate of a private authority; the end of the test closes it. */
export async function serveTls(
  handler: Handler = answers([{ body: PAGE }]),
  { authority = makeAuthority({ name: 'Corp Root' }), ...certificate }: CertificateOptions = {},
): Promise<TlsService> {
  const made = makeCertificate({ hosts: [HOST], addresses: ['127.0.0.1'], authority, ...certificate });
  const server = await serve(handler, made);
  return { ...server, ca: authority.cert ?? '', port: Number(new URL(server.origin).port) };
}

/** A proxy that knows where `HOST` is. */
export function startProxyTo(service: TlsService, options: ProxyOptions = {}): Promise<TestProxy> {
  return startProxy({ routes: { [`${HOST}:443`]: `127.0.0.1:${service.port}` }, ...options });
}

/** The buyers of the service at `HOST`, through a proxy. */
export function buyersThrough(
  proxy: { readonly url: string },
  { ca }: { readonly ca: string },
  { network, ...options }: Partial<ClientOptions> = {},
) {
  return buyersAt(`https://${HOST}`, {
    network: { proxy: { url: proxy.url, source: 'HTTPS_PROXY' }, ca, ...network },
    ...options,
  });
}
