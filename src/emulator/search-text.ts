// Every byte of the range, control characters included.
// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is meant whole.
const isAscii = /^[\x00-\x7f]*$/;

/**
 * The form of a text in which a search compares: compatibility-normalised and without case, so that `ÉCLAIR`,
 * `éclair` and full-width letters meet. SQLite's own LIKE folds ASCII only.
 */
export function searchText(text: string): string {
  if (isAscii.test(text)) return text.toLowerCase();
  // Upper case first joins letters that only meet there (ß and SS); a final sigma is a σ to a search.
  return text.normalize('NFKC').toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFKC');
}
