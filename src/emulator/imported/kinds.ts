import type { IndexedOperation } from '../../descriptions/imported-operation.ts';

/** A kind of record: those of a collection such as `/transactions` or `/transactions/{}/refunds`. */
export type Kind = {
  /** The path of the collection, with `{}` for each parameter. */
  readonly path: string;
  /** What one record is called, such as `payment_method`. */
  readonly noun: string;
  readonly operations: { [role in 'list' | 'create' | 'get' | 'update' | 'remove']?: IndexedOperation };
  /** The collection of the nearest parameter above it. */
  parent: Kind | undefined;
  /** The name of that parameter, such as `transaction_id`. */
  parentName: string | undefined;
};

/** What an operation does. `one`: its path has a single document; `other`: neither path nor method says. */
export type Role = 'list' | 'search' | 'create' | 'get' | 'update' | 'remove' | 'one' | 'action' | 'other';

/** An operation of the description, and the kind of record that it is about. */
export type Served = {
  readonly indexed: IndexedOperation;
  readonly role: Role;
  readonly kind: Kind | undefined;
  /** The verb of an action, such as `capture`. */
  readonly verb: string;
  /** The parameters of the path above its end, in path order, with the kind of the record that each names, if any. */
  readonly above: readonly { readonly parameter: string; readonly kind: Kind | undefined }[];
  /** An operation on the same record or document takes or names its version. */
  readonly hasVersions: boolean;
};

/** What an operation on the path of one record does. */
const ROLES_OF_ITEMS = {
  GET: 'get',
  DELETE: 'remove',
  POST: 'update',
  PUT: 'update',
  PATCH: 'update',
} as const;

/** Sorts operations by what their paths say. */
export class Kinds {
  readonly #byPath = new Map<string, Kind>();
  readonly #byNoun = new Map<string, Kind>();
  readonly #byWord = new Map<string, Kind[]>();
  readonly #methods = new Map<string, Map<string, IndexedOperation>>();
  readonly #answersWithList: (operation: IndexedOperation) => boolean;

