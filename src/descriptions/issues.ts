import type { ImportIssue } from './imported-operation.ts';
import { type DocumentLocation, pointerOf } from './references.ts';

/** The number of issues that an import lists; the others are counted. */
const MOST = 2000;

/** Collects the issues of a document. */
export class Issues {
  readonly #listed: ImportIssue[] = [];
  #others = 0;
  #isQuiet = false;

  /** `isSkipped`: the operation at the location cannot be run. */
  add(location: DocumentLocation | undefined, code: string, message: string, isSkipped?: true): void {
    if (this.#isQuiet) return;
    if (this.#listed.length >= MOST) this.#others += 1;
    else this.#listed.push({ code, pointer: pointerOf(location), message, ...(isSkipped && { isSkipped }) });
  }

  /** Reads what no request needs: what is wrong with it is no issue. */
  quietly<T>(read: () => T): T {
    this.#isQuiet = true;
    try {
      return read();
    } finally {
      this.#isQuiet = false;
    }
  }

  /** The issues in the order in which they were found, and the number of those that are not listed. */
  list(): readonly ImportIssue[] {
    if (this.#others === 0) return this.#listed;
    const message = `${this.#others} further issues are not listed`;
    return [...this.#listed, { code: 'more_issues', pointer: '', message }];
  }
}
