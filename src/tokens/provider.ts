import type { NeededScopes, RequestCredentials } from '../contract/operation.ts';
import { CredentialsError } from '../errors.ts';
import { readClaimsIfAny, type TokenContent } from './claims.ts';
import type { RsaAlgorithm, SigningKey } from './keys.ts';
import { checkAccess } from './scopes.ts';

/** What a token provider needs in addition to its source. */
export type TokenProviderOptions = {
  /** `iss` of the tokens that are signed here: `payctl/VERSION`. */
  readonly issuer: string;
  /** Default: the clock. */
  readonly now?: () => Date;
  /** A key signs a token for each request instead of one that serves until shortly before it expires. */
  readonly isFresh?: boolean | undefined;
  /** Called once for each reason why the service will probably refuse a token that was given. */
  readonly warn: (code: TokenWarningCode, message: string) => void;
};

/** Why the service will probably refuse a token that was given. */
export type TokenWarningCode = 'token_expired' | 'token_not_yet_valid' | 'token_lacks_scope';

/**
 * Makes the provider of a source. A key signs tokens for exactly the scopes asked for and renews them in time; a
 * token is given unchanged. The modules that sign are loaded with the first token of a key.
 * @throws CredentialsError `token_unreadable` when a token cannot be sent in a header. The provider throws
 * CredentialsError `key_unusable` when the key cannot sign.
 */
export function createTokenProvider(source: TokenSource, options: TokenProviderOptions): TokenProvider {
  const { issuer, now = () => new Date(), isFresh = false, warn } = options;
  return source.kind === 'token'
    ? staticTokenProvider(source, { now, warn })
    : keyTokenProvider(source, { now, issuer, isFresh });
}

/**
 * Credentials: a token that was issued elsewhere, a private key (PEM or base64 of it) to sign tokens with, an API key
 * (or a JSON object of several by their names), or a user name and a password with a colon between them.
 * `origin` is its name in messages: `PAYCTL_TOKEN`, `PAYCTL_TOKEN_FILE (/run/token)`, `profile emulator`.
 */
export type Credentials =
  | TokenSource
  | { readonly kind: 'api-key' | 'basic'; readonly secret: string; readonly origin: string };

/** Where tokens come from. */
export type TokenSource =
  | { readonly kind: 'token'; readonly token: string; readonly origin: string }
  | {
      readonly kind: 'key';
      readonly pem: string;
      readonly origin: string;
      readonly rsaAlgorithm?: RsaAlgorithm | undefined;
    };

/** Whether these credentials are a token or sign one. */
export function isTokenSource(credentials: Credentials): credentials is TokenSource {
  return credentials.kind === 'token' || credentials.kind === 'key';
}

/** The secret text of credentials, as it is stored. */
export function secretOf(credentials: Credentials): string {
  if (credentials.kind === 'token') return credentials.token;
  return credentials.kind === 'key' ? credentials.pem : credentials.secret;
}

/** A description of the token in use that does not reveal it. */
export type TokenDescription = {
  readonly origin: string;
  /** What messages call credentials that are not a token. */
  readonly name?: string;
  readonly keyId?: string;
  /** Left out for a token that does not say: no JWT, or no scope claim. */
  readonly scopes?: readonly string[];
  readonly expiresAt?: Date;
};

/** Gives the token to send with a request. `describe` describes the last one. */
export type TokenProvider = ((needed: NeededScopes) => Promise<string>) & {
  readonly describe: () => TokenDescription;
  /** Whether it signs the token of a request with a key, for the scopes that it is asked for. */
  readonly signs?: (needed: NeededScopes) => boolean;
};

/** The same for all kinds of credentials: a token, or everything that the request carries. */
export type CredentialProvider = ((needed: NeededScopes) => Promise<string | RequestCredentials>) &
  Pick<TokenProvider, 'describe' | 'signs'>;

/**
 * Gives one token unchanged, without the white space around it. Its claims, where it has readable ones,
 * serve to warn of a token that the service will refuse; each warning is given once.
 * @throws CredentialsError `token_unreadable` when it is empty or holds characters that a header cannot contain.
 */
export function staticTokenProvider(
  source: Extract<TokenSource, { kind: 'token' }>,
  { now, warn }: { readonly now: () => Date; readonly warn: TokenProviderOptions['warn'] },
): TokenProvider {
  const token = sendable(source);
  const content = readClaimsIfAny(token);
  const warned = new Set<string>();

  const provide = async (needed: NeededScopes): Promise<string> => {
    for (const [code, problem] of content ? problemsOf(content, needed, now()) : []) {
      if (!warned.has(problem)) {
        warned.add(problem);
        warn(code, `The token from ${source.origin} ${problem}`);
      }
    }
    return token;
  };
  const description = describe(source.origin, content);
  return Object.assign(provide, { describe: () => description });
}

