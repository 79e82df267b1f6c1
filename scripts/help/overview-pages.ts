import { HELP_TOPICS } from '../../src/cli/routing/catalog/help-topics.ts';
import { HELP_GROUPS } from '../../src/cli/routing/catalog/topics.ts';
import { commandPage, section, textSection } from '../../src/cli/routing/help/command-page.ts';
import type { CommandHelp } from '../../src/cli/routing/help/describe-command.ts';
import type { Page, Row, Section } from '../../src/cli/routing/help/page.ts';
import type { CommandTree } from './tree.ts';

const SUMMARY = 'Administer a payment orchestration service from the command line.';
const USAGE = 'payctl COMMAND [FLAGS]';
const FIRST_COMMAND = 'Try it without an account: payctl buyers list --profile emulator';
const MORE_HELP =
  'Add --help to a command for its flags and examples. payctl help --search WORDS finds commands; payctl --version prints the version.';

/** `payctl --help`: each group of commands with the words that continue it. */
export function programPage(tree: CommandTree): Page {
  const groups = HELP_GROUPS.map(([title, words]) => ({
    title,
    rows: words.map((word) => groupRow(word, tree)),
  }));
  const all = [...groups, { title: 'HELP TOPICS', rows: topicRows() }];
  const termWidth = Math.max(...all.flatMap(({ rows }) => rows.map(([term]) => term.length)));
  return {
    name: '',
    summary: SUMMARY,
    sections: [
      textSection(`Usage: ${USAGE}`),
      textSection(FIRST_COMMAND),
      ...all.map(
        ({ title, rows }): Section => ({
          heading: title,
          blocks: [{ kind: 'rows', rows, termWidth }],
        }),
      ),
      textSection(MORE_HELP),
    ],
  };
}

/** The man page of the program, with every command. */
export function programManPage(tree: CommandTree): Page {
  const groups = HELP_GROUPS.map(([title, words]) =>
    section(
      title,
      words.flatMap((word) => rowsOf(tree, (name) => name.split(' ')[0] === word)),
    ),
  );
  const topics = section('HELP TOPICS', topicRows());
  return {
    name: '',
    summary: SUMMARY,
    sections: [
      { heading: 'SYNOPSIS', blocks: [{ kind: 'text', text: USAGE }] },
      { heading: 'DESCRIPTION', blocks: [FIRST_COMMAND, MORE_HELP].map((text) => ({ kind: 'text', text })) },
      ...groups,
      topics,
    ],
  };
}

/** `payctl buyers --help`: the commands of the group. */
export function groupPages(tree: CommandTree): readonly Page[] {
  const own = new Set(tree.commands.map(({ command }) => command));
  return tree.groups
    .filter(({ group }) => !own.has(group))
    .map(({ group, summary }) => ({
      name: group,
      summary,
      sections: [
        textSection(`Usage: payctl ${group} COMMAND [FLAGS]`),
        section(
          'COMMANDS',
          rowsOf(tree, (name) => name.startsWith(`${group} `)),
        ),
        {
          heading: '',
          blocks: [{ kind: 'text', text: 'Add --help to a command for its flags and examples.' }],
        },
      ],
    }));
}

/** The page of each command; one that is a group as well has the commands of the group. */
export function commandPages(tree: CommandTree): readonly Page[] {
  return tree.commands.map((command) => {
    const page = commandPage(command);
    const rows = rowsOf(tree, (name) => name.startsWith(`${command.command} `));
    if (rows.length === 0) return page;
    const [usage, ...others] = page.sections;
    return { ...page, sections: [...(usage ? [usage] : []), section('COMMANDS', rows), ...others] };
  });
}

function groupRow(word: string, { commands, groups }: CommandTree): Row {
  const [only] = commands.filter(({ command }) => command === word);
  const rest = commands
    .filter(({ command }) => command.startsWith(`${word} `))
    .map(({ command }) => command.slice(word.length + 1))
    .sort(byLength);
  if (only && rest.length === 0) return [word, only.summary];
  const { summary = '' } = only ?? groups.find(({ group }) => group === word) ?? {};
  return [word, `${summary.replace(/\.$/, '')} (${rest.join(', ')}).`];
}

/** `list` before `gift-cards list`: what is nearest comes first. */
function byLength(first: string, second: string): number {
  return first.split(' ').length - second.split(' ').length || first.localeCompare(second, 'en');
}

function rowsOf({ commands }: CommandTree, belongs: (name: string) => boolean): Row[] {
  return commands
    .filter(({ command }) => belongs(command))
    .map(({ command, summary }: CommandHelp): Row => [command, summary]);
}

function topicRows(): Row[] {
  return Object.entries(HELP_TOPICS).map(([name, summary]) => [`help ${name}`, summary]);
}
