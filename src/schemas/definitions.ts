import { definitionName } from './schema-at.ts';

/** A JSON Schema of 2020-12. */
export type AnySchema = boolean | { readonly [keyword: string]: unknown };

/** A schema as JSON Schema 2020-12, and the names of the definitions that it refers to below `#/$defs/`. */
export type ConvertedSchema = { readonly schema: AnySchema; readonly references: readonly string[] };

/** The name of the definition that a schema refers to; undefined if it refers to none. */
export function nameOfSchema(converted: ConvertedSchema | null | undefined): string | undefined {
  return typeof converted?.schema === 'object' ? definitionName(converted.schema.$ref) : undefined;
}

/** Every definition that a schema refers to, directly or by way of others, by its name. */
export type Definitions = ReadonlyMap<string, ConvertedSchema>;
