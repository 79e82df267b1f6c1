import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type CertificateOptions, makeAuthority, makeCertificate } from '../../harness/certificates.ts';
import { type Handler, startServer } from '../../harness/http-server.ts';
import { type ProxyOptions, startProxy } from '../../harness/proxy.ts';
import type { Home } from '../../harness/run-payctl.ts';
import { answeringBuyers, SECRET_TOKEN } from '../paged-service.ts';

/** A host that only the proxy resolves: a run without the proxy reaches nothing. */
export const HOST = 'api.corp.invalid';

/** What a corporate network is made of. */
export type NetworkOptions = CertificateOptions & {
  readonly handler?: Handler;
  readonly proxy?: ProxyOptions;
};

/** A network in which `HOST` is behind a proxy and has a certificate of a private authority. */
export async function startNetwork(
  home: Home,
  { handler, proxy: proxyOptions, ...certificate }: NetworkOptions = {},
) {
  const authority = certificate.authority ?? makeAuthority({ name: 'Corp Root' });
  const made = makeCertificate({ hosts: [HOST], addresses: ['127.0.0.1'], ...certificate, authority });
  const server = await startServer(handler ?? answeringBuyers(2), made);
  onTestFinished(() => server.close());
  const { port } = new URL(server.origin);
  const routes = { [`${HOST}:443`]: `127.0.0.1:${port}` };
  const proxy = await startProxy({ routes, ...proxyOptions });
  const authorityFile = join(home.path, 'authority.pem');
  writeFileSync(authorityFile, authority.cert ?? '');
  const settings = { PAYCTL_BASE_URL: `https://${HOST}`, PAYCTL_TOKEN: SECRET_TOKEN };
  return {
    server,
    proxy,
    authority,
    authorityFile,
    /** The settings of a run that knows neither proxy nor authority. */
    settings,
    /** The settings of a run for which all is well. */
    env: { ...settings, HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: authorityFile } as Record<
      string,
      string
    >,
    /** Starts the proxy again, at the same address. */
    restartProxy: async () => {
      await proxy.close();
      return await startProxy({ routes, ...proxyOptions, port: proxy.port });
    },
  };
}
