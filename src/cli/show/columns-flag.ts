import type { Interfaces } from '@oclif/core';
import type { Profile } from '../../config/profile.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Column } from '../../output/columns.ts';
import type { ProfileColumns } from '../flags/list.ts';
import { splitNames } from '../flags/types.ts';
import type { KnownColumns } from './known-columns.ts';

/** What a command says about its data. */
export type CommandData = {
  readonly columns: readonly Column[];
  readonly operation: Operation | undefined;
  readonly members: Readonly<Record<string, Operation>> | undefined;
  readonly fields?: readonly string[] | undefined;
  readonly flags?: Interfaces.FlagInput;
};

/** Whether --columns is among the flags, and chooses the columns that the command shows. */
export function takesColumns({ columns }: Interfaces.FlagInput = {}): boolean {
  return columns !== undefined && columns.type === 'option' && !columns.multiple;
}

/** The arguments without a --columns that has no value, which asks for the columns; undefined where there is none. */
export function withoutBareColumns(argv: readonly string[]): readonly string[] | undefined {
  const at = argv.lastIndexOf('--columns');
  const isBare = at >= 0 && !argv.includes('--') && (argv[at + 1]?.startsWith('-') ?? true);
  return isBare ? argv.filter((_, index) => index !== at) : undefined;
}

/** The columns that a profile chooses for the tables of a command. */
export function columnsOfProfile(profile: Profile | undefined, command: string): ProfileColumns | undefined {
  const { name = '', columns = {} } = profile ?? {};
  if (!Object.hasOwn(columns, command)) return undefined;
  return { names: splitNames(columns[command] ?? ''), chosenFor: { command, profile: name } };
}

/** What --columns of a command can name; undefined where it has no columns to choose from. */
export function knownColumnsOf({
  columns,
  operation,
  members,
  fields,
  flags,
}: CommandData): KnownColumns | undefined {
  if (!takesColumns(flags) || (columns.length === 0 && !operation && !members)) return undefined;
  return { columns, operation: operation?.id, fields, members: members && operationIds(members) };
}

/** The IDs of the operations of a command whose document is made of several. */
export function operationIds(members: Readonly<Record<string, Operation>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(members).map(([path, { id }]) => [path, id]));
}
