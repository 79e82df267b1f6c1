import { BaseCommand } from '../../cli/base-command.ts';
import { furtherFlags } from '../../cli/flags/further-flags.ts';
import { COMMAND_OPERATIONS } from '../../cli/routing/catalog/operations.ts';
import type { Environment } from '../../config/environment.ts';
import type { ImportedOperation } from '../../descriptions/imported-operation.ts';
import { own } from '../../json/is-object.ts';
import { completedMembers } from './completed-members.ts';
import { importedCommand } from './imported-command.ts';

type ValueKind =
  | readonly string[]
  | { readonly members: readonly string[] }
  | 'profile'
  | 'columns'
  | 'text-or-file'
  | 'file'
  | 'unknown';

/** A command as completion knows it. */
export type CompletedCommand = {
  readonly summary: string;
  readonly flags: readonly CompletedFlag[];
  readonly args: readonly ValueKind[];
  readonly columns: readonly string[];
  readonly deepColumns: readonly string[];
};

type CompletedFlag = {
  readonly name: string;
  readonly char?: string;
  readonly summary: string;
  readonly value?: ValueKind;
  readonly multiple?: boolean;
};

type OclifFlag = {
  readonly type?: string;
  readonly char?: string;
  readonly summary?: string;
  readonly options?: readonly string[];
  readonly helpValue?: string;
  readonly helpGroup?: string;
  readonly multiple?: boolean;
  readonly hidden?: boolean;
};

/** A command with its flags, its arguments and the columns of its data. */
export function completedCommand(operation: ImportedOperation): CompletedCommand {
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

function withMembers(flag: CompletedFlag, { requestSchema, bodyKind }: ImportedOperation): CompletedFlag {
  if (flag.name !== 'field') return flag;
  return { ...flag, value: { members: completedMembers(requestSchema, bodyKind === 'multipart') } };
}

/** The flags that the description of a run adds to a command of payctl itself. @throws UsageError as `openDescription` */
export async function completedFurtherFlags(
  { words, flags: taken }: { readonly words: string; readonly flags: readonly string[] },
  run: { readonly argv: readonly string[]; readonly environment: Environment },
): Promise<readonly CompletedFlag[]> {
  const operation = own(COMMAND_OPERATIONS, words);
  const further = operation && (await furtherFlags(operation, { ...run, taken }));
  return Object.entries((further?.flags ?? {}) as Record<string, OclifFlag>).map(completedFlag);
}

function completedFlag([name, flag]: [string, OclifFlag]): CompletedFlag {
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
