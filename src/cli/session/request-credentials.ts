import { variablesOfKind } from '../../config/environment.ts';
import { CREDENTIAL_NAMES, type CredentialKind, givesTokens } from '../../config/profile.ts';
import type { Settings } from '../../config/settings.ts';
import {
  isTokenScheme,
  type NeededScopes,
  type RequestCredentials,
  type Security,
  type SecurityScheme,
} from '../../contract/operation.ts';
import { type CredentialDeps, readCredentials } from '../../credentials/read.ts';
import { type CredentialInputs, type CredentialSource, findWithheld } from '../../credentials/sources.ts';
import { describeSecurity } from '../../descriptions/security-words.ts';
import { CredentialsError } from '../../errors.ts';
import { own } from '../../json/is-object.ts';
import {
  type CredentialProvider,
  type Credentials,
  createTokenProvider,
  isTokenSource,
  type TokenDescription,
  type TokenProvider,
  type TokenProviderOptions,
} from '../../tokens/provider.ts';
import {
  apiKeysOf,
  basicPairOf,
  basicValue,
  type SharedSecret,
  secretTextsOf,
} from '../../tokens/shared-secrets.ts';
import type { Display } from '../show/display.ts';
import { loginFlag, noCredentials } from './credential-inputs.ts';

/** One credential of a request, and where it comes from. */
export type CredentialUse = { readonly scheme: SecurityScheme; readonly source: CredentialSource };

/** What operations without `security` take. */
const TOKEN: Security = [[{ scheme: 'token', type: 'bearer' }]];

const KINDS_OF_TYPE = { bearer: ['token', 'key'], basic: ['basic'], apiKey: ['api-key'] } as const;

/** The kinds of credentials that a scheme takes. */
export function kindsOf(scheme: SecurityScheme): readonly CredentialKind[] {
  const isEither = scheme.type === 'apiKey' && isTokenScheme(scheme);
  return isEither ? ['api-key', 'token', 'key'] : KINDS_OF_TYPE[scheme.type];
}

/**
 * The credentials of an alternative for which these sources, in order of precedence, have everything; empty for an operation that
 * needs none, undefined if they do not suffice. A key in the query comes last, because addresses are logged.
 */
export function chooseCredentials(
  security: Security = TOKEN,
  sources: readonly CredentialSource[],
): readonly CredentialUse[] | undefined {
  const usable = security.flatMap((schemes) => {
    const uses = schemes.flatMap((scheme) => {
      const source = sources.find(({ kind }) => kindsOf(scheme).includes(kind));
      return source ? [{ scheme, source }] : [];
    });
    if (uses.length < schemes.length || uses.length === 0) return [];
    const rank = Math.min(...uses.map(({ source }) => sources.indexOf(source)));
    return [{ uses, rank, isLogged: schemes.some((one) => one.type === 'apiKey' && one.in === 'query') }];
  });
  const [first] = usable.toSorted((a, b) => a.rank - b.rank || Number(a.isLogged) - Number(b.isLogged));
  const needsNone = security.length === 0 || security.some((schemes) => schemes.length === 0);
  return first?.uses ?? (needsNone ? [] : undefined);
}

/** What the credentials of requests are made from. */
export type RequestCredentialParts = {
  /** In order of precedence. */
  readonly sources: readonly CredentialSource[];
  readonly inputs: CredentialInputs;
  readonly settings: Settings;
  readonly display: Pick<Display, 'addSecret'>;
  /** Headers of the run that hold secrets, by their names in lower case. They count as credentials where an operation takes them. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Where the emulator's own token is accepted for every operation. */
  readonly isEmulator: boolean;
  readonly deps: CredentialDeps;
  readonly tokens: TokenProviderOptions;
};

/**
 * Gives each request the credentials that its operation takes. Secrets are read when the first request needs them, and hidden from then on.
 * The provider throws CredentialsError `no_credentials`, which says what the operation takes, `api_key_unusable`, `password_unusable`, and
 * what reading them throws.
 */
