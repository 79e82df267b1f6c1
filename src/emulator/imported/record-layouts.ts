import { oncePerObject } from '../../descriptions/values/memoize.ts';
import { type Kind, type Kinds, parameterCount } from './kinds.ts';
import type { PreparedOperations, PreparedSchema } from './prepared.ts';
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
  /** An operation with its schemas. */
  readonly operation: PreparedOperations;

  constructor({ kinds, operation }: { readonly kinds: Kinds; readonly operation: PreparedOperations }) {
    this.kinds = kinds;
    this.operation = operation;
  }

  /** The schema of the records of a kind; undefined if no operation has one. */
  readonly layoutOf = oncePerObject((kind: Kind): RecordLayout | undefined => {
    const { get, create, replace, update, list, search } = kind.operations;
    const single = [get, create, replace ?? update].map((one) => one && this.operation(one).response);
    const listed = [list, search].map((one) => one && this.operation(one).list?.item);
    const [member = ''] = kind.idPath.split('.');
    const known = [...single, ...listed].flatMap((one) => (one && one.members.size > 0 ? [one] : []));
    const schema = known.find(({ members }) => members.has(member)) ?? known[0];
    return schema && { schema, idPath: schema.members.has(member) ? kind.idPath : undefined };
  });

  /**
   * The kind under which the records of a kind are stored. `/transactions/{}/refunds` and `/refunds` are the same records if
   * their schemas have the same name; the canonical kind is the one without parameters in its path.
   */
  readonly canonical = oncePerObject((kind: Kind): Kind => {
    const all = this.kinds.sameWord(kind);
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
    const found = this.kinds.all().find((kind) => this.layoutOf(kind)?.schema.name === name);
    return found && this.canonical(found);
  }
}
