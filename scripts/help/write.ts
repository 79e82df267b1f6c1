import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { HELP_TOPICS } from '../../src/cli/routing/catalog/help-topics.ts';
import { type Page, toHelpText } from '../../src/cli/routing/help/page.ts';
import { documentCommand, type HelpDocument, sharedFlags } from '../../src/cli/routing/help/tree-document.ts';
import { packed } from '../packed.ts';
import { commandManPage } from './command-man-page.ts';
import { commandPages, groupPages, programManPage, programPage } from './overview-pages.ts';
import { manName, toRoff } from './roff.ts';
import { topicPages } from './topic-pages.ts';
import { type CommandTree, commandTree } from './tree.ts';

/**
 * Writes dist/help/ (the text of every page, which `renderHelp` fits to the terminal), dist/help.json.zst (the command tree) and
 * dist/man/ (the man pages, as `man` reads them everywhere), all from the command classes.
 */
export async function writeHelp(root: string): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const tree = await commandTree(root, version);
  write(
    root,
    'help.json.zst',
    packed(
      Buffer.from(`${JSON.stringify(helpDocument(tree))}
`),
    ),
  );
  for (const page of helpPages(tree)) {
    const name = page.name === '' ? 'index' : page.name.replaceAll(' ', '/');
    write(root, join('help', `${name}.txt`), toHelpText(page));
  }
  for (const [name, text] of manPages(tree)) {
    write(root, join('man', `${name}.gz`), gzipSync(text, { level: 9 }));
  }
}

/** The tree as programs read it. */
function helpDocument({ commands, ...rest }: CommandTree): HelpDocument {
  const shared = sharedFlags(commands);
  return {
    version: 2,
    ...rest,
    commands: commands.map((command) => documentCommand(command, shared)),
    shared_flags: shared,
  };
}

function write(root: string, name: string, content: string | Uint8Array): void {
  const file = join(root, 'dist', name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** Every page of `payctl help`. */
export function helpPages(tree: CommandTree): readonly Page[] {
  return [programPage(tree), ...groupPages(tree), ...commandPages(tree), ...topicPages(tree)];
}

/** Every man page with the name of its file: commands in chapter 1, topics in chapter 7. */
export function manPages(tree: CommandTree): readonly (readonly [file: string, text: string])[] {
  const source = `payctl ${tree.program_version}`;
  const topics = Object.keys(HELP_TOPICS).map((name) => `${manName(name)}(7)`);
  const names = tree.commands.map(({ command }) => `${manName(command)}(1)`);
  const ofCommand = tree.commands.map((command) => {
    const options = { chapter: 1, source, seeAlso: ['payctl(1)', ...topics] };
    return [`${manName(command.command)}.1`, toRoff(commandManPage(command), options)] as const;
  });
  const ofTopic = topicPages(tree).map((page) => {
    const seeAlso = ['payctl(1)', ...topics.filter((name) => name !== `${manName(page.name)}(7)`)];
    return [`${manName(page.name)}.7`, toRoff(page, { chapter: 7, source, seeAlso })] as const;
  });
  const program = toRoff(programManPage(tree), { chapter: 1, source, seeAlso: [...names, ...topics] });
  return [['payctl.1', program], ...ofCommand, ...ofTopic];
}
