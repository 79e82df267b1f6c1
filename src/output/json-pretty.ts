import { endOfString, endOfValue, skipSpace } from './json-scan.ts';
import { type Colors, plainColors } from './palette.ts';

export type PrettyOptions = {
  /** Spaces of one level. 2 by default. */
  readonly indent?: number;
  /** The level that the text itself stands at: its first line is not indented, the following lines are. */
  readonly level?: number;
  readonly colors?: Colors;
};

/** Deeper levels are not indented further: indentation of hostile depth would be quadratic in the size of the text. */
const deepestIndent = 64;

/**
 * Lays JSON text out over lines, token by token and without parsing, so that every name, number and escape stays as it
 * was written. Empty containers stay `[]` and `{}`. Expects text that JSON.parse accepts and that is escaped already.
 */
export function prettyJson(text: string, options: PrettyOptions = {}): string {
  const { indent = 2, colors = plainColors } = options;
  let level = options.level ?? 0;
  let laidOut = '';
  let empty = false;
  const lineBreak = (): string => `\n${' '.repeat(indent * Math.min(level, deepestIndent))}`;
  let at = skipSpace(text, 0);
  while (at < text.length) {
    const end = endOfToken(text, at);
    const token = text.slice(at, end);
    const next = skipSpace(text, end);
    if (token === '{' || token === '[') {
      empty = isCloser(text[next]);
      level++;
      laidOut += empty ? token : token + lineBreak();
    } else if (isCloser(token)) {
      level--;
      laidOut += empty ? token : lineBreak() + token;
      empty = false;
    } else if (token === ',') {
      laidOut += token + lineBreak();
    } else {
      laidOut += token === ':' ? ': ' : paint(token, text[next] === ':', colors);
    }
    at = next;
  }
  return laidOut;
}

function isCloser(char: string | undefined): boolean {
  return char === '}' || char === ']';
}

function endOfToken(text: string, at: number): number {
  const char = text.charAt(at);
  if (char === '"') return endOfString(text, at);
  return '{}[],:'.includes(char) ? at + 1 : endOfValue(text, at);
}

function paint(token: string, isName: boolean, colors: Colors): string {
  if (colors === plainColors) return token;
  if (token.startsWith('"')) return isName ? colors.bold(token) : colors.green(token);
  if (token === 'null') return colors.dim(token);
  return token === 'true' || token === 'false' ? colors.yellow(token) : colors.cyan(token);
}
