import { maskAfterNames } from '../../../cli/failure/excerpt.ts';
import { MASK } from '../../../contract/secret-names.ts';
import { decodeFully, type MaskRules, maskAddress, maskPathInText } from './addresses.ts';
import { type Pattern, PERSONAL_PATTERNS, SECRET_PATTERNS } from './patterns.ts';
import { isRemark, lengthOfBare, sensitiveEnd, sensitivityOf } from './sensitive-names.ts';

/** An address with a scheme, and a path with two segments or more. */
const ADDRESS = /(?<![a-z\d])[a-z][a-z\d+.-]{0,30}:\/\/[^\s"'<>`|\\]{1,4000}(?<![.,;:!?)\]}])/gi;
const PATH = /(?<![\w/.:~%-])(?:\/[\w.~%@+:;=-]{1,300}){2,40}(?![^\s"'<>?#,;.:!)\]}])/g;
/** A run without a separator, in which characters may be escaped. */
const RUN = /[^\s"'<>&=?#/,;()]{3,4000}/g;
/** Characters before a match that may say what it is. */
const LONGEST_BEFORE = 40;

/** A token that is masked already, after the name of its scheme. */
const IS_MASKED = /^[a-z\d-]{1,20}[ \t]{1,3}[\ue000-\uf8ff](?!\S)/i;

/** A text in which everything sensitive is masked: what is known, what follows a name, and what looks like it. Takes linear time. */
export function maskText(text: string, rules: MaskRules): string {
  const plain = plainCharacters(text);
  if (plain !== text) {
    const masked = maskText(plain, rules);
    return masked === plain ? text : masked;
  }
  const shelf = new Shelf();
  const put = (part: string) => shelf.put(part);
  let masked = rules.replaceKnown(Shelf.clean(text), put);
  masked = replaceEscaped(masked, rules, put);
  masked = replacePatterns(masked, SECRET_PATTERNS, (kind, value) =>
    put(kind === 'secret' ? MASK : rules.nameOf(kind, value)),
  );
  masked = masked.replace(ADDRESS, (url) => put(shelf.restore(maskAddress(url, rules))));
  masked = maskAfterNames(masked, {
    hides: (name) => sensitiveEnd(name) !== undefined,
    lengthOf: (rest, name) => (IS_MASKED.test(rest) ? 0 : lengthOfBare(rest, sensitiveEnd(name) ?? '')),
    mask: (value, name) => put(shelf.restore(maskNamed(value, sensitiveEnd(name) ?? '', rules))),
  });
  masked = replacePatterns(masked, PERSONAL_PATTERNS, (kind, value) => put(rules.nameOf(kind, value)));
  masked = masked.replace(PATH, (path) => put(shelf.restore(maskPathInText(path, rules))));
  return shelf.restore(masked);
}

/** A text without the entities, the full-width forms and the invisible characters that patterns would not see through. */
function plainCharacters(text: string): string {
  return text
    .replace(/&(?:quot|#34);/g, '"')
    .replace(/&(?:apos|#39);/g, "'")
    .replace(/&(?:nbsp|#160);/g, '\u00a0')
    .replace(/[\uff01-\uff5e\ufe6b]/g, (char) => char.normalize('NFKC'))
    .replace(/(?<=\d)\p{Cf}{1,9}(?=\d)/gu, ' ')
    .replace(/\p{Cf}/gu, '');
}

/** The same text, one character for each, as patterns read it: with a space or a hyphen for what else separates groups of digits. */
function asSeparated(text: string): string {
  return text
    .replace(/\p{Zs}/gu, ' ')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/(?<=\d)_(?=\d)/g, '-');
}

/** The value after a sensitive name; a remark stays, and what is masked already, too. */
function maskNamed(value: string, name: string, rules: MaskRules): string {
  if (Shelf.holds(value) || isRemark(value)) return value;
  const kind = sensitivityOf(name, value);
  if (kind === undefined) return value;
  return kind === 'secret' ? MASK : rules.person(name, value);
}

/** Replaces a run of escaped characters, if there is something to mask in what they stand for. */
function replaceEscaped(text: string, rules: MaskRules, put: (part: string) => string): string {
  return text.replace(RUN, (run) => {
    const plain = decodeFully(run);
    if (plain === run) return run;
    const masked = maskText(plain, rules);
    return masked === plain ? run : put(masked);
  });
}

function replacePatterns(
  text: string,
  patterns: readonly Pattern[],
  replace: (kind: string, value: string) => string,
): string {
  return patterns.reduce((masked, pattern) => replacePattern(masked, pattern, replace), text);
}

function replacePattern(
  text: string,
  [kind, pattern, holds = () => true]: Pattern,
  replace: (kind: string, value: string) => string,
): string {
  const read = asSeparated(text);
  let shown = '';
  let done = 0;
  pattern.lastIndex = 0;
  for (let found = pattern.exec(read); found; found = pattern.exec(read)) {
    const { 0: match, index } = found;
    const held = holds(match, read.slice(Math.max(0, index - LONGEST_BEFORE), index));
    const length = held === true ? match.length : Number(held);
    // What is sought may begin within what only looked like it.
    pattern.lastIndex = index + (length || 1);
    if (length === 0) continue;
    shown += text.slice(done, index) + replace(kind, match.slice(0, length));
    done = index + length;
  }
  return shown + text.slice(done);
}

/** The first and last character for private use: nothing else looks like one of them. */
const FIRST = 0xe000;
const LAST = 0xf8ff;
const PRIVATE = /[\ue000-\uf8ff]/g;

/** Sets aside the masked parts of a text, so that no later pattern matches a pseudonym. */
class Shelf {
  readonly #parts: string[] = [];

  /** A text to be masked: without characters that would stand for a part. */
  static clean(text: string): string {
    return text.replace(PRIVATE, '\ufffd');
  }

  /** One character that stands for a part; the part itself where there are thousands. */
  put(part: string): string {
    if (this.#parts.length > LAST - FIRST) return part;
    this.#parts.push(part);
    return String.fromCharCode(FIRST + this.#parts.length - 1);
  }

  /** Whether a text is nothing but parts. */
  static holds(text: string): boolean {
    return /^[\ue000-\uf8ff]+$/.test(text);
  }

  /** The text with its parts. */
  restore(text: string): string {
    return text.replace(PRIVATE, (char) => this.#parts[char.charCodeAt(0) - FIRST] ?? '');
  }
}