export function requestCredentials(parts: RequestCredentialParts): CredentialProvider {
  const { sources, inputs, display, headers: given = {}, deps } = parts;
  const opened = new Map<CredentialSource, Promise<Opened>>();
  const open = (source: CredentialSource): Promise<Opened> => {
    const known = opened.get(source) ?? openSource(source);
    opened.set(source, known);
    return known;
  };
  const openSource = async (source: CredentialSource): Promise<Opened> => {
    const credentials = await readCredentials(source, inputs.profile, deps);
    for (const secret of secretTextsOf(credentials)) display.addSecret(secret);
    const token = isTokenSource(credentials) ? createTokenProvider(credentials, parts.tokens) : undefined;
    return { credentials, token };
  };
  const [first] = sources;
  let description = (): TokenDescription => ({ origin: first?.origin ?? 'none' });
  const provide = async (needed: NeededScopes): Promise<RequestCredentials> => {
    const uses = usesFor(needed, parts);
    const names = [...new Set(uses.flatMap(({ scheme }) => (scheme.type === 'apiKey' ? [scheme.name] : [])))];
    const headers: Record<string, string> = { ...given };
    const query: Record<string, string> = {};
    for (const { scheme, source } of uses) {
      const { credentials, token } = await open(source);
      description =
        token?.describe ?? (() => ({ origin: source.origin, name: CREDENTIAL_NAMES[source.kind] }));
      place(scheme, await credentialValue(scheme, { credentials, token, needed, names }), { headers, query });
    }
    return { headers, query };
  };
  return Object.assign(provide, {
    describe: () => description(),
    signs: (needed: NeededScopes) =>
      findUses(needed, parts)?.some(({ source }) => source.kind === 'key') === true,
  });
}

type KeyScheme = Extract<SecurityScheme, { type: 'apiKey' }>;
type Opened = { readonly credentials: Credentials; readonly token: TokenProvider | undefined };

async function credentialValue(
  scheme: SecurityScheme,
  {
    credentials,
    token,
    needed,
    names,
  }: Opened & { readonly needed: NeededScopes; readonly names: readonly string[] },
): Promise<string> {
  if (token) return `Bearer ${await token(needed)}`;
  if (credentials.kind === 'basic') return basicValue(basicPairOf(credentials));
  if (credentials.kind !== 'api-key' || scheme.type !== 'apiKey') throw new TypeError(scheme.type);
  return requireFits(keyFor(scheme, credentials, names), scheme, credentials.origin);
}

/** The key of a scheme. @throws CredentialsError `no_credentials`, `api_key_unusable` */
function keyFor({ name }: KeyScheme, credentials: SharedSecret, names: readonly string[]): string {
  const keys = apiKeysOf(credentials);
  if (typeof keys === 'string') {
    if (names.length === 1) return keys;
    const message = `${credentials.origin} contains one API key, but the request needs several: ${names.join(' and ')}`;
    const members = names.map((each) => `"${each}": "KEY"`).join(', ');
    throw new CredentialsError('no_credentials', message, {
      hint: `Pass them as a JSON object: {${members}}`,
    });
  }
  const key = own(keys, name.toLowerCase());
  if (key !== undefined) return key;
  throw new CredentialsError('no_credentials', `${credentials.origin} contains no API key named ${name}`, {
    hint: `Add it to the JSON object: {"${name}": "KEY"}`,
  });
}

