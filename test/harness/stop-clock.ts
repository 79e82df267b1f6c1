import { onTestFinished, vi } from 'vitest';

/** Stops the clock of the calendar for the rest of the test, where what is printed depends on the year; timers run on. */
export function stopClock(now: string): void {
  vi.useFakeTimers({ now: new Date(now), toFake: ['Date'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
}
