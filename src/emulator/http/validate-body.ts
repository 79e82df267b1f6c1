import description from '../../contract/generated/description.json' with { type: 'json' };
import type { ErrorDetail, Schemas } from '../../contract/generated/types.ts';
import { type SchemaError, schemaErrors } from '../../contract/validate-body.ts';
import { plural } from '../../text/format.ts';

/**
 * Compares a body with its schema of the description, the limits included that it only assumes, so that scripts meet them
 * before they meet the real ones. Gives each error as the service names it in a 400 (specification, Errors, rule 2). Fields
 * that the schema does not name are allowed. Importing this file loads the validators and the description.
 */
export function validateBody(schema: keyof Schemas, value: unknown): ErrorDetail[] {
  return schemaErrors(schema, value).map((error) => ({
    ...typeAndMessage(error),
    pointer: error.instancePath,
    location: 'body',
  }));
}

type Schema = {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
};

const schemas: Readonly<Record<string, Schema>> = description.components.schemas as object as Record<
  string,
  Schema
>;

/**
 * The part of a valid body that its schema names, as it is stored: members that the schema does not know are left out, and
 * at any depth below the body's own members those that are null, as the service has no nulls. Free objects stay whole.
 */
export function knownPart(schema: keyof Schemas, body: object): object {
  const { properties = {} } = schemas[schema] ?? {};
  const members = Object.entries(body).filter(([name]) => Object.hasOwn(properties, name));
  return Object.fromEntries(members.map(([name, value]) => [name, part(properties[name], value)]));
}

function part(declared: Schema | undefined, value: unknown): unknown {
  const { properties, items } = resolve(declared);
  if (Array.isArray(value)) return value.map((item) => part(items, item));
  if (properties === undefined || typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(
    ([name, member]) => member !== null && Object.hasOwn(properties, name),
  );
  return Object.fromEntries(members.map(([name, member]) => [name, part(properties[name], member)]));
}

/** Follows references, and takes the form that is not null. */
function resolve(schema: Schema = {}): Schema {
  if (schema.$ref !== undefined) return resolve(schemas[schema.$ref.replace(/^.*\//, '')]);
  return schema.anyOf === undefined ? schema : resolve(schema.anyOf[0]);
}

function typeAndMessage({ keyword, params, data, message = '' }: SchemaError): {
  readonly type: string;
  readonly message: string;
} {
  const limit = String(params.limit ?? params.pattern);
  switch (keyword) {
    case 'type':
      return typeError([params.type].flat() as readonly string[], data);
    case 'minLength':
      return {
        type: 'value_error.any_str.min_length',
        message: `must have at least ${plural(Number(limit), 'character')}`,
      };
    case 'maxLength':
      return {
        type: 'value_error.any_str.max_length',
        message: `must have at most ${plural(Number(limit), 'character')}`,
      };
    case 'pattern':
      return { type: 'value_error.str.regex', message: `must match ${limit}` };
    case 'format':
      return formatError(String(params.format));
    default:
      return { type: `value_error.${keyword}`, message };
  }
}

function typeError(allowed: readonly string[], value: unknown): { type: string; message: string } {
  if (value === null) return { type: 'type_error.none.not_allowed', message: 'must not be null' };
  const wanted = allowed.find((name) => name !== 'null') ?? 'null';
  const article = /^[aio]/.test(wanted) ? 'an' : 'a';
  return { type: `type_error.${wanted}`, message: `must be ${article} ${wanted}` };
}

function formatError(format: string): { type: string; message: string } {
  return format === 'date'
    ? { type: 'value_error.date', message: 'must be a date such as 2026-02-28' }
    : {
        type: 'value_error.datetime',
        message: 'must be a date and time with an offset, such as 2026-02-28T09:30:00+00:00',
      };
}
