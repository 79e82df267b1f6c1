import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../errors.ts';
import { fileErrorReason } from '../files/file-error.ts';
import { isObject } from '../json/is-object.ts';
import { completeOperation } from './complete-operation.ts';
import type { ImportedDescription, ImportedOperation, IndexedOperation } from './imported-operation.ts';
import type { Definitions, Schema } from './schema-keywords.ts';

/** Part of the name of a stored import: what an earlier version stored in another form is not read. */
export const SCHEMA_VERSION = 1;

/** The folder of all imports. */
export function descriptionsFolder(dataDirectory: string): string {
  return join(dataDirectory, 'descriptions');
}

/** Absolute path of the folder of one import; `name` is what `storeImport` returned. */
export function importFolder(dataDirectory: string, name: string): string {
  return join(descriptionsFolder(dataDirectory), name);
}

/** Whether an import was stored in the form that this version reads. */
export function isReadable(name: string): boolean {
  return new RegExp(`^[0-9a-f]{32}-${SCHEMA_VERSION}$`).test(name);
}

type Position = readonly [offset: number, length: number];
type StoredIndex = ImportedDescription & {
  readonly data: { readonly file: string; readonly table: Position };
};

/** Where the data of an index are; kept apart, so that an index can be printed. */
const dataOf = new WeakMap<object, StoredIndex['data']>();

/**
 * Reads the index of the import in a folder.
 * @throws UsageError `description_missing`, `description_damaged`
 */
export function readIndex(folder: string): ImportedDescription {
  const index = parse(folder, () => readFileSync(join(folder, 'index.json'), 'utf8'));
  if (!isStoredIndex(index)) throw damaged(folder);
  const { data, ...description } = index;
  for (const part of [description, ...description.operations]) dataOf.set(part, data);
  return description;
}

function isStoredIndex(value: unknown): value is StoredIndex {
  if (!isObject(value) || !Array.isArray(value.operations) || !Array.isArray(value.issues)) return false;
  const { data } = value;
  return isObject(data) && /^[0-9a-f]+\.data$/.test(String(data.file)) && isPosition(data.table);
}

function isPosition(value: unknown): value is Position {
  return (
    Array.isArray(value) && value.length >= 2 && value.slice(0, 2).every((part) => Number.isSafeInteger(part))
  );
}

type StoredSchema = { readonly schema: Schema; readonly references: readonly string[] };
type StoredOperation = {
  readonly operation: ImportedOperation;
  readonly request?: StoredSchema;
  readonly response?: StoredSchema;
};
type Table = Readonly<
  Record<string, readonly [offset: number, length: number, references: readonly string[]]>
>;

/** Which schemas of an operation are wanted. By default both are. */
export type WantedSchemas = { readonly request?: boolean; readonly response?: boolean };

/**
 * Reads one operation of the index that `readIndex` gave, with its schemas: each holds below `$defs` what it refers to. A body
 * needs no member that is marked `readOnly`.
 * @throws UsageError `description_missing`, `description_damaged`
 */
export function readOperation(
  folder: string,
  indexed: IndexedOperation,
  { request = true, response = true }: WantedSchemas = {},
): ImportedOperation {
  const data = dataOf.get(indexed);
  if (!data || !isPosition(indexed.at)) throw damaged(folder);
  const file = openData(folder, data.file);
  try {
    const stored = file.read<StoredOperation>(indexed.at);
    const wanted = {
      ...(request && { request: stored.request }),
      ...(response && { response: stored.response }),
    };
    const isAlone = Object.values(wanted).every((schema) => !schema || schema.references.length === 0);
    const table = isAlone ? {} : file.read<Table>(data.table);
    return completeOperation({ operation: stored.operation, ...wanted }, (name) => {
      const [offset, length, references] = (Object.hasOwn(table, name) ? table[name] : undefined) ?? [];
      if (offset === undefined || length === undefined || !references) return undefined;
      return { schema: file.read([offset, length]), references };
    });
  } finally {
    file.close();
  }
}

/**
 * Reads everything of the import whose index `readIndex` gave.
 * @throws UsageError `description_missing`, `description_damaged`
 */
export function readImport(folder: string, index: ImportedDescription): StoredImport {
  const data = dataOf.get(index);
  if (!data) throw damaged(folder);
  const file = openData(folder, data.file);
  try {
    const records = index.operations.map(({ at }) => {
      if (!isPosition(at)) throw damaged(folder);
      return file.read<StoredOperation>(at);
    });
    const table = Object.entries(file.read<Table>(data.table));
    const definitions = table.map(([name, [offset, length, references]]) => {
      const schema = file.read<Schema>([offset, length]);
      return [name, { schema, references: new Set(references) }] as const;
    });
    return { records, definitions: new Map(definitions) };
  } finally {
    file.close();
  }
}

/** The operations of an import in the order of its index, and what their schemas refer to. */
export type StoredImport = {
  readonly records: readonly StoredOperation[];
  readonly definitions: Definitions;
};

type OpenData = { readonly read: <Value>(position: Position) => Value; readonly close: () => void };

function openData(folder: string, name: string): OpenData {
  const descriptor = attempt(folder, () => openSync(join(folder, name), 'r'));
  return {
    read: <Value>([offset, length]: Position) =>
      parse(folder, () => {
        const buffer = Buffer.alloc(length);
        const count = readSync(descriptor, buffer, 0, length, offset);
        return buffer.toString('utf8', 0, count);
      }) as Value,
    close: () => closeSync(descriptor),
  };
}

function parse(folder: string, read: () => string): unknown {
  const text = attempt(folder, read);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw damaged(folder, cause);
  }
}

function attempt<Value>(folder: string, read: () => Value): Value {
  try {
    return read();
  } catch (cause) {
    throw new UsageError(
      'description_missing',
      `The imported description in ${folder} cannot be read: ${fileErrorReason(cause)}`,
      {
        hint: 'Import it again: payctl api import FILE',
        cause,
      },
    );
  }
}

function damaged(folder: string, cause?: unknown): UsageError {
  return new UsageError('description_damaged', `The imported description in ${folder} is damaged`, {
    hint: 'Import it again: payctl api import FILE',
    cause,
  });
}
