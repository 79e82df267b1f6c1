import { FlagError } from '../../cli/flags/types.ts';

/** Values of one filter: any of `wanted` (all values where there is none), but none of `unwanted`. */
export type Choices<T> = { readonly wanted: readonly T[]; readonly unwanted: readonly T[] };

/** Reads values of which those that begin with `!` are excluded. @throws what `read` throws */
export function readChoices<T>(values: readonly string[], read: (text: string) => T): Choices<T> {
  const [unwanted, wanted] = [values.filter(isExcluded), values.filter((value) => !isExcluded(value))];
  return { wanted: wanted.map(read), unwanted: unwanted.map((value) => read(value.slice(1))) };
}

/** Whether a choice is kept, given what one value of the filter matches. */
export function isChosen<T>({ wanted, unwanted }: Choices<T>, matches: (choice: T) => boolean): boolean {
  return (wanted.length === 0 || wanted.some(matches)) && !unwanted.some(matches);
}

/** The parts of values that are separated by commas. @throws FlagError for an empty part */
export function splitValues(flag: string, values: readonly string[]): readonly string[] {
  return values.flatMap((value) =>
    value.split(',').map((part) => {
      const text = part.trim();
      if (text !== '' && text !== '!') return text;
      throw new FlagError(`--${flag} has an empty value in ${JSON.stringify(value)}`);
    }),
  );
}

/** Statuses from `from` to `to`, both included. */
export type StatusRange = { readonly from: number; readonly to: number };

/** Reads `401`, `4xx` or `500-504`. @throws FlagError for anything else, and for what is no 4xx or 5xx */
export function readStatus(text: string): StatusRange {
  const [, first, last = first] = /^(\d{3})(?:-(\d{3}))?$/.exec(text) ?? [];
  const [, hundreds] = /^(\d)xx$/i.exec(text) ?? [];
  const from = hundreds === undefined ? Number(first) : Number(hundreds) * 100;
  const to = hundreds === undefined ? Number(last) : from + 99;
  if (from >= 400 && to <= 599 && from <= to) return { from, to };
  throw new FlagError(
    `--status must be statuses from 400 to 599, not ${JSON.stringify(text)}`,
    'Use 401, 4xx, 500-504, or several separated by commas; !404 excludes one. The log has no other statuses.',
  );
}

function isExcluded(value: string): boolean {
  return value.startsWith('!');
}
