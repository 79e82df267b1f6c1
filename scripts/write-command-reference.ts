/**
 * Writes docs/commands.md, the reference of all commands, from the rendered help of the last build; where a command has
 * none yet, it leaves the file as it is and says so. With --check it compares instead, and fails when the file is stale or
 * cannot be compared.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listCommands } from '../src/cli/route.ts';

const root = join(import.meta.dirname, '..');
const target = join(root, 'docs', 'commands.md');

/** The reference as it should be. Needs `dist/help`. */
export function commandReference(): string {
  const commands = listCommands(join(root, 'src', 'commands'));
  const sections = commands.map((command) => {
    const help = readFileSync(helpFile(command), 'utf8');
    return `## payctl ${command}\n\n\`\`\`text\n${help.trimEnd()}\n\`\`\`\n`;
  });
  const links = commands.map((command) => `- [payctl ${command}](#payctl-${command.replaceAll(' ', '-')})`);
  const head =
    '<!-- Written by scripts/write-command-reference.ts from the help of each command; do not edit. -->';
  return `${head}\n\n# Commands\n\n${links.join('\n')}\n\n${sections.join('\n')}`;
}

function helpFile(command: string): string {
  return join(root, 'dist', 'help', `${command.replaceAll(' ', '/')}.txt`);
}

/** Why the reference cannot be written now; undefined when it can. */
function whatIsMissing(): string | undefined {
  const missing = listCommands(join(root, 'src', 'commands')).find(
    (command) => !existsSync(helpFile(command)),
  );
  return missing && `docs/commands.md waits for a build: dist has no help of "payctl ${missing}"`;
}

function write(): void {
  const reason = whatIsMissing();
  if (reason) process.stderr.write(`${reason}\n`);
  else writeFileSync(target, commandReference());
}

function check(): void {
  const isStale = () => readFileSync(target, 'utf8') !== commandReference();
  const reason =
    whatIsMissing() ?? (isStale() ? 'docs/commands.md is not what the last build gives' : undefined);
  if (reason === undefined) return;
  process.stderr.write(`${reason}\n`);
  process.exitCode = 1;
}

if (import.meta.main) (process.argv.includes('--check') ? check : write)();
