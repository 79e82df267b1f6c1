import type { Action, ModelledOperation } from '../../descriptions/imported-operation.ts';
import { ITEM_ACTIONS } from '../../descriptions/model.ts';
import { lastWord, plainPath, singular } from '../../descriptions/path-words.ts';
import { own } from '../../json/is-object.ts';
import { oncePerObject } from '../../schemas/memoize.ts';
import { snake } from '../../schemas/values/names.ts';
import { shapeOf } from '../../schemas/values/shape.ts';
import { type PreparedOperations, PreparedSchema } from './prepared.ts';
import { ownerIn, type Partition, type Scope } from './tables.ts';

/** A kind of record: those of a collection such as `/transactions` or `/transactions/{}/refunds`, or the only document at a path. */
export type Kind = {
  /** Where its records are in the tables. */
  readonly key: string;
  /** The path of the collection, or of the document, with `{}` for each parameter. */
  readonly path: string;
  /** What one record is called, such as `payment_method`. */
  readonly noun: string;
  readonly operations: { [action in Action]?: ModelledOperation };
  /** Dotted path of the member with the ID of a record; empty for a document. */
  readonly idPath: string;
  readonly isDocument: boolean;
  /** The collection of the nearest parameter above it. */
  parent: Kind | undefined;
  /** The name of that parameter, such as `transaction_id`, which records have, too. */
  parentName: string | undefined;
};

/** An operation of the description, and the kind of record that it is about. */
export type Served = ReturnType<Kinds['serve']>;

/** The kinds of records of a description, according to its model: their schemas, and where they are stored. */
export class Kinds {
  /** The operations, in the order of the description. */
  readonly operations: readonly ModelledOperation[];
  /** An operation with its schemas. */
  readonly operation: PreparedOperations;
  readonly #byKey: ReadonlyMap<string, Kind>;
  readonly #byNoun: ReadonlyMap<string, Kind>;
  readonly #atPath: ReadonlyMap<string, readonly ModelledOperation[]>;

  constructor(operations: readonly ModelledOperation[], prepared: PreparedOperations) {
    this.operations = operations;
    this.operation = prepared;
    this.#atPath = Map.groupBy(operations, ({ path }) => plainPath(path));
    const onRecords = operations.filter(({ action = 'custom' }) => action !== 'custom');
    const byKey = Map.groupBy(onRecords, keyOf);
    byKey.delete('');
    this.#byKey = new Map([...byKey].map(([key, all]) => [key, kindOf(key, all)]));
    const kinds = this.all();
    for (const kind of kinds) kind.parent = this.#byKey.get(prefixesOf(kind.path).at(-1) ?? '');
    // The shortest path is that of the kind that a name stands for.
    const depthOf = ({ path }: Kind) => path.split('/').length;
    const longestFirst = kinds.toReversed().toSorted((a, b) => depthOf(b) - depthOf(a));
    this.#byNoun = new Map(longestFirst.map((kind) => [kind.noun, kind]));
  }

