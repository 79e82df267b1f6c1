import { UsageError } from '../../../errors.ts';
import { own } from '../../../json/is-object.ts';
import { forTerminal } from '../../../output/for-terminal.ts';
import { sanitizeText } from '../../../output/sanitize.ts';
import { ERROR_KINDS } from '../../failure/error-codes.ts';
import type { Runtime } from '../../runtime.ts';
import { HELP_TOPICS } from '../catalog/help-topics.ts';
import { COMMAND_SYNONYMS, GROUP_SYNONYMS, VERB_SYNONYMS } from '../catalog/synonyms.ts';
import { renderHelp } from '../help-text.ts';
import { section, textSection } from './command-page.ts';
import type { CommandHelp } from './describe-command.ts';
import { type Row, toHelpText } from './page.ts';
import { type ImportedHelp, lineOf, readDocument, topicText } from './requested-help.ts';
import type { DocumentFlag, HelpDocument } from './tree-document.ts';

/** What was found. */
type Found = {
  readonly kind: 'command' | 'flag' | 'topic' | 'variable' | 'error';
  /** `buyers list`, `--no-input`, `exit-codes`, `PAYCTL_TOKEN` or `409 duplicate_record`. */
  readonly name: string;
  readonly summary: string;
  /** Of a command: how it is typed, and what it changes. */
  readonly usage?: string;
  readonly changes?: CommandHelp['changes'];
  /** The flags of a command that have the words. */
  readonly flags?: readonly string[];
};

/** A text, and how much a word in it says about what it belongs to. */
type Field = readonly [weight: number, text: string];
type Entry = {
  readonly found: Found;
  readonly fields: readonly Field[];
  readonly flags?: readonly DocumentFlag[];
};

const NAME = 10;
const SUMMARY = 6;
const FLAG = 4;
const TEXT = 2;

/** Results that are shown; more words find fewer. */
const MOST = 20;

/** What scores less than this part of the best only mentions the words. */
const LEAST_OF_BEST = 0.3;

/** What people call flags whose texts say it otherwise. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  '--all': 'paging pagination',
  '--max-amount': 'spending limit',
  '--no-input': 'interactive prompt',
  '--reveal-pii': 'masked hidden privacy',
  '--reveal-secrets': 'masked hidden',
};

type Search = { readonly programFolder: string; readonly imported: ImportedHelp | undefined };

/**
 * Finds commands, flags, topics, variables and errors of the service by words, the best first, and writes them: for a person, or
 * as one JSON document.
 * @throws UsageError `no_search_words`
 */
export async function searchHelp(
  { search, json }: { readonly search: readonly string[]; readonly json?: boolean | undefined },
  { stdout, stderr }: Pick<Runtime, 'stdout' | 'stderr'>,
  { programFolder, imported }: Search,
): Promise<string> {
  const words = wordsOf(search.join(' '));
  if (words.length === 0) {
    throw new UsageError('no_search_words', '--search needs words to look for', {
      hint: 'For example: payctl help --search gift cards',
    });
  }
  const document = readDocument(programFolder);
  const entries = [...entriesOf(document, programFolder), ...(imported ? importedEntries(imported) : [])];
  const found = rank(entries, words);
  const shown = found.slice(0, MOST);
  const { version, program, program_version } = document;
  const notSearched = imported?.otherProfiles ?? [];
  if (json) {
    return lineOf({
      version,
      program,
      program_version,
      search: search.join(' '),
      results: shown,
      more: found.length - shown.length,
      ...(notSearched.length > 0 && { not_searched: notSearched }),
    });
  }
  const others = notSearched.map(
    (name) => `The API description of the profile ${name} was not searched: add --profile ${name}.\n`,
  );
  if (shown.length > 0) {
    const page = pageOf(shown, found.length - shown.length, stdout.columns);
    return page + forTerminal(others.join(''), stdout);
  }
  const nothing = sanitizeText(`The help has nothing about ${JSON.stringify(search.join(' '))}.`);
  await stderr.write(forTerminal(`${nothing}\n${others.join('')}`, stderr));
  return '';
}

function entriesOf(document: HelpDocument, programFolder: string): readonly Entry[] {
  const { commands, shared_flags, environment } = document;
  return [
    ...commands.map(
      ({ command, summary, usage, changes, description, flags = [], examples = [], ...rest }): Entry => {
        const request = rest.request
          ? `${rest.request.method} ${rest.request.path} ${rest.request.scopes.join(' ')}`
          : '';
        return {
          found: { kind: 'command', name: command, summary, usage, changes },
          fields: [
            [NAME, command],
            [SUMMARY, summary],
            [TEXT, description ?? ''],
            [TEXT, request],
            ...examples.map((example): Field => [1, `${example.description} ${example.command}`]),
          ],
          flags,
        };
      },
    ),
    ...shared_flags.map(
      (flag): Entry => ({
        found: { kind: 'flag', name: flag.name, summary: flag.summary },
        fields: fieldsOf(flag, [NAME, SUMMARY]),
      }),
    ),
    ...Object.entries(HELP_TOPICS).map(
      ([name, summary]): Entry => ({
        found: { kind: 'topic', name, summary },
        fields: [
          [NAME, name],
          [SUMMARY, summary],
          [TEXT, topicText(name, programFolder)],
        ],
      }),
    ),
    ...environment.map(
      ({ name, summary }): Entry => ({
        found: { kind: 'variable', name, summary },
        fields: [
          [NAME - 2, name],
          [SUMMARY - 2, summary],
        ],
      }),
    ),
    ...ERROR_KINDS.map(({ status, code = '', meaning, causes, remedy }): Entry => {
      const [cause = ''] = causes;
      const advice = `Likely cause: ${cause}${remedy ? `; ${remedy}` : ''}.`;
      return {
        found: { kind: 'error', name: `${status} ${code}`.trim(), summary: `${meaning} ${advice}` },
        fields: [
          [NAME, `${status} ${code}`],
          [SUMMARY - 1, meaning],
          [TEXT, causes.join(' ')],
        ],
      };
    }),
  ];
}

