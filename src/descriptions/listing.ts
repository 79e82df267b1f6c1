import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../json/is-object.ts';
import type { ImportedDescription, IndexedOperation } from './imported-operation.ts';

/** A command as help and completion show it. */
export type ListedCommand = Pick<IndexedOperation, 'summary' | 'isDeprecated'>;

/** A command with its name, of one word or more. */
type NamedCommand = ListedCommand & { readonly name: string };

/** The commands of a description by the first word of their names; in a group, short names come first. */
export type CommandListing = {
  readonly title: string;
  readonly groups: Readonly<Record<string, readonly NamedCommand[]>>;
};

/** Operations by the words of their commands; other names of a command come after it. */
export function commandsOf({ operations }: ImportedDescription): ReadonlyMap<string, IndexedOperation> {
  const commands = new Map<string, IndexedOperation>();
  for (const operation of operations) commands.set(operation.command, operation);
  for (const operation of operations) {
    for (const alias of operation.aliases ?? []) if (!commands.has(alias)) commands.set(alias, operation);
  }
  return commands;
}

/** The name of the file that holds the listing of an import, next to its index. */
export const LISTING_FILE = 'listing.json';

/** What an operation is called in a line: its summary, or its method and path where the document says nothing of it. */
export function labelOf({
  summary,
  method,
  path,
}: Pick<IndexedOperation, 'summary' | 'method' | 'path'>): string {
  return summary === '' ? `${method} ${path}` : summary;
}

/** Commands as a listing has them: groups and names in their order in help, so that help and completion sort nothing. */
export function groupsOf(commands: ReadonlyMap<string, IndexedOperation>): CommandListing['groups'] {
  const named = [...commands].map(([name, operation]) => ({
    words: name.split(' ').length,
    command: { name, summary: labelOf(operation), ...(operation.isDeprecated && { isDeprecated: true }) },
  }));
  named.sort((one, other) => one.words - other.words || (one.command.name < other.command.name ? -1 : 1));
  const groups = Object.groupBy(
    named.map(({ command }) => command),
    ({ name }) => name.split(' ')[0] ?? '',
  );
  const entries = Object.entries(groups).map(([word, group = []]) => [word, group] as const);
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The listing without the commands of these names. */
export function withoutCommands({ title, groups }: CommandListing, names: Iterable<string>): CommandListing {
  const taken = new Set(names);
  const left: Record<string, readonly NamedCommand[]> = {};
  for (const word of Object.keys(groups)) {
    const group = groups[word]?.filter(({ name }) => !taken.has(name)) ?? [];
    if (group.length > 0) left[word] = group;
  }
  return { title, groups: left };
}

/** The commands that these words may begin, by their names: of no words, the first of each group. */
export function commandsBelow(
  { groups }: CommandListing,
  [word]: readonly string[],
): ReadonlyMap<string, ListedCommand> {
  const chosen =
    word === undefined
      ? Object.values(groups).flatMap((group) => group.slice(0, 1))
      : Object.hasOwn(groups, word)
        ? groups[word]
        : [];
  return new Map(chosen?.map((command) => [command.name, command]));
}

/** The text of a listing. `bytes` is the size of the index that it belongs to. */
export function listingText(index: ImportedDescription, bytes: number): string {
  return JSON.stringify({ bytes, title: index.title, groups: groupsOf(commandsOf(index)) });
}

/**
 * Reads the commands of an import by their names alone, a quarter of its index. Undefined where there is no listing of the index
 * that is there: an earlier version of payctl wrote none.
 */
export function readListing(folder: string): CommandListing | undefined {
  try {
    const listing: unknown = JSON.parse(readFileSync(join(folder, LISTING_FILE), 'utf8'));
    if (!isObject(listing) || typeof listing.title !== 'string' || !isObject(listing.groups))
      return undefined;
    if (statSync(join(folder, 'index.json')).size !== listing.bytes) return undefined;
    return { title: listing.title, groups: listing.groups as CommandListing['groups'] };
  } catch {
    return undefined;
  }
}
