import type { ListRun } from '../../cli/show/list-end.ts';
import type { Operation } from '../../contract/operation.ts';
import type { ImportedOperation } from '../../descriptions/imported-operation.ts';

/** A list that is copied. */
export type CopyTarget = {
  /** The words of its command without `list`, such as `payment-methods`. */
  readonly resource: string;
  readonly operation: Operation &
    Pick<Partial<ImportedOperation>, 'personalByName' | 'envelope' | 'listShape' | 'paging'> & { readonly isOwn?: true };
  /** The schema of its items as JSON Schema 2020-12; undefined where the description has none. */
  readonly itemSchema: unknown;
  /** The dotted path of the ID of an item. */
  readonly idPath: string;
  /** How a run over the list is known in messages. */
  readonly run: ListRun;
};
