import { kebabCase } from '../../cli/flags/parameters.ts';
import { isPaged, type QueryParameter, takesKey, takesToken } from '../../contract/operation.ts';
import { contentTypesOf } from '../../descriptions/body-forms.ts';
import type { Action, ImportedOperation, NotRunOperation } from '../../descriptions/imported-operation.ts';
import { describeSecurity } from '../../descriptions/security-words.ts';
import { isObject } from '../../json/is-object.ts';
import { sanitizeText } from '../../output/sanitize.ts';
import { argumentName, asSentence } from '../../text/format.ts';
import { shellQuote } from '../../text/shell.ts';
import { wrapWords } from '../../text/wrap.ts';
import { bodyRows, rangeText } from './body-text.ts';
import { type ExampleBody, exampleBodies } from './example-body.ts';
import { type ParameterWithFlag, parametersWithFlags } from './imported-command.ts';
import { modelRecord, operationHead } from './known-description.ts';

const JSON_TYPE = 'application/json';

/** An operation of an import, or of the contract, read like one. */
export type ShownOperation = ImportedOperation & { readonly isOwn?: boolean };

/** An operation as it is printed; every member is always there. */
export async function operationDetails(operation: ShownOperation) {
  const { query, headers } = parametersWithFlags(operation);
  return {
    ...operationHead(operation),
    description: operation.description ?? null,
    tag: operation.tag ?? null,
    deprecated: operation.isDeprecated ?? false,
    scopes: operation.scopes,
    needs_all_scopes: operation.needsAllScopes ?? false,
    security: operation.security ?? null,
    merchant_account: operation.merchantAccount,
    idempotency_header: operation.idempotencyHeader ?? null,
    idempotency_member: operation.idempotencyMember ?? null,
    arguments: Object.entries(operation.pathValues).map(parameterRecord),
    query: query.map(flagRecord),
    headers: headers.map(flagRecord),
    body: operation.hasBody
      ? {
          required: operation.bodyRequired ?? false,
          media_type: operation.bodyType ?? JSON_TYPE,
          media_types: contentTypesOf(operation),
          schema: operation.requestSchema ?? null,
          examples: (await exampleBodies(operation)).map(({ branch = null, value }) => ({ branch, value })),
        }
      : null,
    response: {
      status: operation.successStatus,
      list: operation.listShape ?? null,
      paged: isPaged(operation),
      columns: operation.columns,
      fields: operation.fields,
      media_types:
        operation.downloadTypes ??
        (operation.responseBodySchema === undefined ? [] : [operation.responseType ?? JSON_TYPE]),
      schema: operation.responseBodySchema ?? null,
    },
    model: operation.isOwn ? null : modelRecord(operation),
    errors: operation.errors,
    runnable: true,
    reason: null,
  };
}

/** The details of an operation that payctl cannot run. */
export function notRunDetails(operation: NotRunOperation) {
  return {
    ...operationHead(operation),
    tag: operation.tag ?? null,
    deprecated: operation.isDeprecated ?? false,
    runnable: false,
    reason: operation.reason,
    code: operation.code,
    pointer: operation.pointer,
  };
}

function flagRecord({ flag, name, parameter }: ParameterWithFlag) {
  return { flag, ...parameterRecord([name, parameter]) };
}

function parameterRecord([name, { summary, ...parameter }]: [string, QueryParameter]) {
  return { name, ...parameter, required: parameter.required ?? false, summary: summary ?? null };
}

