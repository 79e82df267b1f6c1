/**
 * Characters that change what a reader sees without being seen: controls (C0, DEL, C1), line and paragraph separators,
 * bidirectional controls, lone surrogates, interlinear annotations, and everything that Unicode says to render as
 * nothing (zero-width spaces, byte order marks, tag characters, Hangul fillers). Variation selectors stay, emoji need
 * them; a joiner stays after a letter, mark or emoji, where scripts and emoji need it, and is shown anywhere else.
 *
 * A function, because V8 takes a millisecond to compile the Unicode classes, and most texts have nothing to hide.
 */
const hidden = () =>
  /[\p{Cc}\p{Cs}\u2028\u2029\p{Bidi_Control}\uFFF9-\uFFFB[\p{DI}--[\u200C\u200D]--\p{VS}]]|(?<![[\p{L}\p{M}\p{Emoji}]--\p{ASCII}--[\p{DI}--\p{VS}]])[\u200C\u200D]/gv;

/** A quick superset of `hidden` without C0: one class of single code units, so that clean text costs one cheap scan. */
const maybeHidden =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: the class lists single code units, combining or not
  /[\x7F-\x9F\xAD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uD800-\uDFFF\uFEFF\uFFA0\uFFF0-\uFFFB]/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is what it is for
const maybeControl = /[\x00-\x1F]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is what it is for
const maybeRareControl = /[\x00-\x08\x0B\x0C\x0E-\x1F]/;

/**
 * Replaces every control, bidirectional control, separator and invisible format character, and every lone surrogate,
 * by a visible stand-in: `␛` for C0 controls and `␡` for DEL, `<U+202E>` for the others. Nothing is ever deleted, so
 * that the remaining parts cannot form a new sequence. Applying it twice changes nothing more.
 */
export function sanitizeText(text: string): string {
  if (!maybeControl.test(text) && !maybeHidden.test(text)) return text;
  return text.replace(hidden(), standIn);
}

/** The same, but tab, carriage return and line feed stay: for text inside the quotes of a CSV field. */
export function sanitizeMultiline(text: string): string {
  return replaceHidden(text, standIn);
}

/**
 * The same, but tab and line feed alone stay: for text on a terminal that somebody laid out with them. A carriage return
 * would let the text overwrite what precedes it on the line.
 */
export function sanitizeLines(text: string): string {
  return sanitizeMultiline(text).replaceAll('\r', standIn);
}

/**
 * Gives every character that `sanitizeText` would replace, tab and line ends excepted, to `replace`, and puts what it returns
 * in its place.
 */
export function replaceHidden(text: string, replace: (char: string) => string): string {
  if (!maybeRareControl.test(text) && !maybeHidden.test(text)) return text;
  return text.replace(hidden(), (char) =>
    char === '\n' || char === '\r' || char === '\t' ? char : replace(char),
  );
}

/**
 * Escapes the same characters inside JSON text as `\uXXXX`. `JSON.parse` gives exactly the value it gave before, and a
 * terminal receives none of them raw. White space between tokens is left alone. Expects text that JSON.parse accepts.
 */
export function escapeJsonText(json: string): string {
  return isCleanJsonText(json) ? json : replaceHidden(json, jsonEscape);
}

/**
 * Whether JSON text needs no escaping at all. Pages are mostly ASCII, which the length in bytes shows many times faster
 * than any scan for single characters.
 */
export function isCleanJsonText(json: string): boolean {
  if (Buffer.byteLength(json) === json.length) return !json.includes('\x7F');
  return !maybeHidden.test(json);
}

function standIn(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}

function jsonEscape(char: string): string {
  let escaped = '';
  for (let index = 0; index < char.length; index++) {
    escaped += `\\u${char.charCodeAt(index).toString(16).padStart(4, '0')}`;
  }
  return escaped;
}
