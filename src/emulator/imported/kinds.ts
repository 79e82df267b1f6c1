import type { Action, ModelledOperation } from '../../descriptions/imported-operation.ts';
import { lastWord, plainPath, singular } from '../../descriptions/path-words.ts';
import { oncePerObject } from '../../descriptions/values/memoize.ts';

/** A kind of record: those of a collection such as `/transactions` or `/transactions/{}/refunds`. */
export type Kind = {
  /** The path of the collection, with `{}` for each parameter. */
  readonly path: string;
  /** What one record is called, such as `payment_method`. */
  readonly noun: string;
  readonly operations: { [action in Action]?: ModelledOperation };
  /** Dotted path of the member with the ID of a record. */
  idPath: string;
  /** The collection of the nearest parameter above it. */
  parent: Kind | undefined;
  /** The name of that parameter, such as `transaction_id`. */
  parentName: string | undefined;
};

/** An operation of the description, and the kind of record that it is about. */
export type Served = {
  readonly indexed: ModelledOperation;
  readonly action: Action | undefined;
  readonly kind: Kind | undefined;
  /** The verb of an action, such as `capture`. */
  readonly verb: string;
  /** The parameters of the path above its end, in path order, with the kind of the record that each names, if any. */
  readonly above: readonly { readonly parameter: string; readonly kind: Kind | undefined }[];
  /** An operation on the same record or document takes or names its version. */
  readonly hasVersions: boolean;
};

/** The kinds of records of a description, according to its model. */
export class Kinds {
  readonly #byPath = new Map<string, Kind>();
  readonly #byNoun = new Map<string, Kind>();
  readonly #byWord = new Map<string, Kind[]>();
  readonly #methods = new Map<string, Map<string, ModelledOperation>>();

  constructor(operations: readonly ModelledOperation[]) {
    for (const operation of operations) {
      const path = plainPath(operation.path);
      const methods = this.#methods.get(path) ?? new Map<string, ModelledOperation>();
      this.#methods.set(path, methods.set(operation.method, operation));
    }
    for (const operation of operations) {
      const { action, resource } = operation;
      if (resource === undefined || action === undefined || action === 'custom') continue;
      this.#kindAt(resource, operation).operations[action] ??= operation;
    }
    for (const kind of this.#byPath.values()) {
      const prefix = prefixesOf(kind.path).at(-1);
      kind.parent = prefix === undefined ? undefined : this.#byPath.get(prefix);
    }
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
  shownAt(path: string): ModelledOperation | undefined {
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
  readonly serve = oncePerObject((indexed: ModelledOperation): Served => {
    const path = plainPath(indexed.path);
    const names = indexed.arguments ?? [];
    const prefixes = prefixesOf(path);
    const isItem = path.endsWith('/{}');
    const above = names.slice(0, isItem ? -1 : undefined).map((parameter, index) => ({
      parameter,
      kind: this.#byPath.get(prefixes[index] ?? ''),
    }));
    const kind = indexed.resource === undefined ? undefined : this.#byPath.get(indexed.resource);
    const ofRecord = indexed.action === 'custom' ? path.slice(0, path.lastIndexOf('/')) : path;
    const beside = [indexed, ...(this.#methods.get(ofRecord)?.values() ?? [])];
    const hasVersions = beside.some((operation) => operation.hasVersions);
    return { indexed, above, verb: lastWord(path), hasVersions, action: indexed.action, kind };
  });

  #kindAt(path: string, { arguments: names = [], recordId = 'id' }: ModelledOperation): Kind {
    const known = this.#byPath.get(path);
    if (known) return known;
    const word = lastWord(path);
    const kind: Kind = {
      path,
      noun: singular(word),
      operations: {},
      idPath: recordId,
      parent: undefined,
      parentName: names[parameterCount(path) - 1],
    };
    this.#byPath.set(path, kind);
    this.#byWord.set(word, [...(this.#byWord.get(word) ?? []), kind]);
    // The shortest path is that of the kind that a name stands for.
    const other = this.#byNoun.get(kind.noun);
    if (!other || other.path.split('/').length > path.split('/').length) this.#byNoun.set(kind.noun, kind);
    return kind;
  }
}

/** How many parameters a plain path has. */
export function parameterCount(path: string): number {
  return prefixesOf(path).length;
}

/** For each parameter of a plain path: what comes before it. */
function prefixesOf(path: string): readonly string[] {
  return [...path.matchAll(/\/\{\}/g)].map(({ index }) => path.slice(0, index));
}
