import { readFileSync, writeFileSync } from 'node:fs';
import { compile } from 'json-schema-to-typescript';
import { parse } from 'yaml';
import { listsText, type NamedList } from './generate-lists.ts';

const SOURCE = new URL('../openapi/openapi.yaml', import.meta.url);
const TARGET = new URL('../src/', import.meta.url);
const NOTICE = 'Generated from openapi/openapi.yaml by scripts/generate-contract.ts; do not edit.';
const HEADER = `// ${NOTICE}\n`;
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
/** Parameters of every paginated list. Their flags are the same everywhere, so no description is needed for them. */
const PAGING = ['cursor', 'limit'];

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type JsonObject = { readonly [key: string]: Json };
type QueryParameter = {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject;
  /** Name of the component, where operations share the parameter. */
  readonly sharedAs: string | undefined;
};
type Endpoint = {
  readonly id: string;
  readonly path: string;
  readonly method: string;
  /** The operation as the description has it. */
  readonly source: JsonObject;
  /** All parameters, references followed. */
  readonly parameters: readonly JsonObject[];
  readonly query: readonly QueryParameter[];
  /** Name of the items' schema, for a list that can be read without an ID. */
  readonly itemSchema: string | undefined;
};

/** One generated file: its path below src and the text that belongs there. */
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
  return componentName(object(object(object(holder.content)['application/json']).schema));
}

