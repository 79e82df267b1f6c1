/**
 * Steps over JSON text without building values. All functions expect text that JSON.parse accepts; on other text they
 * stop at its end, and their results mean nothing.
 */

const quote = 0x22;
const backslash = 0x5c;

/** Returns the index of the first character at or after `index` that is not JSON white space. */
export function skipSpace(text: string, index: number): number {
  let at = index;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at++;
  }
}

/** Returns the index just after the string whose opening quote is at `index`. */
export function endOfString(text: string, index: number): number {
  let close = index;
  for (;;) {
    close = text.indexOf('"', close + 1);
    if (close === -1) return text.length;
    if (text.charCodeAt(close - 1) !== backslash) return close + 1;
    let escapes = 1;
    while (text.charCodeAt(close - 1 - escapes) === backslash) escapes++;
    if (escapes % 2 === 0) return close + 1;
  }
}

/** Returns the index just after the value that begins at `index`. Does not recurse: depth costs nothing. */
export function endOfValue(text: string, index: number): number {
  const first = text.charCodeAt(index);
  if (first === quote) return endOfString(text, index);
  if (first === 0x7b || first === 0x5b) return endOfContainer(text, index);
  return endOfLiteral(text, index);
}

function endOfContainer(text: string, index: number): number {
  let depth = 0;
  let at = index;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at);
      continue;
    }
    at++;
    if (code === 0x7b || code === 0x5b) depth++;
    else if ((code === 0x7d || code === 0x5d) && --depth === 0) return at;
  }
  return at;
}

function endOfLiteral(text: string, index: number): number {
  let at = index;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 0x2c || code === 0x5d || code === 0x7d || code <= 0x20) return at;
    at++;
  }
  return at;
}

/** One member of an object: its name unescaped, its name as written with the quotes, the exact source of its value. */
export type JsonMember = { readonly key: string; readonly keyText: string; readonly valueText: string };

/** Where a member of an object is in the text. */
export type JsonSpot = { readonly key: string; readonly keyText: string; readonly valueStart: number };

/**
 * Walks the members of the object whose `{` is at `index`, in order, duplicates included. `visit` is given where a value
 * begins and returns where it ends.
 */
export function walkMembers(text: string, index: number, visit: (spot: JsonSpot) => number): void {
  let at = skipSpace(text, index + 1);
  while (at < text.length && text.charCodeAt(at) === quote) {
    const keyEnd = endOfString(text, at);
    const keyText = text.slice(at, keyEnd);
    const valueStart = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const valueEnd = visit({ key: unquote(keyText), keyText, valueStart });
    at = skipSpace(text, skipSpace(text, valueEnd) + 1);
  }
}

/** The elements of an array as their exact source texts, and the index just after its `]`. */
export type JsonElements = { readonly texts: string[]; readonly end: number };

/** Splits the array whose `[` is at `index` into its elements. */
export function elementsOf(text: string, index: number): JsonElements {
  const texts: string[] = [];
  let at = skipSpace(text, index + 1);
  while (at < text.length && text.charCodeAt(at) !== 0x5d) {
    const end = endOfValue(text, at);
    texts.push(text.slice(at, end));
    at = skipSpace(text, end);
    if (text.charCodeAt(at) !== 0x2c) break;
    at = skipSpace(text, at + 1);
  }
  return { texts, end: at + 1 };
}

/** The text of a JSON string, without quotes and escapes; an invalid one stays as it is. */
export function unquote(keyText: string): string {
  if (!keyText.includes('\\')) return keyText.slice(1, -1);
  try {
    return JSON.parse(keyText) as string;
  } catch {
    return keyText;
  }
}

/** The strings, other values and punctuation of JSON without white space, in their order. Empty texts can be among them. */
export function tokensOf(json: string): string[] {
  const tokens: string[] = [];
  let from = 0;
  for (let at = 0; at < json.length; at += 1) {
    const char = json.charAt(at);
    if (char === '"') at = endOfString(json, at) - 1;
    else if ('{}[],:'.includes(char)) {
      tokens.push(json.slice(from, at), char);
      from = at + 1;
    }
  }
  tokens.push(json.slice(from));
  return tokens;
}
