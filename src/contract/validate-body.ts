import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import description from './generated/description.json' with { type: 'json' };
import type { Schemas } from './generated/types.ts';

/** One place where a body breaks the contract. */
export type BodyIssue = {
  /** JSON pointer to the invalid value; empty for the body itself. */
  readonly pointer: string;
  /** What it must be, as half a sentence. */
  readonly message: string;
  /** The keyword of JSON Schema that is broken. */
  readonly keyword: string;
};

const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });
ajv.addSchema(description, 'contract');

/**
 * Compares a request body with its schema in the description: types, lengths, patterns. Fields that the contract does
 * not name are accepted. Loads the validator and the description, so it is for requests that have a body.
 */
export function validateBody(schema: keyof Schemas, body: unknown): readonly BodyIssue[] {
  const validate = ajv.getSchema(`contract#/components/schemas/${schema}`);
  if (!validate) throw new TypeError(`the description has no schema ${schema}`);
  if (validate(body)) return [];
  return (validate.errors ?? []).filter(isRelevant).map(toIssue);
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
  message = 'is not what the contract says',
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
