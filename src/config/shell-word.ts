/** A path as a shell takes it: bare where it needs no quotation marks, else in single ones. */
export function shellWord(path: string): string {
  return /^[\w./+-]+$/.test(path) && !path.startsWith('-') ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
