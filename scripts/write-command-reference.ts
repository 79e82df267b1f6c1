/**
 * Writes docs/commands.md, the reference of all commands, from the help of the last build, and the list of man pages in
 * package.json; where a command has no help yet, it leaves the files as they are and says so. With --check it compares
 * instead, and fails when a file is stale or cannot be compared.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HELP_TOPICS } from '../src/cli/routing/catalog/help-topics.ts';
import { renderHelp } from '../src/cli/routing/help-text.ts';
import { listCommands } from '../src/cli/routing/route.ts';
import { writeOrCheck } from './written-files.ts';

const root = join(import.meta.dirname, '..');

/** The reference as it should be. Needs `dist/help`. */
export function commandReference(): string {
  const pages = [
    ...listCommands(join(root, 'src', 'commands')),
    ...Object.keys(HELP_TOPICS).map((topic) => `help ${topic}`),
  ];
  const sections = pages.map((page) => {
    const help = renderHelp(readFileSync(helpFile(page), 'utf8'), 80);
    return `## payctl ${page}\n\n\`\`\`text\n${help.trimEnd()}\n\`\`\`\n`;
  });
  const links = pages.map((page) => `- [payctl ${page}](#payctl-${page.replaceAll(' ', '-')})`);
  const head =
    '<!-- Written by scripts/write-command-reference.ts from the help of each command; do not edit. -->';
  return `${head}\n\n# Commands\n\n${links.join('\n')}\n\n${sections.join('\n')}`;
}

/** package.json with the man page of every command and topic: npm installs those that it lists. */
function withManPages(text: string): string {
  const commands = listCommands(join(root, 'src', 'commands')).map((name) => name.replaceAll(' ', '-'));
  const man = [
    './dist/man/payctl.1.gz',
    ...commands.map((name) => `./dist/man/payctl-${name}.1.gz`),
    ...Object.keys(HELP_TOPICS).map((name) => `./dist/man/payctl-${name}.7.gz`),
  ];
  return `${JSON.stringify({ ...JSON.parse(text), man }, null, 2)}\n`;
}

function helpFile(command: string): string {
  return join(root, 'dist', 'help', `${command.replace(/^help /, '').replaceAll(' ', '/')}.txt`);
}

/** Why the reference cannot be written now; undefined when it can. */
function whatIsMissing(): string | undefined {
  const missing = listCommands(join(root, 'src', 'commands')).find(
    (command) => !existsSync(helpFile(command)),
  );
  return missing && `docs/commands.md waits for a build: dist has no help of "payctl ${missing}"`;
}

if (import.meta.main) {
  const reason = whatIsMissing();
  if (reason === undefined) {
    writeOrCheck([
      ['docs/commands.md', commandReference()],
      ['package.json', withManPages(readFileSync(join(root, 'package.json'), 'utf8'))],
    ]);
  } else {
    process.stderr.write(`${reason}\n`);
    if (process.argv.includes('--check')) process.exitCode = 1;
  }
}
