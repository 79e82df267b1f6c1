import type { NetworkOptions } from '../../client/network/options.ts';
import { isLoopback } from '../../config/base-url.ts';
import { UsageError } from '../../errors.ts';
import type { RunParts } from '../show/display.ts';

/**
 * How the settings lead to a service: through which proxy, and which certificates are trusted and shown. Most runs need nothing
 * of this, and load nothing for it.
 * @throws UsageError `insecure_tls` where NODE_TLS_REJECT_UNAUTHORIZED would turn off the checks of certificates; `invalid_proxy`,
 * `unsupported_proxy`, `proxy_credentials_refused`, `invalid_ca_file`, `invalid_client_certificate`
 */
export async function openNetwork(parts: RunParts, baseUrl: string): Promise<NetworkOptions> {
  const { settings, runtime } = parts;
  const url = new URL(baseUrl);
  if (url.protocol === 'http:') return {};
  if (runtime.environment.rejectUnauthorized === '0') throw checksTurnedOff();
  const { proxy, profile } = settings;
  const { caFile, clientCertificate, clientKey } = profile.value ?? {};
  const usesProxy = proxy.value !== undefined && !isLoopback(url);
  if (!usesProxy && !caFile && !clientCertificate && !clientKey) return {};
  const { setUpNetwork } = await import('./network-setup.ts');
  return setUpNetwork(parts, url);
}

function checksTurnedOff(): UsageError {
  return new UsageError(
    'insecure_tls',
    'NODE_TLS_REJECT_UNAUTHORIZED is 0, which turns off certificate checks and would expose the token',
    {
      hint: "Unset it. To trust your company's certificate authority: payctl profiles set NAME --ca-file AUTHORITY.pem",
    },
  );
}
