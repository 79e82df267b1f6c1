/**
 * What payctl prints instead of a value that it must not show, on stdout and on stderr. The emulator masks personal data with
 * a different text, like the service.
 */
export const MASK = '********';

/** Whether JSON text may have a member that `isSecretName` finds; quick, and often true where there is none. */
export function mayHoldSecret(text: string): boolean {
  // Behind escapes there may be any name.
  return STEMS.test(text) || text.includes('\\u');
}

const STEMS = /secret|pass[^a-z0-9"]{0,9}(?:w|ph|c)|key|token|cv[vc]|security[^a-z0-9"]{0,9}code|credential/i;

/** In small letters, without separators. */
const SECRET_NAME =
  /(?:secret|pass(?:word|wd|phrase|code)|(?:private|secret|api|signing|encryption|shared|access)key|(?:access|refresh|id|auth|bearer|session|client|api|security)token|credential|cv[vc]2?|securitycode)s?\d*$/;

/** The end of a name decides, and nobody ends one with more separators. */
const DECISIVE = 200;

/**
 * Whether a member of this name holds a secret: its last words are `secret`, `password`, `api key`, `access token` or the
 * like, in snake, kebab or camel case and in any case of letters. `next_cursor`, `token_type`, `key_id` and
 * `secret_rotated_at` are none.
 */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(
    name
      .slice(-DECISIVE)
      .toLowerCase()
      .replace(/[^a-z0-9]/g, ''),
  );
}
