import type { RsaAlgorithm } from './keys.ts';

/**
 * Where tokens come from: a ready-made token, or a private key (PEM or base64 of it) to sign them with.
 * `origin` is how people are told of it: `PAYCTL_TOKEN`, `PAYCTL_TOKEN_FILE (/run/token)`, `profile emulator`.
 */
export type TokenSource =
  | { readonly kind: 'token'; readonly token: string; readonly origin: string }
  | {
      readonly kind: 'key';
      readonly pem: string;
      readonly origin: string;
      readonly rsaAlgorithm?: RsaAlgorithm | undefined;
    };

/** The scopes that a token should hold for a request. */
export type NeededScopes = {
  /** What a freshly signed token carries. */
  readonly scopes: readonly string[];
  /** Any one of these opens the operation, as `gift-cards.read` or `embed` does. Default: all of `scopes` are needed. */
  readonly accepted?: readonly string[];
};

/** What can be told of the token in use without giving it away. */
export type TokenDescription = {
  readonly origin: string;
  readonly keyId?: string;
  readonly scopes?: readonly string[];
  readonly expiresAt?: Date;
};

/** Gives the token to send with a request. `describe` tells of the token given last. */
export type TokenProvider = ((needed: NeededScopes) => Promise<string>) & {
  readonly describe: () => TokenDescription;
};
