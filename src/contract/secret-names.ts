/**
 * What payctl prints instead of a value that it must not show, on stdout and on stderr. The emulator masks personal data with
 * a different text, like the service.
 */
export const MASK = '********';

/** In small letters, without separators: what the value is, and in what form it is written. */
const SECRET_NAME =
  /(?:secret|pass(?:word|wd|phrase|code)|pwd|hmac|(?:private|secret|api|signing|encryption|shared|access)key|(?:access|refresh|id|auth|bearer|session|client|api|security)token|credential|cv[vc]2?(?:number|code)?|securitycode)s?(?:value|text|string|hash|digest|pem|hex|base64|plain|plaintext|encrypted|current|previous|next|old|new)?v?\d*$/;

/** Only the whole name, because a payment is authorized too, and a cookie may be allowed. */
const HEADER = /^(?:(?:proxy|x)?authorization|(?:set)?cookies?)$/;

/** Only a word of its own: "shipping" and "spin" hold the same letters, and "laptop" those of an OTP. */
const PIN =
  /(?:(?:^|[^A-Za-z])(?:pin|PIN|Pin|t?otp|T?OTP|Otp|Totp)|[a-z](?:P(?:in|IN)|T?(?:Otp|OTP)|Totp))[sS]?(?:[^A-Za-z]?(?:value|Value|code|Code|block|Block))?[^A-Za-z]?[vV]?\d*$/;

/** The end of a name decides, and nobody ends one with more separators. */
const DECISIVE = 200;

/**
 * Whether a member of this name holds a secret: its last words are `secret`, `password`, `api key`, `access token`, `PIN`, `OTP` or
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
  'otp',
];

/** Names of members that hold a secret only if the description of them, or the name of the schema around them, mentions one. */
const NAMES_OF_ANY_VALUE = /^(?:key|token|value|bearer)s?$/i;
const NAMES_A_SECRET =
  /\b(?:secret|password|credential|(?:api|admin|access|signing|secret|private|encryption)[ _-]?keys?|(?:api|access|bearer|auth|refresh|session|security)[ _-]?tokens?)\b/i;

/** Whether a member of a name that any value may have, such as `key`, holds a secret according to one of these texts. */
export function isCalledSecret(name: string, texts: readonly string[]): boolean {
  return NAMES_OF_ANY_VALUE.test(name) && texts.some((text) => NAMES_A_SECRET.test(text));
}

/**
 * What services begin their secrets with: keys (`sk_live_`, `sk-`, `AIza`), secrets of webhooks (`whsec_`), tokens (`ghp_`, `xoxb-`), and
 * the signed or encrypted tokens of RFC 7519, alone or after `Bearer`.
 */
const SECRET_VALUE =
  /(?:Bearer )?(?:(?:sk|rk|whsec)[_-](?=[\w+/=-]{0,60}\d)[\w+/=-]{16}|(?:xox[a-z]-|gh[a-z]_|github_pat_|glpat-|AIza|npm_|dop_v1_|SG\.)[\w.-]{16}|eyJ[\w-]{4,9999}\.(?:eyJ[\w-]{4,9999}\.[\w-]|[\w-]{0,9999}\.[\w-]+\.[\w-]+\.[\w-]))/y;

/** The characters that such a value begins with. */
const FIRST_OF_SECRET = 'BsrwxgAndSe';

/** Whether what begins here in a text is a secret by its own beginning, whatever the name of its member is. */
export function isSecretValue(text: string, at = 0): boolean {
  if (!FIRST_OF_SECRET.includes(text.charAt(at))) return false;
  SECRET_VALUE.lastIndex = at;
  return SECRET_VALUE.test(text);
}

/** The ASCII letters and digits of a text, in lower case. */
function lettersOf(text: string): string {
  let letters = '';
  for (const character of text.toLowerCase()) {
    if ((character >= 'a' && character <= 'z') || (character >= '0' && character <= '9'))
      letters += character;
  }
  return letters;
}
