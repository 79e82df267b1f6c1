/**
 * A change was carried out, but its response could not be shown. Keeps the ID of what was changed, so that nobody has to send
 * the request again to learn it.
 */
export class NotShownError extends Error {
  readonly id: string | undefined;

  constructor(cause: unknown, document: object) {
    super('a response could not be shown', { cause });
    this.id = 'id' in document && typeof document.id === 'string' ? document.id : undefined;
  }
}