function sendable({ token: given, origin }: Extract<TokenSource, { kind: 'token' }>): string {
  const token = given.trim();
  if (token === '') {
    throw unreadable(`${origin} is empty`);
  }
  const position = token.search(/[^\x21-\x7e]/);
  if (position >= 0) {
    if (/^bearer\s/i.test(token)) throw unreadable(`${origin} starts with the word Bearer`);
    const code = (token.codePointAt(position) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    throw unreadable(`${origin} is not a token: character ${position + 1} (U+${code}) is not allowed`);
  }
  return token;
}

type Problem = readonly [code: TokenWarningCode, text: string];

function problemsOf(content: TokenContent, needed: NeededScopes, now: Date): Problem[] {
  const { notBefore, expiresAt } = content;
  const problems: Problem[] = [];
  if (expiresAt && expiresAt <= now) {
    problems.push(['token_expired', `expired at ${expiresAt.toISOString()}`]);
  }
  if (notBefore && notBefore > now) {
    problems.push(['token_not_yet_valid', `is not valid before ${notBefore.toISOString()}`]);
  }
  return [...problems, ...missingScopes(content, needed)];
}

function missingScopes({ scopes: held }: TokenContent, { scopes, accepted }: NeededScopes): Problem[] {
  const others = scopes.filter((scope) => !accepted.includes(scope)).map((scope) => [scope]);
  const { lacking } = checkAccess(held, accepted.length === 0 ? others : [accepted, ...others]);
  return lacking.map((group) => ['token_lacks_scope', `lacks the scope ${group.join(' or ')}`]);
}

function describe(origin: string, content: TokenContent | undefined): TokenDescription {
  if (!content) {
    return { origin };
  }
  const { keyId, scopes, expiresAt } = content;
  return {
    origin,
    ...(keyId !== undefined && { keyId }),
    ...(scopes && { scopes }),
    ...(expiresAt && { expiresAt }),
  };
}

function unreadable(message: string): CredentialsError {
  return new CredentialsError('token_unreadable', message, {
    hint: 'Use only the token, the part after "Authorization: Bearer ".',
  });
}

const LIFETIME_SECONDS = 300;
const RENEWAL_SECONDS = 60;

type SignedToken = { readonly token: Promise<string>; readonly expiresAt: Date };

/**
 * Gives tokens signed with a private key, each for exactly the scopes asked for and valid for 5 minutes. Unless tokens are to be
 * fresh, one serves until less than a minute of it is left, so that long exports outlive it.
 */
export function keyTokenProvider(
  source: Extract<TokenSource, { kind: 'key' }>,
  {
    issuer,
    now,
    isFresh = false,
  }: Pick<TokenProviderOptions, 'issuer' | 'isFresh'> & { readonly now: () => Date },
): TokenProvider {
  const tokens = new Map<string, SignedToken>();
  let key: Promise<SigningKey> | undefined;
  let description: TokenDescription = { origin: source.origin };

  const sign = async (scopes: readonly string[], signedAt: Date): Promise<string> => {
    const { signToken } = await import('./sign.ts');
    key ??= readKey(source);
    return signToken(await key, { scopes, lifetimeSeconds: LIFETIME_SECONDS, now: signedAt, issuer });
  };

  const provide = async ({ scopes: asked }: NeededScopes): Promise<string> => {
    const scopes = [...new Set(asked)].sort();
    const name = scopes.join(' ');
    const current = now();
    let signed = tokens.get(name);
    if (!signed || isFresh || secondsBetween(current, signed.expiresAt) < RENEWAL_SECONDS) {
      const expiresAt = new Date((Math.floor(current.getTime() / 1000) + LIFETIME_SECONDS) * 1000);
      signed = { token: sign(scopes, current), expiresAt };
      tokens.set(name, signed);
    }
    const token = await signed.token;
    const keyId = (await key)?.keyId;
    description = { origin: source.origin, ...(keyId && { keyId }), scopes, expiresAt: signed.expiresAt };
    return token;
  };
  return Object.assign(provide, { describe: () => description, signs: () => true });
}

async function readKey({
  pem,
  origin,
  rsaAlgorithm,
}: Extract<TokenSource, { kind: 'key' }>): Promise<SigningKey> {
  const { readSigningKey } = await import('./keys.ts');
  return readSigningKey(pem, { origin, rsaAlgorithm });
}

function secondsBetween(from: Date, to: Date): number {
  return (to.getTime() - from.getTime()) / 1000;
}
