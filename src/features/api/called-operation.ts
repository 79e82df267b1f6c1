import { commandLine, splitLeadingFlags } from '../../cli/leading-flags.ts';
import { type OpenedDescription, openDescription } from '../../cli/open-description.ts';
import type { Runtime } from '../../cli/runtime.ts';
import { UsageError } from '../../errors.ts';
import { quote } from '../../text/format.ts';
import { nearestOperation } from './find-operation.ts';
import { importedCommand } from './imported-command.ts';
import { ownOperations, type RunnableOperation } from './own-operations.ts';

const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** What the words after `api call` name: an operation, and what is left for its command. */
export type Called = {
  readonly operation: RunnableOperation;
  /** How it was named. */
  readonly name: string;
  readonly words: readonly string[];
  readonly merchantHeader?: string | undefined;
};

/**
 * The operation that the first words name, by its id or as `METHOD PATH`; undefined where there are no words. The operations of
 * the imported description come before those of payctl's own contract.
 * @throws UsageError `unknown_operation` with the nearest one
 */
export async function findCalled(argv: readonly string[], runtime: Runtime): Promise<Called | undefined> {
  const { flags, rest } = splitLeadingFlags(argv);
  const [first = '', second = ''] = rest;
  if (first === '' || first.startsWith('-')) return undefined;
  const isByPath = METHODS.has(first.toUpperCase()) && second.startsWith('/');
  const name = isByPath ? `${first.toUpperCase()} ${second}` : first;
  const words = commandLine({ leading: flags, rest: rest.slice(isByPath ? 2 : 1) }, () => true).argv;
  const description = await openDescription(argv, runtime.environment);
  const operation = findNamed(name, description);
  return {
    operation,
    name: rest.slice(0, isByPath ? 2 : 1).join(' '),
    words,
    merchantHeader: description?.index.merchantHeader,
  };
}

function findNamed(name: string, description: OpenedDescription | undefined): RunnableOperation {
  const named = ({ id, method, path }: Pick<RunnableOperation, 'id' | 'method' | 'path'>) =>
    id === name || `${method} ${path}` === name;
  const indexed = description?.index.operations.find(named);
  if (description && indexed) return description.operation(indexed);
  const own = ownOperations();
  const found = own.find(named);
  if (found) return found;
  const known = [...(description?.index.operations ?? []), ...own];
  const near = nearestOperation(name, known, ({ id }) => [id]);
  throw new UsageError('unknown_operation', `There is no operation ${quote(name)}`, {
    hint: near ? `Did you mean ${near}?` : hintWithout(description),
  });
}

function hintWithout(description: OpenedDescription | undefined): string {
  return description
    ? 'Run payctl api list to list the operations.'
    : 'No description was imported: payctl api import FILE';
}

/** The run of the operation that the words name; undefined where they name none. @throws as `findCalled` */
export async function openCalled(
  argv: readonly string[],
  runtime: Runtime,
): Promise<(() => Promise<number>) | undefined> {
  const called = await findCalled(argv, runtime);
  if (!called) return undefined;
  const { operation, name, words, merchantHeader } = called;
  const command = importedCommand({ operation, words: `api call ${name}`, merchantHeader });
  return () => command.execute.call(command as never, words, runtime);
}
