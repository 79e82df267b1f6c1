import { createHash } from 'node:crypto';
import { readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { PayctlError, UsageError } from '../errors.ts';
import { LIMITS } from '../files/read-file.ts';
import { readInputFile, unreadableInput } from '../files/read-input.ts';
import type { BuiltInCommands } from './command-names.ts';
import type { ImportedDescription } from './imported-operation.ts';
import { descriptionsFolder, importFolder, keepInMemory, readIndex, SCHEMA_VERSION } from './read-store.ts';

/** Changes when imports read something else from a document: payctl then imports files again that an earlier version read. */
const READING = 8;

/** The number of files whose imports are kept. */
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
 * The import of a file, which is made at its first use, in a folder that is named by the path, size, time and inode of the file, so that
 * a later run does not read it. Where it cannot be stored, such as in a home that is read-only, each run makes it in memory.
 * @throws UsageError `unreadable_file`, and as `importDescription`
 */
export async function importOnce(
  dataDirectory: string,
  path: string,
  options: FileImportOptions,
): Promise<FileImport> {
  const name = `file-${keyOf(path, options.name)}`;
  const known = intactImport(importFolder(dataDirectory, name));
  if (known) return known;
  const [{ importDescription }, { encodeImport, storeImport }] = await Promise.all([
    import('./import-description.ts'),
    import('./store.ts'),
  ]);
  const text = await readDescriptionFile(path, options);
  const imported = await importDescription(text, { file: basename(path), builtIn: options.builtIn() });
  try {
    storeImport(dataDirectory, imported, name);
    forgetOldest(descriptionsFolder(dataDirectory));
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
function intactImport(folder: string): FileImport | undefined {
  try {
    return openImport(folder);
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
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

function keyOf(path: string, name: string): string {
  try {
    const { size, mtimeNs, ino, dev } = statSync(path, { bigint: true });
    const parts = [realpathSync(path), size, mtimeNs, ino, dev, SCHEMA_VERSION, READING];
    return createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 32);
  } catch (error) {
    throw unreadableInput(`${name} cannot read the file ${path}`, error);
  }
}

/** Removes the oldest imports of files. Another run may do the same. */
function forgetOldest(folder: string): void {
  const imports = readdirSync(folder).filter((name) => name.startsWith('file-'));
  const ages = imports.map((name) => {
    const age = statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return { path: join(folder, name), age };
  });
  for (const { path } of ages.toSorted((a, b) => b.age - a.age).slice(MOST_FILES))
    rmSync(path, { recursive: true, force: true });
}
