import type { IndexedOperation } from '../../descriptions/imported-operation.ts';
import { type Kind, type Kinds, parameterCount } from './kinds.ts';
import type { Prepared, PreparedOperations, PreparedSchema } from './prepared.ts';
import { ownerIn, type Scope } from './scope.ts';
import type { Partition } from './tables.ts';

/** The schema of the records of a kind, and where their id is. */
export type RecordLayout = {
  readonly schema: PreparedSchema;
  /** Dotted path of the member that holds the id; undefined where there is none. */
  readonly idPath: string | undefined;
};

/** What the operations of a description say about the records of each kind: their schema, and where they are stored. */
export class RecordLayouts {
  readonly kinds: Kinds;
  readonly #operations: PreparedOperations;
  readonly #layouts = new Map<Kind, RecordLayout | undefined>();
  readonly #canonicals = new Map<Kind, Kind>();
  readonly #accounts = new Map<Kind, boolean>();

  constructor(kinds: Kinds, operations: PreparedOperations) {
    this.kinds = kinds;
    this.#operations = operations;
  }

  /** The schema of the records of a kind; undefined if no operation has one. */
  layoutOf(kind: Kind): RecordLayout | undefined {
    if (!this.#layouts.has(kind)) this.#layouts.set(kind, this.#findLayout(kind));
    return this.#layouts.get(kind);
  }

  #findLayout(kind: Kind): RecordLayout | undefined {
    const { get, create, replace, update, list, search } = kind.operations;
    const single = [get, create, replace ?? update].map((one) => one && this.#operations.get(one).response);
    const listed = [list, search].map((one) => one && this.#operations.get(one).list?.item);
    const [member = ''] = kind.idPath.split('.');
    const known = [...single, ...listed].flatMap((one) => (one && one.members.size > 0 ? [one] : []));
    const schema = known.find(({ members }) => members.has(member)) ?? known[0];
    if (!schema) return undefined;
    return { schema, idPath: schema.members.has(member) ? kind.idPath : undefined };
  }

  /**
   * The kind under which the records of a kind are stored. `/transactions/{}/refunds` and `/refunds` are the same records if
   * their schemas have the same name; the canonical kind is the one without parameters in its path.
   */
  canonical(kind: Kind): Kind {
    const known = this.#canonicals.get(kind);
    if (known) return known;
    const others = this.kinds.sameWord(kind);
    const flat = others.find(({ path }) => !path.includes('{}'));
    const nested = others.filter(({ parent }) => parent !== undefined);
    const name = flat && this.layoutOf(flat)?.schema.name;
    const same = name === undefined ? [] : nested.filter((one) => this.layoutOf(one)?.schema.name === name);
    const [first] = same;
    if (flat && first && same.length === 1) {
      flat.parent = first.parent;
      flat.parentName = first.parentName;
      this.#canonicals.set(first, flat);
    }
    for (const one of others) if (!this.#canonicals.has(one)) this.#canonicals.set(one, one);
    return this.#canonicals.get(kind) ?? kind;
  }

  /** The kinds that have the same records as this one, which is one of them. */
  aliases(kind: Kind): readonly Kind[] {
    const canonical = this.canonical(kind);
    return this.kinds.sameWord(kind).filter((one) => this.canonical(one) === canonical);
  }

  /** Where the records of a kind are stored for a merchant account. All accounts share a kind if an operation on it names none. */
  partition(kind: Kind, { account, ids }: Scope): Partition {
    const { path, parent } = this.canonical(kind);
    const depth = parameterCount(path) - (parent && path.includes('{}') ? 1 : 0);
    const own = this.takesAccount(kind) ? account : '';
    return { kind: path, owner: ownerIn({ account: own, ids }, depth) };
  }

  /** Whether every operation on the records of a kind names a merchant account. */
  takesAccount(kind: Kind): boolean {
    const canonical = this.canonical(kind);
    const known = this.#accounts.get(canonical);
    if (known !== undefined) return known;
    const operations = this.aliases(kind).flatMap((one) => Object.values(one.operations));
    const takes = operations.every((indexed) => this.operation(indexed).operation.merchantAccount);
    this.#accounts.set(canonical, takes);
    return takes;
  }

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

  /** An operation with its schemas. */
  operation(indexed: IndexedOperation): Prepared {
    return this.#operations.get(indexed);
  }

  /** The kind whose records have a schema of this name. */
  kindOfSchema(name: string): Kind | undefined {
    const found = this.kinds.all().find((kind) => this.layoutOf(kind)?.schema.name === name);
    return found && this.canonical(found);
  }
}
