import { isNestedDeeper, MAX_DEPTH } from './depth.ts';
import { parseKeepingNumbers } from './exact.ts';
import { pointerTo } from './pointer.ts';
import { repeatedMembers } from './repeated-members.ts';

/** JSON of the user that payctl refuses. The message follows the name of the input: `is not JSON: ...`. */
export class JsonInputError extends Error {}

/**
 * Parses JSON that the user gives. Numbers that a double would change are kept as they are written; `JSON.stringify` writes
 * them digit for digit.
 * @throws JsonInputError with the line and column of the first error, for JSON nested more than `MAX_DEPTH` levels deep, and for an
 * object with two members of one name
 */
export function parseJsonInput(text: string): unknown {
  if (isNestedDeeper(text, MAX_DEPTH)) {
    throw new JsonInputError(`is nested more than ${MAX_DEPTH} levels deep`);
  }
  const value = parseText(text);
  const [repeated] = repeatedMembers(text, 1);
  if (repeated) throw new JsonInputError(`has the field ${pointerTo(repeated)} more than once`);
  return value;
}

function parseText(text: string): unknown {
  try {
    return parseKeepingNumbers(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const place = findJsonError(text);
    throw new JsonInputError(`is not JSON: ${place ? describePlace(text, place) : error.message}`);
  }
}

/** Where a text stops being JSON, and what would have to be there. */
export type JsonErrorPlace = { readonly index: number; readonly expected: string };

/** Describes a place for a message: the expected token, with line and column. */
export function describePlace(text: string, { index, expected }: JsonErrorPlace): string {
  const { line, column } = placeAt(text, index);
  const found = index >= text.length ? ', but the text ends' : '';
  return `expected ${expected} at line ${line}, column ${column}${found}`;
}

/** The line and the column of an index, both from 1; a column is one character. */
export function placeAt(text: string, index: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, index).split('\n');
  return { line: before.length, column: [...(before.at(-1) ?? '')].length + 1 };
}

/** The tokens that may come next, as messages name them. */
const EXPECTED = {
  value: 'a value',
  valueOrEnd: 'a value or "]"',
  name: 'a name in double quotes',
  nameOrEnd: 'a name in double quotes or "}"',
  colon: '":"',
  nextInArray: '"," or "]"',
  nextInObject: '"," or "}"',
  end: 'the end',
} as const;

type Expectation = keyof typeof EXPECTED;

/**
 * Finds the first place where a text is not JSON; undefined where it is. The messages of V8 differ between its versions, name
 * no place in short texts and quote the text, which may contain a secret.
 */
export function findJsonError(text: string): JsonErrorPlace | undefined {
  const open: Closer[] = [];
  let next: Expectation = 'value';
  let at = endOfSpace(text, 0);
  while (at < text.length) {
    const kind = kindOf(text.charAt(at));
    const after = expectationAfter(kind, next, open);
    const end = endOfToken(text, at, kind);
    if (after === undefined || end === at) return { index: at, expected: EXPECTED[next] };
    if (typeof end !== 'number') return end;
    next = after;
    at = endOfSpace(text, end);
  }
  return next === 'end' ? undefined : { index: at, expected: EXPECTED[next] };
}

type Closer = '}' | ']';

type Kind = '{' | '[' | Closer | ',' | ':' | 'string' | 'literal';

function kindOf(char: string): Kind {
  if (char === '"') return 'string';
  return '{}[],:'.includes(char) ? (char as Kind) : 'literal';
}

/** What may follow a token; undefined if the token is not allowed. `open` has the closing brackets of the containers around it. */
function expectationAfter(kind: Kind, next: Expectation, open: Closer[]): Expectation | undefined {
  const takesValue = next === 'value' || next === 'valueOrEnd';
  switch (kind) {
    case '}':
    case ']':
      if (kind !== open.at(-1) || !/^next|OrEnd$/.test(next)) return undefined;
      open.pop();
      return afterValue(open);
    case ',':
      if (next === 'nextInArray') return 'value';
      return next === 'nextInObject' ? 'name' : undefined;
    case ':':
      return next === 'colon' ? 'value' : undefined;
    case 'string':
      if (next === 'name' || next === 'nameOrEnd') return 'colon';
      return takesValue ? afterValue(open) : undefined;
    case 'literal':
      return takesValue ? afterValue(open) : undefined;
    default:
      if (!takesValue) return undefined;
      open.push(kind === '{' ? '}' : ']');
      return kind === '{' ? 'nameOrEnd' : 'valueOrEnd';
  }
}

function afterValue(open: readonly Closer[]): Expectation {
  const closer = open.at(-1);
  if (closer === undefined) return 'end';
  return closer === '}' ? 'nextInObject' : 'nextInArray';
}

const LITERAL = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;

/** The index after a token; the start of an invalid literal, or the place where a string is invalid. */
function endOfToken(text: string, at: number, kind: Kind): number | JsonErrorPlace {
  if (kind === 'string') return endOfJsonString(text, at);
  if (kind !== 'literal') return at + 1;
  LITERAL.lastIndex = at;
  return LITERAL.test(text) ? LITERAL.lastIndex : at;
}

function endOfSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\n\r'.includes(text.charAt(at))) at += 1;
  return at;
}

const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})/y;

/** The index after the string that begins at `from`, or the place where it is invalid. */
function endOfJsonString(text: string, from: number): number | JsonErrorPlace {
  let at = from + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code < 0x20) return { index: at, expected: 'an escape such as \\n for the control character' };
    if (code === 0x5c) {
      ESCAPE.lastIndex = at;
      if (!ESCAPE.test(text)) return { index: at, expected: 'a valid escape' };
      at = ESCAPE.lastIndex;
    } else {
      at += 1;
    }
  }
  return { index: at, expected: 'a closing quotation mark' };
}
