import { endOfString, skipSpace } from '../json/scan.ts';

/**
 * What payctl prints instead of a value that it must not show, on stdout and on stderr. The emulator masks personal data with
 * a different text, like the service.
 */
export const MASK = '********';

/** Whether JSON text may have a member that `isSecretName` finds; quick, and seldom true where there is none. */
export function mayHoldSecret(text: string): boolean {
  STEM_OR_ESCAPE.lastIndex = 0;
  while (STEM_OR_ESCAPE.test(text)) {
    const end = endOfString(text, STEM_OR_ESCAPE.lastIndex - 1);
    if (text.charCodeAt(skipSpace(text, end)) === COLON) return true;
    STEM_OR_ESCAPE.lastIndex = end;
  }
  return false;
}

/** With escapes, any name may be spelled. */
const STEM_OR_ESCAPE =
  /\\.|secret|pass[^a-z0-9"\\]{0,9}(?:w|ph|c)|key|token|cv[vc]|security[^a-z0-9"\\]{0,9}code|credential|hmac|pwd|authorization|pins?(?=[^a-z]|[vcb])/gis;
const COLON = 0x3a;

/** In small letters, without separators: what the value is, and in what form it is written. */
const SECRET_NAME =
  /(?:secret|pass(?:word|wd|phrase|code)|pwd|hmac|(?:private|secret|api|signing|encryption|shared|access)key|(?:access|refresh|id|auth|bearer|session|client|api|security)token|credential|cv[vc]2?|securitycode)s?(?:value|text|string|hash|digest|pem|hex|base64|plain|plaintext|encrypted|current|previous|next|old|new)?v?\d*$/;

/** Only the whole name, because a payment is authorized too. */
const AUTHORIZATION = /^(?:proxy|x)?authorization$/;

/** Only a word of its own: "shipping" and "spin" hold the same letters. */
const PIN =
  /(?:(?:^|[^A-Za-z])(?:pin|PIN|Pin)|[a-z]P(?:in|IN))[sS]?(?:[^A-Za-z]?(?:value|Value|code|Code|block|Block))?[^A-Za-z]?[vV]?\d*$/;

/** The end of a name decides, and nobody ends one with more separators. */
const DECISIVE = 200;

/**
 * Whether a member of this name holds a secret: its last words are `secret`, `password`, `api key`, `access token`, `PIN` or
 * the like, also with a word for its form (`secret_value`, `private_key_pem`, `secret_v2`), in snake, kebab or camel case and
 * in any case of letters. `next_cursor`, `token_type`, `key_id`, `secret_id` and `secret_rotated_at` are none.
 */
export function isSecretName(name: string): boolean {
  if (name.length > DECISIVE) return endsAsSecret(name);
  const known = decided.get(name);
  if (known !== undefined) return known;
  const isSecret = endsAsSecret(name);
  if (decided.size >= MOST_DECIDED) decided.clear();
  decided.set(name, isSecret);
  return isSecret;
}

/** The members of a list have the same names in every item. */
const decided = new Map<string, boolean>();
const MOST_DECIDED = 1000;

function endsAsSecret(name: string): boolean {
  const end = name.slice(-DECISIVE);
  const letters = end.toLowerCase().replace(/[^a-z0-9]/g, '');
  return SECRET_NAME.test(letters) || AUTHORIZATION.test(letters) || PIN.test(end);
}
