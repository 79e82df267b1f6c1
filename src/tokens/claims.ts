import { CredentialsError } from '../errors.ts';
import { isObject } from '../json/is-object.ts';
import { scopesOf } from './scopes.ts';

/** What a token says about itself. Nothing of it is verified. */
export type TokenContent = {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  /** Undefined without a scope claim: only the service knows what the token allows. */
  readonly scopes: readonly string[] | undefined;
  /** `kid` of the header. */
  readonly keyId: string | undefined;
  /** `iat`, `nbf` and `exp`; undefined also where the claim is not a number of seconds that a date can express. */
  readonly issuedAt: Date | undefined;
  readonly notBefore: Date | undefined;
  readonly expiresAt: Date | undefined;
};

/**
 * Decodes a signed JWT in compact form without verifying it (RFC 7519, strict base64url and UTF-8).
 * @throws CredentialsError `token_unreadable` for anything else, and nothing else; the message holds no part of it.
 */
export function readClaims(token: string): TokenContent {
  const parts = token.split('.');
  const [headerPart = '', claimsPart = '', signature = ''] = parts;
  if (parts.length === 5) {
    throw unreadable('The token is encrypted (a JWE); its claims cannot be read');
  }
  if (parts.length !== 3) {
    throw unreadable('The token is not a JWT: it does not have three parts separated by dots');
  }
  if (signature !== '' && decodeBase64url(signature) === undefined) {
    throw unreadable('The token is not a JWT: its signature is not base64url');
  }
  const header = readObject(headerPart, 'header');
  const claims = readObject(claimsPart, 'payload');
  return {
    header,
    claims,
    scopes: scopesOf(claims),
    keyId: typeof header.kid === 'string' ? header.kid : undefined,
    issuedAt: readDate(claims.iat),
    notBefore: readDate(claims.nbf),
    expiresAt: readDate(claims.exp),
  };
}

/** The same for a token that need not be a JWT: undefined for an opaque one, of which only the service knows what it allows. */
export function readClaimsIfAny(token: string): TokenContent | undefined {
  try {
    return readClaims(token);
  } catch {
    return undefined;
  }
}

function readObject(part: string, name: string): Record<string, unknown> {
  const bytes = decodeBase64url(part);
  if (!bytes) {
    throw unreadable(`The token is not a JWT: its ${name} is not base64url`);
  }
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    throw unreadable(`The token is not a JWT: its ${name} is not JSON`);
  }
  if (!isObject(value)) {
    throw unreadable(`The token is not a JWT: its ${name} is not a JSON object`);
  }
  return value;
}

function decodeBase64url(part: string): Uint8Array | undefined {
  return /^[A-Za-z0-9_-]+$/.test(part) && part.length % 4 !== 1 ? Buffer.from(part, 'base64url') : undefined;
}

function readDate(seconds: unknown): Date | undefined {
  const date = new Date(typeof seconds === 'number' ? seconds * 1000 : Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

function unreadable(message: string): CredentialsError {
  return new CredentialsError('token_unreadable', message, {
    hint: 'A JWT has the form HEADER.PAYLOAD.SIGNATURE, each part encoded as base64url.',
  });
}

/** A token taken apart. Neither the token nor its signature is in it. */
export type OpenedToken = {
  readonly content: TokenContent;
  /** The JSON of the header and of the claims exactly as they were signed. */
  readonly headerText: string;
  readonly claimsText: string;
  readonly isSigned: boolean;
};

/** Deeper than any claims that mean something, and far from where recursion over them would end. */
const DEEPEST = 100;

/** The token of a text: without white space around it, and without the `Bearer` of a header in front of it. */
export function bareToken(text: string): string {
  return text
    .trim()
    .replace(/^(?:authorization:\s*)?bearer\s+/i, '')
    .trim();
}

/**
 * Takes a bare token apart without verifying it.
 * @throws CredentialsError `token_unreadable` where `readClaims` does, and for claims nested more than 100 levels deep; the
 * message holds no part of it.
 */
export function openToken(token: string): OpenedToken {
  if (token === '') {
    throw new CredentialsError('token_unreadable', 'No token was given: the input is empty', {
      hint: 'Pass the token in a file or on standard input.',
    });
  }
  const content = readClaims(token);
  if (isDeeperThan(DEEPEST, content.header) || isDeeperThan(DEEPEST, content.claims)) {
    throw new CredentialsError('token_unreadable', `The token is nested more than ${DEEPEST} levels deep`, {
      hint: 'Services reject such tokens.',
    });
  }
  const [header = '', claims = '', signature = ''] = token.split('.');
  return { content, headerText: decode(header), claimsText: decode(claims), isSigned: signature !== '' };
}

function decode(part: string): string {
  return Buffer.from(part, 'base64url').toString('utf8');
}

/** Goes down level by level, since recursion would end where it is needed. */
function isDeeperThan(limit: number, value: object): boolean {
  let level = [value];
  for (let depth = 1; depth <= limit && level.length > 0; depth += 1) {
    level = level.flatMap((part) =>
      Object.values(part).filter((inner) => typeof inner === 'object' && inner !== null),
    );
  }
  return level.length > 0;
}
