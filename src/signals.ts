import { AbortedError } from './errors.ts';

/** The signals that end a run, each with its exit code. SIGBREAK is Ctrl-Break, which only Windows has. */
export const SIGNAL_EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGBREAK: 130, SIGTERM: 143 } as const;

/** The name of such a signal. */
export type SignalName = keyof typeof SIGNAL_EXIT_CODES;

/** Why a run is aborted: a signal to the process. It is the reason of the AbortSignal of the run. */
export class ReceivedSignalError extends AbortedError {
  readonly signalName: SignalName;

  constructor(signalName: SignalName) {
    super();
    this.signalName = signalName;
  }
}

/** The signal that aborted a run; undefined for one that was not aborted, or in another way. */
export function receivedSignal({ reason }: AbortSignal): SignalName | undefined {
  return reason instanceof ReceivedSignalError ? reason.signalName : undefined;
}

/**
 * Does synchronous work that may block for long and cannot be cancelled, such as a call of a native library. A signal that
 * arrives meanwhile ends the process at once, by itself: its handlers could not run.
 */
export function blocking<T>(work: () => T): T {
  const names = Object.keys(SIGNAL_EXIT_CODES) as SignalName[];
  const handlers = names.map((name) => process.listeners(name));
  for (const name of names) process.removeAllListeners(name);
  try {
    return work();
  } finally {
    for (const [index, name] of names.entries()) {
      for (const handler of handlers[index] ?? []) process.on(name, handler as NodeJS.SignalsListener);
    }
  }
}

/**
 * A signal that is aborted with the first of these signals, for the same reason. Only for signals that live as long as the process,
 * because they keep a reference to it. `AbortSignal.any` takes too long to load for a short run.
 */
export function firstOf(signals: readonly AbortSignal[]): AbortSignal {
  const joined = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) joined.abort(signal.reason);
    else signal.addEventListener('abort', () => joined.abort(signal.reason), { once: true });
  }
  return joined.signal;
}

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

/** Resolves when the signal is aborted. */
export function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
