import type { PagedResource, PageQuery } from '../client/page.ts';
import { fetchOne } from '../client/paging/resource.ts';
import { type ListId, type Operation, operations } from '../contract/generated/operations.ts';
import { NotFoundError, OutputError, UsageError } from '../errors.ts';
import { valueAt } from '../output/columns.ts';
import { isUuid, quote } from '../text/format.ts';
import { BaseCommand } from './base-command.ts';
import { argument } from './flags/arguments.ts';
import { type ConnectionFlagValues, connectionFlags, type DisplayFlagValues } from './flags/global.ts';
import { flagName, type OutputFlagValues, outputFlags, queryFlags, watchFlag } from './flags/list.ts';
import type { Runtime } from './runtime.ts';
import type { Session } from './session/session.ts';
import type { Display } from './show/display.ts';
import { findInList, itemsOf, type ListedItem, type Meaning } from './show/find-in-list.ts';
import { countItems, meaningOfBeginning, nounsOf, severalBegin } from './show/short-id.ts';
import { itemPrinter } from './show/show-document.ts';
import type { ListSession } from './show/show-list.ts';

/** What a command declares that shows one item of a list. */
export type GetDeclaration = {
  /** What an item is called, in the singular. */
  readonly noun: string;
  /** The same in the plural, where an s does not make it. */
  readonly nouns?: string;
  readonly description?: string;
  readonly examples: readonly { readonly description: string; readonly command: string }[];
  /** Another member by which an item is known, such as `slug`. */
  readonly name?: string;
  /** The parameter of the contract that finds an item by the identifier of the merchant, in one request. */
  readonly identifier?: string;
  /** Notes about an item, one line each; printed where the item is shown to a person. */
  readonly explain?: (item: unknown, context: ItemContext) => Promise<readonly string[]>;
  /** Whether the items may be read from files (`--file`) instead of the service, and how. */
  readonly files?: {
    readonly flags: Readonly<Record<string, unknown>>;
    readonly open: (paths: readonly string[], run: FilesRun) => Promise<PagedResource<unknown, PageQuery>>;
  };
  /** Parameters of the contract that become flags, for lists that are long or that are lists of something. */
  readonly within?: readonly string[];
};

/** Where an item comes from: the service, or files. */
export type ItemContext = {
  readonly session: Session | undefined;
  readonly files: readonly string[];
  readonly runtime: Runtime;
};

/** What files are read with. */
export type FilesRun = ListSession & { readonly runtime: Runtime };

type FlagValues = DisplayFlagValues &
  ConnectionFlagValues &
  OutputFlagValues & { readonly file?: readonly string[] };

/**
 * The command that shows one item of a list of the contract, which has no request for a single one: it looks at the items
 * that the service lists, up to the one that is meant.
 */
export function getCommand(id: ListId, declaration: GetDeclaration): typeof BaseCommand {
  const operation: Operation = operations[id];
  const { noun, within = [], description, examples } = declaration;
  const filters = queryFlags(operation);
  return class GetCommand extends BaseCommand {
    static override readonly summary = `Show one ${noun}.`;
    static override readonly description = [description, LOOKS_AT_LIST].filter(Boolean).join('\n');
    static override readonly operation = operation;
    static override readonly examples = [...examples];
    static override readonly args = {
      id: argument(idText(declaration)),
    };
    static override readonly flags = {
      ...Object.fromEntries(within.map((name) => [flagName(name), filters[flagName(name)]])),
      ...declaration.files?.flags,
      ...watchFlag(),
      ...outputFlags(operation),
      ...connectionFlags(),
    };

    async run(): Promise<void> {
      const { args, flags } = await this.parse(GetCommand);
      const values = flags as FlagValues;
      if (args.id === '') throw new UsageError('bad_argument', 'ID cannot be empty');
      const { file: files = [] } = values;
      const session = files.length > 0 ? undefined : this.openSession(values);
      const local = session ?? withSignal(this.openDisplay(values));
      const { display } = local;
      const print = await itemPrinter(local, values, operation);
      const list = session
        ? (await session.client()).lists[id]
        : await declaration.files?.open(files, { ...local, runtime: this.runtime });
      const query = queryOf(within, flags);
      const search = {
        ...declaration,
        id: args.id,
        query,
        revealPii: values['reveal-pii'] === true,
        operation,
        where: session ? '' : ' in the files',
      };
      const { found, lookedAt } = await findItem(local, list as PagedResource<unknown, PageQuery>, search);
      await print(found);
      const isWhole = values.jq === undefined && values.columns === undefined;
      if (declaration.explain && isWhole && display.format.isForPeople) {
        for (const line of await declaration.explain(found.item, { session, files, runtime: this.runtime }))
          display.info(line);
      }
      if (session && lookedAt !== undefined && display.verbose) {
        display.info(
          `The API cannot look up a single ${noun}; payctl searched ${countItems(lookedAt, declaration)}.`,
        );
      }
    }
  };
}

