/**
 * What payctl prints instead of a value that it must not show, on stdout and on stderr. The emulator masks personal data with
 * a different text, like the service.
 */
export const MASK = '********';

/** In small letters, without separators: what the value is, and in what form it is written. */
const SECRET_NAME =
  /(?:secret|pass(?:word|wd|phrase|code)|pwd|hmac|(?:private|secret|api|signing|encryption|shared|access)key|(?:access|refresh|id|auth|bearer|session|client|api|security)token|credential|cv[vc]2?|securitycode)s?(?:value|text|string|hash|digest|pem|hex|base64|plain|plaintext|encrypted|current|previous|next|old|new)?v?\d*$/;

/** Only the whole name, because a payment is authorized too, and a cookie may be allowed. */
const HEADER = /^(?:(?:proxy|x)?authorization|(?:set)?cookies?)$/;

/** Only a word of its own: "shipping" and "spin" hold the same letters. */
const PIN =
  /(?:(?:^|[^A-Za-z])(?:pin|PIN|Pin)|[a-z]P(?:in|IN))[sS]?(?:[^A-Za-z]?(?:value|Value|code|Code|block|Block))?[^A-Za-z]?[vV]?\d*$/;

/** The end of a name decides, and nobody ends one with more separators. */
const DECISIVE = 200;

/**
 * Whether a member of this name holds a secret: its last words are `secret`, `password`, `api key`, `access token`, `PIN` or
 * the like, or it is that of a header that grants access; also with a word for its form (`secret_value`, `private_key_pem`, `secret_v2`), in snake, kebab or camel case and
 * in any case of letters. `next_cursor`, `token_type`, `key_id`, `secret_id` and `secret_rotated_at` hold none.
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
  const letters = lettersOf(end);
  if (!STEMS.some((stem) => letters.includes(stem))) return false;
  return SECRET_NAME.test(letters) || HEADER.test(letters) || PIN.test(end);
}

/** Every name that the expressions match contains one of these. Most names contain none, so the expressions are not compiled. */
const STEMS = [
  'secret',
  'pass',
  'pwd',
  'hmac',
  'key',
  'token',
  'credential',
  'cv',
  'securitycode',
  'auth',
  'cookie',
  'pin',
];

/** The ASCII letters and digits of a text, in lower case. */
function lettersOf(text: string): string {
  let letters = '';
  for (const character of text.toLowerCase()) {
    if ((character >= 'a' && character <= 'z') || (character >= '0' && character <= '9'))
      letters += character;
  }
  return letters;
}
