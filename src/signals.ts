import { AbortedError } from './errors.ts';

/**
 * Settles like `work`, or rejects as soon as the signal is aborted; the work itself is not stopped. A signal that is already
 * aborted takes precedence over finished work. Leaves no listener on the signal.
 * @throws what `toError` makes, AbortedError by default
 */
export async function untilAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  toError: () => unknown = () => new AbortedError(),
): Promise<T> {
  if (!signal) return await work;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = () => reject(toError());
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
