import type { Interfaces } from '@oclif/core';
import type { PagedResource, PageQuery } from '../client/page.ts';
import { type ListId, type Operation, operations } from '../contract/generated/operations.ts';
import { isSecretName } from '../contract/secret-names.ts';
import { own } from '../json/is-object.ts';
import type { Column } from '../output/columns.ts';
import { isAmountPath } from '../text/amount-names.ts';
import { isShortId } from '../text/format.ts';
import { BaseCommand } from './base-command.ts';
import { type ConnectionFlagValues, connectionFlags, type DisplayFlagValues } from './flags/global.ts';
import {
  amountsFlag,
  filtersIn,
  filtersOf,
  flagName,
  followFlags,
  type ListFileFlagValues,
  listFileFlags,
  type OutputFlagValues,
  outputFlags,
  type PagingFlagValues,
  pagingFlags,
  queryFlags,
  type RevealFlagValues,
  sortFlag,
  watchFlag,
} from './flags/list.ts';
import type { Session } from './session/session.ts';
import type { Selection } from './show/list-pages.ts';
import { showList } from './show/show-list.ts';

/** The flags that take IDs which the items of a list themselves have, where they have them, and what has these IDs. */
type ItemIds = Readonly<Record<string, { readonly path: string; readonly noun: string }>>;

/** A filter that is applied here, for a list that the service cannot filter. */
export type LocalFilter<Values> = {
  readonly flags: () => Interfaces.FlagInput;
  readonly ids?: ItemIds;
  /** What the values of the flags ask for; undefined when they ask for nothing. @throws UsageError */
  readonly select: (values: Values) => LocalSelection | undefined;
};

type LocalSelection = {
  /** Parameters of the contract that the flags stand for. */
  readonly query?: PageQuery;
  /** What is selected of what the service sends; everything by default. */
  readonly selection?: Selection;
  /** Printed to stderr before the list with --verbose. */
  readonly notice?: string;
};

/** Selects by a test of each item, and says that payctl does, not the service. */
export function selectBy<Item>(
  test: ((item: Item) => boolean) | undefined,
  notice: string,
): LocalSelection | undefined {
  return test && { selection: { keeps: (items) => items.map((item) => test(item as Item)) }, notice };
}

/** What a list command declares in addition to the contract. */
export type ListDeclaration<Values = never> = {
  readonly summary: string;
  readonly description?: string;
  /** What the items are called, in the plural. */
  readonly noun: string;
  readonly columns: readonly Column[];
  readonly examples: readonly { readonly description: string; readonly command: string }[];
  readonly filter?: LocalFilter<Values>;
};

type FlagValues = DisplayFlagValues &
  ConnectionFlagValues &
  OutputFlagValues &
  PagingFlagValues &
  ListFileFlagValues;

/**
 * The command that prints a list of the contract. Its filters, `--reveal-pii` and the flags of paging come from the
 * operation; `payctl` finds the command by the path of the file that exports it.
 */
export function listCommand<Values>(
  id: ListId,
  { noun, filter, ...declaration }: ListDeclaration<Values>,
): typeof BaseCommand {
  const operation: Operation = operations[id];
  return class ListCommand extends BaseCommand {
    static override readonly summary = declaration.summary;
    static override readonly description = declaration.description;
    static override readonly columns = declaration.columns;
    static override readonly operation = operation;
    static override readonly examples = [...declaration.examples];
    static override readonly flags = listFlags(operation, declaration.columns, filter?.flags());

    async run(): Promise<void> {
      const { flags: typed } = await this.parse(ListCommand);
      const values = typed as FlagValues;
      const session = this.openSession(values);
      // Wrong flags are found before anything is sent.
      const asked = filter?.select(typed as Values);
      if (asked?.notice !== undefined && session.display.verbose) session.display.info(`* ${asked.notice}`);
      const filters = Object.keys(filter?.flags() ?? {});
      const client = await session.client();
      const list: PagedResource<unknown, PageQuery> = client.lists[id];
      const { flags, argv } = await withIds(
        session,
        { flags: typed, argv: this.argv },
        { id, noun, ids: filter?.ids },
      );
      const local = flags === typed ? asked : filter?.select(flags as Values);
      await showList(session, list, {
        query: { ...filtersIn(operation, flags), ...local?.query },
        flags: values,
        columns: columnsFor(declaration.columns, values),
        noun,
        selection: local?.selection,
        run: {
          operation,
          argv,
          filters: given(flags, [...Object.keys(filtersOf(operation)).map(flagName), ...filters]),
        },
      });
    }
  };
}

type OwnIds = { readonly id: ListId; readonly noun: string; readonly ids: ItemIds | undefined };

/** What was typed, with whole IDs; what looks them up is loaded for the first short one. `noun` is the plural of the items. */
export async function withIds<Flags extends object>(
  session: Session,
  typed: { readonly flags: Flags; readonly argv: readonly string[] },
  { id, noun, ids = {} }: OwnIds,
) {
  const isShort = (value: unknown) => typeof value === 'string' && isShortId(value);
  if (!Object.values(typed.flags).some(isShort)) return typed;
  const { listOfFlag, withWholeIds } = await import('./show/short-id.ts');
  const client = await session.client();
  return await withWholeIds(session, typed, (flag) => {
    const found = own(ids, flag);
    return found ? { ...found, list: client.lists[id], within: noun } : listOfFlag(flag, client);
  });
}

/** What is masked answers no question: its columns are the first to go. */
function columnsFor(columns: readonly Column[], flags: RevealFlagValues): readonly Column[] {
  const isMasked = ({ personal, path }: Column) =>
    (personal && !flags['reveal-pii']) || (isSecretName(path) && !flags['reveal-secrets']);
  return columns.map((column) => (isMasked(column) ? { ...column, priority: -1 } : column));
}

function listFlags(
  operation: Operation,
  columns: readonly Column[],
  own: Interfaces.FlagInput = {},
): Interfaces.FlagInput {
  return {
    ...queryFlags(operation),
    ...own,
    ...(operation.paginated ? pagingFlags() : followFlags()),
    ...sortFlag(),
    ...watchFlag(),
    ...outputFlags(operation),
    ...(columns.some(({ path }) => isAmountPath(path)) ? amountsFlag() : {}),
    ...listFileFlags(),
    ...connectionFlags(),
  };
}

/** The flags of these names that have a value. */
function given(
  flags: Readonly<Record<string, string | number>>,
  names: readonly string[],
): Readonly<Record<string, string | number>> {
  return Object.fromEntries(Object.entries(flags).filter(([name]) => names.includes(name)));
}
