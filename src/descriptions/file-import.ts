import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { PayctlError, UsageError } from '../errors.ts';
import { makeDirectory } from '../files/make-directory.ts';
import { replaceFile } from '../files/private-files.ts';
import { LIMITS } from '../files/read-file.ts';
import { readInputFile, unreadableInput } from '../files/read-input.ts';
import { isObject } from '../json/is-object.ts';
import type { BuiltInCommands } from './command-names.ts';
import type { ImportedDescription } from './imported-operation.ts';
import {
  descriptionsFolder,
  importFolder,
  isReadable,
  keepInMemory,
  readIndex,
  SCHEMA_VERSION,
} from './read-store.ts';

/** Changes when imports read something else from a document: payctl then imports files again that an earlier version read. */
const READING = 7;

/** The number of files whose imports are remembered. */
const MOST_FILES = 20;

/** An import, and the folder that its operations are read from. */
export type FileImport = { readonly folder: string; readonly index: ImportedDescription };

/** What the import of a file needs. */
export type FileImportOptions = {
  /** The setting that names the file, such as `PAYCTL_DESCRIPTION`, for messages. */
  readonly name: string;
  /** Called only if the file has to be imported. */
  readonly builtIn: () => BuiltInCommands;
  readonly signal?: AbortSignal | undefined;
};

/**
 * The import of a file, which is made at its first use; it is recognised by its path, size, time and inode, so that a later run
 * does not read it. Where it cannot be stored, such as in a home that is read-only, each run makes it in memory.
 * @throws UsageError `unreadable_file`, and as `importDescription`
 */
export async function importOnce(
  dataDirectory: string,
  path: string,
  options: FileImportOptions,
): Promise<FileImport> {
  const note = join(notesFolder(dataDirectory), `${keyOf(path, options.name)}.json`);
  const known = intactImport(dataDirectory, folderNoted(note));
  if (known) return known;
  const [{ importDescription }, { encodeImport, storeImport }] = await Promise.all([
    import('./import-description.ts'),
    import('./store.ts'),
  ]);
  const text = await readDescriptionFile(path, options);
  const imported = await importDescription(text, { file: basename(path), builtIn: options.builtIn() });
  try {
    const name = storeImport(dataDirectory, imported);
    takeNote(dataDirectory, note, name);
    return openImport(importFolder(dataDirectory, name));
  } catch (error) {
    if (!(error instanceof PayctlError)) throw error;
    return openImport(keepInMemory(encodeImport(imported)));
  }
}

function openImport(folder: string): FileImport {
  return { folder, index: readIndex(folder) };
}

/** Opens the import in a folder; undefined if it is gone or damaged. */
function intactImport(dataDirectory: string, name: string | undefined): FileImport | undefined {
  if (name === undefined) return undefined;
  try {
    return openImport(importFolder(dataDirectory, name));
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

/** Remembers the import of a file, as far as there is room for the note. */
function takeNote(dataDirectory: string, note: string, folder: string): void {
  try {
    makeDirectory(notesFolder(dataDirectory));
    replaceFile(note, JSON.stringify({ folder }));
    forgetOldest(dataDirectory);
  } catch {
    // The next run imports the file again.
  }
}

/** The text of a description. @throws UsageError `unreadable_file` */
export async function readDescriptionFile(
  path: string,
  { name, signal }: { readonly name: string; readonly signal?: AbortSignal | undefined },
): Promise<string> {
  try {
    return (await readInputFile(path, { limit: LIMITS.description, signal })).text;
  } catch (error) {
    throw unreadableInput(`${name} cannot read the file ${path}`, error);
  }
}

/** The folders with imports of files that were imported at their first use. */
export function foldersOfFiles(dataDirectory: string): readonly string[] {
  const folder = notesFolder(dataDirectory);
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((note) => folderNoted(join(folder, note)) ?? []);
}

function notesFolder(dataDirectory: string): string {
  return join(descriptionsFolder(dataDirectory), 'files');
}

function keyOf(path: string, name: string): string {
  try {
    const { size, mtimeNs, ino, dev } = statSync(path, { bigint: true });
    const parts = [realpathSync(path), size, mtimeNs, ino, dev, SCHEMA_VERSION, READING];
    return createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 32);
  } catch (error) {
    throw unreadableInput(`${name} cannot read the file ${path}`, error);
  }
}

function folderNoted(note: string): string | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(note, 'utf8'));
    const { folder } = isObject(value) ? value : {};
    return typeof folder === 'string' && isReadable(folder) ? folder : undefined;
  } catch {
    return undefined;
  }
}

function forgetOldest(dataDirectory: string): void {
  const folder = notesFolder(dataDirectory);
  const notes = readdirSync(folder).map((name) => ({ name, age: statSync(join(folder, name)).mtimeMs }));
  for (const { name } of notes.toSorted((a, b) => b.age - a.age).slice(MOST_FILES))
    rmSync(join(folder, name), { force: true });
}
