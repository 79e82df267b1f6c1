import { section, textSection } from '../../cli/routing/help/command-page.ts';
import { type Page, type Row, type Section, toHelpText } from '../../cli/routing/help/page.ts';
import { renderHelp } from '../../cli/routing/help-text.ts';
import { type CommandListing, commandsBelow, withoutCommands } from '../../descriptions/listing.ts';
import { asSentence } from '../../text/format.ts';

/** The command that the first words name, and the words after its name. */
export function findCommand<Command>(
  words: readonly string[],
  commands: ReadonlyMap<string, Command>,
): { readonly words: string; readonly operation: Command; readonly rest: readonly string[] } | undefined {
  for (let length = Math.min(words.length, MOST_WORDS); length > 0; length -= 1) {
    const name = words.slice(0, length).join(' ');
    const operation = commands.get(name);
    if (operation) return { words: name, operation, rest: words.slice(length) };
  }
  return undefined;
}

const MOST_WORDS = 12;

/** The commands that begin with these words, one a line. */
function groupSection(listing: CommandListing, words: readonly string[]): Section | undefined {
  const start = `${words.join(' ')} `;
  const rows = [...commandsBelow(listing, words)]
    .filter(([name]) => name.startsWith(start))
    .map(([name, { summary, isDeprecated }]): Row => [name, commandLine(oneLine(summary), isDeprecated)])
    .sort(([first], [second]) => (first < second ? -1 : 1));
  return rows.length === 0 ? undefined : section(`COMMANDS OF ${headingOf(listing.title)}`, rows);
}

/** The page of a group that payctl itself does not have. */
export function groupPage(
  listing: CommandListing,
  words: readonly string[],
  columns: number,
): string | undefined {
  const commands = groupSection(listing, words);
  if (!commands) return undefined;
  const name = words.join(' ');
  const page: Page = {
    name,
    summary: `Commands of ${oneLine(listing.title)}.`,
    sections: [
      textSection(`Usage: payctl ${name} COMMAND [FLAGS]`),
      commands,
      textSection('Add --help to a command for its flags.'),
    ],
  };
  return renderHelp(toHelpText(page), columns);
}

/** Commands of a group that the overview names. */
const MOST_NAMED = 6;

/** The groups of a description for the overview of the program: each with the words that continue it. */
function overviewSection({ title, groups }: CommandListing): Section {
  const rows = Object.entries(groups).map(([word, commands]): Row => {
    const rest = commands.filter(({ name }) => name !== word);
    const names = rest.slice(0, MOST_NAMED).map(({ name }) => name.slice(word.length + 1));
    const left = rest.length - MOST_NAMED;
    const named = names.join(', ');
    return [word, left > 0 ? `${named} and ${left} more.` : `${named}${named ? '.' : ''}`];
  });
  return section(headingOf(title), rows);
}

function headingOf(title: string): string {
  return oneLine(title).slice(0, 60).toUpperCase();
}

/** A page of payctl's own with a section of a description in it, before the line that begins so. */
function withSection(page: string, added: Section, before: string): string {
  const text = toHelpText({ name: '', summary: '', sections: [added] });
  const shown = text.slice(text.indexOf('\n\n') + 2);
  const at = page.indexOf(`\n${before}`);
  return at === -1 ? `${page}\n${shown}` : `${page.slice(0, at + 1)}${shown}${page.slice(at)}`;
}

/** What help says about a command in a line: a sentence, or a method and a path. */
export function commandLine(text: string, isDeprecated = false): string {
  if (/^[A-Z]+ \//.test(text)) return isDeprecated ? `${text} (deprecated)` : text;
  return isDeprecated ? `${asSentence(text)} Deprecated.` : asSentence(text);
}

/** Text of a document on one line: it can forge neither a line nor the head of one. */
export function oneLine(text: string): string {
  // Most texts need no pattern of Unicode, which takes half a millisecond to compile.
  if (/^[!-~]+(?: [!-~]+)*$/.test(text)) return text;
  // biome-ignore lint/complexity/useRegexLiterals: V8 looks up the classes of a literal when it reads the file
  return text.replaceAll(new RegExp('[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Cf}\\s]+', 'gu'), ' ').trim();
}

/** What a page of payctl's own is extended with. */
type Extension = {
  readonly listing: CommandListing;
  /** The words of the page. */
  readonly words: readonly string[];
  /** The commands that payctl has itself. */
  readonly own: Iterable<string>;
};

/** A page of payctl's own with the commands of a description; undefined where the description adds none. */
export function describedPage(page: string, { listing, words, own }: Extension): string | undefined {
  const added = withoutCommands(listing, own);
  if (words.length === 0) return withSection(page, overviewSection(added), 'HELP TOPICS');
  const section = groupSection(added, words);
  return section && withSection(page, section, '\tAdd --help');
}
