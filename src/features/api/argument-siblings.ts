import { ARGUMENT_HELP, argumentsGiven, type Typed, toUsageError } from '../../cli/failure/usage-error.ts';
import { kebabCase } from '../../cli/flags/parameters.ts';
import type { IndexedOperation } from '../../descriptions/imported-operation.ts';
import { SUFFIX } from '../../descriptions/reads.ts';
import { UsageError } from '../../errors.ts';
import { argumentName, plural } from '../../text/format.ts';
import type { ImportedRun } from './imported-run.ts';

/**
 * An error of the parser as it is reported. If the number of arguments is wrong, it names the operation with the same method and path
 * words that takes that many.
 */
export function withSibling(
  error: unknown,
  { operation, description, words }: ImportedRun,
  typed: Typed,
): unknown {
  const given = argumentsGiven(error);
  const shown = given === undefined ? undefined : toUsageError(error, typed);
  if (!(shown instanceof UsageError)) return error;
  const isSibling = (other: IndexedOperation) =>
    other.method === operation.method &&
    other.id !== operation.id &&
    (other.arguments ?? []).length === given &&
    wordsIn(other.path) === wordsIn(operation.path);
  const sibling = description?.index.operations.find(isSibling);
  if (!sibling || given === undefined) return error;
  const { id, command, arguments: names = [] } = sibling;
  const called = words.startsWith('api call ') ? `api call ${id}` : command;
  const line = ['payctl', called, ...names.map((name) => argumentName(kebabCase(name)))].join(' ');
  const hint = `The command that takes ${plural(given, 'argument')}: ${line}`;
  // A hint about this argument needs no addition.
  return shown.code !== 'unexpected_argument' || shown.hint === ARGUMENT_HELP
    ? new UsageError(shown.code, shown.problem, { hint: `${shown.hint} ${hint}` })
    : shown;
}

/** The words of a path, without its parameters. */
function wordsIn(path: string): string {
  const segments = path
    .replace(SUFFIX, '')
    .replace(/\{[^}]*\}/g, '')
    .split('/');
  return segments.filter((segment) => segment !== '').join('/');
}
