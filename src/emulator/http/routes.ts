type Node<T> = {
  readonly words: Map<string, Node<T>>;
  parameter: Node<T> | undefined;
  readonly methods: Map<string, T>;
};

/** The operations of a path by method, and the values of its parameters in path order. */
export type FoundPath<T> = {
  readonly methods: ReadonlyMap<string, T>;
  readonly values: readonly string[];
};

/**
 * Finds operations by path. A fixed segment has precedence over a parameter, and so has a segment that is partly fixed. The time
 * grows only with the number of paths that have such segments.
 */
export class Routes<T extends { readonly method: string; readonly path: string }> {
  readonly #root = emptyNode<T>();
  /** Paths in which a parameter is only part of a segment, such as `{id}.pdf`; they are tried one by one. */
  readonly #odd: { readonly expression: RegExp; readonly methods: Map<string, T> }[] = [];

  constructor(operations: readonly T[]) {
    for (const operation of operations) this.#add(operation);
  }

  /** Finds the operations of a path; its segments are decoded. */
  find(segments: readonly string[]): FoundPath<T> | undefined {
    const found = walk(this.#root, segments, 0);
    if (found?.values.length === 0) return found;
    const path = segments.join('/');
    for (const { expression, methods } of this.#odd) {
      const values = expression.exec(path)?.slice(1);
      if (values) return { methods, values };
    }
    return found;
  }

  #add(operation: T): void {
    const segments = operation.path.split('/').slice(1);
    const isOdd = segments.some((segment) => segment.includes('{') && !/^\{[^{}]*\}$/.test(segment));
    const methods = isOdd ? this.#oddMethods(operation.path) : this.#node(segments).methods;
    methods.set(operation.method, operation);
  }

  #node(segments: readonly string[]): Node<T> {
    let node = this.#root;
    for (const segment of segments) {
      if (segment.startsWith('{')) {
        node.parameter ??= emptyNode<T>();
        node = node.parameter;
        continue;
      }
      const next = node.words.get(segment) ?? emptyNode<T>();
      node.words.set(segment, next);
      node = next;
    }
    return node;
  }

  #oddMethods(path: string): Map<string, T> {
    const parts = path.slice(1).split(/\{[^{}]*\}/);
    const expression = new RegExp(
      `^${parts.map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('([^/]+)')}$`,
    );
    const known = this.#odd.find(({ expression: { source } }) => source === expression.source);
    if (known) return known.methods;
    const methods = new Map<string, T>();
    this.#odd.push({ expression, methods });
    return methods;
  }
}

function emptyNode<T>(): Node<T> {
  return { words: new Map(), parameter: undefined, methods: new Map() };
}

function walk<T>(node: Node<T>, segments: readonly string[], at: number): FoundPath<T> | undefined {
  const segment = segments[at];
  if (segment === undefined) return node.methods.size > 0 ? { methods: node.methods, values: [] } : undefined;
  const word = node.words.get(segment);
  const found = word && walk(word, segments, at + 1);
  if (found) return found;
  if (!node.parameter || segment === '') return undefined;
  const below = walk(node.parameter, segments, at + 1);
  return below && { methods: below.methods, values: [segment, ...below.values] };
}
