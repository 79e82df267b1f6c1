import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import document from '../../src/contract/generated/description.json' with { type: 'json' };

const DATE = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

const ajv = new Ajv2020({ strict: true, allErrors: true, formats: { date: DATE, 'date-time': DATE_TIME } });
// The root of the description is no schema; strict mode has to be told its words to look below it.
ajv.addVocabulary(Object.keys(document));
ajv.addVocabulary(['x-personal-data', 'x-assumed']);
ajv.addSchema(document, 'contract');

function fault(error: ErrorObject): string {
  return `${error.instancePath || '/'} ${error.message ?? error.keyword}`;
}

/** Validates a value against a part of the description, strictly; returns the faults, none when it fits. */
export function faultsAt(pointer: string, value: unknown): string[] {
  const validate = ajv.getSchema(`contract#${pointer}`) ?? ajv.compile({ $ref: `contract#${pointer}` });
  return validate(value) ? [] : (validate.errors ?? []).map(fault);
}

/** Validates a value against a named schema of the description; returns the faults, none when it fits. */
export function faultsOf(schema: keyof typeof document.components.schemas, value: unknown): string[] {
  return faultsAt(`/components/schemas/${schema}`, value);
}
