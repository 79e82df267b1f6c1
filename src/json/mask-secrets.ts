/** What stands in the place of a secret. */
export const MASK = '********';

const SECRET_MEMBER =
  /("(?:secret|password|passphrase|client_secret|private_key|api_key|access_token|refresh_token)"\s*:\s*)"(?:[^"\\]|\\.)*"/g;

/**
 * JSON text in which the values of members that are named for a secret are masked, at any depth; everything else stays
 * as it is written. Expects text that JSON.parse accepts. A quoted name before a colon can only be a member's, since
 * quotation marks within strings are escaped.
 */
export function maskSecrets(text: string): string {
  return text.replace(SECRET_MEMBER, `$1"${MASK}"`);
}
