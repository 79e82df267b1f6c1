import { readFileSync, writeFileSync } from 'node:fs';
import { compile } from 'json-schema-to-typescript';
import { parse } from 'yaml';
import { columnsOfItems } from '../src/descriptions/item-columns.ts';
import { bodySchemasText } from './generate-body-schemas.ts';
import { fieldsText } from './generate-fields.ts';
import { listsText, type NamedList } from './generate-lists.ts';
import { literal, operationsText } from './generate-operations.ts';
import {
  type Endpoint,
  endpointsOf,
  isObject,
  type Json,
  type JsonObject,
  list,
  object,
  queryTypeName,
} from './read-description.ts';

const SOURCE = new URL('../openapi/openapi.yaml', import.meta.url);
const TARGET = new URL('../src/', import.meta.url);
const NOTICE = 'Generated from openapi/openapi.yaml by scripts/generate-contract.ts; do not edit.';
const HEADER = `// ${NOTICE}\n`;

/** One generated file: its path below src and the text that belongs there. */
export type GeneratedFile = { readonly name: string; readonly text: string };
/** The lists of the contract, sorted by path. */
function listsOf(endpoints: readonly Endpoint[]): NamedList[] {
  return endpoints
    .flatMap(({ id, path, itemSchema: item }) => {
      if (item === undefined) return [];
      return [{ id, path, item, query: queryTypeName(id) }];
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Moves references to where JSON Schema keeps definitions. A schema that only has a description allows any JSON, which
 * json-schema-to-typescript takes for an object unless told otherwise.
 */
function definitions(document: JsonObject): Record<string, object> {
  const schemas = JSON.stringify(object(document.components).schemas);
  return JSON.parse(schemas.replaceAll('#/components/schemas/', '#/definitions/'), (_, value: Json) =>
    allowsAny(value) ? { ...value, tsType: 'unknown' } : value,
  );
}

function allowsAny(value: Json): value is JsonObject {
  return isObject(value) && typeof value.description === 'string' && Object.keys(value).length === 1;
}

/** The columns that the items of each list have in a copy, as `columnsOfItems` finds them for an imported description. */
function itemColumnsText(document: JsonObject, endpoints: readonly Endpoint[]): string {
  const text = JSON.stringify(object(document.components).schemas);
  const $defs = JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/'));
  const columns = listsOf(endpoints).map(({ id, item }) => {
    const items = { type: 'array', items: { $ref: `#/$defs/${item}` } };
    return [id, columnsOfItems({ responseBodySchema: { properties: { items }, $defs } })];
  });
  return `
/** The columns of the items of each list in a copy. */
export const itemColumns = ${JSON.stringify(Object.fromEntries(columns), undefined, 2)} as const;
`;
}

function queryType({ id, query }: Endpoint): string {
  const fields = query.map(({ name, description, schema, multiple }) => {
    const union = list(schema.enum)
      .map((value) => literal(value))
      .join(' | ');
    const printed = union || (schema.type === 'integer' ? 'number' : 'string');
    const type = multiple ? `${printed} | readonly (${printed})[]` : printed;
    return `  /** ${description} */\n  ${name}?: ${type} | undefined;\n`;
  });
  const body = fields.length === 0 ? 'Record<string, never>' : `{\n${fields.join('')}}`;
  return `\n/** Query of \`${id}\`. */\nexport type ${queryTypeName(id)} = ${body};\n`;
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
    { name: 'contract/generated/operations.ts', text: `${HEADER}${operationsText(document, endpoints)}` },
    { name: 'contract/generated/description.json', text: documentText(document) },
    { name: 'client/generated/lists.ts', text: `${HEADER}${listsText(listsOf(endpoints))}` },
    {
      name: 'contract/generated/body-schemas.ts',
      text: `${HEADER}${bodySchemasText(document, endpoints)}`,
    },
    { name: 'contract/generated/fields.ts', text: `${HEADER}${fieldsText(document, endpoints)}` },
    { name: 'contract/generated/item-columns.ts', text: `${HEADER}${itemColumnsText(document, endpoints)}` },
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
  for (const name of stale)
    process.stderr.write(`src/${name} does not match openapi/openapi.yaml; run npm run generate\n`);
  if (stale.length > 0) process.exitCode = 1;
}

if (import.meta.main) await (process.argv.includes('--check') ? check() : write());
