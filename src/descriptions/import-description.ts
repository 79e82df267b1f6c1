import { createHash } from 'node:crypto';
import { isPaged } from '../contract/operation.ts';
import { isSecretName } from '../contract/secret-names.ts';
import { containersIn } from '../json/containers.ts';
import { isObject } from '../json/is-object.ts';
import type { Definitions } from '../schemas/definitions.ts';
import { SchemaViews } from '../schemas/schema-view.ts';
import { quote } from '../text/format.ts';
import { type BuiltInCommands, type CommandName, nameCommands } from './command-names.ts';
import type { OperationRecord } from './complete-operation.ts';
import {
  type Declaration,
  declarationsOf,
  labelsOf,
  type OperationContext,
  serversOf,
} from './declaration.ts';
import {
  type ImportedDescription,
  type ImportedOperation,
  INDEXED,
  type IndexedOperation,
  type NotRunOperation,
} from './imported-operation.ts';
import { Issues } from './issues.ts';
import { modelOf } from './model.ts';
import { parseDescription } from './parse.ts';
import { isCalledDeletion, lastWord } from './path-words.ts';
import { kebab, plainLine } from './plain-text.ts';
import { type NotRead, readAll } from './read-all.ts';
import { pathBelow } from './record-place.ts';
import { locationBelow, pointerOf, References } from './references.ts';
import { ResponseShapes } from './response-shape.ts';
import { readRefusals } from './responses.ts';
import { Schemas } from './schemas.ts';
import { Security } from './security.ts';

/** What an import needs besides the text. */
export type ImportOptions = {
  /** The name of the document in messages and in the index. */
  readonly file: string;
  /** When it is imported. Default: now. */
  readonly now?: Date;
  /** payctl's own commands, which no operation can take the name of. Default: none. */
  readonly builtIn?: BuiltInCommands;
};

/** An imported description: its index, and its operations in the same order. */
export type Import = {
  readonly index: ImportedDescription;
  readonly records: readonly OperationRecord[];
  readonly definitions: Definitions;
};

/**
 * Reads an OpenAPI description. Nothing but the text is read: a reference to a file or an address skips its operation, with an
 * issue. The time and the size of the result are in proportion to the text.
 * @throws UsageError `invalid_description`, `not_a_description`
 */
export async function importDescription(
  text: string,
  { file, now = new Date(), builtIn = new Map() }: ImportOptions,
): Promise<Import> {
  const { document, openapi, repeated } = await parseDescription(text, file);
  const references = new References(document);
  const issues = new Issues();
  if (openapi === '2.0') {
    const message =
      'Swagger 2.0 was converted to OpenAPI 3.0; the other places, except of repeated fields, are those in the converted document';
    issues.add(locationBelow(undefined, 'swagger'), 'swagger_converted', message);
  }
  for (const names of repeated) {
    const message = `The field ${quote(names.at(-1) ?? '')} occurs more than once; the last one counts`;
    issues.add(locationBelow(undefined, ...names), 'member_repeated', message);
  }
  const schemas = new Schemas(references, issues);
  const servers = serversOf(document);
  const declarations = declarationsOf(document, references, issues);
  const merchantHeader = merchantHeaderOf(declarations, references);
  const views = new SchemaViews(schemas.definitions);
  const context: OperationContext = {
    references,
    schemas,
    issues,
    security: new Security(document, references, issues),
    merchantHeader,
    views,
    shapes: new ResponseShapes(views),
    marksPersonalData: text.includes(PERSONAL_MARK) && marksPersonalData(document),
  };
  const { read, notRead } = readAll(declarations, context);
  const models = modelOf(read, context);
  const refusals = issues.quietly(() => read.map(({ declaration }) => readRefusals(declaration, context)));
  schemas.breakLoops();
  const nameables = [
    ...read.map(({ declaration, id, sent, operation: { isList, fields, query } }) => {
      const one = fields.includes('id') ? ('item' as const) : ('record' as const);
      const returns = isList ? ('list' as const) : fields.length > 0 ? one : undefined;
      const needed = [...Object.keys(query).filter((name) => query[name]?.required), ...sent.required];
      return { ...declaration, id, returns, takesIds: needed.some((name) => IDS.test(kebab(name))) };
    }),
    // These get names, too, so that typing one explains why payctl cannot run it.
    ...notRead.map(({ declaration, id }) => ({ ...declaration, id, isNotRun: true })),
  ];
  const names = nameCommands(nameables, builtIn, issues);
  const records = read.map(({ operation, requests, response, id }, index): OperationRecord => {
    const name = names[index];
    const facts = {
      ...(name?.isForAll && { isForAll: true }),
      ...(isDeletion({ id, operation }, name?.command) && { isDeletion: true }),
    };
    const [model, refused] = [models[index], refusals[index]];
    const columns = columnsWith(model?.recordId, operation);
    return {
      operation: { id, ...namesIn(name), ...facts, ...operation, ...model, columns },
      requests,
      response,
      ...(refused && { refusals: refused }),
    };
  });
  const notRunNames = names.slice(read.length);
  const index: ImportedDescription = {
    ...titleOf(document, file),
    openapi,
    hash: createHash('sha256').update(text).digest('hex'),
    file,
    importedAt: now.toISOString(),
    ...(merchantHeader !== undefined && { merchantHeader }),
    ...(servers.length > 0 && { servers }),
    operations: records.map(({ operation }) => indexed(operation)),
    ...(notRead.length > 0 && { notRun: notRead.map((each, at) => notRun(each, notRunNames[at])) }),
    issues: issues.list(),
  };
  return { index, records, definitions: schemas.definitions };
}

