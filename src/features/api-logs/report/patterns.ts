import { isGrouped, isLuhn, lengthOfIban, lengthOfNumber } from './long-numbers.ts';
import { NATIONAL_IDS } from './national-ids.ts';
import { isRemark } from './sensitive-names.ts';

/** A pattern for one kind of sensitive value. It takes time in proportion to the text, so every repetition has a bound. */
export type Pattern = readonly [
  /** The prefix of the pseudonyms of its values. */
  kind: string,
  pattern: RegExp,
  /** Whether a match, after up to 40 other characters, is such a value, or how many of its characters are; always if it is missing. */
  holds?: (match: string, before: string) => boolean | number,
];

/** A value after words of a sentence, such as `the account number is 12345678`. */
function after(words: string, value: string): RegExp {
  const filler = '(?:is|was|of|on|to|number|no\\.?|nr\\.?|code|date|with|value|given|entered|supplied)';
  const before = `(?<!\\w)(?:${words})['"]?(?:[ \\t]{1,2}${filler}){0,3}[ \\t]{0,2}[ \\t:=#'"(][ \\t]{0,2}['"(]?`;
  return new RegExp(`(?<=${before})${value}`, 'gi');
}

const NOT_UUID = '(?![\\da-f]{8}-[\\da-f]{4}-)';

