/**
 * A text as payctl compares it when it looks for a part of it: without case, accents and forms of width, so that `JOSE` finds
 * `José`. Letters that differ by more than an accent stay different.
 */
export function foldText(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '');
}
