import type { ImportedDescription } from '../../descriptions/imported-operation.ts';
import { singular } from '../../descriptions/path-words.ts';
import { operationReader, readModel } from '../../descriptions/read-store.ts';
import { isObject } from '../../json/is-object.ts';
import { createRandom, type Random } from '../../text/random.ts';
import { dayMs, seedEndOf } from '../clock.ts';
import type { EmulatorDatabase } from '../store/database.ts';
import { readMeta, readUntil } from '../store/meta.ts';
import { type OwnTable, ownPathOf, ownTables } from './contract-records.ts';
import { timeMembersOf } from './filters.ts';
import { type Kind, Kinds } from './kinds.ts';
import {
  alignCurrency,
  dated,
  expireBefore,
  firstAmounts,
  inDecimals,
  notUndone,
  settle,
} from './money/new-payment.ts';
import { amountLike, NOTHING_KNOWN, type Payment, paymentOf } from './money/payment.ts';
import { timesOf } from './money/statuses.ts';
import { type Document, firstFitting } from './overlay.ts';
import { preparedOperations } from './prepared.ts';
import { canBeId, newId, parentMember, withId } from './record-ids.ts';
import { type Partition, type Scope, type StoredRecord, Tables } from './tables.ts';

/** The number of first records of a kind: in the merchant account `default` and for all accounts, and in any other account. */
const FIRST_RECORDS = { default: 30, other: 6 } as const;

/** The number of parents, the newest ones, that have the first records of a kind below them. */
const PARENTS_WITH_CHILDREN = 12;

/** Thrown while the first records of a kind are being made: the request is to be handled again, after others. */
export class NotMadeYet extends Error {}

/** How long first records are made without a pause, in milliseconds. */
const STEP_MS = 50;

/** Which first record of its kind one is: see `makeFirst`. */
type First = { readonly id: string; readonly index: number; readonly atMs?: number | undefined };

/** The payment of a first refund: when it was captured, else created, and last changed, in milliseconds since 1970. */
type PaymentAbove = Payment & { readonly lastMs: number; readonly updatedMs: number | undefined };

/**
 * The records of a description: those that requests have created or changed, and the first ones. The same seed gives the same first records, in
 * whatever order they are requested.
 */
export class Records extends Kinds {
  readonly tables: Tables;
  readonly own: ReadonlyMap<string, OwnTable>;
  /** The moment at which the seeded past ends, in milliseconds since 1970. */
  readonly endMs: number;
  readonly #seed: number;
  readonly #ids = new Map<string, readonly string[]>();
  readonly #ready = new Set<string>();
  /** The first records that are being made, in the order of their IDs; undefined where there is none of an ID. */
  readonly #making = new Map<string, (StoredRecord | undefined)[]>();
  #isInTransaction = false;
  #lastMs = 0;

  /** Creates missing tables in the database. */
  constructor(database: EmulatorDatabase, index: ImportedDescription, folder: string) {
    super(readModel(folder, index), preparedOperations(operationReader(folder, index)));
    this.tables = new Tables(database, index.hash);
    this.own = ownTables(database);
    this.#seed = Number(readMeta(database, 'seed') ?? 1);
    this.endMs = seedEndOf(readUntil(database));
  }

