import { CredentialsError } from '../client/errors.ts';
import { readClaimsIfAny, type TokenContent } from './claims.ts';
import { grants, namesScopes } from './scopes.ts';
import type { NeededScopes, TokenDescription, TokenProvider, TokenSource } from './token-source.ts';

/**
 * Gives one ready-made token as it is, without the white space around it. Its claims, where it has readable ones,
 * serve to warn of a token that the service will refuse; each warning is given once.
 * @throws CredentialsError `token_unreadable` when it is empty or holds characters that no header can carry.
 */
export function createReadyTokenProvider(
  source: Extract<TokenSource, { kind: 'token' }>,
  { now, warn }: { readonly now: () => Date; readonly warn: (text: string) => void },
): TokenProvider {
  const token = sendable(source);
  const content = readClaimsIfAny(token);
  const warned = new Set<string>();

  const provide = async (needed: NeededScopes): Promise<string> => {
    for (const fault of content ? faultsOf(content, needed, now()) : []) {
      if (!warned.has(fault)) {
        warned.add(fault);
        warn(`The token of ${source.origin} ${fault}`);
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
    throw unreadable(`${origin} holds no token: it is empty`);
  }
  if (/^bearer\s/i.test(token)) {
    throw unreadable(`${origin} begins with the word Bearer`);
  }
  const position = token.search(/[^\x21-\x7e]/);
  if (position >= 0) {
    const code = (token.codePointAt(position) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    throw unreadable(`${origin} holds no token: character ${position + 1} (U+${code}) cannot be part of one`);
  }
  return token;
}

function faultsOf(content: TokenContent, needed: NeededScopes, now: Date): string[] {
  const { notBefore, expiresAt } = content;
  const faults: string[] = [];
  if (expiresAt && expiresAt <= now) {
    faults.push(`expired at ${expiresAt.toISOString()}`);
  }
  if (notBefore && notBefore > now) {
    faults.push(`is not valid before ${notBefore.toISOString()}`);
  }
  return [...faults, ...missingScopes(content, needed)];
}

/** A token that has no claim for scopes may carry its permissions elsewhere, so nothing can be said of it. */
function missingScopes(
  { claims, scopes: held }: TokenContent,
  { scopes, accepted = [] }: NeededScopes,
): string[] {
  if (!namesScopes(claims)) {
    return [];
  }
  const missing = scopes.filter((scope) => !accepted.includes(scope) && !grants(held, scope));
  const isOpen = accepted.length === 0 || accepted.some((scope) => grants(held, scope));
  return [...(isOpen ? [] : [accepted.join(' or ')]), ...missing].map((scope) => `lacks the scope ${scope}`);
}

function describe(origin: string, content: TokenContent | undefined): TokenDescription {
  if (!content) {
    return { origin };
  }
  const { keyId, scopes, expiresAt } = content;
  return { origin, ...(keyId !== undefined && { keyId }), scopes, ...(expiresAt && { expiresAt }) };
}

function unreadable(message: string): CredentialsError {
  return new CredentialsError('token_unreadable', message, {
    hint: 'Give the token alone, as it stands behind "Authorization: Bearer ".',
  });
}
