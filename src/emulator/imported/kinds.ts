import type { Action, ModelledOperation } from '../../descriptions/imported-operation.ts';
import { lastWord, plainPath, singular } from '../../descriptions/path-words.ts';
import { oncePerObject } from '../../descriptions/values/memoize.ts';
import type { PreparedOperations } from './prepared.ts';
import { ownerIn, type Partition, type Scope } from './tables.ts';

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
export type Served = ReturnType<Kinds['serve']>;

/** The schema of the records of a kind, and where their id is. */
export type RecordLayout = NonNullable<ReturnType<Kinds['layoutOf']>>;

/** The kinds of records of a description, according to its model: their schemas, and where they are stored. */
export class Kinds {
  /** An operation with its schemas. */
  readonly operation: PreparedOperations;
  readonly #byPath = new Map<string, Kind>();
  readonly #byNoun = new Map<string, Kind>();
  readonly #byWord = new Map<string, Kind[]>();
  readonly #methods = new Map<string, Map<string, ModelledOperation>>();

  constructor(operations: readonly ModelledOperation[], prepared: PreparedOperations) {
    this.operation = prepared;
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
  readonly serve = oncePerObject((indexed: ModelledOperation) => {
    const { action, resource = '', arguments: names = [] } = indexed;
    const path = plainPath(indexed.path);
    const prefixes = prefixesOf(path);
    const outer = names.slice(0, path.endsWith('/{}') || action === 'custom' ? -1 : undefined);
    const ofRecord = action === 'custom' ? path.slice(0, path.lastIndexOf('/')) : path;
    const beside = [indexed, ...(this.#methods.get(ofRecord)?.values() ?? [])];
    return {
      ...indexed,
      kind: this.#byPath.get(resource),
      /** The verb of an action, such as `capture`. */
      verb: lastWord(path),
      /** For each parameter of the path before that of its record, in path order: the kind of the record that it names, if any. */
      above: outer.map((_, index) => this.#byPath.get(prefixes[index] ?? '')),
      /** An operation on the same record or document takes or names its version. */
      hasVersions: beside.some((operation) => operation.hasVersions),
    };
  });

  /** The schema of the records of a kind; undefined if no operation has one. */
  readonly layoutOf = oncePerObject((kind: Kind) => {
    const { get, create, replace, update, list, search } = kind.operations;
    const single = [get, create, replace ?? update].map((one) => one && this.operation(one).response);
    const listed = [list, search].map((one) => one && this.operation(one).list?.item);
    const [member = ''] = kind.idPath.split('.');
    const known = [...single, ...listed].flatMap((one) => (one && one.members.size > 0 ? [one] : []));
    const schema = known.find(({ members }) => members.has(member)) ?? known[0];
    // The dotted path of the member that holds the id; undefined where there is none.
    return schema && { schema, idPath: schema.members.has(member) ? kind.idPath : undefined };
  });

  /**
   * The kind under which the records of a kind are stored. `/transactions/{}/refunds` and `/refunds` are the same records if
   * their schemas have the same name; the canonical kind is the one without parameters in its path.
   */
  readonly canonical = oncePerObject((kind: Kind): Kind => {
    const all = this.sameWord(kind);
    const flat = all.find(({ path }) => !path.includes('{}'));
    const name = flat && this.layoutOf(flat)?.schema.name;
    const isSame = (one: Kind) => one !== flat && one.parent && this.layoutOf(one)?.schema.name === name;
    const [nested, ...others] = name === undefined ? [] : all.filter(isSame);
    if (!flat || !nested || others.length > 0) return kind;
    flat.parent = nested.parent;
    flat.parentName = nested.parentName;
    return kind === nested ? flat : kind;
  });

  /** The kinds that have the same records as this one, which is one of them. */
  aliases(kind: Kind): readonly Kind[] {
    const canonical = this.canonical(kind);
    return this.sameWord(kind).filter((one) => this.canonical(one) === canonical);
  }

  /** Where the records of a kind are stored for a merchant account. All accounts share a kind if an operation on it names none. */
  partition(kind: Kind, { account, ids }: Scope): Partition {
    const { path, parent } = this.canonical(kind);
    const depth = parameterCount(path) - (parent && path.includes('{}') ? 1 : 0);
    const own = this.takesAccount(kind) ? account : '';
    return { kind: path, owner: ownerIn({ account: own, ids }, depth) };
  }

  /** Whether every operation on the records of a kind names a merchant account. */
  readonly takesAccount = oncePerObject((kind: Kind): boolean => {
    const operations = this.aliases(kind).flatMap((one) => Object.values(one.operations));
    return operations.every((indexed) => this.operation(indexed).operation.merchantAccount);
  });

  /** Whether an operation lists or creates the records of a kind. A record of any other kind is made when a request names its id. */
  isListed(kind: Kind): boolean {
    return this.hasRecords(kind) && this.layoutOf(this.canonical(kind))?.idPath !== undefined;
  }

  /** The same, whether anything names the records or not. */
  hasRecords(kind: Kind): boolean {
    return this.aliases(kind).some(
      ({ operations: { list, search, create } }) => (list ?? search ?? create) !== undefined,
    );
  }

  /** The kind whose records have a schema of this name. */
  kindOfSchema(name: string): Kind | undefined {
    const found = this.all().find((kind) => this.layoutOf(kind)?.schema.name === name);
    return found && this.canonical(found);
  }

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
