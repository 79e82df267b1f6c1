import { isObject } from '../../json/is-object.ts';
import { replaceHidden, sanitizeText } from '../sanitize.ts';

/** Deeper levels are written on one line, as JSON, which is YAML too: indentation of hostile depth would be quadratic. */
const DEEPEST = 64;

/**
 * Writes a value of `parseShownJson` as YAML that readers of YAML 1.1 and 1.2 understand alike: what either of them could take
 * for something other than a string is in double quotes, numbers have the digits that were sent, every string stays on one
 * line. Characters that must not reach a terminal raw are escaped. Takes any depth, and memory in proportion to the text.
 */
export function toYaml(value: unknown): string {
  const pieces: string[] = [];
  if (isFilled(value)) writeBlock(value, pieces, { level: 0, lead: '' });
  else pieces.push(`${scalarText(value)}\n`);
  return pieces.join('');
}

/** Where a block begins: `lead` is what precedes it on its first line. */
type BlockStart = { readonly level: number; readonly lead: string };

function writeBlock(value: object, pieces: string[], { level, lead }: BlockStart): void {
  const indent = '  '.repeat(level);
  let before = lead;
  if (Array.isArray(value)) {
    for (const element of value) {
      pieces.push(before, '-');
      writeValue(element, pieces, { level: level + 1, lead: ' ' });
      before = indent;
    }
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    pieces.push(before, keyText(name, indent));
    // A list is written below its name, at the same indentation.
    const isList = Array.isArray(member);
    writeValue(member, pieces, {
      level: isList ? level : level + 1,
      lead: isList ? `\n${indent}` : `\n${indent}  `,
    });
    before = indent;
  }
}

/** Writes what follows `-` or `name:`, with the end of its last line. */
function writeValue(value: unknown, pieces: string[], start: BlockStart): void {
  if (!isFilled(value)) pieces.push(` ${scalarText(value)}\n`);
  else if (start.level >= DEEPEST) pieces.push(` ${flowText(value)}\n`);
  else writeBlock(value, pieces, start);
}

function isFilled(value: unknown): value is object {
  return Array.isArray(value) ? value.length > 0 : isObject(value) && Object.keys(value).length > 0;
}

/** Readers take a name for one only within so many characters, unless it is marked. */
const LONGEST_NAME = 1000;

function keyText(name: string, indent: string): string {
  const text = stringText(name);
  return text.length > LONGEST_NAME ? `? ${text}\n${indent}:` : `${text}:`;
}

function scalarText(value: unknown): string {
  if (typeof value === 'string') return stringText(value);
  if (typeof value === 'bigint') return String(value);
  return JSON.stringify(value) ?? 'null';
}

/** What begins with a letter and has no punctuation of YAML. */
const PLAIN = /^[\p{L}_/(](?:[^:#\uFFFE\uFFFF]|:(?=[^\s])|(?<=\S)#)*$/u;
/** What readers of YAML 1.1 take for a boolean or null. */
const WORD = /^(?:y|yes|n|no|on|off|true|false|null)$/i;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A longer string is quoted without a look at it: an expression of alternatives runs out of stack on one of megabytes. */
const LONGEST_PLAIN = 1000;

function stringText(text: string): string {
  if (text.length > LONGEST_PLAIN) return quoted(text);
  if (UUID.test(text)) return text;
  const isPlain = PLAIN.test(text) && !WORD.test(text) && !text.endsWith(' ') && sanitizeText(text) === text;
  return isPlain ? text : quoted(text);
}

/** A string of JSON is one of YAML; what neither a terminal nor a reader may see raw is escaped. */
function quoted(text: string): string {
  return replaceHidden(JSON.stringify(text), escapeChar).replace(/[\uFFFE\uFFFF]/g, escapeChar);
}

function escapeChar(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

/** A container on one line. Does not recurse: depth costs nothing. */
function flowText(value: object): string {
  const pieces: string[] = [];
  const open = [containerOf(value, pieces)];
  for (let inside = open.at(-1); inside; inside = open.at(-1)) {
    const { done, value: part } = inside.parts.next();
    if (done) {
      pieces.push(inside.close);
      open.pop();
      continue;
    }
    const [name, member] = part;
    pieces.push(inside.separator, name === undefined ? '' : `${quoted(name)}: `);
    inside.separator = ', ';
    if (isFilled(member)) open.push(containerOf(member, pieces));
    else pieces.push(typeof member === 'string' ? quoted(member) : scalarText(member));
  }
  return pieces.join('');
}

type Container = {
  readonly parts: Iterator<readonly [name: string | undefined, member: unknown], undefined>;
  readonly close: string;
  separator: string;
};

function containerOf(value: object, pieces: string[]): Container {
  const isList = Array.isArray(value);
  pieces.push(isList ? '[' : '{');
  const parts = isList
    ? value.map((element: unknown) => [undefined, element] as const)
    : Object.entries(value);
  return { parts: parts.values(), close: isList ? ']' : '}', separator: '' };
}
