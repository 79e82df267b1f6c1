import { AbortedError } from '../../client/errors.ts';

/** How long one step of a check may take, and what ends all of them. */
export type Limits = { readonly milliseconds: number; readonly signal: AbortSignal };

/** What a step that took too long fails with; its code is the system's for a connection that took too long. */
export class TimeUpError extends Error {
  readonly code = 'ETIMEDOUT';
}

/**
 * Waits for work that cannot be interrupted, as long as the limits allow.
 * @throws AbortedError, TimeUpError, and what the work throws
 */
export async function withinLimits<T>(work: Promise<T>, { milliseconds, signal }: Limits): Promise<T> {
  if (signal.aborted) throw new AbortedError();
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new TimeUpError('the time is up')), milliseconds);
  const abort = () => reject(new AbortedError());
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([work, ended]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}
