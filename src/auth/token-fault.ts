import type { TokenContent } from './claims.ts';

/** One thing that is wrong with a token. Codes are stable. */
export type TokenFault = {
  readonly code:
    | 'expired'
    | 'not_yet_valid'
    | 'clock_skew'
    | 'no_expiry'
    | 'long_lifetime'
    | 'date_unreadable'
    | 'date_in_milliseconds'
    | 'algorithm_none'
    | 'algorithm_shared_secret'
    | 'algorithm_unknown'
    | 'signature_missing'
    | 'no_key_id'
    | 'other_key'
    | 'type_unusual'
    | 'scopes_missing'
    | 'scopes_unknown'
    | 'scopes_wildcard';
  /** A service such as the emulator refuses a token with a `fault`; with a `warning` it may take it. */
  readonly severity: 'fault' | 'warning';
  /** A sentence with its full stop. May hold text of the token, so it is sanitised before a terminal sees it. */
  readonly message: string;
};

/** What a token is judged by. */
export type Inspection = {
  readonly content: TokenContent;
  /** Whether there is anything in the place of the signature. */
  readonly isSigned: boolean;
  readonly now: Date;
  /** The key that the settings in use name, and how people are told of it; undefined: keys are not compared. */
  readonly ownKey: { readonly keyId: string; readonly origin: string } | undefined;
  /** Every scope that the contract names. */
  readonly knownScopes: readonly string[];
  /** A length of time, in milliseconds, as a person says it. */
  readonly inWords: (milliseconds: number) => string;
};

const LONGEST = 80;

/** A value of a token as messages show it: as JSON, at most 80 characters of it. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text;
}
