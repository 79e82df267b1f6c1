import { AbortedError } from '../errors.ts';
import { untilAborted } from '../signals.ts';
import { elapsedMs } from './clock.ts';

/** A longer one would fire at once (the timers of Node count in 32 bits). */
const LONGEST_TIMER = 2 ** 31 - 1;

/** A limit that is running: its signal, whether time ran out, and how to stop it. */
export type Deadline = {
  readonly signal: AbortSignal;
  /** Whether the time was up, and not the caller's own signal. */
  expired(): boolean;
  /** Stops the time until `restart`; the caller's own signal still counts. */
  pause(): void;
  /** Starts the whole time again, from now on; does nothing after `clear`. */
  restart(): void;
  clear(): void;
};

/**
 * A timer that fires so much later than it was due, in milliseconds, fires in a process that was stopped (Ctrl-Z), or on a
 * machine that was asleep. The response may have come long ago and waits to be read.
 */
const LATE = 500;

/**
 * One time limit for connection, headers and body together, joined with the caller's own signal. Where the process was stopped
 * when the time was up, it starts again.
 */
export function startDeadline(milliseconds: number, outer: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const limit = Math.min(milliseconds, LONGEST_TIMER);
  let expired = false;
  let isCleared = false;
  let due: number;
  let timer: NodeJS.Timeout;
  const abort = () => controller.abort();
  const start = () => {
    due = elapsedMs() + limit;
    timer = setTimeout(onTime, limit);
  };
  const onTime = () => {
    if (elapsedMs() - due > LATE) return start();
    expired = true;
    abort();
  };
  start();
  if (outer?.aborted) abort();
  outer?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    expired: () => expired,
    pause: () => clearTimeout(timer),
    restart: () => {
      clearTimeout(timer);
      if (!controller.signal.aborted && !isCleared) start();
    },
    clear: () => {
      isCleared = true;
      clearTimeout(timer);
      outer?.removeEventListener('abort', abort);
    },
  };
}

/** Resolves after the given number of milliseconds. @throws AbortedError as soon as the signal is aborted. */
export async function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise: time, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  try {
    await untilAborted(time, signal);
  } finally {
    clearTimeout(timer);
  }
}

/** How long one step of a check may take, and what ends all of them. */
export type Limits = { readonly timeoutMs: number; readonly signal: AbortSignal };

/** What a step that took too long fails with; its code is the system's for a connection that took too long. */
export class TimeUpError extends Error {
  readonly code = 'ETIMEDOUT';
}

/**
 * Waits for work that cannot be interrupted, as long as the limits allow.
 * @throws AbortedError, TimeUpError, and what the work throws
 */
export async function withinLimits<T>(work: Promise<T>, { timeoutMs, signal }: Limits): Promise<T> {
  const deadline = startDeadline(timeoutMs, signal);
  const toError = () => (deadline.expired() ? new TimeUpError('the time is up') : new AbortedError());
  try {
    return await untilAborted(work, deadline.signal, toError);
  } finally {
    deadline.clear();
  }
}
