import type { IndexedOperation } from '../../descriptions/imported-operation.ts';

type Node = {
  readonly words: Map<string, Node>;
  parameter: Node | undefined;
  readonly methods: Map<string, IndexedOperation>;
};

/** The operations of a path by method, and the values of its parameters in path order. */
export type FoundPath = {
  readonly methods: ReadonlyMap<string, IndexedOperation>;
  readonly values: readonly string[];
};

/** Finds operations by path. A fixed segment has precedence over a parameter. The time does not grow with the number of operations. */
export class Routes {
  readonly #root = emptyNode();
  /** Paths in which a parameter is only part of a segment, such as `{id}.pdf`; they are tried one by one. */
  readonly #odd: { readonly expression: RegExp; readonly methods: Map<string, IndexedOperation> }[] = [];

  constructor(operations: readonly IndexedOperation[]) {
    for (const operation of operations) this.#add(operation);
  }

  /** Finds the operations of a path; its segments are decoded. */
  find(segments: readonly string[]): FoundPath | undefined {
    const found = walk(this.#root, segments, 0);
    if (found) return found;
    const path = segments.join('/');
    for (const { expression, methods } of this.#odd) {
      const values = expression.exec(path)?.slice(1);
      if (values) return { methods, values };
    }
    return undefined;
  }

  #add(operation: IndexedOperation): void {
    const segments = operation.path.split('/').slice(1);
    const isOdd = segments.some((segment) => segment.includes('{') && !/^\{[^{}]*\}$/.test(segment));
    const methods = isOdd ? this.#oddMethods(operation.path) : this.#node(segments).methods;
    methods.set(operation.method, operation);
  }

  #node(segments: readonly string[]): Node {
    let node = this.#root;
    for (const segment of segments) {
      if (segment.startsWith('{')) {
        node.parameter ??= emptyNode();
        node = node.parameter;
        continue;
      }
      const next = node.words.get(segment) ?? emptyNode();
      node.words.set(segment, next);
      node = next;
    }
    return node;
  }

  #oddMethods(path: string): Map<string, IndexedOperation> {
    const parts = path.slice(1).split(/\{[^{}]*\}/);
    const expression = new RegExp(
      `^${parts.map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('([^/]+)')}$`,
    );
    const known = this.#odd.find(({ expression: { source } }) => source === expression.source);
    if (known) return known.methods;
    const methods = new Map<string, IndexedOperation>();
    this.#odd.push({ expression, methods });
    return methods;
  }
}

function emptyNode(): Node {
  return { words: new Map(), parameter: undefined, methods: new Map() };
}

function walk(node: Node, segments: readonly string[], at: number): FoundPath | undefined {
  const segment = segments[at];
  if (segment === undefined) return node.methods.size > 0 ? { methods: node.methods, values: [] } : undefined;
  const word = node.words.get(segment);
  const found = word && walk(word, segments, at + 1);
  if (found) return found;
  if (!node.parameter || segment === '') return undefined;
  const below = walk(node.parameter, segments, at + 1);
  return below && { methods: below.methods, values: [segment, ...below.values] };
}
