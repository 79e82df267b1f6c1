import {
  Composer,
  type CST,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  type Pair,
  Parser,
} from 'yaml';
import { isObject } from '../json/is-object.ts';

/** What YAML text says, or why it cannot be read and where. */
export type YamlResult =
  | { readonly value: unknown }
  | (({ readonly problem: string } | { readonly isTooDeep: true }) & {
      readonly line: number;
      readonly column: number;
    });

/**
 * Reads one YAML document in linear time, nested at most about this many levels deep; aliases share the values they stand
 * for, and so may nest it deeper. Refuses repeated keys, and keys that are lists or objects. `<<` merges objects. Unknown tags are ignored.
 */
export function parseYamlText(text: string, maxDepth: number): YamlResult {
  const lines = new LineCounter();
  const placeOf = (offset: number) => {
    const { line, col: column } = lines.linePos(offset);
    return { line, column };
  };
  try {
    // The composer would compare each key with all others. Most readers take merge keys in any version of YAML.
    const composer = new Composer({ uniqueKeys: false, merge: true, logLevel: 'silent' });
    const [document] = composer.compose(boundedTokens(text, lines, maxDepth), true, text.length);
    const [error] = document?.errors ?? [];
    if (error) return { problem: error.message, ...placeOf(error.pos[0]) };
    return {
      value: document && contentOf(document.contents, { anchors: new Map(), mergeable: text.length }),
    };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const { message, offset } = error;
    return { ...(message === '' ? { isTooDeep: true } : { problem: message }), ...placeOf(offset) };
  }
}

/** What cannot be read, and the node or the offset where; without a message it is nested too deep. */
class Unreadable extends Error {
  readonly offset: number;

  constructor(message: string | undefined, place: unknown) {
    super(message);
    this.offset = typeof place === 'number' ? place : ((place as Node | null)?.range?.[0] ?? 0);
  }
}

/** The tokens of a text. The parser keeps a stack, but the composer recurses, so it must not be given what is nested too deep. */
function* boundedTokens(text: string, lines: LineCounter, maxDepth: number): Generator<CST.Token> {
  lines.addNewLine(0);
  const parser = new Parser(lines.addNewLine);
  // On the stack are the document, the containers, and the value in the innermost of them.
  const most = maxDepth + 2;
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    if (parser.stack.length > most) throw new Unreadable(undefined, parser.offset - lexeme.length);
  }
  yield* parser.end();
}

/** What reading the nodes so far has given. */
type Reading = {
  readonly anchors: Map<string, unknown>;
  /** How many members merge keys may still add. */
  mergeable: number;
};

/** The value of a node; nodes are read in the order of the document. */
function contentOf(node: unknown, reading: Reading): unknown {
  const { anchors } = reading;
  if (isAlias(node)) {
    if (anchors.has(node.source)) return anchors.get(node.source);
    throw new Unreadable(`The alias *${node.source} has no anchor before it`, node);
  }
  const value = partsOf(node, reading);
  const { anchor } = isObject(node) ? node : {};
  if (typeof anchor === 'string') anchors.set(anchor, value);
  return value;
}

function partsOf(node: unknown, reading: Reading): unknown {
  if (isMap(node)) return membersOf(node.items, reading);
  if (isSeq(node))
    return node.items.map((item) => (isPair(item) ? membersOf([item], reading) : contentOf(item, reading)));
  const value = isScalar(node) ? node.value : null;
  return value instanceof Date ? value.toJSON() : value;
}

function membersOf(pairs: readonly Pair<unknown, unknown>[], reading: Reading): object {
  const members = new Map<string, unknown>();
  const merged: object[] = [];
  for (const { key, value } of pairs) {
    const name = contentOf(key, reading);
    if (typeof name === 'object' && name !== null)
      throw new Unreadable('A key must be a string, not a list or an object', key);
    const text = name === null ? '' : String(name);
    // A merge key is the symbol of the library.
    if (typeof name === 'symbol') merged.push(...mergedBy(contentOf(value, reading), value));
    else if (members.has(text)) throw new Unreadable('Map keys must be unique', key);
    else members.set(text, contentOf(value, reading));
  }
  for (const [name, value] of merged.flatMap((source) => Object.entries(source))) {
    reading.mergeable -= 1;
    if (reading.mergeable < 0) throw new Unreadable('its aliases expand to too much data', pairs[0]?.key);
    if (!members.has(name)) members.set(name, value);
  }
  return Object.fromEntries(members);
}

/** The objects whose members the key `<<` takes over, those of the first before those of later ones. */
function mergedBy(value: unknown, node: unknown): readonly object[] {
  const sources = [value].flat();
  if (sources.every(isObject)) return sources;
  throw new Unreadable('A merge key (<<) must have an object, or a list of objects', node);
}
