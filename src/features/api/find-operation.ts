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
  const meant = nearestOperation(name, operations, ({ id, command }) => [id, command]);
  throw new UsageError('unknown_operation', `There is no operation ${quote(name)}`, {
    hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}payctl api list shows all of them.`,
  });
}

/**
 * The name that was probably meant, of those that `namesOf` gives for each operation: also where words are separated in another way,
 * and where an id is compared with the words of the command. `transactions.captre` is near to `capture_transaction`.
 */
export function nearestOperation<T extends Pick<IndexedOperation, 'id' | 'command' | 'aliases'>>(
  name: string,
  operations: readonly T[],
  namesOf: (operation: T) => readonly string[],
): string | undefined {
  const candidates = new Map<string, string>();
  for (const operation of operations) {
    const names = namesOf(operation);
    for (const each of names) candidates.set(plain(each), each);
  }
  for (const operation of operations) {
    const [shown = ''] = namesOf(operation);
    for (const each of [operation.command, ...(operation.aliases ?? [])])
      if (!candidates.has(plain(each))) candidates.set(plain(each), shown);
  }
  const typed = plain(name);
  const near =
    suggest(typed, candidates.keys()) ?? [...candidates.keys()].find((each) => each.includes(typed));
  return near === undefined ? undefined : candidates.get(near);
}

/** Words apart by single blanks, in small letters: `api.getThing` and `api get-thing` are the same. */
function plain(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[\s._/-]+/g, ' ')
    .trim()
    .toLowerCase();
}

function callIn({ method, path }: IndexedOperation): string {
  return callOf(`${method} ${path}`);
}

function callOf(text: string): string {
  const [method = '', ...path] = text.split(' ');
  return `${method.toUpperCase()} ${path.join(' ').replace(/\{[^}]*\}/g, '{}')}`;
}
