import { isPersonalName } from '../../../contract/personal-names.ts';
import { isSecretName } from '../../../contract/secret-names.ts';
import { isObject } from '../../../json/is-object.ts';
import { lettersOf } from '../../../text/format.ts';

/** Members that are personal in a report, where they are not needed, but may be shown elsewhere; in lower case. */
const PERSONAL_HERE =
  /^(?:city|(?:card)?(?:expiration|expiry|exp)(?:date|month|year)?|latitude|longitude|(?:device|browser|card)(?:fingerprint|id)|signature)$/;

/** The same, of those that only a person or an account has. */
const OF_PERSON_HERE =
  /^(?:(?:display|account|legal|preferred)name|username|login|nickname|namefirst|namelast|fax(?:number)?|bic|swift|(?:bic|swift)code)$/;

/** What a person is called, also in the plural. */
const PARTIES =
  '(?:buyer|user|customer|payer|payee|recipient|sender|holder|contact|owner|beneficiary|beneficiarie|person|mother|father|spouse|creator|' +
  'applicant|signatory|passenger|traveler|traveller|guest|shopper|consumer|subscriber|donor|debtor|creditor|employee|patient|individual)s?';

/** The end of a member that is a person, also with what it holds: `buyers`, `merchant_contact`, `payerDetails`. */
const PERSON = new RegExp(`${PARTIES}(?:details?|info|data)?$`);

/** What a party is instead of who: `{"payer": "merchant"}`. The name of a person may end with one: `Amy Guest`. */
const KIND_OF_PARTY = new RegExp(
  `^(?:merchant|service|system|platform|api|bank|issuer|self|other|shared|all|any|(?:(?:card|account)[ _-]?)?${PARTIES})$`,
  'i',
);

/** Members whose values grant access if they look random; a text such as `expired` stays. */
const SECRET_HERE =
  /^(?:token|jwt|otp|signature|sig|sid|phpsessid|jsessionid|csrf|xsrf|nonce|challenge|pw|pass|(?:account|shared)key)$/;

/** What a member holds according to its name: a secret, personal data, or neither. */
export type Sensitivity = 'secret' | 'personal' | undefined;

/** What a member holds according to its name or, if that is inconclusive, its value. */
export function sensitivityOf(name: string, value: unknown = ''): Sensitivity {
  const letters = lettersOf(name);
  if (isSecretName(name) || (SECRET_HERE.test(letters) && isRandomWord(value))) return 'secret';
  if (isPersonalName(name) || PERSONAL_HERE.test(letters) || OF_PERSON_HERE.test(letters)) return 'personal';
  const isNamed =
    typeof value === 'string' && !/^\d{1,4}$/.test(value) && isPerson(name) && !KIND_OF_PARTY.test(value);
  return isNamed || (letters === 'name' && isFullName(value)) ? 'personal' : undefined;
}

/** Whether a member of this name is a person, or the holder of an account: its own member `name` is personal. */
export function isPerson(name: string): boolean {
  return PERSON.test(lettersOf(name));
}

/** Whether a member is the name of a person: its object is a person, or has another member that only a person has. */
export function isNameOfPerson(
  name: string,
  object: Readonly<Record<string, unknown>>,
  owner: string,
): boolean {
  const value = object[name];
  const isException = typeof value === 'string' && /(?:Error|Exception)$/.test(value);
  if (lettersOf(name) !== 'name' || isException) return false;
  return isPerson(owner) || Object.entries(object).some(([other, part]) => isOfPerson(other, part));
}

/** The members of a detail, or of a pair, that may hold the value that was rejected. */
const REJECTED =
  /^(?:input|ctx|given|actual|received|(?:(?:rejected|invalid|attempted|old|new|previous)_?)?values?)$/i;

/** Whether a member may hold the value that was rejected. */
export function isRejected(name: string): boolean {
  return REJECTED.test(name);
}

/** The members that name the member that a detail is about, or whose value is next to them. */
const NAMING =
  /^(?:loc|pointer|path|(?:field|param|parameter|property|attribute|header)(?:_?name|path)?|name|key|label)$/i;

/**
 * The sensitive name of the member that a detail of an error is about, by its pointer, its `loc`, or as others than the service call it.
 * That of a person counts only where the value is the person or its name.
 */
export function rejectedName(detail: Readonly<Record<string, unknown>>): string | undefined {
  const names = namesOnTheWay(detail).filter((name) => name !== '');
  const last = names.at(-1);
  return names.find(
    (name) =>
      sensitivityOf(name, detail.value) !== undefined &&
      (!isPerson(name) || name === last || last === 'name'),
  );
}

