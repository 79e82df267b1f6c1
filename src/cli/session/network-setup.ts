import type { NetworkOptions, ProxyOptions } from '../../client/network/options.ts';
import { isLoopback } from '../../config/base-url.ts';
import { findExclusion } from '../../config/no-proxy.ts';
import { profileOrigin } from '../../config/origin.ts';
import { readAuthorities, readClientCertificate } from '../../config/pem-files.ts';
import type { Profile } from '../../config/profile.ts';
import { parsePlainProxy, parseProxy } from '../../config/proxy.ts';
import { nameOfSource, type Settings } from '../../config/settings.ts';
import { openFileWarning } from '../../credentials/read.ts';
import { UsageError } from '../../errors.ts';
import { openModeOf } from '../../files/private-files.ts';
import { quote } from '../../text/format.ts';
import type { Display, RunParts } from '../show/display.ts';

/** The network of settings that need one. @throws UsageError as `openNetwork` */
export function setUpNetwork(parts: RunParts, url: URL): NetworkOptions {
  const { settings, display } = parts;
  const profile = settings.profile.value;
  return {
    ...chooseProxy(parts, url),
    ca:
      profile?.caFile &&
      readAuthorities({ path: profile.caFile, origin: `ca_file of profile ${profile.name}` }),
    clientCertificate:
      profile && isHome(profile, settings, url) ? clientCertificateOf(profile, display) : undefined,
  };
}

function chooseProxy(
  { settings: { proxy }, display, runtime: { environment } }: RunParts,
  url: URL,
): Pick<NetworkOptions, 'proxy' | 'withoutProxy'> {
  if (proxy.value === undefined || isLoopback(url)) return {};
  const source = nameOfSource(proxy.source);
  const noProxy = environment.lowerNoProxy ?? environment.noProxy ?? '';
  const exclusion = findExclusion(noProxy, { host: url.hostname, port: Number(url.port || 443) });
  if (exclusion !== undefined) {
    const name = environment.lowerNoProxy === undefined ? 'NO_PROXY' : 'no_proxy';
    return {
      withoutProxy: `the proxy of ${source} was not used, because ${name} excludes ${url.hostname} (${quote(exclusion)})`,
    };
  }
  const parse = proxy.source.kind === 'environment' ? parseProxy : parsePlainProxy;
  const address = parse(proxy.value, source);
  if (address.credentials) hideCredentials(address.credentials, display);
  return { proxy: { ...address, source } };
}

function hideCredentials(
  { username, password }: NonNullable<ProxyOptions['credentials']>,
  display: Display,
): void {
  for (const secret of [password, `${username}:${password}`]) display.addSecret(secret);
}

/** Whether a request goes to the address of the profile: its certificate identifies its owner there and nowhere else. */
function isHome({ baseUrl, instance }: Profile, settings: Settings, url: URL): boolean {
  return profileOrigin({ baseUrl, instance: instance ?? settings.instance.value }) === url.origin;
}

function clientCertificateOf(
  { name, clientCertificate, clientKey }: Profile,
  display: Display,
): NetworkOptions['clientCertificate'] {
  if (clientCertificate === undefined && clientKey === undefined) return undefined;
  if (clientCertificate === undefined || clientKey === undefined) {
    const [has, needs] = clientKey === undefined ? ['certificate', 'key'] : ['key', 'certificate'];
    throw new UsageError(
      'invalid_client_certificate',
      `Profile ${name} has a client ${has} without its ${needs}`,
      {
        hint: `Set both: payctl profiles set ${name} --client-certificate FILE --client-key FILE`,
      },
    );
  }
  const key = { path: clientKey, origin: `client_key of profile ${name}` };
  const mode = openModeOf(process.getBuiltinModule('node:fs').statSync(clientKey, { throwIfNoEntry: false }));
  if (mode !== undefined) display.warn('secret_file_open', openFileWarning(key.origin, clientKey, mode));
  return readClientCertificate({
    certificate: { path: clientCertificate, origin: `client_certificate of profile ${name}` },
    key,
  });
}
