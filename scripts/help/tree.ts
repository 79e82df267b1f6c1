import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BaseCommand } from '../../src/cli/base-command.ts';
import { COMMAND_OPERATIONS } from '../../src/cli/routing/catalog/operations.ts';
import { TOPICS } from '../../src/cli/routing/catalog/topics.ts';
import { type CommandHelp, describeCommand } from '../../src/cli/routing/help/describe-command.ts';
import { EXIT_CODES, formats, variables } from '../../src/cli/routing/help/reference.ts';
import { listCommands } from '../../src/cli/routing/route.ts';

/** Everything that the help is made of. */
export type CommandTree = {
  readonly program: string;
  readonly program_version: string;
  readonly groups: readonly { readonly group: string; readonly summary: string }[];
  readonly commands: readonly CommandHelp[];
  readonly environment: readonly { readonly name: string; readonly summary: string }[];
  readonly exit_codes: readonly { readonly code: number; readonly meaning: string }[];
  readonly formats: readonly { readonly name: string; readonly summary: string }[];
};

/** Builds the tree from the command classes, the operations and the tables of `reference.ts`. */
export async function commandTree(root: string, programVersion: string): Promise<CommandTree> {
  const folder = join(root, 'src', 'commands');
  const commands = await Promise.all(listCommands(folder).map((name) => readCommand(folder, name)));
  return {
    program: 'payctl',
    program_version: programVersion,
    groups: Object.entries(TOPICS).map(([group, summary]) => ({ group, summary })),
    commands: commands.filter((command) => command !== undefined),
    environment: variables().map(([name, summary]) => ({ name, summary })),
    exit_codes: EXIT_CODES.map(([code, meaning]) => ({ code, meaning })),
    formats: formats().map(([name, summary]) => ({ name, summary })),
  };
}

async function readCommand(folder: string, name: string): Promise<CommandHelp | undefined> {
  const file = `${join(folder, ...name.split(' '))}.ts`;
  const { default: command }: { default: typeof BaseCommand } = await import(pathToFileURL(file).href);
  if (command.hidden) return undefined;
  return describeCommand(name, command, COMMAND_OPERATIONS[name] ?? command.operation ?? command.calls);
}
