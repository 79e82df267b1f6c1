/** Writes a value so that a POSIX shell takes it for one word: bare where that is safe, else in single quotes. */
export function shellWord(value: string): string {
  if (/^[\w@%+=:,./-]+$/.test(value)) return value;
  return `'${value.replaceAll("'", `'\\''`)}'`;
}
