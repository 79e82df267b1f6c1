import type { Profiles } from '../../config/profiles.ts';
import type {
  ImportedDescription,
  IndexedOperation,
  NotRunOperation,
} from '../../descriptions/imported-operation.ts';
import { UsageError } from '../../errors.ts';
import { listValues, quote } from '../../text/format.ts';
import { shellQuote } from '../../text/shell.ts';
import { suggest } from '../../text/suggest.ts';
import { ownOperations, type RunnableOperation } from './own-operations.ts';

/** An operation that words name, and how many of the words do so. */
export type FoundOperation = { readonly length: number } & (
  | { readonly kind: 'imported'; readonly operation: IndexedOperation }
  | { readonly kind: 'own'; readonly operation: RunnableOperation }
  | { readonly kind: 'not-run'; readonly operation: NotRunOperation }
);

type Known = Pick<ImportedDescription, 'operations' | 'notRun'>;
type Named = Pick<NotRunOperation, 'id' | 'method' | 'path' | 'command' | 'aliases'>;

/** How to look for an operation. */
export type FindingOptions = {
  /** All words belong to the name. By default, other words may follow the name. */
  readonly whole?: boolean;
  /** The profiles: an error names those that have a description. */
  readonly profiles: Pick<Profiles, 'profiles'>;
};

/** The number of words of the longest command. */
const MOST_WORDS = 12;

/**
 * The operation that the first words name: the longest run that names one, or with `whole`, all words. A name is an operationId,
 * the words of a command or an alias, or `METHOD PATH`, where `{name}` may have any name in its braces. The operations of an
 * imported description come first, then those of payctl's own contract, then those that payctl cannot run.
 * @throws UsageError `unknown_operation`, with the nearest name as a suggestion
 */
export function findOperation(
  description: Known | undefined,
  words: readonly string[],
  { whole = false, profiles }: FindingOptions,
): FoundOperation {
  const own = ownOperations();
  const imported = description?.operations ?? [];
  const notRun = description?.notRun ?? [];
  const lengths = whole ? [words.length] : beginnings(words);
  for (const length of lengths) {
    const name = words.slice(0, length).join(' ').trim();
    const operation = namedIn(imported, name);
    if (operation) return { kind: 'imported', operation, length };
    const ownOne = namedIn(own, name);
    if (ownOne) return { kind: 'own', operation: ownOne, length };
    const other = namedIn(notRun, name);
    if (other) return { kind: 'not-run', operation: other, length };
  }
  const known = [...imported, ...own, ...notRun];
  const typed = whole ? [words] : lengths.map((length) => words.slice(0, length));
  throw unknown(typed, known, description ? ALL : importHint(profiles));
}

/** How many leading words may be the name, the longest run first. */
function beginnings(words: readonly string[]): readonly number[] {
  const most = Math.min(words.length, MOST_WORDS);
  return Array.from({ length: most }, (_, index) => most - index);
}

function namedIn<T extends Named>(operations: readonly T[], name: string): T | undefined {
  const call = callOf(name);
  return (
    operations.find(({ id }) => id === name) ??
    operations.find(({ command, aliases }) => command === name || aliases?.includes(name)) ??
    operations.find(({ method, path }) => callOf(`${method} ${path}`) === call)
  );
}

function callOf(text: string): string {
  const [method = '', ...path] = text.split(' ');
  return `${method.toUpperCase()} ${path.join(' ').replace(/\{[^}]*\}/g, '{}')}`;
}

function unknown(
  typed: readonly (readonly string[])[],
  known: readonly Named[],
  otherwise: string,
): UsageError {
  for (const words of typed) {
    const name = words.join(' ').trim();
    const meant = nearestOperation(name, known);
    if (meant !== undefined) return refusal(name, `Did you mean ${meant}? ${ALL}`);
  }
  const [word = ''] = typed.at(-1) ?? [];
  return refusal(typed.length === 1 ? (typed[0] ?? []).join(' ') : word, otherwise);
}

const ALL = 'List all of them: payctl api list';

/** The hint for a run without a description: which profiles have one. */
export function importHint({ profiles }: Pick<Profiles, 'profiles'>): string {
  const names = [...profiles.values()].filter(({ description }) => description).map(({ name }) => name);
  const [first] = names;
  if (first === undefined) return 'No description is imported. Import one: payctl api import FILE';
  const which = names.length === 1 ? `The profile ${first} has` : `The profiles ${listValues(names)} have`;
  return `${which} an imported description: add --profile ${first}.`;
}

function refusal(name: string, hint: string): UsageError {
  return new UsageError('unknown_operation', `There is no operation ${quote(name)}`, { hint });
}

/**
 * The name that the user probably meant: an ID or the words of a command, whatever separates the words.
 * `transactions.captre` is close to `transactions capture`.
 */
function nearestOperation(name: string, operations: readonly Named[]): string | undefined {
  const candidates = new Map<string, string>();
  for (const { id, command, aliases = [] } of operations) {
    for (const each of [id, command, ...aliases])
      if (!candidates.has(plain(each))) candidates.set(plain(each), each);
  }
  candidates.delete('');
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

/** The error for an operation of the description that payctl cannot run. */
export function notRunnable({ id, command, reason }: NotRunOperation): UsageError {
  const name = command === '' ? id : command;
  return new UsageError('not_runnable', `payctl cannot run ${quote(name)}: ${lowerFirst(reason)}`, {
    hint: 'Another program can send the request with a token that payctl signs.',
    tryNext: [`payctl api show ${shellQuote(id)}`, 'payctl auth token --scope SCOPE'],
  });
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
