import { UsageError } from '../errors.ts';
import { quote, withoutEndSlashes } from '../text/format.ts';

const EXAMPLE = 'Use an absolute URL such as https://api.example.com or https://api.{id}.example.com.';

/**
 * The base URL to send requests to, without a trailing slash: the template with every `{id}` replaced by the instance
 * (a template without `{id}` takes none; no host is built in). Plain http is for loopback only,
 * because anywhere else it would send the token in clear. `origin` is the flag, variable or profile that messages name.
 * @throws UsageError `instance_missing`, `invalid_instance`, `invalid_base_url` or `insecure_base_url`.
 */
export function resolveBaseUrl(template: string, instance?: string, origin = 'The base URL'): string {
  const trimmed = template.trim();
  refuseSecrets(trimmed, origin);
  const url = parse(trimmed.includes('{id}') ? fillInstance(trimmed, instance, origin) : trimmed, origin);
  if (url.protocol === 'http:' && !isLoopback(url)) {
    throw new UsageError(
      'insecure_base_url',
      `${origin} is ${quote(trimmed)}, which would send the token unencrypted`,
      {
        hint: 'Use https. Plain http is accepted only for 127.0.0.1, [::1] and localhost.',
      },
    );
  }
  return url.origin + withoutEndSlashes(url.pathname);
}

/** Whether an http or https URL points to this machine: 127.0.0.0/8, [::1] or localhost. Compares the parsed host. */
export function isLoopback(url: string | URL): boolean {
  const parsed = URL.parse(url);
  if (!parsed || !/^https?:$/.test(parsed.protocol)) {
    return false;
  }
  // A URL parser leaves no other host that begins like this: it reads what ends in a number as an IPv4 address.
  return /^(127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/.test(parsed.hostname);
}

function fillInstance(template: string, instance: string | undefined, origin: string): string {
  if (instance === undefined) {
    throw new UsageError(
      'instance_missing',
      `${origin} is ${quote(template)}, which needs an instance to replace {id}`,
      {
        hint: 'Set the instance with --instance or PAYCTL_INSTANCE.',
      },
    );
  }
  return template.replaceAll('{id}', checkInstance(instance));
}

/** Checks an instance: one label of a host name. @throws UsageError `invalid_instance`. */
export function checkInstance(instance: string): string {
  if (/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(instance)) return instance;
  throw new UsageError('invalid_instance', `The instance ${quote(instance)} cannot be part of a host name`, {
    hint: 'Use at most 63 letters, digits and hyphens, with no hyphen at either end.',
  });
}

/** Comes first, and shows nothing of the text, because these parts of a URL may contain a secret. */
function refuseSecrets(text: string, origin: string): void {
  if (text.includes('@')) {
    throw invalid(
      `${origin} contains an @, so it may contain a password`,
      'Remove the user name and the password.',
    );
  }
  if (text.includes('?') || text.includes('#')) {
    throw invalid(`${origin} has a query or a fragment`, 'Remove everything from the ? or # onwards.');
  }
}

/** Without Unicode classes and without the flag `i`, because they take longer to compile than everything else here. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is what it is for
const ABSOLUTE = /^[hH][tT][tT][pP][sS]?:\/\/(?!\/)[^\s\\{}\0-\x1f\x7f-\x9f]+$/;

function parse(text: string, origin: string): URL {
  // What a URL parser would repair silently (missing or turned slashes, white space, controls) is refused here.
  const url = ABSOLUTE.test(text) ? URL.parse(text) : null;
  if (!url) throw invalid(`${origin} is ${quote(text)}, which is not an absolute http or https URL`, EXAMPLE);
  if (url.port === '0')
    throw invalid(
      `${origin} is ${quote(text)}, whose port is 0`,
      'Use the port that the service listens on.',
    );
  return url;
}

function invalid(message: string, hint: string): UsageError {
  return new UsageError('invalid_base_url', message, { hint });
}
