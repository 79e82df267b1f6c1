/**
 * Writes docs/commands.md, the reference of all commands, from the rendered help of the last build. With --check it
 * compares instead, and fails when the file is stale.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listCommands } from '../src/cli/route.ts';

const root = join(import.meta.dirname, '..');
const target = join(root, 'docs', 'commands.md');

/** The reference as it should be. Needs `dist/help`. */
export function commandReference(): string {
  const commands = listCommands(join(root, 'src', 'commands'));
  const sections = commands.map((command) => {
    const help = readFileSync(join(root, 'dist', 'help', `${command.replaceAll(' ', '/')}.txt`), 'utf8');
    return `## payctl ${command}\n\n\`\`\`text\n${help.trimEnd()}\n\`\`\`\n`;
  });
  const links = commands.map((command) => `- [payctl ${command}](#payctl-${command.replaceAll(' ', '-')})`);
  const head =
    '<!-- Written by scripts/write-command-reference.ts from the help of each command; do not edit. -->';
  return `${head}\n\n# Commands\n\n${links.join('\n')}\n\n${sections.join('\n')}`;
}

if (import.meta.main) {
  if (globSync('dist/help/**/*.txt', { cwd: root }).length === 0)
    throw new Error('there is no help to read; run npm run build first');
  if (!process.argv.includes('--check')) writeFileSync(target, commandReference());
  else if (readFileSync(target, 'utf8') !== commandReference()) process.exitCode = 1;
}
