/** A run over many pages that failed after some were printed; `cause` says why. */
export class IncompleteListError extends Error {
  /** The cursor of the page that is missing; with it the rest can be fetched. */
  readonly resumeCursor: string | undefined;
  readonly pages: number;
  readonly items: number;

  constructor(cause: unknown, progress: { resumeCursor: string | undefined; pages: number; items: number }) {
    super('The list is incomplete', { cause });
    this.resumeCursor = progress.resumeCursor;
    this.pages = progress.pages;
    this.items = progress.items;
  }
}
