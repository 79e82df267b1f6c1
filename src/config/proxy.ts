import { UsageError } from '../errors.ts';
import { quote } from '../text/format.ts';

/** A proxy as it is used. */
export type ProxyAddress = {
  /** `http://HOST:PORT` or `https://HOST:PORT`, without credentials. */
  readonly url: string;
  readonly credentials?: { readonly username: string; readonly password: string } | undefined;
};

/**
 * Reads the address of a proxy; without a scheme it is `http://`. `origin` is the flag, variable or profile that messages name;
 * they show nothing of a text that may hold a password.
 * @throws UsageError `invalid_proxy`; `unsupported_proxy` for a scheme such as socks5
 */
export function parseProxy(text: string, origin: string): ProxyAddress {
  const trimmed = text.trim();
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(trimmed)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') {
    throw new UsageError(
      'unsupported_proxy',
      `${origin} names a proxy with the scheme ${scheme}, which payctl cannot use`,
      {
        hint: 'Use an http or https proxy, such as http://proxy.example.com:3128.',
      },
    );
  }
  const url = URL.parse(scheme === undefined ? `http://${trimmed}` : trimmed);
  const isAddress =
    url?.hostname && /^\/?$/.test(url.pathname) && !/[\s\\?#]/.test(trimmed) && url.port !== '0';
  const credentials = url && readCredentials(url);
  if (!isAddress || !credentials) throw invalid(trimmed, origin);
  const { username, password } = credentials;
  const address = { url: `${url.protocol}//${url.host}` };
  return username === '' && password === '' ? address : { ...address, credentials };
}

/**
 * Reads the address of a proxy where no secret belongs: in a flag or a profile.
 * @throws UsageError as `parseProxy`; `proxy_credentials_refused`
 */
export function parsePlainProxy(text: string, origin: string): ProxyAddress {
  if (!text.includes('@')) return parseProxy(text, origin);
  throw new UsageError('proxy_credentials_refused', `${origin} contains an @, so it may contain a password`, {
    hint: 'Put proxy credentials in a variable: PAYCTL_PROXY, HTTPS_PROXY or ALL_PROXY.',
  });
}

/** Undefined where they are not valid percent-encoding. */
function readCredentials({ username, password }: URL): ProxyAddress['credentials'] {
  try {
    return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    return undefined;
  }
}

function invalid(text: string, origin: string): UsageError {
  const shown = text.includes('@') ? 'does not contain' : `is ${quote(text)}, which is not`;
  const hint = text.includes('@')
    ? 'Use http://USER:PASSWORD@HOST:PORT, with special characters in user name and password percent-encoded.'
    : 'Use a URL such as http://proxy.example.com:3128.';
  return new UsageError('invalid_proxy', `${origin} ${shown} the address of a proxy`, { hint });
}
