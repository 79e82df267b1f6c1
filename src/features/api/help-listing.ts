import { section, textSection } from '../../cli/help/command-page.ts';
import { type Page, type Row, type Section, toHelpText } from '../../cli/help/page.ts';
import { renderHelp } from '../../cli/help-text.ts';
import type { CommandListing, ListedCommand } from '../../descriptions/listing.ts';

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

/** The commands of a description without those that payctl has itself. */
export function listingOf<Command extends ListedCommand>(
  { title, commands }: CommandListing<Command>,
  own: readonly string[],
): CommandListing<Command> {
  const taken = new Set(own);
  return { title, commands: new Map([...commands].filter(([name]) => !taken.has(name))) };
}

/** The commands that begin with these words, one a line. */
function groupSection({ title, commands }: CommandListing, words: readonly string[]): Section | undefined {
  const start = `${words.join(' ')} `;
  const rows = [...commands]
    .filter(([name]) => name.startsWith(start))
    .map(
      ([name, { summary, isDeprecated }]): Row => [
        name,
        `${sentence(oneLine(summary))}${isDeprecated ? ' Deprecated.' : ''}`,
      ],
    )
    .sort(([first], [second]) => (first < second ? -1 : 1));
  return rows.length === 0 ? undefined : section(`COMMANDS OF ${headingOf(title)}`, rows);
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
function overviewSection({ title, commands }: CommandListing): Section {
  const groups = Map.groupBy(commands.keys(), (name) => name.split(' ')[0] ?? '');
  const rows = [...groups]
    .sort(([first], [second]) => (first < second ? -1 : 1))
    .map(([word, names]): Row => {
      const rest = names.map((name) => name.slice(word.length + 1)).filter(Boolean);
      rest.sort(
        (first, second) => first.split(' ').length - second.split(' ').length || (first < second ? -1 : 1),
      );
      const named = rest.slice(0, MOST_NAMED).join(', ');
      const left = rest.length - MOST_NAMED;
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

/** A text with a full stop at its end. */
export function sentence(text: string): string {
  return /[.!?]$/.test(text) || text === '' ? text : `${text}.`;
}

/** Text of a document on one line: it can forge neither a line nor the head of one. */
export function oneLine(text: string): string {
  // Most texts need no pattern of Unicode, which takes half a millisecond to compile.
  if (/^[!-~]+(?: [!-~]+)*$/.test(text)) return text;
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Cf}\s]+/gu, ' ').trim();
}

/** The page of the program or of a group with the commands of a description; undefined where the description adds none. */
export function describedPage(
  page: string,
  listing: CommandListing,
  words: readonly string[],
): string | undefined {
  if (words.length === 0) return withSection(page, overviewSection(listing), 'HELP TOPICS');
  const section = groupSection(listing, words);
  return section && withSection(page, section, '\tAdd --help');
}
