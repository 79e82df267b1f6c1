import { readFileSync } from 'node:fs';
import { compile } from 'json-schema-to-typescript';
import { parse } from 'yaml';
import { completeOperation } from '../src/descriptions/complete-operation.ts';
import { type Import, importDescription } from '../src/descriptions/import-description.ts';
import type { ImportedOperation } from '../src/descriptions/imported-operation.ts';
import { columnsOfItems } from '../src/descriptions/item-columns.ts';
import { viewAt } from '../src/descriptions/record-place.ts';
import { isObject } from '../src/json/is-object.ts';
import { SchemaViews } from '../src/schemas/schema-view.ts';
import { bodySchemasText } from './generate-body-schemas.ts';
import { listsText, type NamedList } from './generate-lists.ts';
import { literal, operationsText } from './generate-operations.ts';
import { type WrittenFile, writeOrCheck } from './written-files.ts';

const SOURCE = new URL('../openapi/openapi.yaml', import.meta.url);
const NOTICE = 'Generated from openapi/openapi.yaml by scripts/generate-contract.ts; do not edit.';
const HEADER = `// ${NOTICE}\n`;

type Document = { readonly components: { readonly schemas: Readonly<Record<string, object>> } };

/** The lists of the contract, sorted by path. */
function listsOf({ records, definitions }: Import): NamedList[] {
  const views = new SchemaViews(definitions);
  const lists = records.flatMap(({ operation: { id, path, isList }, response }) => {
    const { name = '' } = viewAt(views.of(response?.schema), 'items.0');
    return isList ? [{ id, path, item: name, query: queryTypeName(id) }] : [];
  });
  return lists.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The schemas of the description by their names, with references to where JSON Schema keeps definitions. */
function schemasOf({ components }: Document, place: string): Record<string, object> {
  return JSON.parse(JSON.stringify(components.schemas).replaceAll('#/components/schemas/', `#/${place}/`));
}

/** A schema that only has a description allows any JSON, which json-schema-to-typescript takes for an object unless told otherwise. */
function withAnything(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withAnything);
  if (!isObject(value)) return value;
  const isAny = typeof value.description === 'string' && Object.keys(value).length === 1;
  if (isAny) return { ...value, tsType: 'unknown' };
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withAnything(part)]));
}

/** The dotted paths of what each operation answers with, a list's of one item: members first, then their own members. */
function fieldsText({ records }: Import): string {
  const grouped = (paths: readonly string[], above = ''): string[] => {
    const own = paths.filter((path) => path.startsWith(above) && !path.slice(above.length).includes('.'));
    return [...own, ...own.flatMap((path) => grouped(paths, `${path}.`))];
  };
  const operations = records.map(({ operation: { id, fields } }) => {
    return `  ${id}: [\n${grouped(fields)
      .map((path) => `    '${path}',\n`)
      .join('')}  ],\n`;
  });
  return `
/** The fields of what each operation answers with, by dotted path: \`0\` is any element, \`*\` anything below. */
export const fields: Readonly<Record<string, readonly string[]>> = {
${operations.join('')}};
`;
}

/** The columns that the items of each list have in a copy, as for an imported description. */
function itemColumnsText(imported: Import): string {
  const { records, definitions } = imported;
  const columns = listsOf(imported).flatMap(({ id }) =>
    records
      .filter(({ operation }) => operation.id === id)
      .map((record) => [id, columnsOfItems(completeOperation(record, (name) => definitions.get(name)))]),
  );
  return `
/** The columns of the items of each list in a copy. */
export const itemColumns = ${JSON.stringify(Object.fromEntries(columns), undefined, 2)} as const;
`;
}

/** Name of the type of an operation's query. */
function queryTypeName(id: string): string {
  return `${id.charAt(0).toUpperCase()}${id.slice(1)}Query`;
}

function queryType({ id, query }: ImportedOperation): string {
  const fields = Object.entries(query).map(([name, { summary, type, enum: values, multiple }]) => {
    const union = values?.map((value) => literal(value)).join(' | ');
    const printed = union ?? (type === 'integer' ? 'number' : type);
    const either = multiple ? `${printed} | readonly (${printed})[]` : printed;
    return `  /** ${summary} */\n  ${name}?: ${either} | undefined;\n`;
  });
  const body = fields.length === 0 ? 'Record<string, never>' : `{\n${fields.join('')}}`;
  return `\n/** Query of \`${id}\`. */\nexport type ${queryTypeName(id)} = ${body};\n`;
}

async function typesText(document: Document, { records }: Import): Promise<string> {
  const all = withAnything(schemasOf(document, 'definitions')) as Record<string, object>;
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
  return `${schemas}${records.map(({ operation }) => queryType(operation)).join('')}`;
}

/** Reads the description as payctl imports any other. @throws TypeError for what payctl could not run or check */
async function importContract(yaml: string): Promise<Import> {
  const imported = await importDescription(yaml, { file: 'openapi.yaml' });
  // Of the API logs, which cursors the service takes is not known.
  const issue = imported.index.issues.find(({ code }) => code !== 'paging_not_followed');
  if (issue) throw new TypeError(`openapi.yaml: ${issue.pointer}: ${issue.message}`);
  const other = imported.records.find(({ operation }) => operation.responseSchema === '');
  if (other) throw new TypeError(`openapi.yaml: ${other.operation.id} has no successful response`);
  return imported;
}

/** Derives every generated file from the text of the description. */
export async function generateContract(yaml: string): Promise<WrittenFile[]> {
  const document: Document = parse(yaml);
  const imported = await importContract(yaml);
  const bodies = imported.records.flatMap(({ operation }) => operation.bodySchema ?? []);
  const ofCode = (name: string, text: string): WrittenFile => [`src/${name}`, `${HEADER}${text}`];
  return [
    ['src/contract/generated/types.ts', await typesText(document, imported)],
    ofCode('contract/generated/operations.ts', operationsText(imported)),
    // JSON knows no comments, so the notice is a specification extension.
    [
      'src/contract/generated/description.json',
      `${JSON.stringify({ 'x-generated': NOTICE, ...document }, null, 2)}\n`,
    ],
    ofCode('client/generated/lists.ts', listsText(listsOf(imported))),
    ofCode('contract/generated/body-schemas.ts', bodySchemasText(schemasOf(document, '$defs'), bodies)),
    ofCode('contract/generated/fields.ts', fieldsText(imported)),
    ofCode('contract/generated/item-columns.ts', itemColumnsText(imported)),
  ];
}

if (import.meta.main) writeOrCheck(await generateContract(readFileSync(SOURCE, 'utf8')));