/** An operation as text for a person, in so many columns. All of it is safe for a terminal. */
export async function operationText(operation: ShownOperation, width: number): Promise<string> {
  const names = Object.keys(operation.pathValues).map((name) => argumentName(kebabCase(name)));
  const { query, headers } = parametersWithFlags(operation);
  const sections = [
    [
      ['payctl', operation.command, ...names].join(' '),
      ...indented(asSentence(operation.description ?? operation.summary), { indent: 2, width }),
    ],
    table(factsOf(operation), { indent: 0, width }),
    section('Arguments', Object.entries(operation.pathValues).map(parameterRow), width),
    section('Query parameters', query.map(flagRow), width),
    section('Headers', headers.map(flagRow), width),
    operation.hasBody ? bodyLines(operation, await exampleBodies(operation), width) : [],
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map(sanitizeText).join('\n'))
    .join('\n\n')}\n`;
}

/** The same as text for a person, with the reason first. */
export function notRunText(operation: NotRunOperation, width: number): string {
  const { command, id, summary, reason, method, path, isDeprecated, code, pointer } = operation;
  const rows: Row[] = [
    ['Not runnable', asSentence(reason)],
    ['Request', `${method} ${path}`],
    ['Operation', id],
    ['Described', `${pointer} (${code})`],
    ...(isDeprecated ? [['Deprecated', 'yes'] as const] : []),
  ];
  const lines = [
    ['payctl', command || id].join(' '),
    ...indented(asSentence(summary), { indent: 2, width }),
    '',
    ...table(rows, { indent: 0, width }),
  ];
  return `${lines.map(sanitizeText).join('\n')}\n`;
}

type Row = readonly [name: string, text: string];

function factsOf(operation: ShownOperation): readonly Row[] {
  const { scopes, needsAllScopes, responseSchema, listShape, security } = operation;
  const kind =
    listShape === undefined ? responseSchema || 'a document' : isPaged(operation) ? 'a paged list' : 'a list';
  const rows: (Row | false)[] = [
    ['Request', `${operation.method} ${operation.path}`],
    ['Operation', operation.id],
    operation.aliases !== undefined && ['Also', operation.aliases.join(', ')],
    security !== undefined && ['Credentials', describeSecurity(security)],
    takesToken(operation) && [
      'Scopes',
      scopes.join(needsAllScopes ? ' and ' : ' or ') || 'not in the description; with a key, add --scope',
    ],
    operation.merchantAccount && ['Header', 'takes a merchant account'],
    takesKey(operation) && [
      'Idempotency',
      `takes a key in ${operation.idempotencyHeader ?? `${operation.idempotencyMember} of the body`}`,
    ],
    ['Response', `${operation.successStatus}, ${responseText(operation, kind)}`],
    operation.isOwn !== true && ['Model', modelText(operation)],
    operation.columns.length > 0 && ['Columns', operation.columns.join(', ')],
    operation.isDeprecated === true && ['Deprecated', 'yes'],
  ];
  return rows.filter((row) => row !== false);
}

/** What an operation does with its resource, in words. */
const ACTION_WORDS: Readonly<Record<Action, string>> = {
  list: 'lists the records of',
  search: 'searches the records of',
  create: 'creates a record of',
  get: 'gets a record of',
  replace: 'replaces a record of',
  update: 'updates a record of',
  delete: 'deletes a record of',
  'delete-all': 'deletes all records of',
  custom: 'performs an action on a record of',
  document: 'reads or changes a single document',
};

/** The model of an operation in words. */
function modelText(operation: ImportedOperation): string {
  const { action, resource = '', recordId = 'id', key, newStatus, record, envelope } = operation;
  if (action === undefined) return 'unknown; x-payctl-action can define it';
  const isList = action === 'list' || action === 'search';
  const isOfRecord = !isList && action !== 'delete-all' && resource !== '';
  const parts = [
    `${ACTION_WORDS[action]} ${resource}`.trim(),
    isOfRecord && `ID of the record: ${recordId}`,
    key !== undefined && `ID in the request: ${key}`,
    newStatus !== undefined && `new status: ${newStatus}`,
    isList && envelope && `list in the response: ${envelope.items}`,
    record?.response !== undefined && `record in the response: ${record.response}`,
    record?.item !== undefined && `record in an item: ${record.item}`,
    record?.request !== undefined && `record in the body: ${record.request}`,
  ];
  return parts.filter((part) => part !== false).join('; ');
}

function responseText({ downloadTypes, responseBodySchema }: ImportedOperation, kind: string): string {
  if (downloadTypes) return `${downloadTypes.join(' or ')}, written unchanged`;
  return responseBodySchema === undefined ? 'no content' : kind;
}

function flagRow({ flag, parameter }: ParameterWithFlag): Row {
  return parameterRow([flag, parameter]);
}

function parameterRow([name, parameter]: [string, QueryParameter]): Row {
  const { required, summary } = parameter;
  const type = `${typeText(parameter)}${required ? ', required' : ''}.`;
  return [name, [type, asSentence(summary ?? '')].join(' ').trim()];
}

function typeText({
  type,
  enum: values,
  multiple,
  format,
  minimum,
  maximum,
  minLength,
  maxLength,
}: QueryParameter): string {
  const parts = [
    values ? values.join(' | ') : (format ?? type),
    rangeText(minimum, maximum, ''),
    rangeText(minLength, maxLength, ' characters'),
    multiple ? 'several values' : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

function bodyLines(
  operation: ImportedOperation,
  bodies: readonly ExampleBody[],
  width: number,
): readonly string[] {
  const { requestSchema: schema } = operation;
  const title = `Body (${[operation.bodyType ?? 'JSON', operation.bodyRequired ? 'required' : 'optional'].join(', ')})`;
  const others = operation.bodyKind === 'bytes' ? [] : contentTypesOf(operation).slice(1);
  const choice =
    others.length === 0 ? [] : wrapWords(`Or with --content-type: ${others.join(', ')}.`, width - 2);
  const examples = bodies.flatMap(({ branch, value }) => [
    '',
    branch === undefined ? 'Example' : `Example: ${branch}`,
    ...exampleText(operation, value)
      .split('\n')
      .map((line) => `  ${line}`),
  ]);
  return [
    title,
    ...choice.map((line) => `  ${line}`),
    ...table(bodyRows(schema, operation.bodyKind === 'multipart'), { indent: 2, width }),
    ...examples,
  ];
}

/** A body as JSON for `--data`; one with files, which JSON cannot hold, as flags. */
function exampleText({ bodyKind }: ImportedOperation, value: unknown): string {
  if (bodyKind === 'bytes') return `--data ${value}`;
  if (bodyKind !== 'multipart' || !isObject(value)) return JSON.stringify(value, undefined, 2);
  const fields = Object.entries(value).flatMap(([name, member]) => {
    const path = name.replaceAll(/[.[\]\\]/g, '\\$&');
    if (Array.isArray(member) && member.every((each) => typeof each === 'string'))
      return member.map((each) => `${path}[]=${each}`);
    return [typeof member === 'string' ? `${path}=${member}` : `${path}:=${JSON.stringify(member)}`];
  });
  return fields.map((field) => `-F ${shellQuote(field)}`).join(' ');
}

function section(title: string, rows: readonly Row[], width: number): readonly string[] {
  return rows.length === 0 ? [] : [title, ...table(rows, { indent: 2, width })];
}

type Layout = { readonly indent: number; readonly width: number };
const WIDEST_NAME = 28;
const NARROWEST_TEXT = 30;

function table(rows: readonly Row[], { indent, width }: Layout): readonly string[] {
  const column = Math.min(WIDEST_NAME, Math.max(0, ...rows.map(([name]) => name.length))) + 2;
  const margin = ' '.repeat(indent);
  return rows.flatMap(([name, text]) => {
    const lines = wrapWords(text, Math.max(NARROWEST_TEXT, width - indent - column));
    const first = name.length + 2 > column ? [`${margin}${name}`] : [];
    return [
      ...first,
      ...lines.map(
        (line, index) => `${margin}${(index === 0 && first.length === 0 ? name : '').padEnd(column)}${line}`,
      ),
    ];
  });
}

function indented(text: string, { indent, width }: Layout): readonly string[] {
  if (text === '') return [];
  return text
    .split('\n')
    .flatMap((line) => wrapWords(line, width - indent))
    .map((line) => `${' '.repeat(indent)}${line}`.trimEnd());
}
