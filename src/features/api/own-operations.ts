import { COMMAND_OPERATIONS } from '../../cli/routing/catalog/operations.ts';
import { bodySchemas } from '../../contract/generated/body-schemas.ts';
import { fields } from '../../contract/generated/fields.ts';
import type { Operation } from '../../contract/operation.ts';
import type { ImportedOperation } from '../../descriptions/imported-operation.ts';
import { own } from '../../json/is-object.ts';

/** An operation that can be run, of an imported description or of payctl's own contract. */
export type RunnableOperation = ImportedOperation & {
  /** It is one of payctl's own contract. */
  readonly isOwn?: true;
};

/** The operations of payctl's own contract, in the form of those of an import. */
export function ownOperations(): readonly RunnableOperation[] {
  return Object.entries<Operation>(COMMAND_OPERATIONS).map(([command, operation]) => ({
    ...operation,
    isOwn: true,
    command,
    pathValues: Object.fromEntries(
      operation.pathParameters.map((name) => [name, { type: 'string' as const }]),
    ),
    ...(operation.isList ? { listShape: 'envelope' as const } : {}),
    ...(operation.hasBody
      ? { bodyRequired: true, requestSchema: own<unknown>(bodySchemas, operation.bodySchema) }
      : {}),
    columns: (fields[operation.id] ?? [])
      .filter((path) => !path.includes('.') && path !== 'type')
      .slice(0, MOST_COLUMNS),
    fields: fields[operation.id] ?? [],
  }));
}

const MOST_COLUMNS = 6;
