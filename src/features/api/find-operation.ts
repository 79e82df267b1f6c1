import type { Profiles } from '../../config/profiles.ts';
import type {
  ImportedDescription,
  IndexedOperation,
  NotRunOperation,
} from '../../descriptions/imported-operation.ts';
import { UsageError } from '../../errors.ts';
import { listValues, quote } from '../../text/format.ts';
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

/** How an operation is looked for. */
export type FindingOptions = {
  /** All of the words are the name. By default further words may follow it. */
  readonly whole?: boolean;
  /** The profiles, one of which may have the description that was meant. */
  readonly profiles: Pick<Profiles, 'profiles'>;
};

/** Words that the longest command has. */
const MOST_WORDS = 12;

/**
 * The operation that the first words name: as many of them as name one, or with `whole` all. They are its operationId, the words
 * of its command or of another name of it, or `METHOD PATH`, in which `{name}` is written as it is described or in any other way.
 * The operations of an imported description come before those of payctl's own contract, then what cannot be run.
 * @throws UsageError `unknown_operation`, which suggests the nearest
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

/** How many of the words may be a name, the most first. */
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

const ALL = 'payctl api list shows all of them.';

/** What to do where a run has no description: a profile may have one. */
export function importHint({ profiles }: Pick<Profiles, 'profiles'>): string {
  const names = [...profiles.values()].filter(({ description }) => description).map(({ name }) => name);
  const [first] = names;
  if (first === undefined) return 'No description was imported: payctl api import FILE';
  const which = names.length === 1 ? `The profile ${first} has` : `The profiles ${listValues(names)} have`;
  return `${which} an imported description: add --profile ${first}.`;
}

function refusal(name: string, hint: string): UsageError {
  return new UsageError('unknown_operation', `There is no operation ${quote(name)}`, { hint });
}

/**
 * The name that was probably meant: an id or the words of a command, also where words are separated in another way.
 * `transactions.captre` is near to `transactions capture`.
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

/** The error for an operation that is described and that payctl cannot run. */
export function notRunnable({ id, command, reason }: NotRunOperation): UsageError {
  const name = command === '' ? id : command;
  return new UsageError('not_runnable', `payctl cannot run ${quote(name)}: ${lowerFirst(reason)}`, {
    hint: `payctl api show ${id} says more. Another program can send it, with a token of payctl auth token.`,
  });
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
