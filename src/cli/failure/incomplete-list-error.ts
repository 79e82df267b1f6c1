/** A list that failed after some of its pages were printed; `cause` is the reason. */
export class IncompleteListError extends Error {
  /** The cursor of the first missing page, from which the rest can be fetched. */
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
