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
