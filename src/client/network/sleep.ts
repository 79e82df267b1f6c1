import { elapsedMs } from '../clock.ts';

/** How far the clocks must be apart to say that the machine has slept, and how often they are compared, in milliseconds. */
const LEAST_SLEEP = 5_000;
const INTERVAL = 1_000;

/** Notices that the machine has slept: its clock went on, and the process did not. */
export type SleepWatch = {
  /** Does the work, and watches before and meanwhile. */
  during<T>(work: () => Promise<T>): Promise<T>;
};

/**
 * Calls `onSleep` each time the machine has slept. Its connections are most likely dead then, which nothing else would detect
 * before the time limit of a request. Where the clock of the process keeps running during sleep (macOS, Windows), the time
 * limits detect it.
 */
export function watchSleep(onSleep: () => void): SleepWatch {
  const lag = () => Date.now() - elapsedMs();
  let before = lag();
  let running = 0;
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    // Not at the end of each request: the next one most often follows at once.
    if (running === 0) {
      clearInterval(timer);
      timer = undefined;
    }
    const now = lag();
    const hasSlept = now - before > LEAST_SLEEP;
    before = now;
    if (hasSlept) onSleep();
  };
  return {
    async during(work) {
      running += 1;
      look();
      timer ??= setInterval(look, INTERVAL).unref();
      try {
        return await work();
      } finally {
        running -= 1;
      }
    },
  };
}
