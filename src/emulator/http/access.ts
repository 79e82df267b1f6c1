import type { IncomingMessage } from 'node:http';
import { MERCHANT_HEADER } from '../../contract/generated/operations.ts';
import type { Operation } from '../../contract/operation.ts';
import { CredentialsError } from '../../errors.ts';
import { own } from '../../json/is-object.ts';
import { grants } from '../../tokens/scopes.ts';
import { verifyToken } from '../../tokens/verify.ts';
import type { EmulatorDatabase } from '../store/database.ts';
import { findKey, findKeyLimits } from '../store/meta.ts';
import { HttpError } from './response.ts';

/** Who sent a request, as far as its token proves. */
export type Caller = {
  readonly scopes: readonly string[];
  /** The `sub` of the token, else its `iss`. */
  readonly subject: string | undefined;
  /** The key that signed the token is restricted: the token is valid, and everything is forbidden. */
  readonly isRestricted: boolean;
  /** The one merchant account that the key may be used for; undefined for a key of the whole instance. */
  readonly merchantAccount: string | undefined;
};

/** Reads an Authorization header. @throws HttpError `unauthorized`, whose details give the reason */
export type Authenticate = (header: string | undefined, now: Date) => Promise<Caller>;

type Verified = {
  readonly keyId: string;
  readonly scopes: readonly string[];
  readonly subject: string | undefined;
  /** In seconds since 1970, as in the token; zero where it does not say. */
  readonly notBefore: number;
  readonly expiry: number;
};

const cachedTokens = 256;

const reasons: Readonly<Record<string, string>> = {
  token_missing: 'the request has no bearer token',
  token_invalid: 'the token is not a JWT signed by a registered key',
  token_expired: 'the token has expired',
  token_not_yet_valid: 'the token is not valid yet',
  token_without_expiry: 'the token has no expiry time, the claim exp',
  key_unknown: 'the token does not name a registered key',
};

/**
 * Verifies bearer tokens against the registered keys: signature, algorithm, `nbf` and `exp`. The signature of a token
 * is checked once and then remembered until it expires; its times and the status of its key are checked every time.
 */
export function createAuthenticate(database: EmulatorDatabase): Authenticate {
  const remembered = new Map<string, Verified>();
  return async (header, now) => {
    const token = /^Bearer +([^\s]+) *$/i.exec(header ?? '')?.[1];
    if (token === undefined) throw unauthorized('token_missing');
    const known = remembered.get(token);
    const verified =
      known !== undefined && isCurrent(known, now) ? known : await verify(database, token, now);
    const key = findKeyLimits(database, verified.keyId);
    if (key === undefined) throw unauthorized('key_unknown');
    if (verified !== known) remember(remembered, token, verified);
    const { status, merchantAccount } = key;
    const { scopes, subject } = verified;
    return { scopes, subject, isRestricted: status === 'restricted', merchantAccount };
  };
}

async function verify(database: EmulatorDatabase, token: string, now: Date): Promise<Verified> {
  const keyById = (keyId: string | undefined) =>
    keyId === undefined ? undefined : findKey(database, keyId)?.jwk;
  try {
    const { keyId, scopes, claims } = await verifyToken(token, { keyById, now });
    const subject = [claims.sub, claims.iss].find((claim) => typeof claim === 'string');
    return { keyId, scopes, subject, notBefore: secondsOf(claims.nbf), expiry: secondsOf(claims.exp) };
  } catch (error) {
    if (error instanceof CredentialsError) throw unauthorized(error.code);
    throw error;
  }
}

function secondsOf(claim: unknown): number {
  return typeof claim === 'number' ? claim : 0;
}

/** False without an expiry, and the token is then verified each time. */
function isCurrent(verified: Verified, now: Date): boolean {
  const seconds = now.getTime() / 1000;
  return verified.notBefore <= seconds && seconds < verified.expiry;
}

function remember(remembered: Map<string, Verified>, token: string, verified: Verified): void {
  const [longestKnown] = remembered.keys();
  if (remembered.size >= cachedTokens && longestKnown !== undefined) remembered.delete(longestKnown);
  remembered.set(token, verified);
}

/** The message stays the default one; only the details, which the API log keeps too, give the reason. */
function unauthorized(code: string): HttpError {
  const type = code in reasons ? code : 'token_invalid';
  return new HttpError('unauthorized', {
    details: [{ type, pointer: '/authorization', message: reasons[type] ?? '', location: 'header' }],
    headers: { 'www-authenticate': 'Bearer' },
  });
}

/**
 * Lets a caller through to an operation. One of its scopes is enough unless it needs all of them; one that names none is open
 * to every token.
 * @throws HttpError `forbidden` when its token does not hold the operation's scopes, or a restricted key signed it
 */
export function requireScope(caller: Caller, operation: Operation): void {
  if (caller.isRestricted) {
    throw new HttpError('forbidden', { message: 'The API key that signed the token is restricted' });
  }
  const { scopes, needsAllScopes } = operation;
  const isHeld = (scope: string) => grants(caller.scopes, scope);
  if (scopes.length === 0 || (needsAllScopes ? scopes.every(isHeld) : scopes.some(isHeld))) return;
  const needed = needsAllScopes ? `scopes ${scopes.join(' and ')}` : `scope ${scopes.join(' or ')}`;
  throw new HttpError('forbidden', { message: `This request requires the ${needed}` });
}

/**
 * Lets a caller through to a merchant account.
 * @throws HttpError `forbidden` when the key that signed the token is for another account
 */
export function requireAccount(caller: Caller, operation: Operation, merchantAccount: string): void {
  const { merchantAccount: only } = caller;
  if (!operation.merchantAccount || only === undefined || only === merchantAccount) return;
  const message = `The API key that signed the token is restricted to the merchant account ${only}`;
  throw new HttpError('forbidden', { message });
}

/** Whether a caller sees the personal data in the responses of an operation. */
export function mayReveal(caller: Caller, operation: Operation): boolean {
  return operation.piiScope !== undefined && grants(caller.scopes, operation.piiScope);
}

/**
 * The merchant account that a request names, which need not exist. The configured header wins over the default one, and an
 * empty one counts as absent.
 */
export function merchantAccountOf(
  { headers }: IncomingMessage,
  configuredHeader: string,
): string | undefined {
  return (own(headers, configuredHeader) || headers[MERCHANT_HEADER])?.toString() || undefined;
}

/**
 * Resolves the merchant account header; `default` without one or where it does not apply.
 * @throws HttpError `not_found` for an account that does not exist, as the service hides what a caller may not see
 */
export function findMerchantAccount(
  database: EmulatorDatabase,
  operation: Operation,
  header: string | undefined,
): string {
  const id = (operation.merchantAccount ? header : undefined) ?? 'default';
  const account = database.keys.cached(`merchant account ${id}`, () =>
    database.prepare('SELECT 1 FROM merchant_accounts WHERE id = ?').get(id),
  );
  if (account === undefined) throw new HttpError('not_found');
  return id;
}
