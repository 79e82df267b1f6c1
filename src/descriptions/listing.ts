import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../json/is-object.ts';
import type { ImportedDescription, IndexedOperation } from './imported-operation.ts';

/** What help and completion say of a command. */
export type ListedCommand = Pick<IndexedOperation, 'summary' | 'isDeprecated'>;

/** The commands of a description by their words. */
export type CommandListing<Command extends ListedCommand = ListedCommand> = {
  readonly title: string;
  readonly commands: ReadonlyMap<string, Command>;
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

/** The name of the file that holds the listing of an import, beside its index. */
export const LISTING_FILE = 'listing.json';

/** The text of a listing, which belongs to an index of so many bytes: three values for each command. */
export function listingText(index: ImportedDescription, bytes: number): string {
  const commands = [...commandsOf(index)].map(([words, { summary, isDeprecated = false }]) => [
    words,
    summary,
    isDeprecated ? 1 : 0,
  ]);
  return JSON.stringify({ bytes, title: index.title, commands: commands.flat() });
}

/**
 * Reads the commands of an import by their names alone, a quarter of its index. Undefined where there is no listing of the index
 * that is there: an earlier version of payctl wrote none.
 */
export function readListing(folder: string): CommandListing | undefined {
  try {
    const listing: unknown = JSON.parse(readFileSync(join(folder, LISTING_FILE), 'utf8'));
    if (!isObject(listing) || !Array.isArray(listing.commands) || typeof listing.title !== 'string')
      return undefined;
    if (statSync(join(folder, 'index.json')).size !== listing.bytes) return undefined;
    const commands = new Map<string, ListedCommand>();
    for (let at = 0; at < listing.commands.length; at += 3) {
      const words = listing.commands[at];
      const summary = listing.commands[at + 1];
      if (typeof words !== 'string' || typeof summary !== 'string') return undefined;
      commands.set(words, listing.commands[at + 2] === 1 ? { summary, isDeprecated: true } : { summary });
    }
    return { title: listing.title, commands };
  } catch {
    return undefined;
  }
}
