import { Ajv2020, _ as code } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { formats } from '../src/contract/compiled-schema.ts';
import {
  type Endpoint,
  isObject,
  type Json,
  type JsonObject,
  object,
  schemaName,
} from './read-description.ts';

/**
 * The text of src/contract/generated/validators.ts, without its notice: a validator for the body of each operation, compiled
 * here because Node can be told to compile no code at run time (`--disallow-code-generation-from-strings`).
 */
export function validatorsText(document: JsonObject, endpoints: readonly Endpoint[]): string {
  const { contract, assumed } = withAssumedLimits(document);
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    formats,
    code: { source: true, esm: true, lines: true, formats: code`formats` },
  });
  ajv.addSchema(contract, 'contract');
  const names = bodySchemas(endpoints);
  const refs = names.map((name) => [name, `contract#/components/schemas/${name}`]);
  const source = standalone.default(ajv, Object.fromEntries(refs));
  const compiled = withoutUnused(source.replace('"use strict";', '').replaceAll(RUNTIME, 'lengthOf')).trim();
  const leftover = /require\(|import /.exec(compiled);
  if (leftover) throw new Error(`ajv: a validator loads something at run time: ${leftover[0]}`);
  const exported = [...compiled.matchAll(/^export const (\w+) = (\w+);$/gm)];
  const entries = exported.map(([, name, value]) => `  ${name}: ${value},\n`);
  return `// @ts-nocheck: written by Ajv.
import { formats, lengthOf, type Validator } from '../compiled-schema.ts';

${compiled.replace(/^export const .*\n/gm, '')}

/** The validator of each schema that a body can have, by its name. */
export const validators: Readonly<Record<string, Validator>> = {
${entries.join('')}};

/** The keywords that the description only assumes, as the end of their \`schemaPath\`. */
export const ASSUMED: ReadonlySet<string> = new Set(${JSON.stringify(assumed, null, 2)});
`;
}

/** How compiled code asks for Ajv's function that counts the characters of a string. */
const RUNTIME = 'require("ajv/dist/runtime/ucs2length").default';

/** The names of the schemas of request bodies. */
export function bodySchemas(endpoints: readonly Endpoint[]): string[] {
  const bodies = endpoints.flatMap(({ source }) => (source.requestBody ? [object(source.requestBody)] : []));
  return [...new Set(bodies.map(schemaName))];
}

/** The description with the limits of each `x-assumed` in force, and where these are. */
function withAssumedLimits(document: JsonObject): { contract: JsonObject; assumed: string[] } {
  const assumed: string[] = [];
  const visit = (value: Json, path: string): Json => {
    if (Array.isArray(value)) return value.map((part, index) => visit(part, `${path}/${index}`));
    if (!isObject(value)) return value;
    const { 'x-assumed': limits = {}, ...rest } = value;
    assumed.push(...Object.keys(object(limits)).map((keyword) => `#${path}/${keyword}`));
    const members = Object.entries({ ...rest, ...object(limits) }).filter(
      ([name, part]) => !isNote(name, part),
    );
    return Object.fromEntries(members.map(([name, part]) => [name, visit(part, `${path}/${name}`)]));
  };
  return { contract: object(visit(document, '')), assumed };
}

/** What is said about a schema and is no part of what it allows; a property can have such a name, but is an object. */
function isNote(name: string, value: Json): boolean {
  return (name === 'description' || name.startsWith('x-')) && !isObject(value);
}

/** Leaves out the copies of schemas that no compiled code reads. */
function withoutUnused(source: string): string {
  return source.replace(/^const (schema\d+) = .*;\n/gm, (line, name: string) =>
    source.split(new RegExp(`\\b${name}\\b`)).length > 2 ? line : '',
  );
}
