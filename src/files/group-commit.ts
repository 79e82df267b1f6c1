/** What a group of changes needs of a connection. */
export type GroupConnection = {
  /** Whether a transaction is open. */
  isTransaction(): boolean;
  /** Runs one statement without values. */
  execute(sql: string): void;
  /** How many rows this connection has changed so far. */
  countChanges(): number;
};

type Waiting = {
  readonly succeed: () => void;
  readonly fail: (error: unknown) => void;
  /** Makes the change again after a rollback of the whole group. */
  readonly repeat: () => void;
};

/** How long the first change of a group waits for others at most. */
const LONGEST_MS = 5;

/**
 * Commits the changes of all requests that come at the same moment in one transaction, because a commit takes longer than a
 * change. Each change is still made in whole or not at all, and is known to have been made when it is committed.
 */
export class GroupCommit {
  readonly #connection: GroupConnection;
  #waiting: Waiting[] = [];
  #isOpen = false;
  /** The number of changed rows after the last change. */
  #known = 0;

  constructor(connection: GroupConnection) {
    this.#connection = connection;
  }

  /** Runs `work` and resolves after the commit. If it throws, its changes are rolled back; after another failure, it may run again. */
  run<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#join();
      let result = this.#make(work);
      const repeat = () => {
        result = work();
      };
      this.#waiting.push({ succeed: () => resolve(result), fail: reject, repeat });
    });
  }

  /** Opens a group. Commits one with writes from outside the group first, so that a rollback cannot undo those. */
  #join(): void {
    if (this.#isOpen && this.#connection.countChanges() !== this.#known) this.flush();
    if (!this.#isOpen) this.#open();
  }

  #open(): void {
    this.#connection.execute('BEGIN IMMEDIATE');
    this.#isOpen = true;
    this.#known = this.#connection.countChanges();
    const latest = performance.now() + LONGEST_MS;
    // As long as every turn of the event loop brings another change.
    const wait = (known: number) => {
      const { length } = this.#waiting;
      if (length > known && performance.now() < latest) setImmediate(wait, length);
      else this.flush();
    };
    setImmediate(wait, 0);
  }

  #make<T>(work: () => T): T {
    try {
      const result = work();
      this.#known = this.#connection.countChanges();
      return result;
    } catch (error) {
      if (!this.#connection.isTransaction()) this.#fail(error);
      else if (this.#connection.countChanges() !== this.#known) this.#repeatOthers();
      throw error;
    }
  }

  /**
   * Rolls back the whole group and repeats the earlier changes. A savepoint around every change would roll back only the one that
   * fails, but takes as long as the change, and hardly any change fails after it has written something.
   */
  #repeatOthers(): void {
    const { execute } = this.#connection;
    const others = this.#waiting.splice(0);
    try {
      execute('ROLLBACK; BEGIN IMMEDIATE');
      for (const other of others) this.#repeat(other);
      this.#known = this.#connection.countChanges();
    } catch (error) {
      if (this.#connection.isTransaction()) execute('ROLLBACK');
      for (const { fail } of others) fail(error);
      this.#fail(error);
    }
  }

  #repeat(change: Waiting): void {
    const { execute } = this.#connection;
    execute('SAVEPOINT change');
    try {
      change.repeat();
    } catch (error) {
      execute('ROLLBACK TO change; RELEASE change');
      change.fail(error);
      return;
    }
    execute('RELEASE change');
    this.#waiting.push(change);
  }

  /** Commits what is open now. The changes wait for it; nothing is thrown. */
  flush(): void {
    if (!this.#isOpen) return;
    try {
      this.#connection.execute('COMMIT');
    } catch (error) {
      if (this.#connection.isTransaction()) this.#connection.execute('ROLLBACK');
      this.#fail(error);
      return;
    }
    this.#isOpen = false;
    for (const { succeed } of this.#waiting.splice(0)) succeed();
  }

  /** The whole transaction is gone, as it is after an error of the disk. */
  #fail(error: unknown): void {
    this.#isOpen = false;
    for (const { fail } of this.#waiting.splice(0)) fail(error);
  }
}
