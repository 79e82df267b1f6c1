import type { IndexedOperation } from '../../descriptions/imported-operation.ts';
import { type Kind, type Kinds, parameterCount } from './kinds.ts';
import { snake } from './names.ts';
import type { Prepared, PreparedOperations, PreparedSchema } from './prepared.ts';
import { ownerIn, type Scope } from './scope.ts';
import type { Shelf } from './tables.ts';

/** What the records of a kind look like. */
export type RecordForm = {
  readonly schema: PreparedSchema;
  /** The member that holds the id; undefined where there is none. */
  readonly idName: string | undefined;
};

/** The member that a path names a record by: `id`, or one that is called like the parameter, such as `key` for `{project.key}`. */
function idNameOf({ noun }: Kind, parameter: string, members: readonly string[]): string | undefined {
  const plain = snake(parameter);
  const names = ['id', plain, `${noun}_id`, plain.replace(/^.*_/, '')];
  const named = (name: string) => members.find((one) => snake(one) === name);
  if (!members.includes('id') && members.includes(parameter)) return parameter;
  return names.map(named).find((name) => name !== undefined);
}

/** What the operations of a description say of the records of each kind. */
export class Forms {
  readonly kinds: Kinds;
  readonly #operations: PreparedOperations;
  readonly #forms = new Map<Kind, RecordForm | undefined>();
  readonly #homes = new Map<Kind, Kind>();
  readonly #accounts = new Map<Kind, boolean>();

  constructor(kinds: Kinds, operations: PreparedOperations) {
    this.kinds = kinds;
    this.#operations = operations;
  }

  /** What the records of a kind look like; undefined where no operation says. */
  form(kind: Kind): RecordForm | undefined {
    if (!this.#forms.has(kind)) this.#forms.set(kind, this.#formOf(kind));
    return this.#forms.get(kind);
  }

  #formOf(kind: Kind): RecordForm | undefined {
    const { get, create, update, list } = kind.operations;
    const answers = [get, create, update].map((indexed) => indexed && this.#operations.get(indexed).response);
    const listed = list && this.#operations.get(list).list?.item;
    const schema = [...answers, listed].find((one) => one !== undefined && one.members.size > 0);
    if (!schema) return undefined;
    const item = get ?? update ?? kind.operations.remove;
    const parameter = item?.arguments?.at(-1);
    return { schema, idName: idNameOf(kind, parameter ?? '', [...schema.members.keys()]) };
  }

  /**
   * Where the records of a kind are kept: `/transactions/{}/refunds` and `/refunds` are the same records where the schemas say
   * so by one name.
   */
  home(kind: Kind): Kind {
    const known = this.#homes.get(kind);
    if (known) return known;
    const others = this.kinds.sameWord(kind);
    const flat = others.find(({ path }) => !path.includes('{}'));
    const nested = others.filter(({ parent }) => parent !== undefined);
    const name = flat && this.form(flat)?.schema.name;
    const same = name === undefined ? [] : nested.filter((one) => this.form(one)?.schema.name === name);
    const [first] = same;
    if (flat && first && same.length === 1) {
      flat.parent = first.parent;
      flat.parentName = first.parentName;
      this.#homes.set(first, flat);
    }
    for (const one of others) if (!this.#homes.has(one)) this.#homes.set(one, one);
    return this.#homes.get(kind) ?? kind;
  }

  /** Where the records of a kind are for a merchant account. Those that not every operation asks for by account are shared. */
  shelf(kind: Kind, { account, ids }: Scope): Shelf {
    const { path, parent } = this.home(kind);
    const depth = parameterCount(path) - (parent && path.includes('{}') ? 1 : 0);
    const owner = this.takesAccount(kind) ? account : '';
    return { kind: path, account: ownerIn({ account: owner, ids }, depth) };
  }

  /** Whether every operation on the records of a kind names a merchant account. */
  takesAccount(kind: Kind): boolean {
    const home = this.home(kind);
    const known = this.#accounts.get(home);
    if (known !== undefined) return known;
    const same = this.kinds.sameWord(kind).filter((one) => this.home(one) === home);
    const operations = same.flatMap((one) => Object.values(one.operations));
    const takes = operations.every((indexed) => this.operation(indexed).operation.merchantAccount);
    this.#accounts.set(home, takes);
    return takes;
  }

  /** Whether the records of a kind can be found without knowing their ids; those of another kind are made when asked for. */
  isListed(kind: Kind): boolean {
    const home = this.home(kind);
    const same = this.kinds.sameWord(kind).filter((one) => this.home(one) === home);
    const isKnown = same.some(
      ({ operations: { list, create } }) => list !== undefined || create !== undefined,
    );
    return isKnown && this.form(home)?.idName !== undefined;
  }

  /** An operation with its schemas. */
  operation(indexed: IndexedOperation): Prepared {
    return this.#operations.get(indexed);
  }

  /** The kind whose records have a schema of this name. */
  kindOfSchema(name: string): Kind | undefined {
    const found = this.kinds.all().find((kind) => this.form(kind)?.schema.name === name);
    return found && this.home(found);
  }
}
