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

/** How the numbers of cards begin; a year does not. */
const CARD = /^(?:2[2-7]|[3-6])/;

/** The length of a long number; 0 for a time or a reference number, and for one with separators that is not a card number. */
export function lengthOfNumber(match: string, before: string): number {
  if (!/\D/.test(match)) return TIME.test(match) || isReferenceNumber(match, before) ? 0 : match.length;
  if (!CARD.test(match)) return 0;
  for (let count = 19; count >= 13; count -= 1) {
    const length = lengthWith(match, count);
    // If there are fewer digits, the length is 0, where there is a digit.
    const isWhole = !/\d/.test(match.charAt(length));
    if (isWhole && isLuhn(match.slice(0, length).replace(/\D/g, ''))) return length;
  }
  return 0;
}

/** Whether groups of digits have the same separator as on a card, or the check digit of one. */
export function isGrouped(match: string): boolean {
  const [first, ...others] = match.split(/\d+/).slice(1, -1);
  const isEven = others.every((gap) => gap === first) && !/^(?:19|20)/.test(match);
  return isEven || (CARD.test(match) && isLuhn(match.replace(/\D/g, '')));
}

const NUMBERED_THING =
  /(?<![a-z])(?:order|reference|ref|invoice|transaction|txn|request|ticket|batch|shipment|tracking|receipt)[ _-]?(?:id|number|no|nr)?\.?["']?[ \t:=#"'-]{1,4}$/i;

/** Whether a long number is that of an order, a request and the like: it follows such a word and is not a card number. */
export function isReferenceNumber(digits: string, before: string): boolean {
  return /^\d{13,19}$/.test(digits) && !isLuhn(digits) && NUMBERED_THING.test(before);
}

/** The lengths of IBANs by their country (ISO 13616, registry of SWIFT). */
const IBAN_LENGTHS = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ' +
    'ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 ' +
    'LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 ' +
    'PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 ' +
    'YE30'
  )
    .split(' ')
    .map((each) => [each.slice(0, 2), Number(each.slice(2))]),
);

/** The length of an IBAN with the right check digits (ISO 7064, 97-10). Its country says where it ends: words may follow. */
export function lengthOfIban(match: string): number {
  const length = lengthWith(match, IBAN_LENGTHS.get(match.slice(0, 2).toUpperCase()) ?? 0);
  const iban = match.slice(0, length).replace(/[^A-Z\d]/gi, '');
  const digits = `${iban.slice(4)}${iban.slice(0, 4)}`.replace(/[A-Z]/gi, (letter) =>
    String(Number.parseInt(letter, 36)),
  );
  return BigInt(digits) % 97n === 1n ? length : 0;
}

/** The length of the start of a text that has this many letters and digits, separators included; 0 if the text has fewer. */
function lengthWith(text: string, count: number): number {
  return new RegExp(`^(?:[^A-Z\\d]*[A-Z\\d]){${count}}`, 'i').exec(text)?.[0].length ?? 0;
}
