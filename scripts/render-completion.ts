import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BaseCommand } from '../src/cli/base-command.ts';
import type { CompletionCommand, CompletionFlag, ValueKind } from '../src/cli/completion.ts';
import { HELP_TOPICS } from '../src/cli/routing/catalog/help-topics.ts';
import { COMMAND_OPERATIONS } from '../src/cli/routing/catalog/operations.ts';
import { TOPICS } from '../src/cli/routing/catalog/topics.ts';
import { LEADING_FLAGS } from '../src/cli/routing/leading-flags.ts';
import document from '../src/contract/generated/description.json' with { type: 'json' };
import { scopes } from '../src/contract/generated/operations.ts';
import type { Operation } from '../src/contract/operation.ts';
import type {
  CommonFlags,
  CompletionData,
  CompletionIndex,
  StoredCommand,
} from '../src/features/completion/data.ts';
import { sanitizeText } from '../src/output/sanitize.ts';

/** The parts of oclif's manifest that completion needs. */
type Manifest = { readonly commands: Readonly<Record<string, ManifestCommand>> };
type ManifestCommand = {
  readonly id: string;
  readonly summary?: string;
  readonly hidden?: boolean;
  /** False where arguments may be given beyond those that have a name. */
  readonly strict?: boolean;
  readonly flags: Readonly<Record<string, ManifestFlag>>;
  readonly args: Readonly<Record<string, { readonly name: string; readonly options?: readonly string[] }>>;
};
type ManifestFlag = Pick<CompletionFlag, 'name' | 'char' | 'multiple'> & {
  readonly type: string;
  readonly summary?: string;
  readonly hidden?: boolean;
  readonly options?: readonly string[];
  readonly helpValue?: string;
  readonly helpGroup?: string;
};
type Schema = {
  readonly [keyword: string]: unknown;
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
};
type Columns = Pick<CompletionCommand, 'columns' | 'deepColumns'>;

/** `buyer.billing_details.address.city` of a payment method. */
const DEEPEST_PATH = 4;
/** Fields that are deeper are many, and few people look for them. */
const DEEPEST_AT_ONCE = 2;
const schemas: Readonly<Record<string, Schema>> = document.components.schemas;

/**
 * Writes dist/completion.jsonl: what the shells complete, from the manifest of the commands, which must be there. At run
 * time a completion is one file to read and at most three of its lines to parse, with no command loaded.
 */
export async function writeCompletion(root: string): Promise<void> {
  writeFileSync(join(root, 'dist', 'completion.jsonl'), completionLines(await completionData(root)));
}

/**
 * The data as they are stored: a line with all commands by their names, one with the flags that several commands have, then a line for
 * each command.
 */
