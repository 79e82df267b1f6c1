import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sleep, startDeadline, TimeUpError, withinLimits } from '../../src/client/deadline.ts';
import { AbortedError } from '../../src/errors.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a deadline', () => {
  it('aborts its signal when the time is up, and says that this was the reason', () => {
    const deadline = startDeadline(1_000, undefined);
    vi.advanceTimersByTime(999);
    expect([deadline.signal.aborted, deadline.expired()]).toEqual([false, false]);
    vi.advanceTimersByTime(1);
    expect([deadline.signal.aborted, deadline.expired()]).toEqual([true, true]);
  });

  it('follows the signal of the caller, and does not take that for its time', () => {
    const outer = new AbortController();
    const deadline = startDeadline(1_000, outer.signal);
    outer.abort();
    expect([deadline.signal.aborted, deadline.expired()]).toEqual([true, false]);
    expect(startDeadline(1_000, outer.signal).signal.aborted).toBe(true);
  });

  it('leaves neither a timer nor a listener when it is cleared', () => {
    const outer = new AbortController();
    const deadline = startDeadline(1_000, outer.signal);
    deadline.clear();
    expect(vi.getTimerCount()).toBe(0);
    outer.abort();
    expect(deadline.signal.aborted).toBe(false);
  });

  it('does not end at once where it is longer than timers can count', () => {
    const deadline = startDeadline(2 ** 40, undefined);
    vi.advanceTimersByTime(1_000);
    expect(deadline.expired()).toBe(false);
    deadline.clear();
  });
});

describe('sleep', () => {
  it('ends after its time, and leaves no timer', async () => {
    const sleeping = sleep(500, undefined);
    await vi.advanceTimersByTimeAsync(500);
    await sleeping;
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends with AbortedError at an abort, and leaves no timer', async () => {
    const abort = new AbortController();
    const sleeping = sleep(500, abort.signal);
    abort.abort();
    await expect(sleeping).rejects.toThrow(AbortedError);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('withinLimits', () => {
  const never = new Promise<never>(() => {});

  it('gives what the work gives, and leaves no timer', async () => {
    const { signal } = new AbortController();
    expect(await withinLimits(Promise.resolve(5), { timeoutMs: 100, signal })).toBe(5);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('fails with the code of a connection that took too long when the time is up', async () => {
    const { signal } = new AbortController();
    const waiting = withinLimits(never, { timeoutMs: 100, signal }).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(100);
    expect(await waiting).toBeInstanceOf(TimeUpError);
    expect(await waiting).toMatchObject({ code: 'ETIMEDOUT' });
  });

  it('fails with AbortedError at an abort', async () => {
    const abort = new AbortController();
    const waiting = withinLimits(never, { timeoutMs: 100, signal: abort.signal });
    abort.abort();
    await expect(waiting).rejects.toThrow(AbortedError);
  });
});
