import { wrapWords as wrap } from '../text/wrap.ts';

/** Printable ASCII and the Latin letters after it, without the soft hyphen: one column each. */
const narrow = /^[\x20-\x7E\xA1-\xAC\xAE-\u02FF]*$/;
// Functions, because V8 takes half a millisecond to compile the Unicode classes, and most texts are narrow.
const emoji = () => /\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F|[#*0-9]\uFE0F?\u20E3/u;
const zeroWidth = () => /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11FF\uD7B0-\uD7FF]$/u;

/** Limit of code units per column, for text such as a letter with a thousand combining marks. */
const unitsPerColumn = 16;

let segmenter: Intl.Segmenter | undefined;

function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}

/** The number of terminal columns of sanitised text: two for wide characters and emoji, none for combining marks. */
export function displayWidth(text: string): number {
  if (narrow.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemesOf(text)) width += graphemeWidth(segment);
  return width;
}

function graphemeWidth(grapheme: string): number {
  if (emoji().test(grapheme)) return 2;
  let width = 0;
  for (const char of grapheme) {
    if (zeroWidth().test(char)) continue;
    width += isWide(char.codePointAt(0) ?? 0) ? 2 : 1;
  }
  return width;
}

/** Text with the number of columns that it takes. */
export type FittedText = { readonly text: string; readonly width: number };

/**
 * Cuts text to at most `width` columns, between graphemes, with an ellipsis in place of what is lost. Looks only at the
 * beginning of the text, so that a cell of a megabyte costs no more than a short one.
 */
export function fitToWidth(text: string, width: number, ellipsis = '\u2026'): FittedText {
  const head = headOf(text, (width + 1) * unitsPerColumn);
  const whole = head.length === text.length;
  if (whole && narrow.test(head) && head.length <= width) return { text: head, width: head.length };
  const mark = ellipsis.slice(0, Math.max(width, 0));
  const available = width - mark.length;
  let taken = 0;
  let fits = '';
  let fitsWidth = 0;
  for (const { segment } of graphemesOf(head)) {
    const next = taken + graphemeWidth(segment);
    if (next > width) return { text: fits + mark, width: fitsWidth + mark.length };
    taken = next;
    if (taken > available) continue;
    fits += segment;
    fitsWidth = taken;
  }
  if (whole) return { text: head, width: taken };
  return { text: fits + mark, width: fitsWidth + mark.length };
}

/** Where what is too wide for its column begins, and how far to the left if it fits only there. */
const movedTo = { usual: 4, least: 2 };

/**
 * Lines that hang in a column of a terminal, as they follow what is before the column. If one is too wide, because it has a word that must
 * stay whole such as a path or a URL, all of them move to the left and begin on a line of their own.
 */
export function hang(
  lines: readonly string[],
  {
    at,
    width,
    paint = (line) => line,
  }: {
    readonly at: number;
    readonly width: number;
    readonly paint?: (line: string, index: number) => string;
  },
): string {
  const room = width - Math.max(...lines.map(displayWidth));
  const isMoved = room < at;
  // What is wider than the terminal is broken by it anyway.
  const indent = isMoved ? Math.min(at, room < movedTo.least ? movedTo.usual : room, movedTo.usual) : at;
  const text = lines.map(paint).join(`\n${' '.repeat(indent)}`);
  return isMoved ? `\n${' '.repeat(indent)}${text}` : text;
}

/** After these a word may be broken: in addresses, paths and IDs. */
const BREAKS = /[-/.,_?&=:;]/;

/**
 * Breaks sanitised text into lines of at most `width` columns (1 or more): between words, within a word that is longer after a
 * mark such as `/`, and where it has none anywhere between graphemes. Nothing but blanks at the breaks is lost.
 */
export function wrapToWidth(text: string, width: number): FittedText[] {
  if (text.length <= width && narrow.test(text)) return [{ text, width: text.length }];
  return wrapWords(text, width).flatMap((line) => breakWord(line, width));
}

function breakWord(word: string, width: number): FittedText[] {
  if (displayWidth(word) <= width) return [{ text: word, width: displayWidth(word) }];
  const lines: FittedText[] = [];
  let line = { text: '', width: 0 };
  let lastBreak = { text: '', width: 0 };
  for (const { segment } of graphemesOf(word)) {
    const next = graphemeWidth(segment);
    if (line.width > 0 && line.width + next > width) {
      const first = lastBreak.width > width / 2 ? lastBreak : line;
      lines.push(first);
      line = { text: line.text.slice(first.text.length), width: line.width - first.width };
      lastBreak = { text: '', width: 0 };
    }
    line = { text: line.text + segment, width: line.width + next };
    if (BREAKS.test(segment)) lastBreak = line;
  }
  return [...lines, line];
}

/** Returns at most the first `units` code units of a text, never half of a surrogate pair. */
export function headOf(text: string, units: number): string {
  if (text.length <= units) return text;
  const last = text.charCodeAt(units - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? units - 1 : units);
}

/**
 * Ranges of code points that take two columns: the classes W and F of Unicode's East Asian Width, flat pairs of first
 * and last. Emoji of the class W are left out, the property Emoji_Presentation names them all.
 */
const wideRanges = [
  0x1100, 0x115f, 0x2329, 0x232a, 0x2630, 0x2637, 0x268a, 0x268f, 0x2e80, 0x303e, 0x3041, 0x3247, 0x3250,
  0xa4cf, 0xa960, 0xa97f, 0xac00, 0xd7a3, 0xf900, 0xfaff, 0xfe10, 0xfe19, 0xfe30, 0xfe6f, 0xff01, 0xff60,
  0xffe0, 0xffe6, 0x16fe0, 0x18dff, 0x1aff0, 0x1b2ff, 0x1d300, 0x1d376, 0x1f200, 0x1f265, 0x20000, 0x3fffd,
];

/** Whether a code point takes two columns of a terminal on its own; emoji have to be looked for separately. */
export function isWide(codePoint: number): boolean {
  if (codePoint < 0x1100) return false;
  for (let index = 0; index < wideRanges.length; index += 2) {
    if (codePoint < (wideRanges[index] ?? 0)) return false;
    if (codePoint <= (wideRanges[index + 1] ?? 0)) return true;
  }
  return false;
}

/** Breaks a text between its words into lines of at most `available` columns; a word, and so an id, is never broken. */
export function wrapWords(text: string, available: number): string[] {
  return wrap(text, available, displayWidth);
}
