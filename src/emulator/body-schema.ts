import description from '../contract/document.json' with { type: 'json' };
import type { Schemas } from '../contract/types.ts';

/** The words of JSON Schema that the bodies of the contract are described with. */
export type BodySchema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, BodySchema>>;
  readonly items?: BodySchema;
  readonly anyOf?: readonly BodySchema[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
};

const schemas: Readonly<Record<string, unknown>> = description.components.schemas;
const referencePrefix = '#/components/schemas/';

/** A schema of the description by its name. Importing this file loads the whole description. */
export function bodySchema(name: keyof Schemas): BodySchema {
  return schemas[name] as BodySchema;
}

/** Follows `$ref` to the schema that it names. */
export function resolveSchema(schema: BodySchema): BodySchema {
  if (schema.$ref === undefined) return schema;
  return bodySchema(schema.$ref.slice(referencePrefix.length) as keyof Schemas);
}
