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
  const [firstWord = '', ...words] = text.split(' ');
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
 * Breaks lines that are wider than a terminal between their words; continued lines are indented as the first. A command or a flag
 * at the end of a line, after a colon, stays whole, so that it can be copied. Codes of colours take no column.
 */
export function wrapProse(text: string, columns: number): string {
  return text
    .split('\n')
    .flatMap((line) => (widthOfProse(line) <= columns ? [line] : wrapLine(line, columns)))
    .join('\n');
}

function wrapLine(line: string, columns: number): string[] {
  const [, indent = '', prose = ''] = /^( *)(.*)$/s.exec(line) ?? [];
  const end = COMMAND.exec(prose)?.index ?? prose.length;
  const command = prose.slice(end + 1);
  const lines = wrapWords(prose.slice(0, end), columns - indent.length, widthOfProse);
  const last = lines.at(-1) ?? '';
  const fits = command === '' || widthOfProse(`${indent}${last} ${command}`) <= columns;
  const all = fits ? [...lines.slice(0, -1), command ? `${last} ${command}` : last] : [...lines, command];
  return all.map((each) => indent + each);
}

const COLOR = String.raw`\u001b\[[\d;]*m`;
const COLORS = new RegExp(COLOR, 'g');
/** The blank before a command or a flag. */
const COMMAND = new RegExp(`(?<=:(?:${COLOR})*) (?=(?:${COLOR})*(?:payctl |curl |--))`);

function widthOfProse(text: string): number {
  return text.includes('\u001b') ? text.replace(COLORS, '').length : text.length;
}

/**
 * Breaks a command into lines that a shell reads as one: each but the last ends with a backslash. Text in quotation marks
 * stays together, however long it is, and so does a flag with its value.
 */
export function wrapCommand(command: string, width: number): string[] {
  const quoted = String.raw`(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|\S)+`;
  const words = command.match(new RegExp(`-${quoted} (?![-|>&<])${quoted}|${quoted}`, 'g')) ?? [];
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
