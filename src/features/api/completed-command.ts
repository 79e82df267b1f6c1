import { BaseCommand } from '../../cli/base-command.ts';
import type { CompletionCommand, CompletionFlag, ValueKind } from '../../cli/completion.ts';
import { furtherFlags } from '../../cli/flags/further-flags.ts';
import { COMMAND_OPERATIONS } from '../../cli/routing/catalog/operations.ts';
import type { OclifFlag } from '../../cli/routing/help/describe-command.ts';
import type { Environment } from '../../config/environment.ts';
import type { ImportedOperation } from '../../descriptions/imported-operation.ts';
import { own } from '../../json/is-object.ts';
import { completedMembers } from './completed-members.ts';
import { importedCommand } from './imported-command.ts';

/** A command with its flags, its arguments and the columns of its data. */
export function completedCommand(operation: ImportedOperation): CompletionCommand {
  const command = importedCommand({ operation, words: '' });
  const all = { ...command.flags, ...BaseCommand.baseFlags } as Record<string, OclifFlag>;
  const flags = Object.entries(all).filter(([, { hidden }]) => !hidden);
  const isGlobal = ([, { helpGroup }]: [string, OclifFlag]) => helpGroup === 'GLOBAL';
  const ordered = [...flags.filter((flag) => !isGlobal(flag)), ...flags.filter(isGlobal)];
  const paths = [...new Set([...operation.columns, ...operation.fields])].filter(
    (path) => !path.endsWith('*'),
  );
  const isDeep = (path: string) => path.split('.').length > 2;
  return {
    summary: operation.summary,
    flags: ordered.map((flag) => withMembers(completedFlag(flag), operation)),
    args: operation.pathParameters.map((name) => own(operation.pathValues, name)?.enum ?? 'unknown'),
    columns: paths.filter((path) => !isDeep(path)),
    deepColumns: paths.filter(isDeep),
  };
}

function withMembers(flag: CompletionFlag, { requestSchema, bodyKind }: ImportedOperation): CompletionFlag {
  if (flag.name !== 'field') return flag;
  return { ...flag, value: { members: completedMembers(requestSchema, bodyKind === 'multipart') } };
}

/** The flags that the description of a run adds to a command of payctl itself. @throws UsageError as `openDescription` */
export async function completedFurtherFlags(
  { words, flags: taken }: { readonly words: string; readonly flags: readonly string[] },
  run: { readonly argv: readonly string[]; readonly environment: Environment },
): Promise<readonly CompletionFlag[]> {
  const operation = own(COMMAND_OPERATIONS, words);
  const further = operation && (await furtherFlags(operation, { ...run, taken }));
  return Object.entries((further?.flags ?? {}) as Record<string, OclifFlag>).map(completedFlag);
}

function completedFlag([name, flag]: [string, OclifFlag]): CompletionFlag {
  const { char, summary = '', multiple, type } = flag;
  return {
    name,
    ...(char === undefined ? {} : { char }),
    summary,
    ...(type === 'boolean' ? {} : { value: kindOf(name, flag) }),
    ...(multiple ? { multiple } : {}),
  };
}

function kindOf(name: string, { options, helpValue = '' }: OclifFlag): ValueKind {
  if (options) return options;
  if (name === 'profile' || name === 'columns') return name;
  if (helpValue === 'FILE') return 'file';
  return helpValue.includes('@FILE') ? 'text-or-file' : 'unknown';
}
