import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PayctlError } from '../errors.ts';
import { fileErrorReason } from '../files/file-error.ts';
import { makeDirectory } from '../files/make-directory.ts';
import { replaceFile } from '../files/private-files.ts';
import type { Import } from './import-description.ts';
import type { OperationModel } from './imported-operation.ts';
import { LISTING_FILE, listingText } from './listing.ts';
import {
  descriptionsFolder,
  type EncodedImport,
  indexText,
  type Position,
  SCHEMA_VERSION,
  sumOf,
} from './read-store.ts';

/** How long an import that no profile refers to is left alone, in milliseconds: another run may be about to refer to it. */
const GRACE_MS = 60 * 60 * 1000;

/**
 * Stores an import below the data directory and returns the name of its folder, which by default follows from the document alone. The
 * index is written last, in one step: a reader finds all of it or nothing, and imports at the same time write the same.
 * @throws PayctlError `description_unwritable`
 */
export function storeImport(
  dataDirectory: string,
  imported: Import,
  name = `${imported.index.hash.slice(0, 32)}-${SCHEMA_VERSION}`,
): string {
  const { index, text } = encodeImport(imported);
  const { file } = index.data;
  const folder = join(descriptionsFolder(dataDirectory), name);
  try {
    makeDirectory(folder);
    replaceFile(join(folder, file), text);
    const stored = indexText(index);
    replaceFile(join(folder, LISTING_FILE), listingText(index, Buffer.byteLength(stored)));
    replaceFile(join(folder, 'index.json'), stored);
    for (const other of readdirSync(folder)) {
      if (other.endsWith('.data') && other !== file) rmSync(join(folder, other), { force: true });
    }
  } catch (cause) {
    throw new PayctlError(
      'description_unwritable',
      `${folder} cannot be written: ${fileErrorReason(cause)}`,
      {
        hint: 'Make it writable, or set PAYCTL_CONFIG_DIR to another directory.',
        cause,
      },
    );
  }
  return name;
}

/** Writes an import as it is stored: documents one after the other, each found by its offset and length. */
export function encodeImport({ index, records, definitions }: Import): EncodedImport {
  let text = '';
  let offset = 0;
  const add = (value: unknown): Position => {
    const added = JSON.stringify(value);
    const bytes = Buffer.from(added);
    const at = [offset, bytes.length, sumOf(bytes)] as const;
    text += `${added}\n`;
    offset += bytes.length + 1;
    return at;
  };
  const positions = records.map(add);
  const model = add(records.map(({ operation }) => modelIn(operation)));
  const located = [...definitions].map(([key, { schema, references }]) => [key, [add(schema), references]]);
  const table = add(Object.fromEntries(located));
  const file = `${createHash('sha256').update(text).digest('hex').slice(0, 16)}.data`;
  const operations = index.operations.map((operation, number) => {
    const at = positions[number];
    return at === undefined ? operation : { ...operation, at };
  });
  return { index: { ...index, data: { file, table, model }, operations }, text };
}

/** What is undefined has no place in JSON. */
function modelIn({ action, resource, recordId, key, newStatus, record }: OperationModel): object {
  return { action, resource, recordId, key, newStatus, record };
}

/** What `removeUnused` keeps in addition to the imports in use. */
export type RemoveOptions = {
  /** Folder of an import that is removed whatever its age. */
  readonly forgotten?: string | undefined;
  readonly now?: number;
};

/**
 * Removes the imports that are not among those in use, unless they are of the last hour. Returns the folders that are gone; what
 * cannot be removed stays.
 */
export function removeUnused(
  dataDirectory: string,
  used: ReadonlySet<string>,
  { forgotten, now = Date.now() }: RemoveOptions = {},
): readonly string[] {
  const folder = descriptionsFolder(dataDirectory);
  if (!existsSync(folder)) return [];
  const unused = readdirSync(folder).filter((name) => /^[0-9a-f]{32}-\d+$/.test(name) && !used.has(name));
  return unused.flatMap((name) => {
    const path = join(folder, name);
    try {
      if (name !== forgotten && now - statSync(path).mtimeMs <= GRACE_MS) return [];
      rmSync(path, { recursive: true, force: true });
      return [path];
    } catch {
      return [];
    }
  });
}