  /** The kinds of the records of collections, in the order of the description. */
  all(): readonly Kind[] {
    return [...this.#byKey.values()].filter(({ isDocument }) => !isDocument);
  }

  /** The kind that a name such as `payment_method` stands for. */
  called(noun: string): Kind | undefined {
    return this.#byNoun.get(noun);
  }

  /** The kinds of records and documents whose paths begin with a prefix. */
  below(prefix: string): readonly Kind[] {
    return [...this.#byKey.values()].filter(({ path }) => path.startsWith(prefix));
  }

  /** Whether a path below the records of a kind ends with one of these words. */
  hasBelow(kind: Kind, words: readonly string[]): boolean {
    return this.sameWord(kind).some(({ path }) =>
      words.some((word) => this.#atPath.has(`${path}/{}/${word}`)),
    );
  }

  /** The kinds whose collections have the same last word. */
  sameWord(kind: Kind): readonly Kind[] {
    return kind.isDocument ? [kind] : this.all().filter(({ path }) => lastWord(path) === lastWord(kind.path));
  }

  /** What an operation does. */
  readonly serve = oncePerObject((indexed: ModelledOperation) => {
    const { arguments: names = [] } = indexed;
    const path = plainPath(indexed.path);
    const isDocument = indexed.action === 'document';
    const action = isDocument ? ITEM_ACTIONS[indexed.method] : indexed.action;
    // A document is named by all parameters of its path, and lies below the records of those before the last segment.
    const prefixes = prefixesOf(isDocument ? path.replace(/\/\{\}$/, '') : path);
    const isRecord = !isDocument && (path.endsWith('/{}') || action === 'custom');
    const outer = names.slice(0, isRecord ? -1 : undefined);
    const ofRecord = action === 'custom' ? path.slice(0, path.lastIndexOf('/')) : path;
    const beside = [indexed, ...(this.#atPath.get(ofRecord) ?? [])];
    return {
      ...indexed,
      action,
      kind: this.#byKey.get(keyOf(indexed)),
      /** The verb of an action, such as `capture`. */
      verb: lastWord(path),
      /** For each parameter of the path before that of its record, in path order: the kind of the record that it names, if any. */
      above: outer.map((_, index) => this.#byKey.get(prefixes[index] ?? '')),
      /** An operation on the same record or document takes or names its version. */
      hasVersions: beside.some((operation) => operation.hasVersions),
    };
  });

  /** The schema of the records of a kind; undefined if no operation has one. */
  readonly layoutOf = oncePerObject((kind: Kind) => {
    const { get, create, replace, update, list, search } = kind.operations;
    const { isDocument, idPath } = kind;
    const shown = [
      ...[get, create, replace ?? update].map((one) => one && this.operation(one).response),
      ...[list, search].map((one) => one && this.operation(one).list?.item),
    ];
    const known = shown.flatMap((one) => (one && (isDocument || one.members.size > 0) ? [one] : []));
    const [member = ''] = idPath.split('.');
    // An object that may have any members has an id, too.
    const open = shown.find((one) => one?.members.size === 0 && shapeOf(one).types?.has('object'));
    const other = known[0] ?? (isDocument ? ANYTHING : open);
    const schema = known.find(({ members }) => members.has(member)) ?? other;
    const hasId = schema?.members.has(member) || (schema !== undefined && schema === open && !isDocument);
    // The dotted path of the member that holds the id; undefined where there is none.
    return schema && { schema, idPath: hasId ? idPath : undefined };
  });

  /**
   * The kind under which the records of a kind are stored. `/transactions/{}/refunds` and `/refunds` are the same records if
   * their schemas have the same name; the canonical kind is the one without parameters in its path. Where records would be below
   * themselves, such as users of groups of users, they are not the same.
   */
  readonly canonical = oncePerObject((kind: Kind): Kind => {
    const flat = this.#flatOf(kind);
    const nested = flat && this.#nestedOf(flat);
    if (!nested || this.#isBelowItself(flat)) return kind;
    flat.parent = nested.parent;
    flat.parentName = nested.parentName;
    return kind === nested ? flat : kind;
  });

  #flatOf(kind: Kind): Kind | undefined {
    return this.sameWord(kind).find(({ path }) => !path.includes('{}'));
  }

  /** The only kind below another one whose schema has the name of that of a kind without parameters in its path. */
  readonly #nestedOf = oncePerObject((flat: Kind): Kind | undefined => {
    const name = this.layoutOf(flat)?.schema.name;
    if (name === undefined) return undefined;
    const isSame = (one: Kind) => one !== flat && one.parent && this.layoutOf(one)?.schema.name === name;
    const [nested, ...others] = this.sameWord(flat).filter(isSame);
    return others.length > 0 ? undefined : nested;
  });

  #isBelowItself(flat: Kind): boolean {
    const above = new Set<Kind>();
    let next = this.#above(flat);
    while (next && !above.has(next)) {
      above.add(next);
      next = this.#above(next);
    }
    return above.has(flat);
  }

  #above(kind: Kind): Kind | undefined {
    const flat = this.#flatOf(kind);
    const nested = flat && this.#nestedOf(flat);
    return nested && (kind === flat || kind === nested) ? nested.parent : kind.parent;
  }

  /** The kinds that have the same records as this one, which is one of them. */
  aliases(kind: Kind): readonly Kind[] {
    const canonical = this.canonical(kind);
    return this.sameWord(kind).filter((one) => this.canonical(one) === canonical);
  }

  /**
   * Where the records of a kind are stored for a merchant account. All accounts share a kind if an operation on it names none. The first
   * `depth` ids of the path name the owner, by default all but that of a parent that is listed.
   */
  partition(kind: Kind, { account, ids }: Scope, depth?: number): Partition {
    const { key, path, parent } = this.canonical(kind);
    const isShared = parent && path.includes('{}') && !this.isApart(kind);
    const usual = parameterCount(path) - (isShared ? 1 : 0);
    const own = this.takesAccount(kind) ? account : '';
    return { kind: key, owner: ownerIn({ account: own, ids }, depth ?? usual) };
  }

  /** Whether first records are made below each id: the record above has every id. A refund or capture needs a payment that is there. */
  isApart(kind: Kind): boolean {
    const { parent, path, noun } = this.canonical(kind);
    const isMove = noun === 'refund' || noun === 'capture';
    return parent !== undefined && path.includes('{}') && !isMove && !this.isListed(parent);
  }

  /** The members by which paths name a record, other than its ID: `number` for `/contacts/{number}` next to `/contacts/{id}`. */
  readonly furtherKeys = oncePerObject((kind: Kind): readonly string[] => {
    const { schema, idPath = '' } = this.layoutOf(this.canonical(kind)) ?? {};
    // A `contact_number` and a `number` are the same.
    const plain = (name: string) => snake(name).replace(`${snake(kind.noun)}_`, '');
    const below = this.operations.filter(({ path }) => plainPath(path).startsWith(`${kind.path}/{}`));
    // Such as `/contacts/number/{number}`.
    const others = this.operations.filter(
      ({ path, resource }) =>
        resource === kind.key && plainPath(path).replace(kind.path, '').split('/').length === 3,
    );
    const names = below.flatMap((one) => {
      const name = one.arguments?.[parameterCount(kind.path)] ?? '';
      const { summary = '' } = own(this.operation(one).operation.pathValues, name) ?? {};
      // Such as "The ID or UID of the application".
      return [name, /\bs?id or (?:the )?(\w+)/i.exec(summary)?.[1] ?? ''];
    });
    const wanted = new Set([...names, ...others.flatMap((one) => one.arguments?.at(-1) ?? [])].map(plain));
    wanted.delete(plain(idPath));
    return [...(schema?.members.keys() ?? [])].filter((name) => wanted.has(plain(name)));
  });

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
}

/** The key of the kind that an operation is about: the path of its collection, or that of its document, which a search may have, too. */
function keyOf({ action, path, resource = '' }: ModelledOperation): string {
  return action === 'document' ? `${plainPath(path)} document` : resource;
}

function kindOf(key: string, all: readonly ModelledOperation[]): Kind {
  const [{ action, path: written = '', arguments: names = [], recordId: idPath = 'id' } = {}] = all;
  const isDocument = action === 'document';
  const path = isDocument ? plainPath(written) : key;
  const actionOf = (one: ModelledOperation) =>
    isDocument ? ITEM_ACTIONS[one.method] : (one.action ?? 'custom');
  return {
    key,
    path,
    noun: isDocument ? lastWord(path) : singular(lastWord(path)),
    // The first operation of each action counts, of those with the shortest path.
    operations: Object.fromEntries(
      all
        .toReversed()
        .toSorted((a, b) => plainPath(b.path).length - plainPath(a.path).length)
        .map((one) => [actionOf(one), one]),
    ),
    idPath: isDocument ? '' : idPath,
    isDocument,
    parent: undefined,
    parentName: isDocument ? undefined : parentNameIn(path, names, idPath),
  };
}

/** The name of the parameter of the parent; where it is that of the records' own ID, as in `/payments/{id}/refunds`, `payment_id`. */
function parentNameIn(path: string, names: readonly string[], idPath: string): string | undefined {
  const name = names[parameterCount(path) - 1];
  return name === idPath ? `${singular(lastWord(path.slice(0, path.lastIndexOf('/{}'))))}_id` : name;
}

/** The schema of a document that no response contains. */
export const ANYTHING = new PreparedSchema(true, true);

/** How many parameters a plain path has. */
export function parameterCount(path: string): number {
  return prefixesOf(path).length;
}

/** For each parameter of a plain path: what comes before it. */
function prefixesOf(path: string): readonly string[] {
  return [...path.matchAll(/\/\{\}/g)].map(({ index }) => path.slice(0, index));
}
