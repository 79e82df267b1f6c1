import { readFileSync, writeFileSync } from 'node:fs';
import { compile } from 'json-schema-to-typescript';
import { parse } from 'yaml';

const SOURCE = new URL('../openapi/openapi.yaml', import.meta.url);
const TARGET = new URL('../src/contract/generated/', import.meta.url);
const NOTICE = 'Generated from openapi/openapi.yaml by scripts/generate-contract.ts; do not edit.';
const HEADER = `// ${NOTICE}\n`;
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const MERCHANT_HEADER = 'x-service-merchant-account-id';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type JsonObject = { readonly [key: string]: Json };
type QueryParameter = { readonly name: string; readonly description: string; readonly schema: JsonObject };
type Endpoint = {
  readonly id: string;
  readonly path: string;
  readonly method: string;
  /** The operation as the description has it. */
  readonly source: JsonObject;
  /** All parameters, references followed. */
  readonly parameters: readonly JsonObject[];
  readonly query: readonly QueryParameter[];
};

/** One generated file: its name below src/contract/generated and the text that belongs there. */
export type GeneratedFile = { readonly name: string; readonly text: string };

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function object(value: Json | undefined): JsonObject {
  if (!isObject(value))
    throw new TypeError(`openapi.yaml: expected an object, found ${JSON.stringify(value)}`);
  return value;
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function text(value: Json | undefined): string {
  if (typeof value !== 'string')
    throw new TypeError(`openapi.yaml: expected a text, found ${JSON.stringify(value)}`);
  return value;
}

/** Follows one `$ref` within the document; a value without one comes back as it is. */
function resolve(document: JsonObject, value: Json | undefined): JsonObject {
  const target = object(value);
  if (typeof target.$ref !== 'string') return target;
  let found: Json | undefined = document;
  for (const key of target.$ref.slice(2).split('/')) found = object(found)[key];
  return object(found);
}

/** Name of the component that describes the JSON body of a request or a response. */
function schemaName(holder: JsonObject): string {
  const schema = object(object(object(holder.content)['application/json']).schema);
  return text(schema.$ref).replace('#/components/schemas/', '');
}

function endpointOf(document: JsonObject, path: string, method: string): Endpoint {
  const source = object(object(object(document.paths)[path])[method]);
  const parameters = list(source.parameters).map((parameter) => resolve(document, parameter));
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  return {
    id: text(source.operationId),
    path,
    method: method.toUpperCase(),
    source,
    parameters,
    query: inQuery.map((parameter) => ({
      name: text(parameter.name),
      description: text(parameter.description),
      schema: resolve(document, parameter.schema),
    })),
  };
}

function endpointsOf(document: JsonObject): Endpoint[] {
  return Object.entries(object(document.paths)).flatMap(([path, item]) =>
    METHODS.filter((method) => object(item)[method] !== undefined).map((method) =>
      endpointOf(document, path, method),
    ),
  );
}

function bodyOf({ source }: Endpoint): JsonObject {
  if (source.requestBody === undefined) return { hasBody: false };
  return { hasBody: true, bodySchema: schemaName(object(source.requestBody)) };
}

function responsesOf({ id, source }: Endpoint): JsonObject {
  const responses = object(source.responses);
  const statuses = Object.keys(responses);
  const success = statuses.find((status) => status.startsWith('2'));
  if (success === undefined) throw new TypeError(`openapi.yaml: ${id} has no successful response`);
  return {
    successStatus: Number(success),
    responseSchema: schemaName(object(responses[success])),
    errors: statuses.filter((status) => status !== success).map(Number),
  };
}

function operationOf(endpoint: Endpoint): JsonObject {
  const { id, method, path, source, parameters, query } = endpoint;
  const piiScope = source['x-pii-scope'];
  return {
    id,
    method,
    path,
    summary: text(source.summary),
    scopes: list(source['x-scopes']),
    ...(piiScope === undefined ? {} : { piiScope }),
    merchantAccount: parameters.some((parameter) => parameter.name === MERCHANT_HEADER),
    paginated: query.some(({ name }) => name === 'cursor'),
    pathParameters: parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => text(name)),
    query: Object.fromEntries(query.map(({ name, schema: { description: _, ...limits } }) => [name, limits])),
    ...bodyOf(endpoint),
    ...responsesOf(endpoint),
  };
}

