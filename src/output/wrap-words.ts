import { displayWidth } from './width.ts';

/** Breaks a text between its words into lines of at most `room` columns; a word, and so an id, is never broken. */
export function wrapWords(text: string, room: number): string[] {
  if (text.length <= room && displayWidth(text) <= room) return [text];
  const [firstWord = '', ...words] = text.split(' ');
  const lines: string[] = [];
  let line = firstWord;
  let lineWidth = displayWidth(firstWord);
  for (const word of words) {
    const wordWidth = displayWidth(word);
    if (lineWidth + 1 + wordWidth > room) {
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
