/**
 * Reads numbers of lists, by the names of the lists: `buyers=200`, or several with commas between them. A `/s` after a number and a slash
 * before a name may be left out. Undefined for a text of another form.
 */
export function readListNumbers(text: string): Readonly<Record<string, number>> | undefined {
  const pairs = text
    .split(',')
    .map((part) => /^\/?([^=,\s]+)=(\d+(?:\.\d+)?)(?:\/s)?$/.exec(part.trim()) ?? []);
  if (pairs.some(([pair]) => pair === undefined)) return undefined;
  return Object.fromEntries(pairs.map(([, name = '', number]) => [name, Number(number)]));
}
