import { ApiError, ConnectionError, CursorLoopError, ResponseError } from '../../client/errors.ts';
import {
  AbortedError,
  ConflictError,
  CredentialsError,
  NotFoundError,
  OutputError,
  PayctlError,
} from '../../errors.ts';

/** What the exit codes of payctl mean; the contract that scripts rely on. */
export const EXIT = {
  done: 0,
  failure: 1,
  usage: 2,
  credentials: 3,
  forbidden: 4,
  notFound: 5,
  refused: 6,
  throttled: 7,
  serverError: 8,
  noResponse: 9,
  /** By Ctrl-C; another signal has its own code. */
  interrupted: 130,
} as const;

/** The exit code of a run that ended with this error; wrong usage has that of every other error of payctl. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof ApiError) return exitCodeOfStatus(error.status);
  if (error instanceof AbortedError) return EXIT.interrupted;
  if (error instanceof CredentialsError) return EXIT.credentials;
  if (error instanceof ConnectionError || error instanceof ResponseError) return EXIT.noResponse;
  if (error instanceof CursorLoopError) return EXIT.noResponse;
  if (error instanceof ConflictError) return EXIT.refused;
  if (error instanceof OutputError) return EXIT.failure;
  if (error instanceof NotFoundError) return EXIT.notFound;
  if (!(error instanceof PayctlError)) return EXIT.failure;
  // Wrong usage promises that nothing was sent.
  return error.outcomeUnknown ? EXIT.noResponse : EXIT.usage;
}

/** The exit code of a run that ended with a response of this status. */
export function exitCodeOfStatus(status: number): number {
  if (status >= 500) return EXIT.serverError;
  if (status === 401) return EXIT.credentials;
  if (status === 403) return EXIT.forbidden;
  if (status === 404) return EXIT.notFound;
  return status === 425 || status === 429 ? EXIT.throttled : EXIT.refused;
}