/** Names of what takes the IDs of several records. */
const IDS = /(?:^|-)(?:ids|uris)$/;

function titleOf({ info }: Readonly<Record<string, unknown>>, file: string) {
  const { title, version } = isObject(info) ? info : {};
  return { title: plainLine(title) || file, version: plainLine(version, 40) };
}

/** Whether an operation is called a deletion, by its command, its path or its id, and sends no DELETE: `POST /customers/{id}/delete`. */
function isDeletion(
  { id, operation }: { readonly id: string; readonly operation: Pick<ImportedOperation, 'method' | 'path'> },
  command = '',
): boolean {
  const { method, path } = operation;
  if (method === 'GET' || method === 'DELETE') return false;
  const names = [command.split(' ').at(-1) ?? '', lastWord(path), id.includes(' ') ? '' : id];
  return names.some(isCalledDeletion);
}

function namesIn({ command, aliases }: CommandName = { command: '', aliases: [], isForAll: false }) {
  return { command, ...(aliases.length > 0 && { aliases }) };
}

/** The columns of a table: first what identifies a record in its path, because that is what a person types next. */
function columnsWith(
  recordId: string | undefined,
  { columns, record }: Pick<ImportedOperation, 'columns' | 'record'>,
): readonly string[] {
  if (recordId === undefined || columns.length === 0 || isSecretName(recordId)) return columns;
  const id = pathBelow(record?.item, recordId);
  return [id, ...columns.filter((path) => path !== id)];
}

function notRun({ declaration, id, skip }: NotRead, name: CommandName | undefined): NotRunOperation {
  const { method, path, value } = declaration;
  const { code, message: reason, location } = skip;
  return {
    id,
    method,
    path,
    ...labelsOf(value),
    ...namesIn(name),
    code,
    reason,
    pointer: pointerOf(location),
  };
}

function indexed(operation: ImportedOperation): IndexedOperation {
  const { pathParameters, query } = operation;
  const needs = Object.keys(query).filter((name) => query[name]?.required);
  const facts = INDEXED.map((name) => [name, operation[name]] as const);
  const known = facts.filter(([, fact]) => fact !== undefined && fact !== false);
  return {
    ...(Object.fromEntries(known) as unknown as IndexedOperation),
    ...(isPaged(operation) && { paginated: true }),
    ...(pathParameters.length > 0 && { arguments: pathParameters }),
    ...(needs.length > 0 && { needs }),
  };
}

const MERCHANT_ACCOUNT = /merchant[-_]?account/;
const MERCHANT = /merchant([-_]?id)?$/;
/** Other words for a merchant account, such as that of `Xero-Tenant-Id`. */
const TENANT = /(?:^|-)(?:tenant|organi[sz]ation|org|account|business|company|workspace)(?:-?id)?$/;

/** The header parameter that names a merchant account: the one that most operations have, or of other names, one that most operations need. */
function merchantHeaderOf(declarations: readonly Declaration[], references: References): string | undefined {
  const counts = new Map<string, number>();
  const needs = new Map<string, number>();
  for (const { value, shared, location } of declarations) {
    for (const entry of [shared.value, value.parameters].flat()) {
      const found = references.follow(entry, location);
      const parameter = 'value' in found && isObject(found.value) ? found.value : {};
      const name =
        parameter.in === 'header' && typeof parameter.name === 'string' ? parameter.name.toLowerCase() : '';
      if (!/^[a-z0-9-]{1,100}$/.test(name)) continue;
      counts.set(name, (counts.get(name) ?? 0) + 1);
      if (parameter.required === true) needs.set(name, (needs.get(name) ?? 0) + 1);
    }
  }
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a).map(([name]) => name);
  const isNeeded = (name: string) => (needs.get(name) ?? 0) * 2 > declarations.length;
  return (
    sorted.find((name) => MERCHANT_ACCOUNT.test(name)) ??
    sorted.find((name) => MERCHANT.test(name)) ??
    sorted.find((name) => TENANT.test(name) && isNeeded(name))
  );
}

const PERSONAL_MARK = 'x-personal-data';

/** Whether the document marks anything as personal data. */
function marksPersonalData(document: unknown): boolean {
  return containersIn(document).some((part) => isObject(part) && typeof part[PERSONAL_MARK] === 'boolean');
}
