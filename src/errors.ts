/**
 * The typed errors of payctl: the root of them all and those that any layer may raise. The errors of HTTP are in
 * `client/errors.ts`. What decides between errors is the class and the stable `code`, never the text of a message.
 */

type PayctlErrorOptions = {
  readonly hint?: string | undefined;
  readonly tryNext?: readonly string[] | undefined;
  readonly cause?: unknown;
  readonly outcomeUnknown?: boolean;
};

/**
 * Base of all errors that payctl raises on purpose. `hint` is a sentence that says what to run or do next; a command in it comes
 * last. `tryNext` has further commands, each for a line of its own.
 */
export class PayctlError extends Error {
  readonly code: string;
  readonly hint: string | undefined;
  readonly tryNext: readonly string[] | undefined;
  /**
   * True when a request that changes data had been sent and may have been processed. The client sets it on an error that
   * follows such an attempt, whatever ended the next one.
   */
  outcomeUnknown: boolean;
  /** The key that such a request was sent with: sent again under the same key, the service carries it out only once. */
  idempotencyKey?: string;

  constructor(code: string, message: string, options: PayctlErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.hint = options.hint;
    this.tryNext = options.tryNext;
    this.outcomeUnknown = options.outcomeUnknown === true;
  }
}

/** The call itself is wrong: a bad flag, argument or body. Nothing was sent. */
export class UsageError extends PayctlError {
  /** The message as it was meant: oclif rewrites the message of whatever the parser of a flag throws. */
  readonly problem: string;

  constructor(code: string, message: string, options: PayctlErrorOptions = {}) {
    super(code, message, options);
    this.problem = message;
  }
}

/** The error of a request body that is refused. `advice` says what to do instead, in sentences. */
export function bodyRefused(problem: string, advice?: string): UsageError {
  return new UsageError('bad_body', problem, {
    hint: `Nothing was sent.${advice === undefined ? '' : ` ${advice}`}`,
  });
}

/** The error of a request body that cannot be sent as it is. */
export function bodyNotValid(problem: string, advice?: string): UsageError {
  return bodyRefused(`The request body is not valid: ${problem}`, advice);
}

/** No usable credentials: none given, an unreadable file, a key that cannot sign, a malformed token. */
export class CredentialsError extends PayctlError {}

/** The caller ended the run, by a signal or by closing the client. */
export class AbortedError extends PayctlError {
  constructor(outcomeUnknown = false) {
    super('aborted', 'Interrupted', { outcomeUnknown });
  }
}

/** Somebody else changed what a change was made from, so that it was not carried out, or may not have been. */
export class ConflictError extends PayctlError {}

/**
 * The result cannot be shown: a jq expression that does not compile or fails on the data, stdout that cannot be written.
 */
export class OutputError extends PayctlError {}

/** What was looked for in everything that the service lists is not there (`not_found`). */
export class NotFoundError extends PayctlError {
  constructor(message: string, hint?: string) {
    super('not_found', message, { hint });
  }
}

/** One item of `details` of the error object, or of `detail` of a 422 translated to the same shape. */
export type ErrorDetail = {
  /** `body`, `query`, `path` ... */
  readonly location?: string | undefined;
  /** JSON pointer to the invalid property. */
  readonly pointer?: string | undefined;
  readonly message: string;
  readonly type?: string | undefined;
  /** The value that is wrong, any JSON; only of a 422, and only where the service names it. */
  readonly input?: unknown;
  /** What the message is about, such as a limit; as `input`. */
  readonly ctx?: unknown;
};
