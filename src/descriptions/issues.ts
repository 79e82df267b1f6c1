import type { ImportIssue } from './imported-operation.ts';
import { type Place, pointerOf } from './references.ts';

/** How many issues an import lists; the others are counted. */
const MOST = 2000;

/** Collects what an import has to say of a document. */
export class Issues {
  readonly #listed: ImportIssue[] = [];
  #others = 0;

  add(place: Place | undefined, { code, message, isSkipped }: Omit<ImportIssue, 'pointer'>): void {
    if (this.#listed.length >= MOST) this.#others += 1;
    else this.#listed.push({ code, pointer: pointerOf(place), message, ...(isSkipped && { isSkipped }) });
  }

  /** All of them in the order in which they were found, and how many more there are. */
  list(): readonly ImportIssue[] {
    if (this.#others === 0) return this.#listed;
    const message = `${this.#others} further issues are not listed`;
    return [...this.#listed, { code: 'more_issues', pointer: '', message }];
  }
}
