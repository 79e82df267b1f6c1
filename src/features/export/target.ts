import type { ListRun } from '../../cli/show/list-end.ts';
import type { Operation } from '../../contract/operation.ts';
import type { ImportedOperation } from '../../descriptions/imported-operation.ts';
import type { TypedColumn } from '../../output/typed-column.ts';

/** A list that is copied. */
export type CopyTarget = {
  /** The words of its command without `list`, such as `payment-methods`. */
  readonly resource: string;
  readonly operation: Operation &
    Pick<Partial<ImportedOperation>, 'personalByName' | 'envelope' | 'listShape' | 'paging'> & { readonly isOwn?: true };
  /** The members of its items, as far as the description has them. */
  readonly columns: readonly TypedColumn[];
  /** The dotted path of the ID of an item. */
  readonly idPath: string;
  /** The parameter that asks for what was changed at a time or later, where the description has one. */
  readonly updatedFilter?: TimeFilter | undefined;
  /** The same for what was created. */
  readonly createdFilter?: TimeFilter | undefined;
  /** How a run over the list is known in messages. */
  readonly run: ListRun;
};

/** A parameter that asks for records that were created or changed at a time or later. */
export type TimeFilter = {
  readonly parameter: string;
  /** Writes a time, in milliseconds since 1970, as the parameter takes it. */
  readonly format: (milliseconds: number) => string;
};
