import { ResponseError } from '../../client/errors.ts';
import type { NextPage } from '../../client/page.ts';
import type { RawResponse } from '../../client/response.ts';
import type { Operation } from '../../contract/operation.ts';
import type { ImportedOperation } from '../../descriptions/imported-operation.ts';
import type { TypedColumn } from '../../output/typed-column.ts';
import { flagWith, isUuid, quote } from '../../text/format.ts';
import { shellQuote } from '../../text/shell.ts';
import { flagName } from '../flags/list.ts';
import type { Display } from './display.ts';

/** The operation of a list or a document, with what an imported description says about its response. */
export type ShownOperation = Operation &
  Partial<
    Pick<
      ImportedOperation,
      'envelope' | 'fields' | 'listShape' | 'majorFields' | 'personalByName' | 'record' | 'secretData'
    >
  >;

/** The command line that asked for a list. */
export type ListRun = {
  readonly operation: ShownOperation;
  /** The words of the command, where they do not follow from the operation. */
  readonly words?: string | undefined;
  /** False where the description does not say what leads to the rest. */
  readonly hasKnownEnd?: boolean | undefined;
  /** The parameter that pages the list in a way that payctl does not follow; undefined where none does, or where it was given. */
  readonly pagedBy?: string | undefined;
  /** The flag that takes the number of the first page, without dashes: a cursor takes its place. */
  readonly startFlag?: string | undefined;
  /** The arguments after the words of the command, as they were typed. */
  readonly argv: readonly string[];
  /** The filters that were given, by their flags without dashes. */
  readonly filters: Readonly<Record<string, unknown>>;
  /** The path of the list and the values of its parameters, where it does not follow from the operation. */
  readonly path?: readonly string[] | undefined;
};

/** A list that can be read without arguments. */
export type WholeList = {
  /** The words of its command without `list`, such as `payment-methods`. */
  readonly resource: string;
  /** The members of its items, as far as the description has them. */
  readonly columns: readonly TypedColumn[];
  /** The dotted path of the ID of an item. */
  readonly idPath: string;
  /** The SHA-256 of the imported description that it is of. */
  readonly description: string | undefined;
  readonly merchantHeader: string | undefined;
  /** How a run over the list is known in messages. */
  readonly run: ListRun;
};

/** Where a list ended. */
export type ListEnd = {
  /** What the items are called, in the plural. */
  readonly noun: string;
  readonly items: number;
  /** Where the rest begins; undefined where there is a rest, but no cursor leads to it. */
  readonly cursor: string | null | undefined;
  /** How many items of the page where the rest begins are among these: a page was cut. */
  readonly repeated?: number | undefined;
  /** What comes after the last page. */
  readonly next?: NextPage | undefined;
  /** They are in a file, which the rest of a list cannot be appended to. */
  readonly isInFile?: boolean;
};

/** Whether the cursor of the next page leads there. */
export function canFollow({ hasKnownEnd = true }: ListRun, next: NextPage | undefined): boolean {
  return hasKnownEnd || (next !== undefined && !next.lacksParameter);
}

type UnsureEnd = { readonly noun: string; readonly endedEarly: boolean };

/** Says that nothing tells whether a list has ended. */
export function printListMayBeCut(display: Display, end: UnsureEnd, run: ListRun): void {
  display.warn('list_may_be_cut', whyItMayBeCut(end, run));
}

function whyItMayBeCut({ noun, endedEarly }: UnsureEnd, { pagedBy }: ListRun): string {
  if (endedEarly) return `The service says that there are more ${noun}, but it sends none.`;
  return pagedBy === undefined
    ? `The description defines no cursor for this list, so payctl cannot tell whether there are more ${noun}.`
    : `The list is paged by ${quote(pagedBy)}, which payctl does not follow, so there may be more ${noun}.`;
}

/** A list with pages that payctl cannot request: the parameter that pages it, or the one for the size of a page. */
export type UnfollowedList = {
  readonly pagedBy?: string | undefined;
  readonly size?: string | undefined;
  readonly endedEarly?: boolean;
};

/** The error of a run that was to read a whole list, and may have read a part of it. */
export function pagingUnknown(
  { pagedBy, size, endedEarly = false }: UnfollowedList,
  response: RawResponse,
  { noun, run, hint }: { readonly noun: string; readonly run: ListRun; readonly hint: string },
): ResponseError {
  const why =
    pagedBy !== undefined || endedEarly
      ? whyItMayBeCut({ noun, endedEarly }, run)
      : size === undefined
        ? `There are more ${noun}, but the description has no parameter for the cursor in the page.`
        : `The page is full, and the description does not say how to request the next one.`;
  return new ResponseError('paging_unknown', `The list may be incomplete. ${why.replace(/\.$/, '')}`, {
    ...response,
    hint,
  });
}