const TOKENS: readonly RegExp[] = [
  /-----BEGIN [A-Z0-9 ]{1,40}-----[\s\S]*?(?:-----END [A-Z0-9 ]{1,40}-----|$)/g,
  // A parameter of a path segment, such as `;session=...`.
  /(?<=;[\w.-]{1,64}=)[^;/?#\s]{1,500}/g,
  /(?<=(?<![\w-])(?:set-)?cookie:[ \t]{0,3})[^\s"'][^\n\r"']{0,4000}/gi,
  /(?<=authorization:[ \t]{0,3}(?:digest|oauth|hawk|aws4-hmac-sha256)[ \t]{1,3})[^\n\r]{1,4000}/gi,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g,
  /\b(?:xox[a-z]|gh[a-z]|glpat|github_pat|AIza|npm|dop_v1|SG)[._-]?[\w.-]{16,200}/g,
  /(?<=\b(?:cvv2?|cvc2?|pin|otp)[ :=]{1,3})\d{3,8}\b/gi,
  /eyJ[\w-]{4,}\.[\w-]+(?:\.[\w-]*)?/g,
  /(?<=authorization["']?[ \t]{0,3}[:=][ \t]{0,3}["']?(?:[a-z]{1,20}[ \t]{1,3})?)(?![a-z]{1,20}[ \t]{1,3}[\w.~+/=-])[\w.~+/=-]{3,4000}/gi,
  // Not `Basic authentication`.
  /(?<=\b(?:Bearer|Basic|ApiKey)(?: |%20|\+))(?![a-z]{1,30}(?![\w.~+/=-]))[\w.~+/=-]{8,4000}/gi,
  /\b(?:sk|pk|rk|key|tok|token|secret|whsec)[_-](?=[\w-]{0,40}\d)[\w-]{8,400}/gi,
  /\b(?:sk|pk|rk)_(?:live|test|prod)_[\w-]{8,400}/gi,
  after(
    '(?:bearer|access|refresh|session|id|auth)[ _-]token',
    '(?=[^\\s"\']{0,60}\\d)[\\w.~+/=-]{8,4000}(?<!\\.)',
  ),
  // Neither the ID of a record nor a word counts.
  after('token|session[ _-]?id', `${NOT_UUID}(?=[^\\s"']{0,60}\\d)[\\w.~+/=-]{16,4000}(?<!\\.)`),
];

const SECRETS: readonly RegExp[] = [
  after(
    'password|passwd|pwd|passphrase|passcode|secret|api[ _-]?key|one-time (?:code|password)|security code|verification code',
    `${NOT_UUID}(?=[^\\s"']{0,60}\\d)(?!\\d{1,3}(?!\\w))[^\\s"'<>,;)]{4,200}(?<![.:])`,
  ),
  after('password|passwd|pwd|passphrase|secret', `(?<=['"])[^\\s"'\\\\]{3,200}(?=['"])`),
  /(?<=(?<![\w-])--?(?:password|passwd|pwd|secret|token|api-key)[ \t]{1,3})(?!-)[^\s]{3,200}/gi,
];

/** Credentials. */
export const SECRET_PATTERNS: readonly Pattern[] = [
  ...TOKENS.map((pattern): Pattern => ['token', pattern, (match) => !isRemark(match)]),
  ...SECRETS.map((pattern): Pattern => ['secret', pattern]),
];

const IPV4 = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}';
/** Neither versions (`Chrome/120.0.0.0`, `v1.2.3.4`) nor parts of longer numbers. */
const NOT_IPV4 = '(?<![\\d.-])(?<!(?<![\\w/.-])[a-z][\\w.-]{0,30}/)(?<!\\bv(?:er|ersions?)?["\':=. ]{0,4})';
const BORN = '(?:\\d{1,4}[-./ ]\\d{1,2}[-./ ]\\d{2,4}|\\d{1,2} [a-z]{3,9} \\d{4})(?![\\dT])';
const NUMBERED =
  '(?=[^\\n]{0,20}\\d[ -]?\\d)(?=[A-Z\\d /.-]{0,40}\\d)[A-Z\\d](?:[ /.-]?[A-Z\\d]{1,20}(?<=\\d[A-Z]{0,3})){0,12}(?!\\w)';
const OF_PERSON =
  "ssn|social security|sin|nino|national insurance|bsn|nif|nie|dni|cpf|pesel|tfn|tax id|tax(?: identification| file)?|vat|passport|driver'?s license|driving licence|id card|identity card|national id|personal id";

/** Identifiers of persons, cards and accounts. The first match wins. */
export const PERSONAL_PATTERNS: readonly Pattern[] = [
  [
    'email',
    /(?:[\p{L}\p{N}._+'-]{1,64}|(?:\\"|")[^"\n]{1,64}")(?: ?@|%40| ?[([{<] ?at ?[)\]}>] ?)[\p{L}\p{N}-]{1,63}(?:(?:\.| ?[([{<] ?dot ?[)\]}>] ?)[\p{L}\p{N}-]{1,63}){1,8}/giu,
  ],
  [
    'person',
    /(?<=(?<![\w-])(?:full[ _-]?)?name['"]?[ \t]{0,2}[:=][ \t]{0,2}['"]?)\p{Lu}[\p{L}.'-]{0,40}(?: \p{Lu}[\p{L}.'-]{0,40}){1,3}/gu,
  ],
  ['external-identifier', /(?<=identifier[^'"\w]{1,3}['"])[^'"]{1,200}(?=['"])/gi],
  [
    'id',
    /(?<!(?:request|trace|correlation|span)[ _-]?id['":= ]{1,4})[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi,
  ],
  ['iban', /(?<![A-Z\d])[A-Z]{2}\d{2}(?:[\s._/-]?[A-Z\d]){11,30}/gi, lengthOfIban],
  ['number', /(?<!\w)(?<!\d\.)\d(?:[ -]?\d){12,40}(?![\da-f])/gi, lengthOfNumber],
  [
    'number',
    /(?<![\w])(?<!\d\.)(?:\d{4}(?:[\s._/-]{1,3}\d{4}){2}[\s._/-]{1,3}\d{1,7}|3\d{3}[\s._/-]{1,3}\d{6}[\s._/-]{1,3}\d{5})(?!\d)/g,
    isGrouped,
  ],
  // Among letters only what is a card number: a hash has long numbers, too.
  ['number', /(?<!\d)[3-6]\d{12,18}(?!\d)/g, isLuhn],
  ...NATIONAL_IDS.map(
    ([shape, check = () => true]): Pattern => [
      'national-id',
      shape,
      (match) => check(match.replace(/[^\dA-Z]/gi, '')),
    ],
  ),
  [
    'ip',
    new RegExp(`${NOT_IPV4}${IPV4}(?!\\.?\\d|-\\d)`, 'gi'),
    (match) => !/^(?:127\.|0\.0\.0\.0$)/.test(match),
  ],
  ['ip', /(?<![\w:.])(?=[\da-f]{0,4}:)[\da-f:.]{1,44}(?:[\da-f]|::)(?!\w)/gi, isIpv6],
  ['device', /(?<![\w:-])[\da-f]{2}(?:([:-])[\da-f]{2})(?:\1[\da-f]{2}){4}(?![\w:-])/gi],
  ['phone', /(?:(?:\+|%2B)[1-9]|(?<![\w.])00[1-9]\d{2})(?:[ ().-]{0,2}\d){6,14}/gi],
  ['phone', /(?<![\w.-])\(?0\d{2,4}\)?[ /-]\d{3,4}[ -]?\d{3,4}(?![\w-])/g],
  ['phone', /(?<![\w.-])0[1-9](?:([ .-])\d\d)(?:\1\d\d){3}(?![\w-])/g],
  ['phone', /(?<![\w.-])(?:1[ .-])?(?:\(\d{3}\) ?|\d{3}[.-])\d{3}[.-]\d{4}(?![\w-])/g],
  [
    'phone',
    after('(?:tele)?phone|tel\\.?|mobile|cell|fax|msisdn|whatsapp', '[(\\d][\\d ().-]{4,20}\\d(?!\\w)'),
  ],
  ['date-of-birth', after('born|birth|birthday|dob', BORN)],
  ['expiry', after('exp\\.?|expiry|expires|expiration', '\\d{1,2} ?[/-] ?(?:\\d{4}|\\d{2})(?![\\d/-])')],
  [
    'postcode',
    after(
      'post ?code|zip|zip ?code|postal',
      '(?:\\d{5}(?:-\\d{4})?|[A-Z]{1,2}\\d[A-Z\\d]? ?\\d[A-Z]{2})(?!\\w)',
    ),
  ],
  [
    'account',
    after('account (?:number|no\\.?)|acct|sort|routing|aba|iban|card|bank account', NUMBERED),
    isAccount,
  ],
  ['national-id', after(OF_PERSON, NUMBERED), isAccount],
  ['token', /(?<![\w/+-])(?=[\w+/-]{0,39}\d)(?=[\w+/-]{0,39}[A-Za-z])[\w+/-]{40,4000}={0,2}/g, isRandom],
];

function isIpv6(match: string): boolean {
  const { isIPv6 } = process.getBuiltinModule('node:net');
  return isIPv6(match) && /\d|:.*:.*:.*:/.test(match) && !/^::1?$/.test(match);
}

/** A number with at least four characters that is not a date. */
function isAccount(match: string): boolean {
  return match.length >= 4 && !/^\d{4}-\d{2}-\d{2}\b/.test(match);
}

/** Whether letters and digits are mixed in a long part: a path of words does not count, nor does a name with a number. */
function isRandom(text: string): boolean {
  return text.split(/[/_-]/).some((part) => part.length >= 12 && /\d/.test(part) && /[a-z]/i.test(part));
}
