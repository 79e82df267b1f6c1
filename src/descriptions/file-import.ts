import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { PayctlError } from '../errors.ts';
import { fileErrorReason } from '../files/file-error.ts';
import { replaceFile } from '../files/private-files.ts';
import { LIMITS } from '../files/read-file.ts';
import { readInputFile, unreadableInput } from '../files/read-input.ts';
import { isObject } from '../json/is-object.ts';
import type { BuiltInCommands } from './command-names.ts';
import { descriptionsFolder, importFolder, isReadable, SCHEMA_VERSION } from './read-store.ts';

/** How many files are remembered. */
const MOST_FILES = 20;

/** What an import of a file is told. */
export type FileImportOptions = {
  /** What names the file in messages, such as `PAYCTL_DESCRIPTION`. */
  readonly name: string;
  /** Asked only where the file has to be imported. */
  readonly builtIn: () => BuiltInCommands;
  readonly signal?: AbortSignal | undefined;
};

/**
 * The folder of the import of a file, which is imported at its first use; it is recognised by its path, size, time and inode, so that a later
 * run does not read it.
 * @throws UsageError `unreadable_file`, and as `importDescription`; PayctlError `description_unwritable`
 */
export async function importOnce(
  dataDirectory: string,
  path: string,
  options: FileImportOptions,
): Promise<string> {
  const note = join(notesFolder(dataDirectory), `${keyOf(path, options.name)}.json`);
  const known = folderNoted(note);
  if (known !== undefined) {
    const folder = importFolder(dataDirectory, known);
    if (existsSync(join(folder, 'index.json'))) return folder;
  }
  const [{ importDescription }, { storeImport }] = await Promise.all([
    import('./import-description.ts'),
    import('./store.ts'),
  ]);
  const text = await readDescriptionFile(path, options);
  const imported = await importDescription(text, { file: basename(path), builtIn: options.builtIn() });
  const name = storeImport(dataDirectory, imported);
  try {
    mkdirSync(notesFolder(dataDirectory), { recursive: true, mode: 0o700 });
    replaceFile(note, JSON.stringify({ folder: name }));
    forgetOldest(dataDirectory);
  } catch (cause) {
    const message = `${note} cannot be written: ${fileErrorReason(cause)}`;
    throw new PayctlError('description_unwritable', message, { cause });
  }
  return importFolder(dataDirectory, name);
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

/** The folders that files refer to which were imported at their first use. */
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
    const parts = [realpathSync(path), size, mtimeNs, ino, dev, SCHEMA_VERSION];
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
