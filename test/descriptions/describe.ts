import { completeOperation } from '../../src/descriptions/complete-operation.ts';
import {
  type Import,
  type ImportOptions,
  importDescription,
} from '../../src/descriptions/import-description.ts';
import type { ImportedOperation } from '../../src/descriptions/imported-operation.ts';

/** Any JSON object. */
export type Json = Readonly<Record<string, unknown>>;

/** A description with these paths. */
export function document(paths: Json, others: Json = {}): Json {
  return { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths, ...others };
}

/** Imports a document. */
export async function imported(value: Json, options: Partial<ImportOptions> = {}): Promise<Import> {
  return await importDescription(JSON.stringify(value), { file: 'd.json', now: new Date(0), ...options });
}

/** The only operation of an import, with its schemas. */
export function only({ records, definitions }: Import): ImportedOperation {
  const [record] = records;
  if (!record || records.length > 1) throw new Error(`${records.length} operations`);
  return completeOperation(record, (name) => definitions.get(name));
}

/** The issues of an import, as `code pointer`. */
export function codes({ index }: Import): string[] {
  return index.issues.map(
    ({ code, pointer, isSkipped }) => `${isSkipped ? 'skipped ' : ''}${code} ${pointer}`,
  );
}

/** An answer of a status with a JSON schema. */
export function answer(schema: unknown, status = '200'): Json {
  return { [status]: { description: 'D', content: { 'application/json': { schema } } } };
}

/** `get` on `/things` with these members. */
export function get(operation: Json, others: Json = {}): Json {
  return document({ '/things': { get: { responses: {}, ...operation } } }, others);
}
