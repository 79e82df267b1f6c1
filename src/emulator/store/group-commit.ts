/** What a group of changes needs of a connection. */
export type GroupConnection = {
  /** Whether a transaction is open. */
  isTransaction(): boolean;
  /** Runs one statement without values. */
  execute(sql: string): void;
};

type Waiting = { readonly succeed: () => void; readonly fail: (error: unknown) => void };

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

  constructor(connection: GroupConnection) {
    this.#connection = connection;
  }

  /** Runs `work`, which is undone when it throws; resolves when its changes are committed. */
  run<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      if (!this.#isOpen) this.#open();
      const result = this.#apart(work);
      this.#waiting.push({ succeed: () => resolve(result), fail: reject });
    });
  }

  #open(): void {
    this.#connection.execute('BEGIN IMMEDIATE');
    this.#isOpen = true;
    const latest = performance.now() + LONGEST_MS;
    // As long as every turn of the event loop brings another change.
    const wait = (known: number) => {
      const { length } = this.#waiting;
      if (length > known && performance.now() < latest) setImmediate(wait, length);
      else this.flush();
    };
    setImmediate(wait, 0);
  }

  #apart<T>(work: () => T): T {
    this.#connection.execute('SAVEPOINT change');
    try {
      const result = work();
      this.#connection.execute('RELEASE change');
      return result;
    } catch (error) {
      if (this.#connection.isTransaction()) this.#connection.execute('ROLLBACK TO change; RELEASE change');
      else this.#fail(error);
      throw error;
    }
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
