import { isLuhn } from './long-numbers.ts';

/** What the characters of a number without its separators have to fulfil. */
type Check = (characters: string) => boolean;

/** National identification numbers, which are recognised by their shapes or check digits. */
export const NATIONAL_IDS: readonly (readonly [shape: RegExp, check?: Check])[] = [
  // US, and GB without prefixes that are not given.
  [/(?<![\w-])\d{3}([- ])\d{2}\1\d{4}(?![\w-])/g],
  [/(?<!\w)(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z][ .-]?(?:\d{2}[ .-]?){3}[A-D](?!\w)/gi],
  // FR, BR (persons and companies), CH, KR and HK.
  [/(?<![\w-])[1-478] ?\d{2} ?(?:0[1-9]|1[0-2]|[2-9]\d) ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}(?![\w-])/gi],
  [/(?<![\w-])(?:\d{3}\.\d{3}\.\d{3}-\d{2}|\d{2}\.\d{3}\.\d{3}\/\d{4}-\d{2})(?![\w-])/g],
  [/(?<![\w-])(?:756\.\d{4}\.\d{4}\.\d{2}|\d{6}-[1-4]\d{6}|[A-Z]{1,2}\d{6}\([\dA]\))(?![\w-])/gi],
  // IT, with letters instead of digits where two persons would have the same; MX, IN, AR, BE.
  [
    /(?<!\w)[A-Z]{6}[\dLMNP-V]{2}[A-EHLMPRST][\dLMNP-V]{2}[A-Z][\dLMNP-V]{3}[A-Z](?!\w)/gi,
    (id) => /\d/.test(id),
  ],
  [/(?<!\w)[A-Z]{4}\d{6}[HMX][A-Z]{5}[A-Z\d]\d(?!\w)/gi],
  [/(?<!\w)[A-Z]{3}[ABCFGHLJPT][A-Z]\d{4}[A-Z](?!\w)/g],
  [/(?<![\w-])(?:20|23|24|27)-\d{8}-\d(?![\w-])/g],
  [/(?<![\w-])\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}(?!\w)/g],
  // ES, CL, CA, FI, DK and SE.
  [/(?<!\w)(?:[XYZ][ -]?\d{7}|\d{8})[ -]?[A-Z](?!\w)/gi, isSpanish],
  [/(?<![\w-])\d{1,2}(?:\.?\d{3}){2}-[\dK](?!\w)/gi, isChilean],
  [/(?<![\w-])\d{3}([ -])\d{3}\1\d{3}(?![\w-])/g, isLuhn],
  [/(?<![\w-])\d{6}[-+]\d{3}[A-Y](?!\w)/gi],
  [/(?<![\w-])\d{6}[A-FU-Y]\d{3}[\dA-Y](?!\w)/gi, isFinnish],
  [/(?<![\w-])(?:19|20)?\d{6}[-+]\d{4}(?![\w-])/g, isDanishOrSwedish],
  // DE, BR, PL, NO, TR and BE.
  [/(?<![\w.-])(?:\d{11}|\d{2} \d{3} \d{3} \d{3}|\d{6} \d{5})(?![\w-])/g, isOfElevenDigits],
];

/** A day and a month; some countries add 40 or 80 to them. */
const DAY_FIRST = /^(?:[048][1-9]|[12569]\d|[37][01])(?:[048][1-9]|[159][0-2])/;

function isDanishOrSwedish(id: string): boolean {
  return (id.length === 10 && DAY_FIRST.test(id)) || isLuhn(id.slice(-10));
}

/** The check letter, for a number in which X, Y and Z count as 0, 1 and 2. */
function isSpanish(id: string): boolean {
  const number = id.slice(0, -1).replace(/[XYZ]/i, (letter) => String('XYZ'.indexOf(letter.toUpperCase())));
  return 'TRWAGMYFPDXBNJZSQVHLCKE'[Number(number) % 23] === id.slice(-1).toUpperCase();
}

function isFinnish(id: string): boolean {
  const check = '0123456789ABCDEFHJKLMNPRSTUVWXY'[Number(id.slice(0, 6) + id.slice(7, 10)) % 31];
  return DAY_FIRST.test(id) && check === id.slice(-1).toUpperCase();
}

function isChilean(id: string): boolean {
  const digits = id.slice(0, -1).padStart(8, '0');
  return '0K987654321'[weighted(digits, [3, 2, 7, 6, 5, 4, 3, 2]) % 11] === id.slice(-1).toUpperCase();
}

/** Numbers of eleven digits whose sums by these weights are multiples of the modulus. */
const WEIGHTED = [
  // PL: a date, with the century encoded in the month.
  {
    begins: /^\d\d(?:[02468][1-9]|[13579][0-2])(?:0[1-9]|[12]\d|3[01])/,
    modulus: 10,
    weights: ['13791379131'],
  },
  // NO and TR.
  { begins: DAY_FIRST, modulus: 11, weights: ['3761894521', '54327654321'] },
  { begins: /^[1-9]/, modulus: 10, weights: ['7979797979', '11111111119'] },
];

function isOfElevenDigits(id: string): boolean {
  const isWeighted = WEIGHTED.some(
    ({ begins, modulus, weights }) =>
      begins.test(id) && weights.every((row) => weighted(id, [...row].map(Number)) % modulus === 0),
  );
  return isWeighted || isGerman(id) || isBrazilian(id) || isBelgian(id);
}

/** One of the first ten digits occurs two or three times, and the last is a check digit (ISO 7064, 11-10). */
function isGerman(id: string): boolean {
  const ten = id.slice(0, 10);
  const repeated = [...new Set(ten)].map((digit) => ten.split(digit).length - 1).filter((count) => count > 1);
  if (id.startsWith('0') || repeated.length !== 1 || Number(repeated[0]) > 3) return false;
  const product = [...ten].reduce((carry, digit) => (((carry + Number(digit)) % 10 || 10) * 2) % 11, 10);
  return (11 - product) % 10 === Number(id[10]);
}

/** Two check digits, and not one digit eleven times. */
function isBrazilian(id: string): boolean {
  return [9, 10].every((length) => {
    const weights = Array.from({ length }, (_, at) => length + 1 - at);
    return !/^(\d)\1+$/.test(id) && ((weighted(id, weights) * 10) % 11) % 10 === Number(id[length]);
  });
}

/** A date, and two check digits that depend on the century. */
function isBelgian(id: string): boolean {
  if (!/^\d\d(?:[02468]\d|[13579][0-2])(?:[0-2]\d|3[01])/.test(id)) return false;
  return ['', '2'].some((century) => 97 - (Number(century + id.slice(0, 9)) % 97) === Number(id.slice(9)));
}

function weighted(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, at) => sum + weight * Number(digits[at]), 0);
}