function namesOnTheWay(detail: Readonly<Record<string, unknown>>): readonly string[] {
  const { source } = detail;
  const named = Object.entries(detail).filter(([name]) => NAMING.test(name));
  const places = [...named.map(([, place]) => place), ...(isObject(source) ? Object.values(source) : [])];
  return places.flat().flatMap((place) => (typeof place === 'string' ? place.split(/[/.[\]]/) : []));
}

function isOfPerson(name: string, value: unknown): boolean {
  if (value === null || value === '' || typeof value === 'boolean') return false;
  if (typeof value === 'string' && isRemark(value)) return false;
  return isPersonalName(name) || OF_PERSON_HERE.test(lettersOf(name));
}

function isRandomWord(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^(?=.{0,200}\d)\S{5,}$/.test(value));
}

/** Two words or more that begin with a capital letter, or the parts of a name. */
function isFullName(value: unknown): boolean {
  if (isObject(value)) return ['first', 'last', 'given', 'family'].some((part) => part in value);
  return (
    typeof value === 'string' && /^\p{Lu}[\p{L}.'-]*(?: [\p{L}.'-]+){0,3} \p{Lu}[\p{L}.'-]*$/u.test(value)
  );
}

/** The last words before a separator, if they name something sensitive: `the card holder name`. */
export function sensitiveEnd(text: string): string | undefined {
  const words = text.split(/[\s/]+/).slice(-4);
  return words
    .map((_, at) => words.slice(at).join(' '))
    .find((name) => sensitivityOf(name, 'x00000') !== undefined);
}

/** Words that begin a remark on a value instead of the value: `must be set`, `Field required`. */
const REMARKS = new Set(
  (
    'is are was were be must should has have had does not cannot invalid required missing expected expired unknown unsupported too ' +
    'failed rejected declined already this field value string integer number boolean object array null none undefined true false ' +
    'empty incorrect wrong weak optional forbidden mandatory mismatch blank changed updated the a an no yes please see'
  ).split(' '),
);

/** Words that end a value in a sentence. */
const ENDS = new Set(
  'in on at for from to of with by and or but because exists can could may might will would do port after before'.split(
    ' ',
  ),
);

/** Whether a text describes a value instead of being one. */
export function isRemark(text: string): boolean {
  const words = text.slice(0, 200).trim().split(/\s+/, 4);
  const [first = '', ...more] = words.map((word) => word.replace(/[.,:;!?]+$/, ''));
  if (/^[*\u2022]+$/.test(first)) return true;
  // `May Smith` is a name, and so may be `Value Street`.
  const isSentence = more.every((word) => !/^\p{Lu}/u.test(word));
  return isSentence && first !== first.toUpperCase() && REMARKS.has(first.toLowerCase());
}

/** The length of a value without quotes at the beginning of a text, after a sensitive name; 0 where that is a remark. */
export function lengthOfBare(rest: string, name: string): number {
  const line = rest.slice(0, 400).replace(/[\n\r].*/s, '');
  if (isRemark(line) || /^[a-z][a-z\d+.-]{0,30}:\/\//i.test(line)) return 0;
  const kind = sensitivityOf(name, line.split(/\s/, 1)[0]);
  if (kind === undefined) return 0;
  const isOneWord = kind === 'secret' && !/phrase/i.test(name);
  return isOneWord ? lengthOfSecret(rest) : lengthOfWords(line.split(/[,;&"'<>()[\]{}|]/, 1)[0] ?? '');
}

/** A secret may hold commas and brackets. */
function lengthOfSecret(rest: string): number {
  const word = /^[^\s&;"'<>]{1,4000}/.exec(rest)?.[0] ?? '';
  return word.replace(/[,.:)\]}]{1,9}$/, '').length;
}

/**
 * The length of a value of words. It ends where the sentence continues; if its first word has a capital letter, a digit or an `@`,
 * it ends before the first word without one, too.
 */
function lengthOfWords(line: string): number {
  let end = 0;
  let isStrict: boolean | undefined;
  for (const { 0: word, index } of line.matchAll(/\S+/g)) {
    const isMarked = /[\d@\p{Lu}]/u.test(word);
    isStrict ??= isMarked;
    const isEnd = (isStrict && !isMarked) || ENDS.has(word) || REMARKS.has(word);
    if (index > 0 && isEnd) break;
    end = index + word.replace(/[.:!?]+$/, '').length;
    if (/[.!?]$/.test(word) && word.length > 2) break;
  }
  return end;
}
