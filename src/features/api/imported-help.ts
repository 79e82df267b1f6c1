import { commandPage, section, textSection } from '../../cli/routing/help/command-page.ts';
import { type CommandHelp, describeCommand } from '../../cli/routing/help/describe-command.ts';
import { type Row, type Section, toHelpText } from '../../cli/routing/help/page.ts';
import type { ImportedHelp } from '../../cli/routing/help/requested-help.ts';
import { renderHelp } from '../../cli/routing/help-text.ts';
import { commandsFolder, listCommands } from '../../cli/routing/route.ts';
import type { OpenedDescription } from '../../cli/session/open-description.ts';
import type { ImportedOperation, IndexedOperation } from '../../descriptions/imported-operation.ts';
import { commandsOf, labelOf } from '../../descriptions/listing.ts';
import { defaultIn } from '../../descriptions/plain-text.ts';
import { isObject } from '../../json/is-object.ts';
import { isBinary } from '../../schemas/file-schema.ts';
import {
  FIRST,
  isReadOnlyMember,
  memberSchemas,
  partsOf,
  type Schema,
  schemaBelow,
  typesOf,
} from '../../schemas/schema-at.ts';
import { argumentName, plural } from '../../text/format.ts';
import { isConstant } from './fields.ts';
import { commandLine, oneLine } from './help-listing.ts';
import { importedCommand } from './imported-command.ts';

/** The words of a command, and the operation that it calls. */
export type NamedOperation = { readonly words: string; readonly operation: ImportedOperation };

/** The help of a command of an imported description, for a terminal of so many columns. */
export function importedCommandHelp({ operation, words }: NamedOperation, columns: number): string {
  const page = commandPage(helpOf(operation, words));
  const rest = [
    ...bodySection(operation),
    ...responseSection(operation),
    textSection(`More: payctl api show ${operation.id}`),
  ];
  return renderHelp(toHelpText({ ...page, sections: [...page.sections, ...rest] }), columns);
}

/** The same page for such a command as for one of payctl's own. */
export function helpOf(operation: ImportedOperation, words: string): CommandHelp {
  const help = describeCommand(words, importedCommand({ operation, words }), operation);
  const flags = help.flags.map((flag) => ({ ...flag, summary: oneLine(flag.summary) }));
  const description = help.description && shortened(help.description);
  const isSaid = description === help.summary || description === null;
  return {
    ...help,
    flags,
    arguments: help.arguments.map((argument) => ({ ...argument, summary: oneLine(argument.summary) })),
    summary: commandLine(oneLine(labelOf(operation)), operation.isDeprecated),
    description: isSaid ? null : description,
  };
}

/** Characters of a description that the help shows; `api show` has all of it. */
const LONGEST_DESCRIPTION = 240;

function shortened(text: string): string {
  const line = oneLine(text);
  if (line.length <= LONGEST_DESCRIPTION) return line;
  const cut = line.slice(0, LONGEST_DESCRIPTION);
  return `${cut.slice(0, cut.lastIndexOf(' ')).toWellFormed()} ...`;
}

/** What the help says about a response that is not JSON. */
function responseSection({ downloadTypes }: ImportedOperation): readonly Section[] {
  if (!downloadTypes) return [];
  const text = `Returns ${downloadTypes.map(oneLine).join(' or ')}, which is written unchanged: nothing in it is masked, and --output, --jq and --columns do not apply.`;
  return [textSection(text)];
}

/** Members of a body that the help shows. */
const MOST_MEMBERS = 10;

