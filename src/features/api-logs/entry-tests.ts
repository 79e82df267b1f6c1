import { FlagError } from '../../cli/flags/types.ts';
import { contractTemplate, isParameter, segmentsBelow } from '../../cli/routing/catalog/paths.ts';
import { parseDuration } from '../../config/values.ts';
import { detailsOf, type Entry, pathOf, tookOf } from './entry.ts';
import type { FilterValues } from './filter-flags.ts';
import { compileGlob, type Glob } from './glob.ts';

/** Whether an entry is kept. */
type Test = (entry: Entry) => boolean;

/** The filters that look at one entry and take no time worth mentioning. @throws FlagError for a value that cannot be read */
export function quickTests(values: FilterValues, basePath: string): readonly Test[] {
  const tests: Test[] = [];
  if (values.status) tests.push(statusTest(readChoices(splitValues('status', values.status), readStatus)));
  if (values.code) {
    const codes = readChoices(splitValues('code', values.code), (text) => text);
    tests.push(({ code }) => isChosen(codes, (wanted) => code === wanted));
  }
  if (values.method) {
    const methods = readChoices(splitValues('method', values.method), (text) => text.toUpperCase());
    tests.push(({ method }) => isChosen(methods, (wanted) => method === wanted));
  }
  if (values.path) tests.push(pathTest(readChoices(values.path, compileGlob), basePath));
  if (values.pointer) {
    const pointers = readChoices(values.pointer, compileGlob);
    tests.push((entry) => {
      const all = detailsOf(entry);
      return isChosen(pointers, (glob) => all.some(({ pointer }) => glob(pointer)));
    });
  }
  const longest = values['slower-than'];
  if (longest !== undefined) {
    const milliseconds = parseDuration(longest, '--slower-than');
    tests.push((entry) => (tookOf(entry) ?? 0) > milliseconds);
  }
  return tests;
}

function statusTest(choices: Choices<StatusRange>): Test {
  return ({ status }) =>
    isChosen(choices, ({ from, to }) => status !== undefined && status >= from && status <= to);
}

/** Paths are compared up to here, in characters. */
const LONGEST_PATH = 2_000;

function pathTest(choices: Choices<Glob>, basePath: string): Test {
  return ({ url }) => {
    if (url === undefined) return isChosen(choices, () => false);
    const whole = pathOf(url).slice(0, LONGEST_PATH);
    const segments = segmentsBelow(whole, basePath);
    // A segment that the contract fixes is not a value of `{id}`.
    const parameters = contractTemplate(segments)?.map(isParameter);
    const path = `/${segments.join('/')}`;
    return isChosen(choices, (glob) => glob(path, parameters && [true, ...parameters]));
  };
}

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
function splitValues(flag: string, values: readonly string[]): readonly string[] {
  return values.flatMap((value) =>
    value.split(',').map((part) => {
      const text = part.trim();
      if (text !== '' && text !== '!') return text;
      throw new FlagError(`--${flag} has an empty value in ${JSON.stringify(value)}`);
    }),
  );
}

/** Statuses from `from` to `to`, both included. */
type StatusRange = { readonly from: number; readonly to: number };

/** Reads `401`, `4xx` or `500-504`. @throws FlagError for anything else, such as a status below 400 */
function readStatus(text: string): StatusRange {
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
