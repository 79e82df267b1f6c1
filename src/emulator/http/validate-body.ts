import type { ErrorDetail, Schemas } from '../../contract/generated/types.ts';
import { type SchemaError, schemaErrors } from '../../contract/validate-body.ts';

/**
 * Compares a body with its schema of the description, the limits included that it only assumes, so that scripts meet them
 * before they meet the real ones. Gives each error as the service names it in a 400 (specification, Errors, rule 2). Fields
 * that the schema does not name are allowed. Importing this file loads the validators.
 */
export function validateBody(schema: keyof Schemas, value: unknown): ErrorDetail[] {
  return schemaErrors(schema, value).map((error) => ({
    ...typeAndMessage(error),
    pointer: error.instancePath,
    location: 'body',
  }));
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
      return { type: 'value_error.any_str.min_length', message: `must have at least ${limit} characters` };
    case 'maxLength':
      return { type: 'value_error.any_str.max_length', message: `must have at most ${limit} characters` };
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