  /** Stores the first records of a kind, once. @throws NotMadeYet outside of a transaction, if that takes long */
  prepare(kind: Kind, scope: Scope): void {
    const canonical = this.canonical(kind);
    const partition = this.partition(kind, scope);
    const key = `${partition.owner} ${partition.kind}`;
    if (this.#ready.has(key)) return;
    if (!this.own.has(canonical.path) && this.hasRecords(canonical))
      this.makeOnce(partition, '', () => this.#firstRecords(canonical, scope, key));
    // Records that a change creates may be rolled back with it.
    if (!this.#isInTransaction) this.#ready.add(key);
  }

  #firstRecords(kind: Kind, scope: Scope, key: string): readonly (StoredRecord | undefined)[] {
    const made = this.#making.get(key) ?? [];
    const started = performance.now();
    const ids = this.firstIds(kind, scope);
    for (const [index, id] of [...ids.entries()].slice(made.length)) {
      made.push(this.makeFirst(kind, scope, { id, index }));
      const isLong = performance.now() - started > STEP_MS;
      if (!isLong || this.#isInTransaction || made.length === ids.length) continue;
      this.#making.set(key, made);
      throw new NotMadeYet();
    }
    this.#making.delete(key);
    return made;
  }

  /** Runs work in a transaction, or in the one that is open. */
  transaction<T>(work: () => T): T {
    if (this.#isInTransaction) return work();
    return this.tables.database.inTransaction(() => this.#within(work));
  }

  /** Generates and stores records once; undefined stands for one that cannot be generated. */
  makeOnce(partition: Partition, key: string, make: () => readonly (StoredRecord | undefined)[]): void {
    if (this.tables.isMade(partition, key)) return;
    const made = make();
    this.transaction(() => {
      for (const record of made) if (record) this.tables.insert(partition, record);
      this.tables.setMade(partition, key);
    });
  }

  /** Runs a change, in one transaction with others that arrive at the same time; resolves when it is committed. */
  change<T>(work: () => T): Promise<T> {
    return this.tables.database.inSharedTransaction(() => this.#within(work));
  }

  #within<T>(work: () => T): T {
    this.#isInTransaction = true;
    try {
      return work();
    } finally {
      this.#isInTransaction = false;
    }
  }

  /** The position in lists of a new record, in milliseconds since 1970: after that of every earlier record. */
  nextMoment(now: Date): number {
    this.#lastMs = Math.max(now.getTime(), this.#lastMs + 1);
    return this.#lastMs;
  }

  /** The ids of the first records, newest first: the same for the same seed, whether they are stored yet or not. */
  firstIds(kind: Kind, scope: Scope): readonly string[] {
    const { kind: path, owner } = this.partition(kind, scope);
    const key = `${owner} ${path}`;
    const known = this.#ids.get(key);
    if (known) return known;
    const ids = this.#makeIds(this.canonical(kind), owner, this.takesAccount(kind) ? scope.account : '');
    this.#ids.set(key, ids);
    return ids;
  }

  #makeIds(kind: Kind, owner: string, account: string): readonly string[] {
    const accounts = kind.noun === 'merchant_account' ? ['default', 'outlet'] : [];
    if (accounts.length > 0 && accounts.every((id) => canBeId(this, kind, id))) return accounts;
    const count = account === '' || account === 'default' ? FIRST_RECORDS.default : FIRST_RECORDS.other;
    const ids = new Set<string>();
    for (let attempt = 0; ids.size < count && attempt < count * 4; attempt += 1) {
      ids.add(String(newId(this, kind, createRandom(this.#seed, `${kind.path} ${owner} id ${attempt}`))));
    }
    return [...ids];
  }

  /**
   * Generates a first record; undefined if its schema allows no object, or if it is a refund and its payment was not refunded. It was
   * created at `atMs`, in milliseconds since 1970, or otherwise `index` days before the end of the past, and never before its parent.
   */
  makeFirst(kind: Kind, scope: Scope, { id, index, atMs }: First): StoredRecord | undefined {
    const layout = this.layoutOf(kind);
    if (!layout) return undefined;
    const { schema, idPath } = layout;
    const name = this.#nameOf(kind, scope, id);
    const parent = this.#parentOf(kind, scope, index);
    const above = parent === undefined ? undefined : this.#paymentAbove(kind, scope, parent);
    if (above && above.refunded.units === 0n) return undefined;
    const createdMs = this.#createdMs(kind, scope, { id, index, atMs }, above);
    const own = typeof newId(this, kind, createRandom(1)) === 'number' ? Number(id) : id;
    const given = {
      ...parentMember(kind, parent, schema),
      ...(this.takesAccount(kind) && { merchant_account_id: scope.account }),
    };
    const amounts = above && {
      ...amountLike(above, above.refunded, schema),
      currency: above.record.currency,
    };
    const isNamed = ([name, value]: [string, unknown]) => schema.members.has(name) && value !== undefined;
    const named = Object.fromEntries(Object.entries({ ...given, ...amounts }).filter(isNamed));
    const made = firstFitting(schema, (_, attempt) => {
      const random = createRandom(this.#seed, `${name} ${attempt}`);
      const generated = schema.generate({
        random,
        atMs: createdMs,
        untilMs: Math.max(this.endMs, createdMs),
        noun: kind.noun,
        preset: withId(given, idPath, own),
        refer: (noun) => this.refer(noun, scope, random),
      });
      if (!isObject(generated)) return undefined;
      const taken = withId({ ...generated, ...named }, idPath, own);
      const paid = inDecimals(alignCurrency(above ? notUndone(taken, schema) : taken, schema), schema);
      return expireBefore(dated(settle(paid, schema), schema, createdMs), schema);
    });
    if (!isObject(made)) return undefined;
    const refunds = this.called('refund');
    const isRefunded = refunds !== undefined && this.canonical(refunds).parent === kind;
    const remembered = isRefunded ? firstAmounts(made, schema) : NOTHING_KNOWN;
    return { id, parent: parent ?? '', createdMs, document: JSON.stringify(made), ...remembered };
  }

  /** Names a first record among those of the description. */
  #nameOf(kind: Kind, scope: Scope, id: string): string {
    return `${kind.path} ${this.partition(kind, scope).owner} ${id}`;
  }

  /** When a first record was created; that is after its parent and, for a refund, between the capture and the last change of the payment `above`. */
  #createdMs(kind: Kind, scope: Scope, { id, index, atMs }: First, above?: PaymentAbove | undefined): number {
    const share = createRandom(this.#seed, this.#nameOf(kind, scope, id)).below(1000) / 1000;
    const ms = atMs ?? this.endMs - Math.floor((index + share) * dayMs);
    const from = above ? above.lastMs : this.#parentMs(kind, scope, index);
    if (from === undefined || ms >= from) return ms;
    const until = Math.min(above?.updatedMs ?? this.endMs, from + dayMs);
    return from + Math.floor(share * Math.max(0, until - from));
  }

  /** When the parent of a first record was created; undefined if it has none. */
  #parentMs(kind: Kind, scope: Scope, index: number): number | undefined {
    const id = this.#parentOf(kind, scope, index);
    if (id === undefined || !kind.parent) return undefined;
    const own = this.own.get(kind.parent.path);
    if (own) return own.find(scope.account, id)?.createdMs;
    const at = this.firstIds(kind.parent, scope).indexOf(id);
    return this.#createdMs(this.canonical(kind.parent), scope, { id, index: Math.max(at, 0) });
  }

  #parentOf(kind: Kind, scope: Scope, index: number): string | undefined {
    if (!kind.parent) return undefined;
    if (this.isApart(kind)) return scope.ids.at(-1);
    const ids = this.#idsAt(kind.parent.path, kind.parent, scope);
    const spread = kind.noun === 'refund' ? ids.length : Math.min(ids.length, PARENTS_WITH_CHILDREN);
    return ids[index % Math.max(spread, 1)];
  }

  /** The payment of a first refund, if it has an amount; undefined for other records. */
  #paymentAbove(kind: Kind, scope: Scope, id: string): PaymentAbove | undefined {
    if (kind.noun !== 'refund' || !kind.parent) return undefined;
    const index = this.firstIds(kind.parent, scope).indexOf(id);
    const made = index === -1 ? undefined : this.makeFirst(this.canonical(kind.parent), scope, { id, index });
    if (!made) return undefined;
    const { schema } = this.layoutOf(kind.parent) ?? {};
    const payment = schema && paymentOf(JSON.parse(made.document) as Document, schema, made);
    if (!schema || !payment?.amount) return undefined;
    const timesIn = (names: readonly (string | undefined)[]) =>
      names.map((name) => Date.parse(String(payment.record[name ?? '']))).filter((ms) => !Number.isNaN(ms));
    const lastMs = Math.max(made.createdMs, ...timesIn(timesOf(schema).map(({ name }) => name)));
    const [updatedMs] = timesIn([timeMembersOf(schema).updated]);
    return { ...payment, lastMs, updatedMs };
  }

  /** The id of a record that a name such as `buyer` or `original_transaction` refers to. */
  refer(noun: string, scope: Scope, random: Random): string | number | undefined {
    if (/(^|_)merchant_account$/.test(noun)) return scope.account;
    for (let name = noun; name !== ''; name = name.includes('_') ? name.slice(name.indexOf('_') + 1) : '') {
      const kind = this.called(singular(name));
      const path = kind?.path ?? ownPathOf(name);
      if (path === undefined) continue;
      const [first, ...others] = this.#idsAt(path, kind, scope);
      if (first !== undefined) return random.pick([first, ...others]);
    }
    return undefined;
  }

  /** The ids of the records at a path, of the contract or first ones. */
  #idsAt(path: string, kind: Kind | undefined, scope: Scope): readonly string[] {
    return this.own.get(path)?.ids(scope.account) ?? (kind ? this.firstIds(kind, scope) : []);
  }

  /** The random stream for a place in the description. */
  randomAt(place: string): Random {
    return createRandom(this.#seed, place);
  }
}
