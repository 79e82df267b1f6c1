import { matchOperation } from '../../cli/routing/match-operation.ts';
import type { Operation } from '../../contract/operation.ts';
import { UsageError } from '../../errors.ts';
import { mayBeId, quote } from '../../text/format.ts';
import { suggest } from '../../text/suggest.ts';

type Described = Pick<Operation, 'method' | 'path'>;

/** A request that matches none of these operations, and where they come from. */
export type UnknownRequest = {
  readonly method: string;
  readonly path: string;
  readonly operations: readonly Described[];
  /** The API description, or payctl's own contract. */
  readonly source: string;
  /** The command that imports a description, where none is imported. */
  readonly importsWith?: string | undefined;
};

/** The error for a request that no operation lends its scopes: it names the methods of its path, or the nearest path. */
export function unknownPath({ method, path, operations, source, importsWith }: UnknownRequest): UsageError {
  const methods = [...new Set(operations.map((operation) => operation.method))].filter((other) =>
    matchOperation(other, path, operations),
  );
  const meant =
    methods.length > 0 ? `It has ${methods.join(', ')}. ` : didYouMean(nearestPath(path, operations));
  const what = methods.length > 0 ? `no ${method} for the path` : 'no operation with the path';
  return new UsageError('unknown_path', `${source} has ${what} ${quote(path)}`, {
    hint: `${meant}Nothing was sent. ${importsWith === undefined ? 'To send it anyway,' : 'Import the API description that has it, or'} add the scope to sign a token with: --scope NAME`,
    ...(importsWith !== undefined && { tryNext: [importsWith] }),
  });
}

function didYouMean(path: string | undefined): string {
  return path === undefined ? '' : `Did you mean ${path}? `;
}

const PARAMETER = '{}';

/** The described path that is written almost like this one, with its IDs. */
function nearestPath(path: string, operations: readonly Described[]): string | undefined {
  const ids = path.split('/').filter(mayBeId);
  const typed = path.split('/').map((segment) => (mayBeId(segment) ? PARAMETER : segment));
  const known = new Set(operations.map((operation) => operation.path.replace(/\{[^}]*\}/g, PARAMETER)));
  const near = suggest(typed.join('/'), known);
  return near?.replaceAll(PARAMETER, () => ids.shift() ?? 'ID');
}
