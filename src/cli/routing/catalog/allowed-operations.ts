import type { ImportedDescription, IndexedOperation } from '../../../descriptions/imported-operation.ts';
import { checkAccess } from '../../../tokens/scopes.ts';

/** What the scopes of a token say about the operations of an imported description. */
export type OperationAccess = {
  readonly title: string;
  readonly total: number;
  readonly allowed: readonly IndexedOperation[];
  readonly refused: readonly IndexedOperation[];
  /** The description names no scope for them, or the token has no scope claim. */
  readonly unknown: readonly IndexedOperation[];
};

/** Compares the scopes that a token claims with those of every operation; `undefined` is a token without a scope claim. */
export function operationAccess(
  held: readonly string[] | undefined,
  { title, operations }: Pick<ImportedDescription, 'title' | 'operations'>,
): OperationAccess {
  const stateOf = ({ scopes, needsAllScopes }: IndexedOperation) => {
    if (scopes.length === 0) return 'unknown';
    return checkAccess(held, needsAllScopes ? scopes.map((scope) => [scope]) : [scopes]).access;
  };
  const groups = Map.groupBy(operations, stateOf);
  return {
    title,
    total: operations.length,
    allowed: groups.get('allowed') ?? [],
    refused: groups.get('refused') ?? [],
    unknown: groups.get('unknown') ?? [],
  };
}
