import { beforeFlags, commandLine, splitLeadingFlags } from '../../cli/routing/leading-flags.ts';
import type { Runtime } from '../../cli/runtime.ts';
import { type OpenedDescription, openDescription } from '../../cli/session/open-description.ts';
import { configDirectory, type Environment } from '../../config/environment.ts';
import { readProfiles } from '../../config/profiles.ts';
import type { NotRunOperation } from '../../descriptions/imported-operation.ts';
import { type FoundOperation, findOperation, notRunnable } from './find-operation.ts';
import { importedCommand } from './imported-command.ts';
import type { ImportedRun } from './imported-run.ts';
import type { RunnableOperation } from './own-operations.ts';

/** What the words after `api call` name: an operation, and what is left for its command. */
export type Called = Pick<ImportedRun, 'operation' | 'description' | 'merchantHeader'> & {
  /** How it was named. */
  readonly name: string;
  readonly words: readonly string[];
};

/**
 * The operation that the first words name; undefined if there are no words before the first flag.
 * @throws UsageError as `findOperation`, `not_runnable`
 */
export async function findCalled(argv: readonly string[], runtime: Runtime): Promise<Called | undefined> {
  const { flags, rest } = splitLeadingFlags(argv);
  const typed = beforeFlags(rest);
  if (typed.length === 0 || typed[0] === '') return undefined;
  const description = await openDescription(argv, runtime.environment);
  const { operation, name, length } = namedOperation(typed, description, runtime.environment);
  const words = commandLine({ leading: flags, rest: rest.slice(length) }, () => true).argv;
  return { operation, name, words, description, merchantHeader: description?.index.merchantHeader };
}

/**
 * The operation that the first words name, and the number of these words.
 * @throws UsageError as `findOperation`, `not_runnable`, `description_damaged`
 */
export function namedOperation(
  typed: readonly string[],
  description: OpenedDescription | undefined,
  environment: Environment,
) {
  const profiles = description?.profiles ?? readProfiles(configDirectory(environment));
  const found = findOperation(description?.index, typed, { profiles });
  const { length } = found;
  return { operation: runnable(found, description), name: typed.slice(0, length).join(' '), length };
}

function runnable(found: FoundOperation, description: OpenedDescription | undefined): RunnableOperation {
  if (found.kind === 'own') return found.operation;
  if (found.kind === 'imported' && description) return description.operation(found.operation);
  throw notRunnable(found.operation as NotRunOperation);
}

/** The run of the operation that the words name; undefined where they name none. @throws as `findCalled` */
export async function openCalled(
  argv: readonly string[],
  runtime: Runtime,
): Promise<(() => Promise<number>) | undefined> {
  const called = await findCalled(argv, runtime);
  if (!called) return undefined;
  const { operation, name, words, description, merchantHeader } = called;
  const command = importedCommand({ operation, words: `api call ${name}`, description, merchantHeader });
  return () => command.execute.call(command as never, words, runtime);
}
