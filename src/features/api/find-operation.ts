import type { ImportedDescription, IndexedOperation } from '../../descriptions/imported-operation.ts';
import { UsageError } from '../../errors.ts';
import { quote } from '../../text/format.ts';
import { suggest } from '../../text/suggest.ts';

/**
 * The operation that words name: its operationId, the words of its command or of another name of it, or `METHOD PATH`, in which
 * `{name}` is written as it is described or in any other way.
 * @throws UsageError `unknown_operation`, which suggests the nearest
 */
export function findOperation(
  { operations }: Pick<ImportedDescription, 'operations'>,
  words: readonly string[],
): IndexedOperation {
  const name = words.join(' ').trim();
  const found =
    operations.find(({ id }) => id === name) ??
    operations.find(({ command, aliases }) => command === name || aliases?.includes(name)) ??
    operations.find((operation) => callIn(operation) === callOf(name));
  if (found) return found;
  const names = operations.flatMap(({ id, command }) => [id, command]);
  const meant = suggest(name, names) ?? names.find((each) => each.includes(name));
  throw new UsageError('unknown_operation', `There is no operation ${quote(name)}`, {
    hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}payctl api list shows all of them.`,
  });
}

function callIn({ method, path }: IndexedOperation): string {
  return callOf(`${method} ${path}`);
}

function callOf(text: string): string {
  const [method = '', ...path] = text.split(' ');
  return `${method.toUpperCase()} ${path.join(' ').replace(/\{[^}]*\}/g, '{}')}`;
}
