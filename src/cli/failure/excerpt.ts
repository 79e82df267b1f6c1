import { isPersonalName } from '../../contract/personal-names.ts';
import { isSecretName, MASK } from '../../contract/secret-names.ts';
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
const OPENING = /\\*["'`]/y;

/**
 * The beginning of a response body without secrets and, unless they are revealed, personal data: values after a name, in
 * JSON, in several documents, in text around them, in forms and in YAML. Rather masks too much. Takes time in proportion to
 * the text.
 */
export function maskExcerpt(text: string, { revealPii = false } = {}): string {
  const hides = (name: string) => isSecretName(name) || (!revealPii && isPersonalName(name));
  return maskAfterNames(maskJson(text, { mask: MASK, hides }).text, hides);
}

function maskAfterNames(text: string, hides: (name: string) => boolean): string {
  let shown = '';
  let done = 0;
  SEPARATOR.lastIndex = 0;
  for (let found = SEPARATOR.exec(text); found; found = SEPARATOR.exec(text)) {
    if (!namesBefore(text.slice(Math.max(done, found.index - LONGEST_NAME), found.index)).some(hides))
      continue;
    const start = matchEnd(GAP, text, found.index);
    const value = valueAt(text, { start, isBelow: /[\n\r]/.test(text.slice(found.index, start)) });
    if (value.end > value.start && !/^null\b/.test(text.slice(value.start, value.start + 5))) {
      shown += text.slice(done, value.start) + MASK;
      done = value.end;
    }
    SEPARATOR.lastIndex = Math.max(value.end, start, found.index + 1);
  }
  return shown + text.slice(done);
}

/** The names that text before a separator may end with: all of it that can be a name, and its last word. */
function namesBefore(before: string): string[] {
  const text = before.trimEnd();
  const name = text.replace(/\\*["'`]$/, '');
  let start = name.length;
  while (start > 0 && !BEFORE_NAME.test(name.charAt(start - 1))) start -= 1;
  const all = name
    .slice(start)
    .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return [all, all.slice(all.search(/\S+\s*$/))];
}

type Span = { readonly start: number; readonly end: number };

/** Where the value that begins at `start` is, without its quotes. What is below its name ends with the text: it is YAML. */
function valueAt(text: string, { start, isBelow }: { start: number; isBelow: boolean }): Span {
  const first = text.charAt(start);
  if (first === '{' || first === '[') return { start, end: endOfValue(text, start) };
  const inside = matchEnd(OPENING, text, start);
  if (inside > start) return { start: inside, end: endOfQuoted(text, text.slice(start, inside), inside) };
  if (isBelow || first === '|') return { start, end: text.length };
  AFTER_VALUE.lastIndex = start;
  return { start, end: AFTER_VALUE.exec(text)?.index ?? text.length };
}

/** The index of the closing quote, which has as many backslashes before it as the opening one. */
function endOfQuoted(text: string, opening: string, start: number): number {
  const depth = opening.length - 1;
  const quote = opening.slice(-1);
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
