/**
 * The flags that are allowed before the command: those of `displayFlags` and `connectionFlags`. Listed here again because
 * finding a command must not load the parser; a test compares the two lists.
 */
const WITH_VALUE = [
  'output',
  'profile',
  'base-url',
  'instance',
  'proxy',
  'merchant-account',
  'timeout',
  'max-retries',
];
const SWITCHES = ['json', 'no-color', 'no-pager', 'no-input', 'utc', 'verbose', 'quiet'];
const SHORT: Readonly<Record<string, string>> = {
  o: 'output',
  m: 'merchant-account',
  v: 'verbose',
  q: 'quiet',
};

/** Names of all flags that are allowed before the command. */
export const LEADING_FLAGS: readonly string[] = [...WITH_VALUE, ...SWITCHES];

/** One flag before the command, with its value. */
export type LeadingFlag = { readonly name: string; readonly words: readonly string[] };

/** The words before the command. */
export type LeadingWords = {
  readonly flags: readonly LeadingFlag[];
  readonly rest: readonly string[];
  /** The flag whose value would be the next word, where there is no next word. */
  readonly waiting?: string;
};

/** The words that can be flags: those before `--`. */
export function flagWords(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end === -1 ? argv : argv.slice(0, end);
}

/** A flag without the value in the same word, which may be a secret. */
export function flagAlone(word: string): string {
  return word.startsWith('--') ? word.replace(/=.*/s, '') : word.slice(0, 2);
}

/** The words before the first flag. */
export function beforeFlags(words: readonly string[]): readonly string[] {
  const end = words.findIndex((word) => word.startsWith('-'));
  return end === -1 ? words : words.slice(0, end);
}

/** Separates the shared flags before the command from the rest, which begins with the first word that is none of them. */
export function splitLeadingFlags(argv: readonly string[]): LeadingWords {
  const flags: LeadingFlag[] = [];
  let length = 0;
  while (length < argv.length) {
    const read = readWord(argv[length] ?? '');
    if (!read) break;
    length += 1;
    flags.push(...read.switches.map(({ name, word }) => ({ name, words: [word] })));
    if (!read.option) continue;
    const { name, word, takesNext } = read.option;
    const next = takesNext ? argv.slice(length, length + 1) : [];
    flags.push({ name, words: [word, ...next] });
    if (takesNext && next.length === 0) return { flags, rest: [], waiting: name };
    length += next.length;
  }
  return { flags, rest: argv.slice(length) };
}

/** Values of flags before the command, by their names. */
export type LeadingSettings = Readonly<Record<string, string>>;

/** What a command is run with. */
export type CommandLine = {
  /** What its parser reads. */
  readonly argv: readonly string[];
  /** What flags before the command set that its parser does not know. */
  readonly settings: LeadingSettings;
};

/**
 * Gives the flags before a command to its parser, if that is to read them, else their values to its settings: every command
 * accepts all of them. A flag that takes a value and that is given to the command again is left out, so that a flag of an alias
 * can be overridden.
 */
export function commandLine(
  { leading, rest }: { readonly leading: readonly LeadingFlag[]; readonly rest: readonly string[] },
  isParsed: (name: string) => boolean,
): CommandLine {
  const words = flagWords(rest);
  const kept = leading.filter(({ name }) => {
    return !WITH_VALUE.includes(name) || !words.some((word, index) => gives(word, words[index - 1], name));
  });
  const parsed = kept.filter(({ name }) => isParsed(name));
  const others = kept.filter(({ name }) => !isParsed(name));
  return {
    argv: [...parsed.flatMap((flag) => flag.words), ...rest],
    settings: Object.fromEntries(
      others.map(({ name, words: [word = '', next] }) => [name, next ?? valueIn(word)]),
    ),
  };
}

/** The value in `--name=value` or `-nvalue`. */
function valueIn(word: string): string {
  return word.startsWith('--') ? word.slice(word.indexOf('=') + 1) : word.slice(2).replace(/^=/, '');
}

/**
 * Whether a word gives a flag. After a flag that may take a value, `--name=value` may be that value (the parser accepts it,
 * but not `--name` alone); then the flag counts as not given, and the parser reports it if it was given twice.
 */
function gives(word: string, previous: string | undefined, name: string): boolean {
  if (word.startsWith(`--${name}=`)) return previous === undefined || !/^-[^=]*$/.test(previous);
  if (word === `--${name}`) return true;
  return !word.startsWith('--') && readWord(word)?.option?.name === name;
}

/** Whether a word is a flag that is allowed before every command. */
export function isLeadingFlag(word: string): boolean {
  return readWord(word) !== undefined;
}

type FlagWords = {
  readonly switches: readonly { readonly name: string; readonly word: string }[];
  readonly option?: { readonly name: string; readonly word: string; readonly takesNext: boolean };
};

/** A word that is a shared flag, or several short ones; undefined for any other word. */
function readWord(word: string): FlagWords | undefined {
  if (!word.startsWith('--')) return /^-./.test(word) ? readShortFlags(word.slice(1)) : undefined;
  const [name = ''] = word.slice(2).split('=', 1);
  if (WITH_VALUE.includes(name))
    return { switches: [], option: { name, word, takesNext: !word.includes('=') } };
  return SWITCHES.includes(word.slice(2)) ? { switches: [{ name, word }] } : undefined;
}

/** `-vo json` and `-vojson`: switches may stand together, and the rest of the word is the value of the first other. */
function readShortFlags(chars: string): FlagWords | undefined {
  const switches: { readonly name: string; readonly word: string }[] = [];
  for (const [index, char] of [...chars].entries()) {
    const name = SHORT[char];
    if (name === undefined) return undefined;
    if (WITH_VALUE.includes(name)) {
      const word = `-${chars.slice(index)}`;
      return { switches, option: { name, word, takesNext: word.length === 2 } };
    }
    switches.push({ name, word: `-${char}` });
  }
  return { switches };
}

/** Name of the profile that the words of a command line name. */
export function profileIn(argv: readonly string[]): string | undefined {
  const words = flagWords(argv);
  for (const [index, word] of words.entries()) {
    if (word === '--profile') return words[index + 1];
    if (word.startsWith('--profile=')) return word.slice('--profile='.length);
  }
  return undefined;
}
