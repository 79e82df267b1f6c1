import type { IndexedOperation } from '../../descriptions/imported-operation.ts';
import { isObject } from '../../json/is-object.ts';
import { dayMs, seedEndMs } from '../clock.ts';
import { createRandom, type Random } from '../seed/random.ts';
import { generate } from './generate.ts';
import { type Kind, type Kinds, type Served, singular } from './kinds.ts';
import { firstAmounts, NOTHING_KNOWN, paymentOf, settle } from './money.ts';
import type { Document } from './overlay.ts';
import type { OwnRecords } from './own-records.ts';
import type { Prepared, PreparedOperations, PreparedSchema } from './prepared.ts';
import { shapeOf } from './shape.ts';
import type { Shelf, StoredRecord, Tables } from './tables.ts';

/** What the records of a kind look like. */
export type RecordForm = {
  readonly schema: PreparedSchema;
  /** The member that holds the id; undefined where there is none. */
  readonly idName: string | undefined;
};

/** How many records a kind begins with: in the merchant account `default` and the whole instance, and in another account. */
const FIRST_RECORDS = { default: 30, other: 6 } as const;

/** Records of a kind with a parent are spread over so many parents, the newest ones. */
const PARENTS_WITH_CHILDREN = 12;

const FIRST_ATTEMPTS = 6;

/** The records of a description: which there are at first, and where each is found. */
export class Records {
  readonly tables: Tables;
  readonly kinds: Kinds;
  readonly own: OwnRecords;
  readonly #operations: PreparedOperations;
  readonly #seed: number;
  readonly #ready = new Set<string>();
  readonly #ids = new Map<string, readonly string[]>();
  readonly #forms = new Map<Kind, RecordForm | undefined>();
  readonly #homes = new Map<Kind, Kind>();
  #isInTransaction = false;
  #lastMs = 0;

