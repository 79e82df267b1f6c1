import { createReadyTokenProvider } from './ready-token.ts';
import { createSignedTokenProvider } from './signed-token.ts';
import type { TokenProvider, TokenSource } from './token-source.ts';

/** What a token provider needs beside its source. */
export type TokenProviderOptions = {
  /** `iss` of the tokens that are signed here: `payctl/VERSION`. */
  readonly issuer: string;
  /** Default: the clock. */
  readonly now?: () => Date;
  /** Is told, once each, what is likely to make the service refuse a ready-made token. */
  readonly warn: (text: string) => void;
};

/**
 * Makes the provider of a source. A key signs tokens for exactly the scopes asked for and renews them in time; a
 * ready-made token is given as it is. The modules that sign are loaded with the first token of a key.
 * @throws CredentialsError `token_unreadable` when a ready-made token cannot be sent in a header. The provider throws
 * CredentialsError `key_unusable` when the key cannot sign.
 */
export function createTokenProvider(source: TokenSource, options: TokenProviderOptions): TokenProvider {
  const { issuer, now = () => new Date(), warn } = options;
  return source.kind === 'token'
    ? createReadyTokenProvider(source, { now, warn })
    : createSignedTokenProvider(source, { now, issuer });
}
