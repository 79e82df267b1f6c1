/** Whether the check digit of a card number, or of a Canadian or Swedish number, is right (ISO/IEC 7812). */
export function isLuhn(digits: string): boolean {
  const sum = [...digits]
    .toReversed()
    .reduce(
      (total, digit, at) => total + (at % 2 === 0 ? Number(digit) : (Number(digit) * 2) % 9 || Number(digit)),
      0,
    );
  return sum % 10 === 0;
}

/** Milliseconds, microseconds and nanoseconds since 1970, and a date and time without separators. */
const TIME =
  /^(?:1[4-9]\d{11}(?:\d{3}){0,2}|20[0-4]\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])(?:[01]\d|2[0-3])[0-5]\d[0-5]\d(?:\d{3})?)$/;

/** The length of a long number; 0 for a time or a reference number, and for one with separators that is not a card number. */
export function lengthOfNumber(match: string, before: string): number {
  if (!/\D/.test(match)) return TIME.test(match) || isReferenceNumber(match, before) ? 0 : match.length;
  if (!/^[2-6]/.test(match) || /^20\d\d-[01]\d-[0-3]\d\b/.test(match)) return 0;
  for (let count = 19; count >= 13; count -= 1) {
    const length = lengthWith(match, count);
    const isWhole = length > 0 && !/\d/.test(match.charAt(length));
    if (isWhole && isLuhn(match.slice(0, length).replace(/\D/g, ''))) return length;
  }
  return 0;
}

/** Whether groups of digits have the same separator as on a card, or the check digit of one. */
export function isGrouped(match: string): boolean {
  const [first, ...others] = match.split(/\d+/).slice(1, -1);
  const isEven = others.every((gap) => gap === first) && !/^(?:19|20)\d\d/.test(match);
  return isEven || (/^[2-6]/.test(match) && isLuhn(match.replace(/\D/g, '')));
}

const NUMBERED_THING =
  /(?<![a-z])(?:order|reference|ref|invoice|transaction|txn|request|ticket|batch|shipment|tracking|receipt)[ _-]?(?:id|number|no|nr)?\.?["']?[ \t:=#"'-]{1,4}$/i;

/** Whether a long number is that of an order, a request and the like: it follows such a word and is not a card number. */
export function isReferenceNumber(digits: string, before: string): boolean {
  return /^\d{13,19}$/.test(digits) && !isLuhn(digits) && NUMBERED_THING.test(before);
}

/** The lengths of IBANs by their country (ISO 13616, registry of SWIFT). */
const IBAN_LENGTHS =
  'AD24AE23AL28AT20AZ28BA20BE16BG22BH22BI27BR29BY28CH21CR22CY28CZ24DE22DJ27DK18DO28EE20EG29ES24FI18FK18FO18FR27' +
  'GB22GE22GI23GL18GR27GT28HN28HR21HU28IE22IL23IQ23IS26IT27JO30KW30KZ20LB28LC32LI21LT20LU20LV21LY25MC27MD24ME22' +
  'MK19MN20MR27MT31MU30NI28NL18NO15OM23PK24PL28PS29PT25QA29RO24RS22RU33SA24SC31SD18SE24SI19SK24SM27SO23ST25SV28' +
  'TL23TN24TR26UA29VA22VG24XK20YE30';

/** The length of an IBAN with the right check digits (ISO 7064, 97-10). Its country says where it ends: words may follow. */
export function lengthOfIban(match: string): number {
  const at = IBAN_LENGTHS.indexOf(match.slice(0, 2).toUpperCase());
  const length = at === -1 ? 0 : lengthWith(match, Number(IBAN_LENGTHS.slice(at + 2, at + 4)));
  const iban = match.slice(0, length).replace(/[^A-Z\d]/gi, '');
  const digits = `${iban.slice(4)}${iban.slice(0, 4)}`.replace(/[A-Z]/gi, (letter) =>
    String(Number.parseInt(letter, 36)),
  );
  return length > 0 && BigInt(digits) % 97n === 1n ? length : 0;
}

/** The length of the start of a text that has this many letters and digits, separators included; 0 if the text has fewer. */
function lengthWith(text: string, count: number): number {
  let left = count;
  for (let at = 0; at < text.length && left > 0; at += 1) {
    if (/[A-Z\d]/i.test(text.charAt(at))) left -= 1;
    if (left === 0) return at + 1;
  }
  return 0;
}
