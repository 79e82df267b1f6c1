/**
 * Breaks a text between its words into lines of at most `available` columns; a word is never broken. `widthOf` gives the
 * columns that a text takes; by default one for each character.
 */
export function wrapWords(
  text: string,
  available: number,
  widthOf: (text: string) => number = (part) => part.length,
): string[] {
  if (text.length <= available && widthOf(text) <= available) return [text];
  return fillLines(text.split(' '), available, widthOf);
}

function fillLines(
  [firstWord = '', ...words]: readonly string[],
  available: number,
  widthOf: (text: string) => number,
): string[] {
  const lines: string[] = [];
  let line = firstWord;
  let lineWidth = widthOf(firstWord);
  for (const word of words) {
    const wordWidth = widthOf(word);
    if (lineWidth + 1 + wordWidth > available) {
      lines.push(line);
      line = word;
      lineWidth = wordWidth;
    } else {
      line += ` ${word}`;
      lineWidth += 1 + wordWidth;
    }
  }
  return [...lines, line];
}

/**
 * Breaks the lines of messages between words for a terminal; continued lines are indented as the first. Commands, flags with
 * their values and URLs stay whole, so that they can be copied, even where they are wider than the terminal. A command at the
 * end of a sentence, after a colon, has a line of its own. Codes of colours take no column. `widthOf` as in `wrapWords`.
 */
export function wrapProse(text: string, columns: number, widthOf?: (text: string) => number): string {
  const measure = (part: string) => {
    const plain = part.includes('\u001b') ? part.replace(patternsOf().colors, '') : part;
    return widthOf ? widthOf(plain) : plain.length;
  };
  return text
    .split('\n')
    .flatMap((line) => wrapLine(line, columns, measure))
    .join('\n');
}

function wrapLine(line: string, columns: number, widthOf: (text: string) => number): string[] {
  const [, indent = '', prose = ''] = /^( *)(.*)$/s.exec(line) ?? [];
  const { lastCommand, words, colors } = patternsOf();
  const end = lastCommand.exec(prose)?.index ?? prose.length;
  const command = prose.slice(end + 1);
  const before = prose.slice(0, end);
  const isApart =
    !command.replace(colors, '').startsWith('-') && before.split(' ').length > MOST_WORDS_OF_LABEL;
  if (widthOf(line) <= columns && !(isApart && command !== '')) return [line];
  const lines = fillLines(before.match(words) ?? [''], columns - indent.length, widthOf);
  const last = lines.at(-1) ?? '';
  const fits = command === '' || (!isApart && widthOf(`${indent}${last} ${command}`) <= columns);
  const all = fits ? [...lines.slice(0, -1), command ? `${last} ${command}` : last] : [...lines, command];
  return all.map((each) => indent + each);
}

/** `Try:` and `All of them:` stay on the line of their command. */
const MOST_WORDS_OF_LABEL = 3;
/** `payctl cannot read the file` is a sentence, not a command. */
const VERBS =
  'asks|can|cannot|does|fetches|has|is|keeps|never|polls|prints|reads|searched|sends|shows|stops|uses|was';

/** The pattern of a code of colours. */
export const COLOR = String.raw`\u001b\[[\d;]*m`;

type Patterns = {
  readonly colors: RegExp;
  /** The blank before a command or a flag that ends a line. */
  readonly lastCommand: RegExp;
  /** Words of a sentence, and what is not broken into words. */
  readonly words: RegExp;
};

let patterns: Patterns | undefined;

/** Made for the first message on a terminal: most runs print none. */
function patternsOf(): Patterns {
  patterns ??= makePatterns();
  return patterns;
}

function makePatterns(): Patterns {
  const program = String.raw`(?:payctl(?! (?:${VERBS})\b)|curl(?:\.exe)?|chmod|rm|del|export|set|sudo|openssl|ssh-keygen|iconv|powershell|w32tm|\$env:\w+) `;
  // A value that cannot be mistaken for a word of the sentence.
  const value = String.raw`(?:'[^']*'|"[^"]*"|(?=\S*[A-Z\d=./@])\S+)`;
  const flag = String.raw`--?[A-Za-z][\w-]*(?:[ =]${value})?`;
  // Nothing but flags, to the end: a sentence may begin with one.
  const flags = String.raw`(?:--?[A-Za-z][\w-]*(?:[ =](?:'[^']*'|"[^"]*"|[^\s'"-]\S*))?(?: |(?:${COLOR})*$))+$`;
  // Up to three words, the flags and what is quoted: one word of the sentence more does no harm.
  const command = String.raw`payctl(?: [a-z][a-z-]*){1,3}(?: (?:${flag}|'[^']*'|"[^"]*"))*\S*`;
  return {
    colors: new RegExp(COLOR, 'g'),
    lastCommand: new RegExp(
      `(?<!^(?:${COLOR})*Error:(?:${COLOR})*)(?<=:(?:${COLOR})*) (?=(?:${COLOR})*(?:${program}|${flags}))`,
    ),
    words: new RegExp(String.raw`(?:${COLOR})*(?:${command}|${flag}\S*|\S+)`, 'g'),
  };
}

/**
 * Breaks a command into lines that a shell reads as one: each but the last ends with a backslash. Text in quotation marks
 * stays together, however long it is, and so does a flag with its value.
 */
export function wrapCommand(command: string, width: number): string[] {
  // Nothing follows the group that could fail: its alternatives are tried once.
  const words = command.match(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|\S)+/g) ?? [];
  const lines: string[] = [];
  let line = '';
  for (const word of withValues(words)) {
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

/** Words in which a flag is one with its value, which is not a flag or an operator of the shell. */
function withValues(words: readonly string[]): string[] {
  const joined: string[] = [];
  let isFlag = false;
  for (const word of words) {
    const isValue: boolean = isFlag && !/^[-|>&<]/.test(word);
    if (isValue) joined.push(`${joined.pop()} ${word}`);
    else joined.push(word);
    isFlag = !isValue && /^-./.test(word);
  }
  return joined;
}