/** Prints a value as TypeScript: objects over lines with bare keys, lists on one line. */
function literal(value: Json, indent = ''): string {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  if (Array.isArray(value)) return `[${value.map((item) => literal(item)).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const lines = Object.entries(value).map(
    ([key, item]) => `${indent}  ${key}: ${literal(item, `${indent}  `)},\n`,
  );
  return lines.length === 0 ? '{}' : `{\n${lines.join('')}${indent}}`;
}

function scopesOf(endpoints: readonly Endpoint[]): string[] {
  const named = endpoints.flatMap(({ source }) => [...list(source['x-scopes']), source['x-pii-scope']]);
  return [...new Set(named.filter((scope) => typeof scope === 'string'))].sort();
}

function operationsText(endpoints: readonly Endpoint[]): string {
  const operations = Object.fromEntries(endpoints.map((endpoint) => [endpoint.id, operationOf(endpoint)]));
  const scopes = scopesOf(endpoints).map((scope) => `  ${literal(scope)},\n`);
  return `${HEADER}
import type { Operation } from '../operation.ts';

export type { Operation, QueryParameter } from '../operation.ts';

/** Every endpoint of the contract by its operation id. */
export const operations = ${literal(operations)} as const satisfies Record<string, Operation>;

/** The name of one endpoint of the contract. */
export type OperationId = keyof typeof operations;

/** Every scope that the contract names, sorted. */
export const scopes = [
${scopes.join('')}] as const;

/** A scope that the contract names. */
export type Scope = (typeof scopes)[number];
`;
}

/** Moves references to where JSON Schema keeps definitions. */
function definitions(document: JsonObject): Record<string, object> {
  const schemas = JSON.stringify(object(document.components).schemas);
  return JSON.parse(schemas.replaceAll('#/components/schemas/', '#/definitions/'));
}

function queryType({ id, query }: Endpoint): string {
  const fields = query.map(({ name, description, schema }) => {
    const union = list(schema.enum)
      .map((value) => literal(value))
      .join(' | ');
    const printed = union || (schema.type === 'integer' ? 'number' : 'string');
    return `  /** ${description} */\n  ${name}?: ${printed} | undefined;\n`;
  });
  const name = `${id.charAt(0).toUpperCase()}${id.slice(1)}Query`;
  const body = fields.length === 0 ? 'Record<string, never>' : `{\n${fields.join('')}}`;
  return `\n/** Query of \`${id}\`. */\nexport type ${name} = ${body};\n`;
}

async function typesText(document: JsonObject, endpoints: readonly Endpoint[]): Promise<string> {
  const all = definitions(document);
  const names = Object.keys(all);
  const schemas = await compile(
    {
      description: 'Every schema of the description by its name.',
      type: 'object',
      additionalProperties: false,
      required: names,
      properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/definitions/${name}` }])),
      definitions: all,
    },
    'Schemas',
    {
      bannerComment: HEADER.trimEnd(),
      additionalProperties: true,
      unknownAny: true,
      style: { singleQuote: true, printWidth: 110 },
    },
  );
  return `${schemas}${endpoints.map(queryType).join('')}`;
}

/** JSON knows no comments, so the notice is a specification extension. */
function documentText(document: JsonObject): string {
  return `${JSON.stringify({ 'x-generated': NOTICE, ...document }, null, 2)}\n`;
}

/** Derives every generated file below src/contract/generated from the text of the description. */
export async function generateContract(yaml: string): Promise<GeneratedFile[]> {
  const document = object(parse(yaml));
  const endpoints = endpointsOf(document);
  return [
    { name: 'types.ts', text: await typesText(document, endpoints) },
    { name: 'operations.ts', text: operationsText(endpoints) },
    { name: 'description.json', text: documentText(document) },
  ];
}

function current(name: string): string | undefined {
  try {
    return readFileSync(new URL(name, TARGET), 'utf8');
  } catch {
    return undefined;
  }
}

/** Generates in memory and returns the names of the files below src/contract/generated that differ from the result. */
export async function staleFiles(): Promise<string[]> {
  const files = await generateContract(readFileSync(SOURCE, 'utf8'));
  return files.filter((file) => current(file.name) !== file.text).map((file) => file.name);
}

async function write(): Promise<void> {
  for (const file of await generateContract(readFileSync(SOURCE, 'utf8'))) {
    writeFileSync(new URL(file.name, TARGET), file.text);
  }
}

async function check(): Promise<void> {
  const stale = await staleFiles();
  for (const name of stale)
    process.stderr.write(`src/contract/generated/${name} is not what openapi/openapi.yaml gives\n`);
  if (stale.length > 0) process.exitCode = 1;
}

if (import.meta.main) await (process.argv.includes('--check') ? check() : write());
