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
