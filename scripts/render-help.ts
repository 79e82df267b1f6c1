import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from '@oclif/core';
import { Config } from '@oclif/core/config';
import { CommandHelp, Help } from '@oclif/core/help';
import { HELP_GROUPS, ROOT_HELP_HEAD, ROOT_HELP_TAIL, TOPICS } from '../src/cli/catalog/topics.ts';
import { wrapWords } from '../src/output/width.ts';

/**
 * Writes dist/help/: the text of every help page, rendered by oclif from the manifest at a width of 80. At run time help
 * is one file to read, which keeps `--help` close to the start-up time of Node itself.
 */
export async function writeHelp(root: string): Promise<void> {
  process.env.OCLIF_COLUMNS = '80';
  process.env.NO_COLOR = '1';
  const config = await Config.load({ root });
  const pages = new Map<string, string>([['index', rootPage(config)]]);
  for (const topic of Object.keys(TOPICS)) pages.set(topic, topicPage(config, topic));
  for (const command of config.commands) {
    const help = new RenderedHelp(config);
    // Descriptions are wrapped in the sources; here a paragraph is one line for oclif to wrap.
    const description = command.description?.replace(/(?<!\n)\n(?!\n)/g, ' ');
    await help.showCommandHelp({
      ...command,
      usage: usageOf(command),
      ...(description ? { description } : {}),
    });
    pages.set(command.id.replaceAll(':', '/'), help.text());
  }
  for (const [name, text] of pages) {
    const file = join(root, 'dist', 'help', `${name === 'index' ? 'index' : name.replaceAll(' ', '/')}.txt`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** The flags are listed below; repeated in the usage, they would hide the arguments. */
function usageOf({ id, args }: Command.Loadable): string {
  const names = Object.values(args).map(({ name, required }) =>
    required ? name.toUpperCase() : `[${name.toUpperCase()}]`,
  );
  return [id.replaceAll(':', ' '), ...names, '[FLAGS]'].join(' ');
}

class GroupedHelp extends CommandHelp {
  /** What is the same everywhere comes last. */
  protected override groupFlags(flags: Command.Flag.Any[]) {
    const { flagGroups, mainFlags } = super.groupFlags(flags);
    const { GLOBAL, ...others } = flagGroups;
    return { mainFlags, flagGroups: GLOBAL ? { ...others, GLOBAL } : others };
  }

  /** oclif breaks long commands within quotation marks, where a shell keeps the backslash. */
  protected override examples(examples: Command.Example[] | undefined) {
    const blocks = (examples ?? []).map((example) => {
      if (typeof example === 'string') return example;
      const lines = wrapWords(example.description, WIDTH - 2);
      return `${lines.join('\n')}\n\n  ${wrapCommand(promptOf(example.command), WIDTH - 4).join('\n    ')}`;
    });
    return blocks.length > 0 ? blocks.join('\n\n') : undefined;
  }
}

/** Commands of payctl get a prompt; lines for the start-up file of a shell do not. */
function promptOf(command: string): string {
  return command.startsWith('payctl ') ? `$ ${command}` : command;
}

/**
 * A command over lines that a shell reads as one, each but the last with a backslash at its end. What is in quotation marks
 * stays together, however long it is, and so does a flag with its value.
 */
export function wrapCommand(command: string, width: number): string[] {
  const quoted = String.raw`(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|\S)+`;
  const words = command.match(new RegExp(`-${quoted} (?![-|>&])${quoted}|${quoted}`, 'g')) ?? [];
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && longer.length > width - ' \\'.length) {
      lines.push(`${line} \\`);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}

class RenderedHelp extends Help {
  protected override CommandHelpClass = GroupedHelp;
  private readonly lines: string[] = [];

  protected override log(...parts: string[]): void {
    this.lines.push(...parts);
  }

  text(): string {
    return `${this.lines
      .join('\n')
      .replace(/[ \t]+$/gm, '')
      .trim()}\n`;
  }
}

function rootPage(config: Config): string {
  const groups = HELP_GROUPS.map(([title, words]) => {
    const lines = words.map((word) => commandLines(config, (name) => name.split(' ')[0] === word));
    return `${title}\n${lines.join('\n')}`;
  });
  return `${[ROOT_HELP_HEAD, ...groups, ROOT_HELP_TAIL].join('\n\n')}\n`;
}

function topicPage(config: Config, topic: string): string {
  const usage = `USAGE\n  $ payctl ${topic} COMMAND`;
  const lines = commandLines(config, (name) => name.startsWith(`${topic} `));
  return `${TOPICS[topic]}\n\n${usage}\n\nCOMMANDS\n${lines}\n\n${ROOT_HELP_TAIL}\n`;
}

/** The column of the summaries. A longer name gets a line of its own. */
const SUMMARY_AT = 34;
const WIDTH = 80;

function commandLines(config: Config, belongs: (name: string) => boolean): string {
  const commands = config.commands
    .map(({ id, summary }) => ({ name: id.replaceAll(':', ' '), summary: summary ?? '' }))
    .filter(({ name }) => belongs(name))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
  return commands.flatMap(({ name, summary }) => commandRow(`  ${name}`, summary)).join('\n');
}

function commandRow(name: string, summary: string): string[] {
  const [first = '', ...others] = wrapWords(summary, WIDTH - SUMMARY_AT);
  const rest = others.map((line) => ' '.repeat(SUMMARY_AT) + line);
  return name.length + 2 > SUMMARY_AT
    ? [name, ' '.repeat(SUMMARY_AT) + first, ...rest]
    : [name.padEnd(SUMMARY_AT) + first, ...rest];
}
