import { isPersonalName } from '../../contract/personal-names.ts';
import { isSecretName, isSecretValue, MASK } from '../../contract/secret-names.ts';
import { maskJson } from '../../json/mask.ts';
import { endOfValue } from '../../json/scan.ts';

/** How far before a separator a name is looked for. */
const LONGEST_NAME = 200;
/** What ends a name on its left, where it is not quoted. */
const BEFORE_NAME = /[\n\r,;&?{}[\]<>()"'`|]/;
/** What ends a value that is not quoted. */
const AFTER_VALUE = /[\n\r,;&}\]<"']/g;
const SEPARATOR = /[:=>]/g;
/** What stands between a separator and a value, such as the rest of `=>`. */
const GAP = /[\s:=>]*/y;
const OPENING = /\\*["'`]|\(/y;

/**
 * The beginning of a response body without secrets and, unless they are revealed, personal data: values after a name, in
 * JSON, in several documents, in text around them, in forms and in YAML. Rather masks too much. Takes time in proportion to
 * the text.
 */
export function maskExcerpt(text: string, { revealPii = false } = {}): string {
  const hides = (name: string) => isSecretName(name) || (!revealPii && isPersonalName(name));
  return maskAfterNames(maskJson(text, { mask: MASK, hides, hidesText: isSecretValue }).text, {
    hides,
    mask: () => MASK,
  });
}

/** What to mask in a text, and its replacement. */
type AfterNames = {
  readonly hides: (name: string) => boolean;
  /** What stands instead of a value. */
  readonly mask: (value: string, name: string) => string;
  /** The length of the unquoted value that the rest of the text begins with; 0 if there is none. */
  readonly lengthOf?: (rest: string, name: string) => number;
};

/** Masks the values that follow hidden names in a text, however they are quoted. Takes linear time. */
export function maskAfterNames(text: string, { hides, mask, lengthOf }: AfterNames): string {
  let shown = '';
  let done = 0;
  SEPARATOR.lastIndex = 0;
  for (let found = SEPARATOR.exec(text); found; found = SEPARATOR.exec(text)) {
    const before = text.slice(Math.max(done, found.index - LONGEST_NAME), found.index);
    const name = namesBefore(before).find(hides);
    if (name === undefined) continue;
    const start = matchEnd(GAP, text, found.index);
    const span = valueAt(text, { start, isBelow: /[\n\r]/.test(text.slice(found.index, start)) });
    const length = span.isBare && lengthOf ? lengthOf(text.slice(span.start), name) : span.end - span.start;
    const value = text.slice(span.start, span.start + length);
    if (length > 0 && !/^null\b/.test(value)) {
      shown += text.slice(done, span.start) + mask(value, name);
      done = span.start + length;
    }
    SEPARATOR.lastIndex = Math.max(span.start + length, start, found.index + 1);
  }
  return shown + text.slice(done);
}

/** The names that text before a separator may end with: all of it that can be a name, and its last word. */
function namesBefore(before: string): string[] {
  const text = before.trimEnd();
  const name = text.replace(/\\*["'`)\]]$/, '');
  let start = name.length;
  while (start > 0 && !BEFORE_NAME.test(name.charAt(start - 1))) start -= 1;
  const all = name
    .slice(start)
    .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return [all, all.slice(all.search(/\S+\s*$/))];
}

type Span = { readonly start: number; readonly end: number; readonly isBare?: boolean };

/** Where the value that begins at `start` is, without its quotes. What is below its name ends with the text: it is YAML. */
function valueAt(text: string, { start, isBelow }: { start: number; isBelow: boolean }): Span {
  const first = text.charAt(start);
  if (first === '{' || first === '[') return { start, end: endOfValue(text, start) };
  const inside = matchEnd(OPENING, text, start);
  if (inside > start) return { start: inside, end: endOfQuoted(text, text.slice(start, inside), inside) };
  if (isBelow || first === '|') return { start, end: text.length, isBare: true };
  AFTER_VALUE.lastIndex = start;
  return { start, end: AFTER_VALUE.exec(text)?.index ?? text.length, isBare: true };
}

/** The index of the closing quote, which has as many backslashes before it as the opening one. */
function endOfQuoted(text: string, opening: string, start: number): number {
  const depth = opening.length - 1;
  const quote = opening === '(' ? ')' : opening.slice(-1);
  let escapes = 0;
  for (let at = start; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === quote && (escapes === depth || (depth === 0 && escapes % 2 === 0))) return at - depth;
    escapes = char === '\\' ? escapes + 1 : 0;
  }
  return text.length;
}

/** Where the match of a sticky pattern at `start` ends; `start` where there is none. */
function matchEnd(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : start;
}