/** Says that a table is empty, with the filters that nothing matched. */
export function printEmptyList(display: Display, { noun, cursor }: ListEnd, run: ListRun): void {
  const isFromStart = withoutStart(run).length === run.argv.length;
  const where = cursor === null && isFromStart ? '' : ' on this page';
  const given = Object.entries(run.filters).filter(([flag]) => flag !== run.startFlag);
  const filters = given.map(([flag, value]) => `--${flag} ${quote(String(value))}`);
  const which =
    filters.length === 0 ? where || ' found' : `${where} ${where ? 'that ' : ''}match ${filters.join(' ')}`;
  display.info(`No ${noun}${which}.`);
  for (const text of foreignIds(run)) display.info(text);
  if (run.operation.query.search && run.filters.search !== undefined)
    display.info(
      'The service does this search. It may treat é and e as different letters, so type the accents.',
    );
}

/** What to use instead of a flag for IDs of the service whose value is not one. */
function foreignIds({ operation, filters }: ListRun): string[] {
  return Object.keys(operation.query).flatMap((parameter) => {
    const value = String(filters[flagName(parameter)] ?? '');
    if (!parameter.endsWith('_id') || value === '' || isUuid(value)) return [];
    const own = parameter.replace(/id$/, 'external_identifier');
    const instead = own in operation.query ? `; for an identifier of your own, use --${flagName(own)}` : '';
    return [`${quote(value)} is not an ID of the service, which is a UUID${instead}.`];
  });
}

/**
 * Warns that a list stops before its end, with the complete command that continues it. In every format, because a reader of JSON
 * may ignore `next_cursor`.
 */
export async function printListIsCut(display: Display, end: ListEnd, run: ListRun): Promise<void> {
  const { noun, items } = end;
  const after = items === 0 ? '' : ` after ${items === 1 ? 'this one' : `these ${items}`}`;
  const isUnsure = end.next?.mayHaveMore === true && !end.repeated;
  const code = isUnsure ? 'list_may_be_cut' : 'list_cut';
  display.warn(
    code,
    `There ${isUnsure ? 'may be' : 'are'} more ${noun}${after}. ${await continuation(end, run)}`,
  );
}

async function continuation({ cursor, repeated, next, isInFile }: ListEnd, run: ListRun): Promise<string> {
  const { operation } = run;
  if (!canFollow(run, next)) {
    return 'The description has no cursor parameter, so payctl cannot fetch the rest.';
  }
  if (next?.refused && typeof cursor === 'string') return `${next.refused.message}: ${quote(cursor)}.`;
  if (isInFile || !operation.paginated || typeof cursor !== 'string' || isSorted(run)) {
    const all = without('--max-items', withoutStart(run)).filter((word) => !OF_ONE_RUN.has(word));
    return `All of them: ${await commandLine(run, [...all, '--all', ...(isInFile ? ['--overwrite'] : [])])}`;
  }
  // The command is last, so that it can be copied to the end of the line.
  const page = repeated ? `Next page, which begins with ${repeated} of these` : 'Next page';
  return `${asksForMany(run) ? '' : 'For all pages, add --all. '}${page}: ${await commandFrom(cursor, run)}`;
}

/** What is said about the file of one run, and what is added. */
const OF_ONE_RUN = new Set(['--overwrite', '--resume', '--all']);

/** The next page of a sorted list would be sorted by itself. */
function isSorted({ argv }: ListRun): boolean {
  return argv.some((word) => /^--sort(?:=|$)/.test(word));
}

/** The command line that asks for the same list from a cursor on, for at most so many items. */
export async function commandFrom(cursor: string, run: ListRun, maxItems?: number): Promise<string> {
  const kept = withoutStart(run);
  const argv =
    maxItems === undefined ? kept : [...without('--max-items', kept), '--max-items', String(maxItems)];
  return `${await commandLine(run, argv)} ${flagWith('--cursor', cursor)}`;
}

/** The command line that continues a list in a file. */
export async function resumeFileCommand(run: ListRun): Promise<string> {
  return await commandLine(run, [...run.argv.filter((word) => word !== '--resume'), '--resume']);
}

async function commandLine({ operation, words }: ListRun, argv: readonly string[]): Promise<string> {
  return ['payctl', words ?? (await wordsOf(operation)), ...argv.map(shellQuote)].join(' ');
}

async function wordsOf({ id }: Operation): Promise<string> {
  const { COMMAND_OPERATIONS } = await import('../routing/catalog/operations.ts');
  return Object.entries(COMMAND_OPERATIONS).find(([, operation]) => operation.id === id)?.[0] ?? '';
}

function asksForMany({ argv }: ListRun): boolean {
  return argv.some((word) => /^--(?:all|max-items)(?:=|$)/.test(word));
}

/** The arguments without those that say where the list begins. */
function withoutStart({ argv, startFlag }: ListRun): readonly string[] {
  const others = without('--cursor', argv);
  return startFlag === undefined ? others : without(`--${startFlag}`, others);
}

/** The arguments without one flag and its value. */
export function without(flag: string, argv: readonly string[]): readonly string[] {
  return argv.filter(
    (word, index) => word !== flag && !word.startsWith(`${flag}=`) && argv[index - 1] !== flag,
  );
}
