import { ConnectionError, ResponseError } from '../../client/errors.ts';
import { delayBefore, isRetryable } from '../../client/retry.ts';
import type { PayctlError } from '../../errors.ts';

/** Whether a request that has succeeded before can do so again: everything between the service and here can fail and work again. */
export function mayPass(error: PayctlError): boolean {
  return isRetryable('GET', error) || error instanceof ConnectionError || error instanceof ResponseError;
}

/** What `FailureRun` says about polls. */
export type FailureEvent = NonNullable<ReturnType<FailureRun['add' | 'end']>>;

/** Counts the polls in a row that fail. Times are in milliseconds. */
export class FailureRun {
  readonly #clock: { readonly now: () => number; readonly random: () => number };
  #since = 0;
  count = 0;

  constructor(clock: { readonly now: () => number; readonly random: () => number }) {
    this.#clock = clock;
  }

  /** The next try is after the time that the service asks for, else later from failure to failure, and not before `leastMs`. */
  add(error: PayctlError, leastMs: number) {
    if (this.count === 0) this.#since = this.#clock.now();
    this.count += 1;
    const delayMs = Math.max(leastMs, delayBefore(error, this.count, this.#clock.random));
    return { kind: 'failure', error, failures: this.count, delayMs } as const;
  }

  /** Ends the row with a success; undefined where nothing had failed. */
  end() {
    const failures = this.count;
    this.count = 0;
    if (failures === 0) return undefined;
    return { kind: 'recovery', failures, lastedMs: this.#clock.now() - this.#since } as const;
  }
}
