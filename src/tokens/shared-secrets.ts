import { CredentialsError } from '../errors.ts';
import { jsonOrNone } from '../json/is-json.ts';
import { isObject } from '../json/is-object.ts';
import { type Credentials, secretOf } from './provider.ts';

/** Credentials that are sent as they are: API keys, and a user name with its password. */
export type SharedSecret = Extract<Credentials, { kind: 'api-key' | 'basic' }>;

/** Values that every server accepts in a header: other characters may be changed or refused on the way. */
const VISIBLE = /^[!-~](?:[ -~]*[!-~])?$/;

/**
 * The one API key of a text, or several by the names of their headers, parameters or cookies, where the text is a JSON object.
 * @throws CredentialsError `api_key_unusable`, whose message holds no part of it
 */
export function apiKeysOf({ secret, origin }: SharedSecret): string | Readonly<Record<string, string>> {
  const text = secret.trim();
  if (!text.startsWith('{')) {
    requireVisible(text, origin);
    return text;
  }
  const keys = parseObject(text);
  if (!keys) throw unusable(`${origin} begins like JSON, but is not an object of API keys by their names`);
  const named = Object.entries(keys).map(([name, key]) => {
    if (typeof key !== 'string') throw unusable(`${origin} is not an object of API keys by their names`);
    requireVisible(key, origin);
    return [name.toLowerCase(), key];
  });
  return Object.fromEntries(named);
}

/**
 * `USER:PASSWORD` as HTTP Basic takes it (RFC 7617); either may be empty.
 * @throws CredentialsError `password_unusable`, whose message holds no part of it
 */
export function basicPairOf({ secret, origin }: SharedSecret): string {
  const pair = secret.replace(/\r?\n$/, '');
  const hint =
    'Use USER:PASSWORD; for a service that takes a key as the user name, KEY: with the colon at its end.';
  if (!pair.includes(':')) {
    throw new CredentialsError(
      'password_unusable',
      `${origin} is not a user name and a password with a colon between them`,
      { hint },
    );
  }
  if (/\p{Cc}/u.test(pair))
    throw new CredentialsError('password_unusable', `${origin} contains a control character`, { hint });
  return pair;
}

/** The value of the header for a pair. */
export function basicValue(pair: string): string {
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

/** The strings that would reveal credentials if they were printed. @throws CredentialsError as the other functions */
export function secretTextsOf(credentials: Credentials): readonly string[] {
  switch (credentials.kind) {
    case 'basic': {
      const pair = basicPairOf(credentials);
      const [user = ''] = pair.split(':', 1);
      const password = pair.slice(user.length + 1);
      // Some services take a key as the user name alone.
      return [pair, password || user];
    }
    case 'api-key': {
      const keys = apiKeysOf(credentials);
      return typeof keys === 'string' ? [keys] : Object.values(keys);
    }
    default:
      return [secretOf(credentials)];
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = jsonOrNone(text);
  return isObject(value) && Object.keys(value).length > 0 ? value : undefined;
}

function requireVisible(key: string, origin: string): void {
  if (key === '') throw unusable(`${origin} is empty`);
  if (!VISIBLE.test(key)) throw unusable(`${origin} contains characters that an API key cannot have`);
}

function unusable(message: string): CredentialsError {
  return new CredentialsError('api_key_unusable', message, {
    hint: 'Use only the key; for a service that needs several at once, a JSON object: {"NAME": "KEY", "NAME": "KEY"}',
  });
}
