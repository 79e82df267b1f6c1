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
 * for, and so may nest it deeper. Refuses repeated keys, and keys that are lists or objects. Unknown tags are ignored.
 */
export function parseYamlText(text: string, maxDepth: number): YamlResult {
  const lines = new LineCounter();
  const placeOf = (offset: number) => {
    const { line, col: column } = lines.linePos(offset);
    return { line, column };
  };
  try {
    // The composer would compare each key with all others.
    const composer = new Composer({ uniqueKeys: false, logLevel: 'silent' });
    const [document] = composer.compose(boundedTokens(text, lines, maxDepth), true, text.length);
    const [error] = document?.errors ?? [];
    if (error) return { problem: error.message, ...placeOf(error.pos[0]) };
    return { value: document && contentOf(document.contents, new Map()) };
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

type Anchors = Map<string, unknown>;

/** The value of a node; nodes are read in the order of the document. */
function contentOf(node: unknown, anchors: Anchors): unknown {
  if (isAlias(node)) {
    if (anchors.has(node.source)) return anchors.get(node.source);
    throw new Unreadable(`The alias *${node.source} has no anchor before it`, node);
  }
  const value = partsOf(node, anchors);
  const { anchor } = isObject(node) ? node : {};
  if (typeof anchor === 'string') anchors.set(anchor, value);
  return value;
}

function partsOf(node: unknown, anchors: Anchors): unknown {
  if (isMap(node)) return membersOf(node.items, anchors);
  if (isSeq(node))
    return node.items.map((item) => (isPair(item) ? membersOf([item], anchors) : contentOf(item, anchors)));
  const value = isScalar(node) ? node.value : null;
  return value instanceof Date ? value.toJSON() : value;
}

function membersOf(pairs: readonly Pair<unknown, unknown>[], anchors: Anchors): object {
  const members = new Map<string, unknown>();
  for (const { key, value } of pairs) {
    const name = contentOf(key, anchors);
    if (typeof name === 'symbol') throw new Unreadable('payctl does not read merge keys (<<)', key);
    if (typeof name === 'object' && name !== null)
      throw new Unreadable('A key must be a string, not a list or an object', key);
    const text = name === null ? '' : String(name);
    if (members.has(text)) throw new Unreadable('Map keys must be unique', key);
    members.set(text, contentOf(value, anchors));
  }
  return Object.fromEntries(members);
}
