import type { ConnectionErrorCode } from '../errors.ts';

type NetworkErrorOptions = { readonly hint?: string | undefined; readonly cause?: unknown };

/** Why no connection could be opened, in words: nothing was sent. The message is half a sentence. */
export class NetworkError extends Error {
  readonly code: ConnectionErrorCode;
  /** What to do, as a sentence. */
  readonly hint: string | undefined;

  constructor(code: ConnectionErrorCode, message: string, { hint, cause }: NetworkErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.hint = hint;
  }
}