function importedEntries({ listed }: ImportedHelp): readonly Entry[] {
  return listed.map(({ name, aliases, summary, usage, changes, words }) => ({
    found: { kind: 'command', name, summary, usage, changes },
    fields: [
      [NAME, name],
      [SUMMARY, aliases.join(' ')],
      [SUMMARY, summary],
      [TEXT, words],
    ],
  }));
}

/** The entries that have the words, the best first: those with all words before those with some. */
function rank(entries: readonly Entry[], words: readonly string[]): readonly Found[] {
  const scored = entries.map((entry) => {
    const flags = (entry.flags ?? []).map((flag) => ({ flag, fields: fieldsOf(flag) }));
    const fields = [...entry.fields, ...flags.flatMap((one) => one.fields)].map(readField);
    const scores = words.map((word) =>
      Math.max(synonymScore(word, entry.found), ...fields.map((field) => scoreOf(word, field))),
    );
    const phrase =
      words.length === 1
        ? 0
        : Math.max(
            0,
            ...fields.map(({ weight, text }) => (text.includes(` ${words.join(' ')} `) ? weight : 0)),
          );
    const named = flags.filter((one) =>
      one.fields.map(readField).some((field) => words.some((word) => scoreOf(word, field) > 0)),
    );
    const found =
      named.length === 0 ? entry.found : { ...entry.found, flags: named.map(({ flag }) => flag.name) };
    const sum = scores.reduce((total, score) => total + score, phrase);
    const matched = scores.filter((score) => score > 0).length / words.length;
    return { found, sum: sum * matched * matched };
  });
  const likely = scored.filter(({ sum }) => sum > 0).sort((one, other) => other.sum - one.sum);
  const least = (likely[0]?.sum ?? 0) * LEAST_OF_BEST;
  return likely.filter(({ sum }) => sum >= least).map(({ found }) => found);
}

function fieldsOf(
  { name, summary, values }: DocumentFlag,
  [ofName, ofText] = [FLAG, TEXT],
): readonly Field[] {
  return [
    [ofName, name],
    [ofText, [summary, own(OTHER_WORDS, name) ?? '', ...(values ?? [])].join(' ')],
  ];
}

type ReadField = { readonly weight: number; readonly words: readonly string[]; readonly text: string };

function readField([weight, text]: Field): ReadField {
  const words = wordsOf(text);
  return { weight, words, text: ` ${words.join(' ')} ` };
}

/** What a word scores in a text: all of its weight, or half if it begins a word or a word begins it. */
function scoreOf(word: string, { weight, words }: ReadField): number {
  if (words.includes(word)) return weight;
  const isNear = words.some((one) => isBeginning(word, one) || isBeginning(one, word));
  return isNear ? weight / 2 : 0;
}

function isBeginning(start: string, word: string): boolean {
  return start.length >= 4 && word.startsWith(start);
}

/** What a command scores for a word that other tools use: `customers` for `buyers`. */
function synonymScore(word: string, { kind, name }: Found): number {
  if (kind !== 'command' && kind !== 'topic') return 0;
  const typed = kind === 'topic' ? `help ${name}` : name;
  const forms = [word, `${word}s`];
  const meant = (table: Readonly<Record<string, readonly string[]>>) =>
    forms.flatMap((form) => (Object.hasOwn(table, form) ? (table[form] ?? []) : []));
  if (meant(COMMAND_SYNONYMS).includes(typed)) return SUMMARY;
  if (meant(GROUP_SYNONYMS).some((group) => typed.startsWith(`${group} `))) return SUMMARY;
  return meant(VERB_SYNONYMS).includes(typed.split(' ').at(-1) ?? '') ? SUMMARY / 2 : 0;
}

/** The words of a text in small letters, each without the ending of a plural or a tense. */
function wordsOf(text: string): readonly string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(stem);
}

function stem(word: string): string {
  const single = word
    .replace(/ies$/, 'y')
    .replace(/(ss|x|ch|sh)es$/, '$1')
    .replace(/(?<=..[^isu])s$/, '');
  return single.length > 6 ? single.replace(/(?:ing|ed)$/, '') : single;
}

const HEADINGS: Readonly<Record<Found['kind'], string>> = {
  command: 'COMMANDS',
  flag: 'SHARED FLAGS',
  topic: 'TOPICS (payctl help TOPIC)',
  variable: 'VARIABLES',
  error: 'ERRORS OF THE SERVICE',
};

function pageOf(found: readonly Found[], more: number, columns: number): string {
  const kinds = Map.groupBy(found, ({ kind }) => kind);
  const sections = [...kinds].map(([kind, some]) => section(HEADINGS[kind], some.map(rowOf)));
  const rest = more > 0 ? `${more} more; further words narrow the search. ` : '';
  const end = textSection(`${rest}The help of a command: payctl COMMAND --help`);
  const text = toHelpText({ name: '', summary: '', sections: [...sections, end] });
  return renderHelp(text.trimStart(), columns);
}

function rowOf({ name, summary, flags = [] }: Found): Row {
  return [name, flags.length === 0 ? summary : `${summary} Flags: ${flags.join(', ')}.`];
}
