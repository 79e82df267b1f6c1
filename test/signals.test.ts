import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { AbortedError } from '../src/errors.ts';
import { untilAborted } from '../src/signals.ts';

const never = new Promise<never>(() => {});

describe('untilAborted', () => {
  it('settles as the work does and leaves no listener behind', async () => {
    const { signal } = new AbortController();
    expect(await untilAborted(Promise.resolve(7), signal)).toBe(7);
    await expect(untilAborted(Promise.reject(new Error('text')), signal)).rejects.toThrow('text');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(await untilAborted(Promise.resolve(7), undefined)).toBe(7);
  });

  it('rejects at the abort, also when that was before, and even over finished work', async () => {
    const abort = new AbortController();
    const waiting = untilAborted(never, abort.signal);
    abort.abort();
    await expect(waiting).rejects.toThrow(AbortedError);
    await expect(untilAborted(Promise.resolve(7), abort.signal)).rejects.toThrow(AbortedError);
    expect(getEventListeners(abort.signal, 'abort')).toEqual([]);
  });

  it('rejects with the error of the caller', async () => {
    const signal = AbortSignal.abort('reason');
    await expect(untilAborted(never, signal, () => signal.reason)).rejects.toBe('reason');
  });
});
