import { FirstRecords } from './first-records.ts';
import type { Kind } from './kinds.ts';
import type { Partition, Scope, StoredRecord } from './tables.ts';

/** Thrown while the first records of a kind are being made: the request is to be handled again, after others. */
export class NotMadeYet extends Error {}

/** How long first records are made without a pause, in milliseconds. */
const STEP_MS = 50;

/** The records of a description: the first ones, and those that requests have created or changed. */
export class Records extends FirstRecords {
  readonly #ready = new Set<string>();
  /** The first records that are being made, in the order of their IDs; undefined where there is none of an ID. */
  readonly #making = new Map<string, (StoredRecord | undefined)[]>();
  #isInTransaction = false;
  #lastMs = 0;

  /** Stores the first records of a kind, once. @throws NotMadeYet outside of a transaction, if that takes long */
  prepare(kind: Kind, scope: Scope): void {
    const canonical = this.canonical(kind);
    const partition = this.partition(kind, scope);
    const key = `${partition.owner} ${partition.kind}`;
    if (this.#ready.has(key)) return;
    const hasFirst = !this.own.has(canonical.path) && this.hasRecords(canonical);
    if (hasFirst && !this.tables.isMade(partition, '')) {
      const first = this.#firstRecords(canonical, scope, key);
      this.transaction(() => {
        if (this.tables.isMade(partition, '')) return;
        for (const record of first) this.tables.insert(partition, record);
        this.tables.setMade(partition, '');
      });
    }
    // Records that a change creates may be rolled back with it.
    if (!this.#isInTransaction) this.#ready.add(key);
  }

  #firstRecords(kind: Kind, scope: Scope, key: string): readonly StoredRecord[] {
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
    return made.filter((record) => record !== undefined);
  }

  /** Runs work in a transaction, or in the one that is open. */
  transaction<T>(work: () => T): T {
    if (this.#isInTransaction) return work();
    return this.tables.database.inTransaction(() => this.#within(work));
  }

  /** Generates and stores a record once; undefined if that was done before, or if none can be generated. */
  madeOnce(
    partition: Partition,
    key: string,
    make: () => StoredRecord | undefined,
  ): StoredRecord | undefined {
    const made = this.tables.isMade(partition, key) ? undefined : make();
    if (!made) return undefined;
    return this.transaction(() => {
      this.tables.setMade(partition, key);
      this.tables.insert(partition, made);
      return this.tables.find(partition, made.id, made.parent);
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
}
