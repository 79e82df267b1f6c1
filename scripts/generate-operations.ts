import { personalDataOf } from '../src/contract/personal-data.ts';
import {
  type Endpoint,
  type Json,
  type JsonObject,
  list,
  object,
  type QueryParameter,
  resolve,
  schemaName,
  text,
} from './read-description.ts';

/** Parameters of every paginated list. Their flags are the same everywhere, so no description is needed for them. */
const PAGING = ['cursor', 'limit'];

function bodyOf({ source }: Endpoint): JsonObject {
  if (source.requestBody === undefined) return { hasBody: false };
  return { hasBody: true, bodySchema: schemaName(object(source.requestBody)) };
}

function responsesOf(document: JsonObject, { id, source }: Endpoint): JsonObject {
  const responses = object(source.responses);
  const statuses = Object.keys(responses);
  const success = statuses.find((status) => status.startsWith('2'));
  if (success === undefined) throw new TypeError(`openapi.yaml: ${id} has no successful response`);
  const responseSchema = schemaName(object(responses[success]));
  const personalData = personalDataOf({ $ref: `#/components/schemas/${responseSchema}` }, document);
  return {
    successStatus: Number(success),
    responseSchema,
    ...(personalData === undefined ? {} : { personalData }),
    errors: statuses.filter((status) => status !== success).map(Number),
  };
}

function operationOf(document: JsonObject, endpoint: Endpoint, merchantHeader: string): Generated {
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
    ...responsesOf(document, endpoint),
  };
}

/** A parameter's type, its limits and, as the line of help of its flag, its description. */
function parameterOf({ name, description, schema, multiple }: QueryParameter): JsonObject {
  const { description: _, ...limits } = schema;
  if (limits.type !== 'string' && limits.type !== 'integer') {
    throw new TypeError(`openapi.yaml: the query parameter ${name} is neither a string nor an integer`);
  }
  if (PAGING.includes(name)) return limits;
  return { ...limits, ...(multiple ? { multiple } : {}), summary: description };
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
export function literal(value: Json | Code | Generated, indent = ''): string {
  if (value instanceof Code) return value.text;
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, indent)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const lines = Object.entries(value).map(([key, item]) =>
    item instanceof Code && item.text === key
      ? `${indent}  ${key},\n`
      : `${indent}  ${nameText(key)}: ${literal(item, `${indent}  `)},\n`,
  );
  return lines.length === 0 ? '{}' : `{\n${lines.join('')}${indent}}`;
}

/** A name as TypeScript has it: bare where it can be. */
function nameText(name: string): string {
  return /^[a-z_]\w*$/i.test(name) ? name : literal(name);
}

function scopesOf(endpoints: readonly Endpoint[]): string[] {
  const named = endpoints.flatMap(({ source }) => [...list(source['x-scopes']), source['x-pii-scope']]);
  return [...new Set(named.filter((scope) => typeof scope === 'string'))].sort();
}

/** The text of src/contract/generated/operations.ts, without its notice. */
export function operationsText(document: JsonObject, endpoints: readonly Endpoint[]): string {
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
    endpoints.map((endpoint) => [endpoint.id, operationOf(document, endpoint, merchantHeader)]),
  );
  const scopes = scopesOf(endpoints).map((scope) => `  ${literal(scope)},\n`);
  return `
import type { ContractOperation } from '../operation.ts';

export type { ContractOperation, Operation, QueryParameter } from '../operation.ts';

/** Name of the header that says which merchant account a request is for, unless a profile names another one. */
export const MERCHANT_HEADER = ${literal(merchantHeader)};

${constants.join('')}/** Every endpoint of the contract by its operation id. */
export const operations = ${literal(operations)} as const satisfies Record<string, ContractOperation>;

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