  /** `answersWithList` is called for a GET that the index does not mark as a list, and that has no path of a record below it. */
  constructor(
    operations: readonly IndexedOperation[],
    answersWithList: (operation: IndexedOperation) => boolean,
  ) {
    this.#answersWithList = answersWithList;
    for (const operation of operations) {
      const path = plainPath(operation.path);
      const methods = this.#methods.get(path) ?? new Map<string, IndexedOperation>();
      this.#methods.set(path, methods.set(operation.method, operation));
    }
    for (const operation of operations) this.#collect(operation);
    for (const kind of this.#byPath.values()) this.#place(kind);
  }

  /** The kinds, in the order of the description. */
  all(): readonly Kind[] {
    return [...this.#byPath.values()];
  }

  /** The kind that a name such as `payment_method` stands for. */
  called(noun: string): Kind | undefined {
    return this.#byNoun.get(noun);
  }

  /** The operation that gets the document at a path. */
  shownAt(path: string): IndexedOperation | undefined {
    return this.#methods.get(plainPath(path))?.get('GET');
  }

  /** The plain paths of single documents, such as the settings of an account, that begin with a prefix. */
  documentsBelow(prefix: string): readonly string[] {
    const isDocument = (path: string) =>
      path.startsWith(prefix) && !path.endsWith('/{}') && !this.#byPath.has(path);
    return [...this.#methods.keys()].filter(isDocument);
  }

  /** The kind whose collection has this path, which may name its parameters. */
  at(path: string): Kind | undefined {
    return this.#byPath.get(plainPath(path));
  }

  /** Whether a path below the records of a kind ends with one of these words. */
  hasBelow(kind: Kind, words: readonly string[]): boolean {
    return this.sameWord(kind).some(({ path }) =>
      words.some((word) => this.#methods.has(`${path}/{}/${word}`)),
    );
  }

  /** The kinds whose collections have the same last word. */
  sameWord(kind: Kind): readonly Kind[] {
    return this.#byWord.get(lastWord(kind.path)) ?? [kind];
  }

  /** What an operation does. */
  serve(indexed: IndexedOperation): Served {
    const path = plainPath(indexed.path);
    const names = indexed.arguments ?? [];
    const prefixes = prefixesOf(path);
    const isItem = path.endsWith('/{}');
    const above = names.slice(0, isItem ? -1 : undefined).map((parameter, index) => ({
      parameter,
      kind: this.#byPath.get(prefixes[index] ?? ''),
    }));
    const answered = this.#roleOf(indexed, path);
    const ofRecord = answered.role === 'action' ? path.slice(0, path.lastIndexOf('/')) : path;
    const beside = [indexed, ...(this.#methods.get(ofRecord)?.values() ?? [])];
    const hasVersions = beside.some((operation) => operation.hasVersions);
    return { indexed, above, verb: lastWord(path), hasVersions, ...answered };
  }

  #roleOf(indexed: IndexedOperation, path: string): { readonly role: Role; readonly kind: Kind | undefined } {
    const { method, isList } = indexed;
    const methods = this.#methods.get(path);
    const outer = path.slice(0, path.lastIndexOf('/'));
    if (path.endsWith('/{}')) {
      return { role: ROLES_OF_ITEMS[method], kind: this.#byPath.get(outer) };
    }
    const kind = this.#byPath.get(path);
    if (kind && method === 'GET') return { role: 'list', kind };
    if (kind && method === 'POST') return { role: isList ? 'search' : 'create', kind };
    const ofRecord = outer.endsWith('/{}') ? this.#byPath.get(outer.slice(0, -'/{}'.length)) : undefined;
    if (method === 'POST' && isList) return { role: 'search', kind: this.#byPath.get(outer) };
    const isDocument = method === 'GET' || methods?.has('GET') === true || method === 'DELETE';
    if (!kind && isDocument) return { role: 'one', kind: undefined };
    return { role: ofRecord && !kind ? 'action' : 'other', kind: ofRecord };
  }

  /** Makes the kind that an operation lists, creates, or has an item of. */
  #collect(operation: IndexedOperation): void {
    const path = plainPath(operation.path);
    const { method, isList } = operation;
    if (path.endsWith('/{}')) {
      this.#kindAt(path.slice(0, -'/{}'.length), operation).operations[ROLES_OF_ITEMS[method]] ??= operation;
      return;
    }
    const methods = this.#methods.get(path);
    const get = methods?.get('GET');
    const hasList = this.#isCollection(path) || (get !== undefined && this.#answersWithList(get));
    const outer = path.slice(0, path.lastIndexOf('/'));
    const isSearch = method === 'POST' && isList && this.#isCollection(outer);
    if (method === 'GET' && hasList) this.#kindAt(path, operation).operations.list = operation;
    else if (method === 'POST' && !isList && hasList)
      this.#kindAt(path, operation).operations.create = operation;
    else if (method === 'POST' && isList && !isSearch)
      this.#kindAt(path, operation).operations.list ??= operation;
  }

  #isCollection(path: string): boolean {
    return this.#methods.get(path)?.get('GET')?.isList === true || this.#methods.has(`${path}/{}`);
  }

  #kindAt(path: string, { arguments: names = [] }: IndexedOperation): Kind {
    const known = this.#byPath.get(path);
    if (known) return known;
    const word = lastWord(path);
    const count = prefixesOf(path).length;
    const kind: Kind = {
      path,
      noun: singular(word),
      operations: {},
      parent: undefined,
      parentName: count > 0 ? names[count - 1] : undefined,
    };
    this.#byPath.set(path, kind);
    this.#byWord.set(word, [...(this.#byWord.get(word) ?? []), kind]);
    // The shortest path is that of the kind that a name stands for.
    const other = this.#byNoun.get(kind.noun);
    if (!other || other.path.split('/').length > path.split('/').length) this.#byNoun.set(kind.noun, kind);
    return kind;
  }

  #place(kind: Kind): void {
    const prefix = prefixesOf(kind.path).at(-1);
    kind.parent = prefix === undefined ? undefined : this.#byPath.get(prefix);
  }
}

/** A path with `{}` for each parameter, and without a slash at its end. */
export function plainPath(path: string): string {
  return path.replaceAll(/\{[^{}]*\}/g, '{}').replace(/(.)\/$/, '$1');
}

/** How many parameters a plain path has. */
export function parameterCount(path: string): number {
  return prefixesOf(path).length;
}

/** For each parameter of a plain path: what comes before it. */
function prefixesOf(path: string): readonly string[] {
  return [...path.matchAll(/\/\{\}/g)].map(({ index }) => path.slice(0, index));
}

function lastWord(path: string): string {
  return path.split('/').findLast((segment) => segment !== '' && segment !== '{}') ?? '';
}

/** The singular of a word of a path, in lower case with underscores: `payment-methods` becomes `payment_method`. */
export function singular(word: string): string {
  const plain = word.replaceAll(/[^\p{L}\p{N}]+/gu, '_').toLowerCase();
  if (/(ss|us|is)$/.test(plain)) return plain;
  if (/ies$/.test(plain)) return plain.replace(/ies$/, 'y');
  return /(ses|xes|zes|ches|shes)$/.test(plain) ? plain.replace(/es$/, '') : plain.replace(/s$/, '');
}
