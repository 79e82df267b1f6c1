import { isObject } from '../src/json/is-object.ts';
import { mapParts } from '../src/schemas/schema-at.ts';
import { literal } from './generate-operations.ts';

/** The text of src/contract/generated/body-schemas.ts, without its notice: of bodies with schemas of these names. */
export function bodySchemasText(schemas: Readonly<Record<string, object>>, names: readonly string[]): string {
  const needed = new Set(names);
  const definitions: Record<string, unknown> = {};
  // What a schema refers to is visited, too.
  for (const name of needed) {
    const schema = withLimitsApart(schemas[name]);
    definitions[name] = schema;
    for (const [, other = ''] of JSON.stringify(schema).matchAll(/"#\/\$defs\/(\w+)"/g)) needed.add(other);
  }
  const entries = names.map((name) => `  ${name}: { $ref: '#/$defs/${name}', $defs },\n`);
  return `
const $defs = ${literal(definitions)};

/**
 * The schema of each request body by its name, as JSON Schema 2020-12 with everything that it refers to below \`$defs\`. What only
 * the service checks is in \`x-left-to-service\`: the formats of dates and times, and limits that the description only assumes.
 */
export const bodySchemas = {
${entries.join('')}};

/** The name of the schema of a request body. */
export type BodySchemaName = keyof typeof bodySchemas;
`;
}

/** A schema without its notes, with the limits that payctl leaves to the service apart from the others. */
function withLimitsApart(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const { description: _, 'x-personal-data': __, 'x-assumed': assumed, format, ...rest } = schema;
  const left = { ...(isObject(assumed) && assumed), ...(format !== undefined && { format }) };
  return {
    ...mapParts(rest, withLimitsApart),
    ...(Object.keys(left).length > 0 && { 'x-left-to-service': left }),
  };
}
