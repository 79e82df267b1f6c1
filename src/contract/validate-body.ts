import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import description from './generated/description.json' with { type: 'json' };
import type { Schemas } from './generated/types.ts';

/** An error of JSON Schema: its keyword and parameters, the pointer to the value, and the value itself as `data`. */
export type SchemaError = ErrorObject;

/** One place where a body breaks the contract. */
export type BodyIssue = {
  /** JSON pointer to the invalid value; empty for the body itself. */
  readonly pointer: string;
  /** What it must be, as half a sentence. */
  readonly message: string;
  /** The keyword of JSON Schema that is broken. */
  readonly keyword: string;
};

const formats = { date: isDate, 'date-time': isDateTime };
const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true, formats });
ajv.addSchema(description, 'contract');

/**
 * Compares a request body with its schema in the description: types, lengths, patterns. Dates and times are left to the
 * service, and fields that the contract does not name are allowed. Loads the validator and the description, so it is for
 * requests that have a body.
 */
export function validateBody(schema: keyof Schemas, body: unknown): readonly BodyIssue[] {
  return schemaErrors(schema, body)
    .filter(({ keyword }) => keyword !== 'format')
    .map(toIssue);
}

/**
 * Everything that breaks a schema, the formats of dates and times included: a schema of the description, or one of the
 * caller's own.
 */
export function schemaErrors(schema: keyof Schemas | object, value: unknown): readonly SchemaError[] {
  const validate =
    typeof schema === 'string'
      ? ajv.getSchema(`contract#/components/schemas/${schema}`)
      : ajv.compile(schema);
  if (!validate) throw new TypeError(`the description has no schema ${String(schema)}`);
  return validate(value) ? [] : (validate.errors ?? []).filter(isRelevant);
}

/** Whether the calendar has the day, which `Date` makes another one of where it has not. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

const time = /^T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

function isDateTime(text: string): boolean {
  return isDate(text.slice(0, 10)) && time.test(text.slice(10));
}

/** Of a value that may be null, the issue of its other form is enough. */
function isRelevant({ keyword, params, schemaPath }: ErrorObject): boolean {
  const isNullForm = keyword === 'type' && params.type === 'null' && schemaPath.includes('/anyOf/');
  return keyword !== 'anyOf' && !isNullForm;
}

function toIssue({
  instancePath,
  keyword,
  params,
  message = 'does not match the API contract',
}: ErrorObject): BodyIssue {
  if (keyword === 'required') {
    return {
      pointer: `${instancePath}/${String(params.missingProperty)}`,
      message: 'is required',
      keyword,
    };
  }
  if (keyword === 'type') {
    return { pointer: instancePath, message: `must be ${[params.type].flat().join(' or ')}`, keyword };
  }
  return { pointer: instancePath, message, keyword };
}
