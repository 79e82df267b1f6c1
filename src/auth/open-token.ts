import { CredentialsError } from '../client/errors.ts';
import { readClaims, type TokenContent } from './claims.ts';

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
    throw new CredentialsError('token_unreadable', 'There is no token: the input is empty', {
      hint: 'Give the token in a file or on standard input.',
    });
  }
  const content = readClaims(token);
  if (isDeeperThan(DEEPEST, content.header) || isDeeperThan(DEEPEST, content.claims)) {
    throw new CredentialsError('token_unreadable', `The token is nested more than ${DEEPEST} levels deep`, {
      hint: 'No service reads such a token.',
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
    level = level.flatMap((part) => Object.values(part).filter(isContainer));
  }
  return level.length > 0;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
