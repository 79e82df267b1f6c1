import type { Interfaces } from '@oclif/core';
import type { Lists } from '../client/generated/lists.ts';
import type { PagedResource, PageQuery } from '../client/paging.ts';
import { type ListId, type Operation, operations } from '../contract/generated/operations.ts';
import type { Column } from '../output/columns.ts';
import { BaseCommand } from './base-command.ts';
import { type ConnectionFlagValues, connectionFlags, type DisplayFlagValues } from './flags/global.ts';
import {
  filtersOf,
  flagName,
  followFlags,
  type OutputFlagValues,
  outputFlags,
  type PagingFlagValues,
  pagingFlags,
  queryFlags,
} from './flags/list.ts';
import { showList } from './show-list.ts';

/** What one item of a list is. */
type ItemOf<Id extends ListId> = Awaited<ReturnType<Lists[Id]['list']>>['items'][number];

/** A filter that is applied here, for a list that the service cannot filter. */
type LocalFilter<Item, Values> = {
  readonly flags: () => Interfaces.FlagInput;
  /** The test that the values of the flags ask for; undefined when they ask for nothing. */
  readonly keep: (values: Values) => ((item: Item) => boolean) | undefined;
  /** Printed to stderr: says that payctl applies the filter, not the service. */
  readonly notice: string;
};

/** What a list command declares in addition to the contract. */
export type ListDeclaration<Item, Values = never> = {
  readonly summary: string;
  readonly description?: string;
  /** What the items are called, in the plural. */
  readonly noun: string;
  readonly columns: readonly Column[];
  readonly examples: readonly { readonly description: string; readonly command: string }[];
  readonly filter?: LocalFilter<Item, Values>;
};

type FlagValues = DisplayFlagValues & ConnectionFlagValues & OutputFlagValues & PagingFlagValues;

/**
 * The command that prints a list of the contract. Its filters, `--reveal-pii` and the flags of paging come from the
 * operation; `payctl` finds the command by the path of the file that exports it.
 */
export function listCommand<Id extends ListId, Values>(
  id: Id,
  { noun, filter, ...declaration }: ListDeclaration<ItemOf<Id>, Values>,
): typeof BaseCommand {
  const operation: Operation = operations[id];
  return class ListCommand extends BaseCommand {
    static override readonly summary = declaration.summary;
    static override readonly description = declaration.description;
    static override readonly columns = declaration.columns;
    static override readonly operation = operation;
    static override readonly examples = [...declaration.examples];
    static override readonly flags = listFlags(operation, filter?.flags());

    async run(): Promise<void> {
      const { flags } = await this.parse(ListCommand);
      const values = flags as FlagValues;
      const session = this.openSession(values);
      const keep = filter?.keep(flags as Values);
      if (filter && keep) session.display.info(filter.notice);
      const own = Object.keys(filter?.flags() ?? {});
      const { lists } = await session.client();
      const list: PagedResource<ItemOf<Id>, PageQuery> = lists[id];
      await showList(session, list, {
        query: queryOf(operation, flags),
        flags: values,
        personalData: operation.personalData,
        columns: columnsFor(declaration.columns, values['reveal-pii'] === true),
        noun,
        keep,
        run: {
          operation,
          argv: this.argv,
          filters: given(flags, [...Object.keys(filtersOf(operation)).map(flagName), ...own]),
        },
      });
    }
  };
}

/** Masked personal data answer no question: their columns are the first to go. */
function columnsFor(columns: readonly Column[], revealPii: boolean): readonly Column[] {
  if (revealPii) return columns;
  return columns.map((column) => (column.personal ? { ...column, priority: 0 } : column));
}

function listFlags(operation: Operation, own: Interfaces.FlagInput = {}): Interfaces.FlagInput {
  return {
    ...queryFlags(operation),
    ...own,
    ...(operation.paginated ? pagingFlags() : followFlags()),
    ...outputFlags(operation),
    ...connectionFlags(),
  };
}

/** The filters that flags give; `showList` adds the parameters of paging. */
function queryOf(
  operation: Operation,
  flags: Readonly<Record<string, string | number | readonly string[]>>,
): PageQuery {
  return Object.fromEntries(Object.keys(filtersOf(operation)).map((name) => [name, flags[flagName(name)]]));
}

/** The flags of these names that have a value. */
function given(
  flags: Readonly<Record<string, string | number>>,
  names: readonly string[],
): Readonly<Record<string, string | number>> {
  return Object.fromEntries(Object.entries(flags).filter(([name]) => names.includes(name)));
}