function withSignal(display: Display): ListSession {
  return { display, signal: display.signal };
}

const LOOKS_AT_LIST = 'The API cannot look up a single item, so payctl searches the list.';

/** The parameters that flags give. */
function queryOf(names: readonly string[], flags: Readonly<Record<string, unknown>>): PageQuery {
  const given = names.map((name) => [name, flags[flagName(name)]] as const);
  return Object.fromEntries(given.filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
}

type Search = Names & {
  readonly id: string;
  readonly query: PageQuery;
  readonly revealPii: boolean;
  readonly operation: Operation;
  /** The files that the items come from; empty for the service. */
  readonly where: string;
};

/** An item, and at how many items payctl looked, unless the service itself found it. */
type Found = { readonly found: ListedItem; readonly lookedAt?: number | undefined };

/** What has the shape of an ID is looked for as one before it is looked for as an identifier; anything else after that. */
export async function findItem(
  session: ListSession,
  list: PagedResource<unknown, PageQuery>,
  search: Search,
): Promise<Found> {
  const { progress } = session.display;
  const byIdentifier = () => findByIdentifier(session, list, search);
  progress.start();
  try {
    const early = isUuid(search.id) ? undefined : await byIdentifier();
    if (early) return { found: early };
    const { found, candidates, lookedAt } = await findInList(list, meaningOf(search), {
      query: search.query,
      revealPii: search.revealPii,
      signal: session.signal,
      onPage: (counts) => progress.update(counts),
    });
    if (found) return { found, lookedAt };
    const late = isUuid(search.id) ? await byIdentifier() : undefined;
    if (late) return { found: late };
    const [only, second] = candidates.values();
    if (only && !second) return { found: only, lookedAt };
    throw only ? severalBegin(search.id, search, [...candidates.keys()]) : notFound(search, lookedAt);
  } finally {
    await progress.stop();
  }
}

/** What is meant: the item with the ID or the name, else the only one whose ID begins so, as tables shorten IDs. */
function meaningOf({ id, name }: Search): Meaning {
  const meaning = meaningOfBeginning(id);
  return {
    isMeant: (item) => valueAt(item, 'id') === id || (name !== undefined && valueAt(item, name) === id),
    ...(id.length >= SHORTEST_PREFIX && {
      ...meaning,
      settles: (own: string) => name === undefined && meaning.settles(own),
    }),
  };
}

/** Fewer characters of an ID are the beginning of many. */
const SHORTEST_PREFIX = 4;

async function findByIdentifier(
  { signal }: ListSession,
  list: PagedResource<unknown, PageQuery>,
  { identifier, id, query, revealPii, ...names }: Search,
): Promise<ListedItem | undefined> {
  if (identifier === undefined) return undefined;
  const page = await fetchOne(list, { ...query, [identifier]: id, limit: 2 }, { revealPii, signal });
  const [first, second] = itemsOf(page);
  if (!second) return first;
  throw new OutputError(
    'several_match',
    `Several ${nounsOf(names)} have the ${words(identifier)} ${quote(id)}`,
    {
      hint: `Use an ID: --${flagName(identifier)} of the list shows them.`,
    },
  );
}

function notFound(search: Search, lookedAt: number): NotFoundError {
  const { noun, id, operation, where } = search;
  return new NotFoundError(
    `No ${noun} has the ${['ID', ...otherNames(search)].join(' or ')} ${quote(id)}; payctl searched ${countItems(lookedAt, search)}${where}`,
    operation.merchantAccount && where === ''
      ? 'It may belong to another merchant account: add --merchant-account ID.'
      : undefined,
  );
}

type Names = Pick<GetDeclaration, 'noun' | 'nouns' | 'name' | 'identifier'>;

function idText(names: Names): string {
  const other = otherNames(names).map((name) => `, or its ${name}`);
  return `ID of the ${names.noun}, or its first characters (at least ${SHORTEST_PREFIX})${other.join('')}.`;
}

/** What identifies an item in addition to its ID, in words. */
function otherNames({ name, identifier }: Names): readonly string[] {
  return [name, identifier].flatMap((member) => (member === undefined ? [] : [words(member)]));
}

function words(name: string): string {
  return name.replaceAll('_', ' ');
}