/** What a cookie can hold, by RFC 6265; anything else would end it. */
const COOKIE_VALUE = /^[!#-+\--:<-[\]-~]*$/;

function requireFits(key: string, scheme: KeyScheme, origin: string): string {
  if (scheme.in !== 'cookie' || COOKIE_VALUE.test(key)) return key;
  const message = `The API key from ${origin} contains characters that a cookie cannot have`;
  throw new CredentialsError('api_key_unusable', message, {
    hint: 'Check that the whole key was copied, and nothing else.',
  });
}

type UseParts = Pick<RequestCredentialParts, 'sources' | 'headers' | 'isEmulator'>;

/** The credentials of a request; undefined where the sources do not suffice. */
function findUses(
  { security }: NeededScopes,
  { sources, headers, isEmulator }: UseParts,
): readonly CredentialUse[] | undefined {
  const uses = chooseCredentials(lackingIn(security, headers), sources);
  if (uses) return uses;
  // Without a description, the headers that the user typed are the credentials.
  if (security === undefined && headers) return [];
  return isEmulator ? chooseCredentials(TOKEN, sources) : undefined;
}

/** The credentials that are not among the headers of the run. */
function lackingIn(security: Security | undefined, headers: UseParts['headers'] = {}): Security | undefined {
  const isGiven = (scheme: SecurityScheme) =>
    scheme.type === 'apiKey' && scheme.in === 'header' && Object.hasOwn(headers, scheme.name);
  return security?.map((schemes) => schemes.filter((scheme) => !isGiven(scheme)));
}

/** @throws CredentialsError `no_credentials` */
function usesFor(
  needed: NeededScopes,
  parts: UseParts & Pick<RequestCredentialParts, 'inputs' | 'settings'>,
): readonly CredentialUse[] {
  const uses = findUses(needed, parts);
  if (uses) return uses;
  const { sources, headers, inputs, settings } = parts;
  if (sources.length === 0 && findWithheld(inputs)) throw noCredentials(inputs, settings);
  throw lackingCredentials(lackingIn(needed.security, headers) ?? TOKEN, sources, settings);
}

/**
 * The credentials of a request with empty secrets, and the key that would sign its token. Without credentials, those of the first
 * alternative.
 */
export function placeholdersFor(
  needed: NeededScopes,
  parts: UseParts,
): { readonly credentials: RequestCredentials; readonly signer: CredentialSource | undefined } {
  const uses = findUses(needed, parts);
  const [first = []] = lackingIn(needed.security, parts.headers) ?? TOKEN;
  const headers: Record<string, string> = { ...parts.headers };
  const query: Record<string, string> = {};
  for (const { scheme, source } of uses ?? first.map((scheme) => ({ scheme, source: undefined })))
    place(scheme, EMPTY[scheme.type] ?? (source && givesTokens(source.kind) ? 'Bearer ' : ''), {
      headers,
      query,
    });
  return {
    credentials: { headers, query },
    signer: uses?.find(({ source }) => source.kind === 'key')?.source,
  };
}

const EMPTY = { bearer: 'Bearer ', basic: 'Basic ', apiKey: undefined } as const;

type Placed = { readonly headers: Record<string, string>; readonly query: Record<string, string> };

/** Puts a credential into the header, query parameter or cookie of its scheme. */
function place(scheme: SecurityScheme, value: string, { headers, query }: Placed): void {
  if (scheme.type !== 'apiKey') headers.authorization = value;
  else if (scheme.in === 'query') query[scheme.name] = value;
  else if (scheme.in === 'header') headers[scheme.name] = value;
  else headers.cookie = [headers.cookie, `${scheme.name}=${value}`].filter(Boolean).join('; ');
}

/** The flag of `auth login` that takes a kind of credentials. */
const LOGIN_FLAGS = {
  token: '--with-token',
  key: '--with-key',
  'api-key': '--with-api-key',
  basic: '--with-basic',
} as const satisfies Record<CredentialKind, string>;

/** How to get the credentials of a kind: the variables, and the login. */
export function remedyForKind(kind: CredentialKind, settings: Settings): string {
  return `Set ${variablesOfKind(kind).join(' or ')}, or log in: payctl auth login${loginFlag(settings)} ${LOGIN_FLAGS[kind]}`;
}

function lackingCredentials(
  security: Security,
  sources: readonly CredentialSource[],
  settings: Settings,
): CredentialsError {
  const missing = missingKind(security, sources);
  const names = sources.map(({ kind, origin }) => `the ${CREDENTIAL_NAMES[kind]} from ${origin}`);
  const there =
    names.length === 0 ? 'no credentials are configured' : `payctl has only ${names.join(' and ')}`;
  const message = `The request needs ${describeSecurity(security)}; ${there}`;
  return new CredentialsError('no_credentials', message, { hint: remedyForKind(missing, settings) });
}

/** The first kind that the first alternative lacks. */
export function missingKind(
  [first = []]: Security,
  sources: readonly Pick<CredentialSource, 'kind'>[],
): CredentialKind {
  const kinds = first.map(kindsOf).find((accepted) => !sources.some(({ kind }) => accepted.includes(kind)));
  return kinds?.[0] ?? 'token';
}
