import '@hyperjump/json-schema/formats';
import {
  type Output,
  registerSchema,
  setShouldValidateFormat,
  type Validator,
  validate,
} from '@hyperjump/json-schema/openapi-3-1';
import { faultsAt } from '../contract/schema-validator.ts';
import { description } from './description.ts';

type Json = Parameters<Validator>[0];

const address = 'https://contract.invalid/openapi';
const openapi = 'https://spec.openapis.org/oas/3.1/schema-base';

setShouldValidateFormat(true);
registerSchema(description as unknown as Parameters<typeof registerSchema>[0], address, openapi);

/** What two validators that share no code have against a value; an empty list means that it conforms. */
export type Verdicts = { readonly ajv: readonly string[]; readonly independent: readonly string[] };

/** Both agree that a value conforms. */
export const conforming: Verdicts = { ajv: [], independent: [] };

/**
 * Compares a value with the schema at a JSON pointer of the description, once with Ajv, and once with a validator that has
 * nothing in common with it.
 */
export async function verdictsOn(pointer: string, value: unknown): Promise<Verdicts> {
  return { ajv: faultsAt(pointer, value), independent: await independentFaults(pointer, value) };
}

/** The faults of the description itself, as an OpenAPI 3.1 document with its schemas. */
export async function faultsOfDescription(): Promise<string[]> {
  return tell(await validate(openapi, description as unknown as Json, 'BASIC'));
}

const compiled = new Map<string, Promise<Validator>>();

async function independentFaults(pointer: string, value: unknown): Promise<string[]> {
  const validator = compiled.get(pointer) ?? validate(`${address}#${encodeURI(pointer)}`);
  compiled.set(pointer, validator);
  return tell((await validator)(value as Json, 'BASIC'));
}

function tell(output: Output): string[] {
  if (output.valid) return [];
  const faults = (output.errors ?? []).map(
    ({ instanceLocation, absoluteKeywordLocation }) => `${instanceLocation} ${absoluteKeywordLocation}`,
  );
  return faults.length > 0 ? faults : ['does not conform'];
}
