import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Config } from '@oclif/core/config';
import { Help } from '@oclif/core/help';
import { ROOT_HELP_HEAD, ROOT_HELP_TAIL, TOPICS } from '../src/cli/topics.ts';

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
    await help.showCommandHelp({ ...command, ...(description ? { description } : {}) });
    pages.set(command.id.replaceAll(':', '/'), help.text());
  }
  for (const [name, text] of pages) {
    const file = join(root, 'dist', 'help', `${name === 'index' ? 'index' : name.replaceAll(' ', '/')}.txt`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

class RenderedHelp extends Help {
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
  return `${ROOT_HELP_HEAD}\n\nCOMMANDS\n${commandLines(config, '')}\n\n${ROOT_HELP_TAIL}\n`;
}

function topicPage(config: Config, topic: string): string {
  const usage = `USAGE\n  $ payctl ${topic} COMMAND`;
  return `${TOPICS[topic]}\n\n${usage}\n\nCOMMANDS\n${commandLines(config, `${topic} `)}\n\n${ROOT_HELP_TAIL}\n`;
}

function commandLines(config: Config, prefix: string): string {
  const commands = config.commands
    .map(({ id, summary }) => ({ name: id.replaceAll(':', ' '), summary: summary ?? '' }))
    .filter(({ name }) => name.startsWith(prefix))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
  const width = Math.max(...commands.map(({ name }) => name.length));
  return commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`).join('\n');
}