function bodySection({ requestSchema: schema, bodyKind, record }: ImportedOperation): readonly Section[] {
  const place = record?.request;
  const levels = ['', ...(place === undefined ? [] : [`${place}.`, `${place}.attributes.`])].map((above) => {
    const parts = partsOf(schemaBelow(schema, above.slice(0, -1) || undefined), schema);
    const required = new Set(parts.flatMap((part) => (Array.isArray(part.required) ? part.required : [])));
    const names = parts.flatMap(({ properties }) => (isObject(properties) ? Object.keys(properties) : []));
    return { above, parts, required, names: new Set(names) };
  });
  // What is in the record comes first. A name is that of the outermost member with it, as for `-F`.
  const ordered = levels.toReversed().flatMap(({ above, parts, required, names }, index) => {
    const outer = levels.slice(0, -1 - index);
    const settable = [...names].filter((name) => {
      const holds = levels.some((one) => one.names.size > 0 && one.above.startsWith(`${above}${name}.`));
      const isAdded =
        above === `${place}.` && required.has(name) && isConstant(memberSchemas(parts, name), schema);
      return !holds && !isAdded && !isReadOnlyMember(parts, name, schema);
    });
    return settable
      .sort((first, second) => Number(required.has(second)) - Number(required.has(first)))
      .map((name) => {
        const path = outer.some((one) => one.names.has(name)) ? above + name : name;
        return { path: path.replaceAll(`.${FIRST}.`, '[0].'), name, parts, required };
      });
  });
  if (ordered.length === 0) return [];
  const rows = ordered.slice(0, MOST_MEMBERS).map(({ path, name, parts, required }): Row => {
    const member = memberSchemas(parts, name).flatMap((one) => partsOf(one, schema));
    const types = bodyKind === 'multipart' && isBinary(member) ? 'file' : [...typesOf(member)].join(' or ');
    const summary = member.find((part) => typeof part.description === 'string')?.description;
    const isRequired = required.has(name) ? 'Required.' : '';
    const said = [types === '' ? '' : `${types}.`, isRequired, shortLine(summary)].filter(Boolean).join(' ');
    const text = [said, isRequired ? '' : usualValue(member, said)].filter(Boolean).join(' ');
    return [oneLine(path), text.charAt(0).toUpperCase() + text.slice(1)];
  });
  const left = ordered.length - rows.length;
  const more: Row[] = left > 0 ? [['...', `${plural(left, 'further field')}.`]] : [];
  return [section('BODY (-F NAME=VALUE)', [...rows, ...more])];
}

function shortLine(text: unknown): string {
  const line = typeof text === 'string' ? oneLine(text) : '';
  const [first = ''] = /^.{0,70}?[.](?=\s|$)/.exec(line) ?? [];
  const short = first !== '' ? first : line.length > 70 ? `${line.slice(0, 67).toWellFormed()}...` : line;
  return [short, oneLine(defaultIn(short, line))].filter(Boolean).join(' ');
}

/** The default that the schema names, unless its description mentions one. */
function usualValue(parts: readonly Schema[], text: string): string {
  const usual = parts.find((part) => ['string', 'number', 'boolean'].includes(typeof part.default))?.default;
  return usual === undefined || usual === '' || /default/i.test(text) ? '' : oneLine(`Default: ${usual}.`);
}

/** What a description adds to the documents of the help and to a search: the commands that payctl does not have itself. */
export function importedHelp(
  description: OpenedDescription | undefined,
  {
    programFolder,
    otherProfiles,
  }: { readonly programFolder: string; readonly otherProfiles: readonly string[] },
): ImportedHelp {
  const own = new Set(listCommands(commandsFolder(programFolder)));
  const operations = description ? commandsOf(description.index) : new Map<string, IndexedOperation>();
  const listed = [...operations].filter(([name, { command }]) => name === command && !own.has(name));
  return {
    otherProfiles,
    listed: listed.map(([name, operation]) => ({
      name,
      aliases: (operation.aliases ?? []).filter((alias) => !own.has(alias)),
      summary: commandLine(oneLine(labelOf(operation)), operation.isDeprecated),
      usage: ['payctl', name, ...(operation.arguments ?? []).map(argumentName), '[FLAGS]'].join(' '),
      changes: operation.method === 'GET' ? 'nothing' : 'service',
      words: [operation.id, operation.method, operation.path, operation.tag].join(' '),
    })),
    describe(name) {
      const operation = operations.get(name);
      if (!description || !operation) throw new Error(`No operation is called ${name}`);
      return helpOf(description.operation(operation), name);
    },
  };
}