export function completionLines(data: CompletionData): string {
  const commands = Object.entries(data.commands);
  const index: CompletionIndex = {
    ...data,
    commands: Object.fromEntries(commands.map(([name, { summary }]) => [name, summary])),
  };
  const common = commonFlags(commands.flatMap(([, { flags }]) => flags));
  const places = new Map(common.map((flag, place) => [JSON.stringify(flag), place]));
  const stored = commands.map(([name, command]): readonly [string, StoredCommand] => {
    const flags = command.flags.map((flag) => places.get(JSON.stringify(flag)) ?? flag);
    return [name, { ...command, flags }];
  });
  return [index, common, ...stored].map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Those that are there more than once, each once. */
function commonFlags(flags: readonly CompletionFlag[]): CommonFlags {
  const texts = flags.map((flag) => JSON.stringify(flag));
  const common = new Set(texts.filter((text, place) => texts.indexOf(text) < place));
  return [...common].map((text): CompletionFlag => JSON.parse(text));
}

/** The same as data. */
export async function completionData(root: string): Promise<CompletionData> {
  const manifest: Manifest = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8'));
  const shown = Object.values(manifest.commands).filter(({ hidden }) => !hidden);
  const commands: Record<string, CompletionCommand> = {};
  for (const command of shown.sort((a, b) => (wordsOf(a) < wordsOf(b) ? -1 : 1))) {
    commands[wordsOf(command)] = await renderCommand(root, command);
  }
  return { topics: TOPICS, helpTopics: HELP_TOPICS, commands, shared: sharedFlags(shown) };
}

function wordsOf({ id }: ManifestCommand): string {
  return id.replaceAll(':', ' ');
}

/** The flags that are allowed before the command, each once. */
function sharedFlags(commands: readonly ManifestCommand[]): readonly CompletionFlag[] {
  const flags = commands.flatMap((command) => Object.values(command.flags));
  return LEADING_FLAGS.flatMap((name) => {
    const flag = flags.find((candidate) => candidate.name === name && isGlobal(candidate));
    return flag ? [renderFlag(flag)] : [];
  });
}

function isGlobal({ helpGroup, hidden }: ManifestFlag): boolean {
  return helpGroup === 'GLOBAL' && !hidden;
}

async function renderCommand(root: string, { id, summary, strict, flags, args }: ManifestCommand) {
  const shown = Object.values(flags).filter(({ hidden }) => !hidden);
  // What only this command has comes first.
  const ordered = [...shown.filter((flag) => !isGlobal(flag)), ...shown.filter(isGlobal)];
  return {
    summary: sanitizeText(summary ?? ''),
    flags: ordered.map(renderFlag),
    args: Object.values(args).map(({ name, options }) => options ?? argumentKind(id, name)),
    ...(strict === false && { repeats: true }),
    ...('columns' in flags ? await columnsOf(root, id.split(':')) : { columns: [], deepColumns: [] }),
  };
}

function renderFlag(flag: ManifestFlag): CompletionFlag {
  const { name, char, summary = '', multiple } = flag;
  return {
    name,
    ...(char === undefined ? {} : { char }),
    summary: sanitizeText(summary),
    ...(flag.type === 'boolean' ? {} : { value: valueKind(flag) }),
    ...(multiple ? { multiple } : {}),
  };
}

function valueKind({ name, options, multiple, helpValue = '' }: ManifestFlag): ValueKind {
  if (options) return options;
  if (name === 'sort') return 'columns';
  if (name === 'profile' || (name === 'columns' && !multiple)) return name;
  if (name === 'scope') return scopes;
  if (helpValue.includes('@FILE')) return 'text-or-file';
  return helpValue.includes('FILE') ? 'file' : 'unknown';
}

/** The commands whose arguments are all paths of files. */
const FILE_COMMANDS = new Set(['api:import', 'api:diff', 'auth:inspect']);

/** The resources that `export` and `sync` take, without those of an imported description. */
const EXPORTED = Object.entries<Operation>(COMMAND_OPERATIONS)
  .filter(([, { isList, pathParameters }]) => isList && pathParameters.length === 0)
  .map(([command]) => command.replace(/ list$/, ''))
  .sort();

/** The built-in profiles can be used and shown, but neither changed nor deleted. */
function argumentKind(id: string, name: string): ValueKind {
  if (FILE_COMMANDS.has(id) || name === 'plan') return 'file';
  if (name === 'resource') return EXPORTED;
  if (name !== 'profile') return 'unknown';
  return /:(set|delete)$/.test(id) ? 'stored-profile' : 'profile';
}

/**
 * What --columns of a command can name: the columns of its table, then the other fields of the resource that its operation
 * answers with. A command that calls no operation shows its columns and no more.
 */
async function columnsOf(root: string, words: readonly string[]): Promise<Columns> {
  const file = join(root, 'src', 'commands', ...words);
  const { default: command }: { default: typeof BaseCommand } = await import(
    pathToFileURL(`${file}.ts`).href
  );
  const ofTable = [...new Set(command.columns.flatMap(({ path, parts }) => parts ?? [path]))];
  const operation = COMMAND_OPERATIONS[words.join(' ')] ?? command.operation;
  const members = command.members ?? (operation ? { '': operation } : {});
  const fields = Object.entries(members).flatMap(([path, { responseSchema }]) => {
    const below = fieldPaths(resourceOf(responseSchema), DEEPEST_PATH);
    return path === '' ? below : [path, ...below.map((field) => `${path}.${field}`)];
  });
  const others = fields.filter((path) => !ofTable.includes(path));
  const isDeep = (path: string) => path.split('.').length > DEEPEST_AT_ONCE;
  return {
    columns: [...ofTable, ...others.filter((path) => !isDeep(path))],
    deepColumns: others.filter(isDeep),
  };
}

/** The schema of a document, or of one item of a list. */
function resourceOf(name: string): Schema {
  return schemas[name]?.properties?.items?.items ?? schemas[name] ?? {};
}

/** The dotted paths of an object's members; those of its own first, then those of what they hold. */
function fieldPaths(schema: Schema, depth: number): readonly string[] {
  const members = Object.entries(membersOf(schema));
  const names = members.map(([name]) => name);
  if (depth === 1) return names;
  const deeper = members.flatMap(([name, member]) =>
    fieldPaths(member, depth - 1).map((path) => `${name}.${path}`),
  );
  return [...names, ...deeper];
}

function membersOf({ $ref, anyOf = [], properties = {} }: Schema): Readonly<Record<string, Schema>> {
  const referred = schemas[$ref?.replace('#/components/schemas/', '') ?? ''];
  return Object.assign({}, ...(referred ? [referred, ...anyOf] : anyOf).map(membersOf), properties);
}