/** The last segment of a `$ref`. */
function componentName(reference: JsonObject): string {
  return text(reference.$ref).replace(/^.*\//, '');
}

function capitalize(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function decapitalize(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

function endpointOf(document: JsonObject, path: string, method: string): Endpoint {
  const source = object(object(object(document.paths)[path])[method]);
  const parameters = list(source.parameters);
  return {
    id: text(source.operationId),
    path,
    method: method.toUpperCase(),
    source,
    parameters: parameters.map((parameter) => resolve(document, parameter)),
    query: parameters.flatMap((parameter) => queryParameter(document, object(parameter))),
    itemSchema: method === 'get' && !path.includes('{') ? itemSchema(document, source) : undefined,
  };
}

function queryParameter(document: JsonObject, parameter: JsonObject): QueryParameter[] {
  const { in: place, name, description, schema } = resolve(document, parameter);
  if (place !== 'query') return [];
  const sharedAs = parameter.$ref === undefined ? undefined : decapitalize(componentName(parameter));
  return [{ name: text(name), description: text(description), schema: resolve(document, schema), sharedAs }];
}

/** Name of the schema of what a list holds; undefined for an operation that answers with something else. */
function itemSchema(document: JsonObject, source: JsonObject): string | undefined {
  const [success] = Object.entries(object(source.responses)).filter(([status]) => status.startsWith('2'));
  const answer = object(object(document.components).schemas)[schemaName(object(success?.[1]))];
  const { items } = object(object(answer).properties ?? {});
  return isObject(items) && isObject(items.items) ? componentName(items.items) : undefined;
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

function operationOf(endpoint: Endpoint, merchantHeader: string): Generated {
  const { id, method, path, source, parameters, query } = endpoint;
  const piiScope = source['x-pii-scope'];
  return {
    id,
    method,
    path,
    summary: text(source.summary),
    scopes: list(source['x-scopes']),
    ...(piiScope === undefined ? {} : { piiScope }),
    merchantAccount: parameters.some((parameter) => parameter.name === merchantHeader),
    isList: endpoint.itemSchema !== undefined,
    paginated: query.some(({ name }) => name === 'cursor'),
    pathParameters: parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => text(name)),
    query: Object.fromEntries(
      query.map((parameter) => [
        parameter.name,
        parameter.sharedAs ? new Code(parameter.sharedAs) : parameterOf(parameter),
      ]),
    ),
    ...bodyOf(endpoint),
    ...responsesOf(endpoint),
  };
}

/** A parameter's type, its limits and, as the line of help of its flag, its description. */
function parameterOf({ name, description, schema }: QueryParameter): JsonObject {
  const { description: _, ...limits } = schema;
  if (limits.type !== 'string' && limits.type !== 'integer') {
    throw new TypeError(`openapi.yaml: the query parameter ${name} is neither a string nor an integer`);
  }
  return PAGING.includes(name) ? limits : { ...limits, summary: description };
}

/** TypeScript that is printed as it is. */
class Code {
  readonly text: string;

  constructor(source: string) {
    this.text = source;
  }
}

type Generated = { readonly [key: string]: Json | Code | Generated };

/** Prints a value as TypeScript: objects over lines with bare keys, lists on one line. */
function literal(value: Json | Code | Generated, indent = ''): string {
  if (value instanceof Code) return value.text;
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  if (Array.isArray(value)) return `[${value.map((item) => literal(item)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const lines = Object.entries(value).map(([key, item]) =>
    item instanceof Code && item.text === key
      ? `${indent}  ${key},\n`
      : `${indent}  ${key}: ${literal(item, `${indent}  `)},\n`,
  );
  return lines.length === 0 ? '{}' : `{\n${lines.join('')}${indent}}`;
}

function scopesOf(endpoints: readonly Endpoint[]): string[] {
  const named = endpoints.flatMap(({ source }) => [...list(source['x-scopes']), source['x-pii-scope']]);
  return [...new Set(named.filter((scope) => typeof scope === 'string'))].sort();
}

function operationsText(document: JsonObject, endpoints: readonly Endpoint[]): string {
  const merchantHeader = text(resolve(document, { $ref: '#/components/parameters/MerchantAccount' }).name);
  const shared = new Map(
    endpoints.flatMap(({ query }) =>
      query.flatMap((parameter) =>
        parameter.sharedAs ? [[parameter.sharedAs, parameterOf(parameter)] as const] : [],
      ),
    ),
  );
  const constants = [...shared].map(
    ([name, parameter]) => `const ${name} = ${literal(parameter)} as const;\n\n`,
  );
  const operations = Object.fromEntries(
    endpoints.map((endpoint) => [endpoint.id, operationOf(endpoint, merchantHeader)]),
  );
  const scopes = scopesOf(endpoints).map((scope) => `  ${literal(scope)},\n`);
  return `${HEADER}
import type { Operation } from '../operation.ts';

export type { Operation, QueryParameter } from '../operation.ts';

/** Name of the header that says which merchant account a request is for, unless a profile names another one. */
export const MERCHANT_HEADER = ${literal(merchantHeader)};

${constants.join('')}/** Every endpoint of the contract by its operation id. */
export const operations = ${literal(operations)} as const satisfies Record<string, Operation>;

/** The name of one endpoint of the contract. */
export type OperationId = keyof typeof operations;

/** The name of an endpoint that lists and needs no ID. */
export type ListId = {
  [Id in OperationId]: (typeof operations)[Id]['isList'] extends true ? Id : never;
}[OperationId];

/** Every scope that the contract names, sorted. */
export const scopes = [
${scopes.join('')}] as const;

/** A scope that the contract names. */
export type Scope = (typeof scopes)[number];
`;
}

/** The lists of the contract, sorted by path. */
function listsOf(endpoints: readonly Endpoint[]): NamedList[] {
  return endpoints
    .flatMap(({ id, path, itemSchema: item }) => {
      if (item === undefined) return [];
      return [{ id, path, item, query: queryTypeName(id) }];
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
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
  const body = fields.length === 0 ? 'Record<string, never>' : `{\n${fields.join('')}}`;
  return `\n/** Query of \`${id}\`. */\nexport type ${queryTypeName(id)} = ${body};\n`;
}

function queryTypeName(id: string): string {
  return `${capitalize(id)}Query`;
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

/** Derives every generated file from the text of the description. */
export async function generateContract(yaml: string): Promise<GeneratedFile[]> {
  const document = object(parse(yaml));
  const endpoints = endpointsOf(document);
  return [
    { name: 'contract/generated/types.ts', text: await typesText(document, endpoints) },
    { name: 'contract/generated/operations.ts', text: operationsText(document, endpoints) },
    { name: 'contract/generated/description.json', text: documentText(document) },
    { name: 'client/generated/lists.ts', text: `${HEADER}${listsText(listsOf(endpoints))}` },
  ];
}

function current(name: string): string | undefined {
  try {
    return readFileSync(new URL(name, TARGET), 'utf8');
  } catch {
    return undefined;
  }
}

/** Generates in memory and returns the paths below src of the files that differ from the result. */
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
  for (const name of stale) process.stderr.write(`src/${name} is not what openapi/openapi.yaml gives\n`);
  if (stale.length > 0) process.exitCode = 1;
}

if (import.meta.main) await (process.argv.includes('--check') ? check() : write());
