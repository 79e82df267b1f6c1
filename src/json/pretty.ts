import { endOfString, endOfValue, skipSpace } from './scan.ts';

/** The kind of a JSON token; punctuation has none. */
export type TokenKind = 'name' | 'string' | 'number' | 'boolean' | 'null';

export type PrettyOptions = {
  /** Spaces of one level. 2 by default. */
  readonly indent?: number;
  /** The level of the text itself: its first line is not indented, the following lines are. */
  readonly level?: number;
  /** Gives a token its colours; none by default. */
  readonly paint?: (token: string, kind: TokenKind) => string;
};

/** Deeper levels are not indented further: indentation of hostile depth would be quadratic in the size of the text. */
const deepestIndent = 64;

/**
 * Lays JSON text out over lines, token by token and without parsing, so that every name, number and escape stays as it
 * was written. Empty containers stay `[]` and `{}`. Expects text that JSON.parse accepts and that is escaped already.
 */
export function prettyJson(text: string, options: PrettyOptions = {}): string {
  const { indent = 2, paint = (token) => token } = options;
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
      laidOut += token === ':' ? ': ' : paint(token, kindOf(token, text[next] === ':'));
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

function kindOf(token: string, isName: boolean): TokenKind {
  if (token.startsWith('"')) return isName ? 'name' : 'string';
  if (token === 'null') return 'null';
  return token === 'true' || token === 'false' ? 'boolean' : 'number';
}
