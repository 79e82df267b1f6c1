/** The escapes of a text: at each index the characters that the escape beginning there has, and what it stands for. */
export type Escapes = { readonly lengths: Uint8Array; readonly codes: Uint16Array };

/**
 * Finds every escape of JSON, of URLs and of HTML, the first two also where it has been escaped again, at each index where one can begin. Undefined
 * where there is none. Takes time in proportion to the text.
 */
export function readEscapes(text: string): Escapes | undefined {
  if (!/[\\%&]/.test(text)) return undefined;
  const escapes = { lengths: new Uint8Array(text.length), codes: new Uint16Array(text.length) };
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === BACKSLASH) readBackslash(text, index, escapes);
    else if (code === PER_CENT) readPerCent(text, index, escapes);
    else if (code === AMPERSAND) readEntity(text, index, escapes);
  }
  return escapes;
}

const BACKSLASH = 0x5c;
const PER_CENT = 0x25;
const AMPERSAND = 0x26;

/** Inside of another JSON text, backslashes have been escaped again, up to three times. */
const MOST_BACKSLASHES = 8;

const SHORT_ESCAPES: ReadonlyMap<number, number> = new Map(
  Object.entries({ '/': '/', '"': '"', n: '\n', r: '\r', t: '\t' }).map(([letter, character]) => [
    letter.charCodeAt(0),
    character.charCodeAt(0),
  ]),
);

/** `\u0041`, `\/` and the like, after one backslash or more. */
function readBackslash(text: string, index: number, { lengths, codes }: Escapes): void {
  let at = index;
  while (at - index < MOST_BACKSLASHES && text.charCodeAt(at) === BACKSLASH) at += 1;
  const letter = text.charCodeAt(at);
  const short = SHORT_ESCAPES.get(letter);
  const code = letter === 0x75 ? hexAt(text, at + 1, 4) : short;
  if (code === undefined) return;
  lengths[index] = at - index + (short === undefined ? 5 : 1);
  codes[index] = code;
}

/** In a URL within another, the per cent sign has been escaped again, up to four times. */
const MOST_PER_CENTS = 4;

/** `%41` or `%2541`. */
function readPerCent(text: string, index: number, { lengths, codes }: Escapes): void {
  let repeats = 0;
  while (repeats < MOST_PER_CENTS && text.startsWith('25', index + 1 + 2 * repeats)) repeats += 1;
  for (; repeats >= 0; repeats -= 1) {
    const code = hexAt(text, index + 1 + 2 * repeats, 2);
    if (code === undefined) continue;
    lengths[index] = 3 + 2 * repeats;
    codes[index] = code;
    return;
  }
}

const ENTITY = /&(?:(amp|lt|gt|quot|apos)|#(\d{1,5})|#x([\da-f]{1,4}));/iy;
const ENTITIES = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }));

/** `&amp;`, `&#38;` or `&#x26;`: the page of an error may repeat a request. */
function readEntity(text: string, index: number, { lengths, codes }: Escapes): void {
  ENTITY.lastIndex = index;
  const [whole, name = '', decimal, hex] = ENTITY.exec(text) ?? [];
  if (whole === undefined) return;
  const named = ENTITIES.get(name.toLowerCase())?.charCodeAt(0);
  lengths[index] = whole.length;
  codes[index] = named ?? Number.parseInt(decimal ?? hex ?? '', decimal === undefined ? 16 : 10);
}

function hexAt(text: string, index: number, digits: 2 | 4): number | undefined {
  let value = 0;
  for (let at = index; at < index + digits; at += 1) {
    const digit = DIGITS.get(text.charCodeAt(at));
    if (digit === undefined) return undefined;
    value = value * 16 + digit;
  }
  return value;
}

const DIGITS: ReadonlyMap<number, number> = new Map(
  [...'0123456789abcdefABCDEF'].map((digit) => [digit.charCodeAt(0), Number.parseInt(digit, 16)]),
);

/** The index after the character, or the escape, that begins at this one. */
export function afterCharacter(index: number, { lengths }: Escapes): number {
  return index + (lengths[index] || 1);
}

/** The code unit that begins at this index, as it is or as an escape says. */
export function codeAt(text: string, index: number, { lengths, codes }: Escapes): number {
  return lengths[index] ? (codes[index] ?? 0) : text.charCodeAt(index);
}

/** The text with every escape replaced by what it stands for. */
export function unescapeText(text: string): string {
  const escapes = readEscapes(text);
  if (!escapes) return text;
  let unescaped = '';
  for (let index = 0; index < text.length; index = afterCharacter(index, escapes)) {
    unescaped += String.fromCharCode(codeAt(text, index, escapes));
  }
  return unescaped;
}
