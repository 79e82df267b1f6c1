import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../errors.ts';
import { fileErrorReason } from '../files/file-error.ts';
import { isObject } from '../json/is-object.ts';
import type { ImportedDescription, ImportedOperation, IndexedOperation } from './imported-operation.ts';

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
  for (const operation of description.operations) dataOf.set(operation, data);
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

type StoredSchema = { readonly schema: unknown; readonly references: readonly string[] };
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
    const wanted = [request && stored.request, response && stored.response].filter(Boolean) as StoredSchema[];
    const isAlone = wanted.every(({ references }) => references.length === 0);
    const table = isAlone ? {} : file.read<Table>(data.table);
    const whole = (schema: StoredSchema) => withDefinitions(schema, table, file);
    return {
      ...stored.operation,
      ...(request && stored.request && { requestSchema: withoutReadOnly(whole(stored.request)) }),
      ...(response && stored.response && { responseBodySchema: whole(stored.response) }),
    };
  } finally {
    file.close();
  }
}

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

/** The schema with every definition that it refers to, directly or by way of others. */
function withDefinitions({ schema, references }: StoredSchema, table: Table, file: OpenData): unknown {
  const definitions = new Map<string, unknown>();
  const waiting = [...references];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const entry = Object.hasOwn(table, name) ? table[name] : undefined;
    if (!entry || definitions.has(name)) continue;
    definitions.set(name, file.read([entry[0], entry[1]]));
    waiting.push(...entry[2]);
  }
  if (definitions.size === 0 || !isObject(schema)) return schema;
  return { ...schema, $defs: Object.fromEntries(definitions) };
}

/** A body without the demand for members that only the service writes. */
function withoutReadOnly(whole: unknown): unknown {
  const definitions = isObject(whole) && isObject(whole.$defs) ? whole.$defs : {};
  const isReadOnly = (schema: unknown): boolean => {
    if (!isObject(schema)) return false;
    if (schema.readOnly === true) return true;
    const target =
      typeof schema.$ref === 'string' ? definitions[schema.$ref.slice('#/$defs/'.length)] : undefined;
    return isObject(target) && target.readOnly === true;
  };
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (!isObject(value)) return value;
    const { properties, required } = value;
    const members = Object.entries(value).map(([name, part]) => [name, visit(part)]);
    if (!isObject(properties) || !Array.isArray(required)) return Object.fromEntries(members);
    const needed = required.filter(
      (name) => !(Object.hasOwn(properties, name) && isReadOnly(properties[name])),
    );
    return { ...Object.fromEntries(members), required: needed };
  };
  return visit(whole);
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
