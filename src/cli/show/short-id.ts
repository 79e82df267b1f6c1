import type { Client } from '../../client/client.ts';
import type { PageQuery, PageSource } from '../../client/page.ts';
import { type ContractOperation, operations } from '../../contract/generated/operations.ts';
import { NotFoundError, UsageError } from '../../errors.ts';
import { valueAt } from '../../output/columns.ts';
import { isShortId, isUuid, plural, quote } from '../../text/format.ts';
import { type MeantValue, meantArguments } from '../flags/meant-values.ts';
import { findInList, type Meaning } from './find-in-list.ts';
import type { ListSession } from './show-list.ts';

/** What the items of a list are called. */
export type ItemNames = {
  readonly noun: string;
  /** The plural, where an s does not make it. */
  readonly nouns?: string | undefined;
};

/** The list that a short ID is looked up in, and how. */
export type IdList = ItemNames & {
  readonly list: PageSource<unknown, PageQuery>;
  /** Where an item has the ID; `id` by default. */
  readonly path?: string;
  /** What the items are that have the ID of something else, in the plural. */
  readonly within?: string | undefined;
};

/** Two UUIDs of a list hardly begin with the same so many characters, as tables shorten them; with fewer they well may. */
const RARE_PREFIX = 8;
/** Most likely there is no second one, and the list may be long. */
const PAGES_AFTER = 10;

/** Means the only item whose ID begins with a text, as tables shorten IDs. */
export function meaningOfBeginning(
  beginning: string,
  path = 'id',
): Required<Pick<Meaning, 'beginsWith' | 'settles'>> & Pick<Meaning, 'pagesAfter'> {
  const prefix = beginning.toLowerCase();
  return {
    beginsWith(item) {
      const own = valueAt(item, path);
      return typeof own === 'string' && own.toLowerCase().startsWith(prefix) ? own : undefined;
    },
    // Where IDs are UUIDs, a part of one is no ID. Of others it may be, on a later page.
    settles: isUuid,
    ...(beginning.length >= RARE_PREFIX && { pagesAfter: PAGES_AFTER }),
  };
}

/** The IDs that an error names. */
const NAMED_CANDIDATES = 5;

/** The error of the beginning of an ID that several items have. */
export function severalBegin(beginning: string, names: ItemNames, ids: readonly string[]): UsageError {
  const known = ids.slice(0, NAMED_CANDIDATES).join(', ');
  return new UsageError(
    'several_match',
    `Several ${nounsOf(names)} have IDs that begin with ${quote(beginning)}`,
    { hint: `Type more of the ID: ${known}${ids.length > NAMED_CANDIDATES ? ' and more' : ''}.` },
  );
}

/** The plural: `buyers`. */
export function nounsOf({ noun, nouns = `${noun}s` }: ItemNames): string {
  return nouns;
}

/** A number of items: `1 buyer`, `2 buyers`. */
export function countItems(count: number, names: ItemNames): string {
  return count === 1 ? plural(count, names.noun) : `${count} ${nounsOf(names)}`;
}

/** How many pages a short ID is looked for in: ten thousand items of a list with pages of a hundred. */
const MOST_PAGES = 100;

/**
 * The whole ID of a short one, as a list has it. A text that is not a short ID is returned as it is, without a request.
 * @throws UsageError `several_match`; NotFoundError with the number of items that were looked at
 */
export async function wholeId(
  { display, signal }: Pick<ListSession, 'display' | 'signal'>,
  typed: string,
  { list, path, within, ...names }: IdList,
): Promise<string> {
  if (!isShortId(typed)) return typed;
  const { progress } = display;
  const meaning = { ...meaningOfBeginning(typed, path), isMeant: () => false, mostPages: MOST_PAGES };
  progress.start();
  try {
    const onPage = progress.update.bind(progress);
    const { candidates, lookedAt } = await findInList(list, meaning, { signal, onPage });
    const [only, second] = candidates.keys();
    if (second !== undefined) throw severalBegin(typed, names, [...candidates.keys()]);
    if (only !== undefined) return only;
    const searched = within === undefined ? countItems(lookedAt, names) : `${lookedAt} ${within}`;
    throw new NotFoundError(
      `No ${names.noun} has an ID that begins with ${quote(typed)}; payctl searched ${searched}`,
      'It may belong to another merchant account, or be further back in the list: type the whole ID.',
    );
  } finally {
    await progress.stop();
  }
}

/** What was typed: the flags, and the arguments that they were read from. */
type Typed<Flags> = { readonly flags: Flags; readonly argv: readonly string[] };

/**
 * The same with a whole ID in the place of each short one; says what each stands for. `lists` gives the list of the IDs of a
 * flag, undefined for flags that take none. @throws as `wholeId`
 */
export async function withWholeIds<Flags extends object>(
  session: Pick<ListSession, 'display' | 'signal'>,
  { flags, argv }: Typed<Flags>,
  lists: (flag: string) => IdList | undefined,
): Promise<Typed<Flags>> {
  const meant: MeantValue[] = [];
  for (const [name, typed] of Object.entries(flags)) {
    const list = typeof typed === 'string' && isShortId(typed) ? lists(name) : undefined;
    if (!list) continue;
    const whole = await wholeId(session, typed, list);
    session.display.info(`--${name} ${typed} is ${whole}.`);
    meant.push({ flag: `--${name}`, typed, meant: whole });
  }
  const whole = meant.map(({ flag, meant: id }) => [flag.slice(2), id] as const);
  return { flags: { ...flags, ...Object.fromEntries(whole) }, argv: meantArguments(argv, meant) };
}

/** The list of the contract with the IDs that a flag such as `--buyer-id` takes. */
export function listOfFlag(flag: string, { lists }: Pick<Client, 'lists'>): IdList | undefined {
  const [, noun] = /^(.+)-id$/.exec(flag) ?? [];
  const operation = Object.values<ContractOperation>(operations).find(
    ({ isList, path }) => isList && path === `/${noun}s`,
  );
  const list = lists[operation?.id as keyof typeof lists] as PageSource<unknown, PageQuery> | undefined;
  return noun !== undefined && list ? { list, noun: noun.replaceAll('-', ' ') } : undefined;
}