  constructor(parts: {
    readonly tables: Tables;
    readonly kinds: Kinds;
    readonly own: OwnRecords;
    readonly operations: PreparedOperations;
    readonly seed: number;
  }) {
    this.tables = parts.tables;
    this.kinds = parts.kinds;
    this.own = parts.own;
    this.#operations = parts.operations;
    this.#seed = parts.seed;
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
    const names = ['id', parameter, `${kind.noun}_id`, parameter?.replace(/^.*_/, '')];
    return { schema, idName: names.find((name) => name !== undefined && schema.members.has(name)) };
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

  /** Where the records of a kind are for a merchant account. */
  shelf(kind: Kind, account: string): Shelf {
    return { kind: this.home(kind).path, account: kind.takesAccount ? account : '' };
  }

  /** Makes the first records of a kind, once. */
  prepare(kind: Kind, account: string): void {
    const home = this.home(kind);
    const shelf = this.shelf(kind, account);
    const key = `${shelf.account} ${shelf.kind}`;
    if (this.#ready.has(key)) return;
    if (!this.tables.isMade(shelf, '')) {
      const first = this.#firstRecords(home, account);
      this.transaction(() => {
        if (this.tables.isMade(shelf, '')) return;
        for (const record of first) this.tables.insert(shelf, record);
        this.tables.setMade(shelf, '');
      });
    }
    this.#ready.add(key);
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

  #firstRecords(kind: Kind, account: string): readonly StoredRecord[] {
    if (this.own.has(kind.path) || !this.isListed(kind)) return [];
    return this.firstIds(kind, account).flatMap((id, index) => {
      const made = this.makeFirst(kind, account, { id, index });
      return made ? [made] : [];
    });
  }

  /** The ids of the first records, newest first: the same for the same seed, whether they are stored yet or not. */
  firstIds(kind: Kind, account: string): readonly string[] {
    const { kind: path, account: owner } = this.shelf(kind, account);
    const key = `${owner} ${path}`;
    const known = this.#ids.get(key);
    if (known) return known;
    const ids = this.#makeIds(this.home(kind), owner);
    this.#ids.set(key, ids);
    return ids;
  }

  #makeIds(kind: Kind, account: string): readonly string[] {
    if (kind.noun === 'merchant_account' && this.#canBeNamed(kind)) return ['default', 'outlet'];
    const count = account === '' || account === 'default' ? FIRST_RECORDS.default : FIRST_RECORDS.other;
    const ids = new Set<string>();
    for (let attempt = 0; ids.size < count && attempt < count * 4; attempt += 1) {
      ids.add(String(this.newId(kind, createRandom(this.#seed, `${kind.path} ${account} id ${attempt}`))));
    }
    return [...ids];
  }

  /** Whether any text can be an id of the kind. */
  #canBeNamed(kind: Kind): boolean {
    const form = this.form(kind);
    if (!form?.idName) return false;
    const shape = shapeOf({ schema: form.schema.members.get(form.idName), root: form.schema.root });
    return shape.format === undefined && shape.patterns.length === 0 && shape.types?.has('integer') !== true;
  }

  /** An id for a record of a kind, of the type and form that its schema asks for. */
  newId(kind: Kind, random: Random): string | number {
    const form = this.form(kind);
    const item = kind.operations.get ?? kind.operations.update ?? kind.operations.remove;
    const parameters = item && this.#operations.get(item).operation.pathValues;
    const allowed = parameters && Object.values(parameters).at(-1)?.enum;
    if (allowed?.[0] !== undefined) return random.pick([allowed[0], ...allowed.slice(1)]);
    if (!form?.idName) return random.uuid();
    const { schema, root } = { root: form.schema.root, schema: form.schema.members.get(form.idName) };
    const { types } = shapeOf({ schema, root });
    if (types?.has('integer') || types?.has('number')) return 1 + random.below(1_000_000);
    const { noun } = kind;
    return String(generate(schema, { root, random, noun, atMs: seedEndMs }, form.idName));
  }

  /** Makes a record that is there at first; undefined where its schema gives none, or it stands for no payment. */
  makeFirst(
    kind: Kind,
    account: string,
    { id, index }: { readonly id: string; readonly index: number },
  ): StoredRecord | undefined {
    const form = this.form(kind);
    if (!form) return undefined;
    const name = `${kind.path} ${this.shelf(kind, account).account} ${id}`;
    const createdMs =
      seedEndMs - Math.floor((index + createRandom(this.#seed, name).below(1000) / 1000) * dayMs);
    const parent = this.#parentOf(kind, account, index);
    const above = parent === undefined ? undefined : this.#paymentAbove(kind, account, parent);
    if (above && above.refunded === 0) return undefined;
    for (let attempt = 0; attempt < FIRST_ATTEMPTS; attempt += 1) {
      const random = createRandom(this.#seed, `${name} ${attempt}`);
      const given = this.#given(kind, account, { id, parent });
      const generated = generate(form.schema.schema, {
        root: form.schema.root,
        random,
        atMs: createdMs,
        noun: kind.noun,
        wanted: given,
        refer: (noun) => this.refer(noun, account, random),
      });
      if (!isObject(generated)) return undefined;
      const amounts = above ? { amount: above.refunded, currency: above.currency } : {};
      const made = settle(take(generated, { ...given, ...amounts }, form.schema), form.schema);
      if (attempt < FIRST_ATTEMPTS - 1 && form.schema.fits.problems(made).length > 0) continue;
      const remembered = this.#isRefunded(kind) ? firstAmounts(made, form.schema) : NOTHING_KNOWN;
      return { id, parent: parent ?? '', createdMs, document: JSON.stringify(made), ...remembered };
    }
    return undefined;
  }

  #given(
    kind: Kind,
    account: string,
    { id, parent }: { readonly id: string; readonly parent: string | undefined },
  ): Document {
    const idName = this.form(kind)?.idName;
    const isNumber = typeof this.newId(kind, createRandom(1)) === 'number';
    return {
      ...(idName !== undefined && { [idName]: isNumber ? Number(id) : id }),
      ...(parent !== undefined && kind.parentName !== undefined && { [kind.parentName]: parent }),
      ...(kind.takesAccount && { merchant_account_id: account }),
    };
  }

  #parentOf(kind: Kind, account: string, index: number): string | undefined {
    if (!kind.parent) return undefined;
    const ids = this.own.has(kind.parent.path)
      ? this.own.ids(kind.parent.path, account)
      : this.firstIds(kind.parent, account);
    const spread = kind.noun === 'refund' ? ids.length : Math.min(ids.length, PARENTS_WITH_CHILDREN);
    return ids[index % Math.max(spread, 1)];
  }

  /** What was refunded of the payment that a first refund is for; undefined for records that are no refunds. */
  #paymentAbove(
    kind: Kind,
    account: string,
    id: string,
  ): { refunded: number; currency: unknown } | undefined {
    if (kind.noun !== 'refund' || !kind.parent) return undefined;
    const index = this.firstIds(kind.parent, account).indexOf(id);
    const made = index === -1 ? undefined : this.makeFirst(this.home(kind.parent), account, { id, index });
    if (!made) return undefined;
    const payment = JSON.parse(made.document) as Document;
    if (typeof payment.amount !== 'number') return undefined;
    const { schema } = this.form(kind.parent) ?? {};
    const refunded = schema && paymentOf(payment, schema, made)?.refunded;
    return { refunded: refunded ?? 0, currency: payment.currency };
  }

  /** Whether there are refunds below the records of a kind. */
  #isRefunded(kind: Kind): boolean {
    const refunds = this.kinds.called('refund');
    return refunds !== undefined && this.home(refunds).parent === kind;
  }

  /** The id of a record that a name such as `buyer` or `original_transaction` stands for. */
  refer(noun: string, account: string, random: Random): string | number | undefined {
    if (/(^|_)merchant_account$/.test(noun)) return account;
    for (let name = noun; name !== ''; name = name.includes('_') ? name.slice(name.indexOf('_') + 1) : '') {
      const kind = this.kinds.called(singular(name));
      const path = kind?.path ?? this.own.pathOf(name);
      if (path === undefined) continue;
      const ids = this.own.has(path) ? this.own.ids(path, account) : kind ? this.firstIds(kind, account) : [];
      const [first, ...others] = ids;
      if (first !== undefined) return random.pick([first, ...others]);
    }
    return undefined;
  }

  /** The random stream of what is made by itself at a place of the description. */
  randomAt(place: string): Random {
    return createRandom(this.#seed, place);
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

  /** Makes the first records of every kind that a change may be about, so that the transaction of the change need not. */
  prepareAll(account: string, { kind, above }: Served): void {
    const kinds = [kind, ...above.map((one) => one.kind), this.kinds.called('refund')];
    for (const one of kinds) if (one) this.prepare(one, account);
  }

  /** Runs work in a transaction, or in the one that is open. */
  transaction<T>(work: () => T): T {
    if (this.#isInTransaction) return work();
    this.#isInTransaction = true;
    try {
      return this.tables.database.inTransaction(work);
    } finally {
      this.#isInTransaction = false;
    }
  }

  /** The place in lists of a record that is made now, in milliseconds since 1970: after all that were made before. */
  nextMoment(now: Date): number {
    this.#lastMs = Math.max(now.getTime(), this.#lastMs + 1);
    return this.#lastMs;
  }
}

/** Sets the members that the schema names. */
function take(record: Document, given: Document, { members }: PreparedSchema): Document {
  const known = Object.entries(given).filter(([name, value]) => members.has(name) && value !== undefined);
  return { ...record, ...Object.fromEntries(known) };
}
