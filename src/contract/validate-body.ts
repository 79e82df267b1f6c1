import { integerProblem, isOtherNumber, withFractions } from '../json/integers.ts';
import { nameOfSegment } from '../json/pointer.ts';
import type { CompiledError } from './compiled-schema.ts';
import { ASSUMED, validators } from './generated/validators.ts';

/** An error of JSON Schema with the value that it is about. */
export type SchemaError = CompiledError & { readonly data: unknown };

/** One place where a body breaks the contract. */
export type BodyIssue = {
  /** JSON pointer to the invalid value; empty for the body itself. */
  readonly pointer: string;
  /** What it must be, as half a sentence. */
  readonly message: string;
  /** The keyword of JSON Schema that is broken. */
  readonly keyword: string;
};

/**
 * Compares a request body with its schema in the description: types, lengths, patterns. Dates and times are left to the
 * service, as are limits that the description only assumes (`x-assumed`), and fields that the contract does not name are
 * allowed. `schema` is the name of the schema of a request body.
 */
export function validateBody(schema: string, body: unknown): readonly BodyIssue[] {
  return schemaErrors(schema, body)
    .filter(({ keyword, schemaPath }) => keyword !== 'format' && !ASSUMED.has(schemaPath))
    .map(toIssue);
}

/**
 * The numbers of a body that are written in another form than an integer has, such as `5.00`, where the contract takes only
 * integers. The body has its numbers as they were written.
 */
export function integerIssues(schema: string, body: unknown): readonly BodyIssue[] {
  const marked = withFractions(body);
  if (marked === undefined) return [];
  return schemaErrors(schema, marked).flatMap(({ keyword, params, instancePath: pointer }) => {
    const value = valueAt(body, pointer);
    const isWrong = keyword === 'type' && [params.type].flat().includes('integer') && isOtherNumber(value);
    return isWrong ? [{ pointer, message: integerProblem(value), keyword }] : [];
  });
}

/** JSON pointers to the values of a body that the contract takes only integers for, and that are of another type. */
export function placesOfIntegers(schema: string, body: unknown): ReadonlySet<string> {
  const errors = schemaErrors(schema, body).filter(({ keyword, params }) => {
    const types = keyword === 'type' ? [params.type].flat() : [];
    return types.includes('integer') && !types.includes('number');
  });
  return new Set(errors.map(({ instancePath }) => instancePath));
}

/** Everything that breaks the schema of a request body, the formats of dates and times and assumed limits included. */
export function schemaErrors(schema: string, value: unknown): readonly SchemaError[] {
  const validate = validators[schema];
  if (!validate) throw new TypeError(`${schema} is not the schema of a request body`);
  if (validate(value)) return [];
  const errors = (validate.errors ?? []).filter(isRelevant);
  return errors.map((error) => ({ ...error, data: valueAt(value, error.instancePath) }));
}

function valueAt(value: unknown, pointer: string): unknown {
  let found = value;
  for (const segment of pointer.split('/').slice(1)) {
    const name = nameOfSegment(segment);
    found =
      typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[name] : undefined;
  }
  return found;
}

/** Of a value that may be null, the issue of its other form is enough. */
function isRelevant({ keyword, params, schemaPath }: CompiledError): boolean {
  const isNullForm = keyword === 'type' && params.type === 'null' && schemaPath.includes('/anyOf/');
  return keyword !== 'anyOf' && !isNullForm;
}

function toIssue({
  instancePath,
  keyword,
  params,
  message = 'does not match the API contract',
}: SchemaError): BodyIssue {
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
