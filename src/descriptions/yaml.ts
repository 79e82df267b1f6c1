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
  | { readonly problem: string; readonly line?: number; readonly column?: number }
  | { readonly isTooDeep: true; readonly line: number; readonly column: number };

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
    return { value: document && new Values(text.length).of(document.contents) };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const { message, offset } = error;
    if (message === '') return { isTooDeep: true, ...placeOf(offset ?? 0) };
    return { problem: message, ...(offset !== undefined && placeOf(offset)) };
  }
}

/** What cannot be read, and the node or the offset where; without a message it is nested too deep. */
class Unreadable extends Error {
  readonly offset: number | undefined;

  constructor(message: string | undefined, place: unknown) {
    super(message);
    this.offset = typeof place === 'number' ? place : (place as Node | null)?.range?.[0];
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

/** The values of the nodes of a document, in its order. */
class Values {
  readonly #anchors = new Map<string, unknown>();
  /** How many members `<<` may still add. */
  #mergeable: number;

  constructor(mergeable: number) {
    this.#mergeable = mergeable;
  }

  of(node: unknown): unknown {
    if (isAlias(node)) {
      if (this.#anchors.has(node.source)) return this.#anchors.get(node.source);
      throw new Unreadable(`The alias *${node.source} has no anchor before it`, node);
    }
    const value = this.#valueOf(node);
    const { anchor } = isObject(node) ? node : {};
    if (typeof anchor === 'string') this.#anchors.set(anchor, value);
    return value;
  }

  #valueOf(node: unknown): unknown {
    if (isMap(node)) return this.#members(node.items);
    if (isSeq(node)) return node.items.map((item) => (isPair(item) ? this.#members([item]) : this.of(item)));
    const value = isScalar(node) ? node.value : null;
    if (typeof value === 'bigint') return Number(value);
    return value instanceof Date ? value.toJSON() : value;
  }

  #members(pairs: readonly Pair<unknown, unknown>[]): object {
    const members = new Map<string, unknown>();
    const merged = new Map<string, unknown>();
    for (const { key, value } of pairs) {
      const name = this.of(key);
      if (typeof name === 'object' && name !== null)
        throw new Unreadable('A key must be a string, not a list or an object', key);
      const text = name === null ? '' : String(name);
      // Only YAML 1.1 has merge keys.
      if (typeof name === 'symbol') this.#merge(merged, this.of(value));
      else if (members.has(text)) throw new Unreadable('Map keys must be unique', key);
      else members.set(text, this.of(value));
    }
    for (const [name, value] of merged) if (!members.has(name)) members.set(name, value);
    return Object.fromEntries(members);
  }

  #merge(merged: Map<string, unknown>, sources: unknown): void {
    for (const source of [sources].flat().filter(isObject)) {
      for (const [name, value] of Object.entries(source)) {
        this.#mergeable -= 1;
        if (this.#mergeable < 0) throw new Unreadable('its aliases expand to too much data', null);
        if (!merged.has(name)) merged.set(name, value);
      }
    }
  }
}
