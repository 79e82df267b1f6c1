import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { AbortedError } from '../src/errors.ts';
import {
  blocking,
  firstOf,
  ReceivedSignalError,
  receivedSignal,
  SIGNAL_EXIT_CODES,
  untilAborted,
} from '../src/signals.ts';

const never = new Promise<never>(() => {});

describe('the first of several signals', () => {
  it('aborts with the reason of whichever is first, and only once', () => {
    const [one, other] = [new AbortController(), new AbortController()];
    const first = firstOf([one.signal, other.signal]);
    expect(first.aborted).toBe(false);
    other.abort('other');
    one.abort('one');
    expect(first.reason).toBe('other');
  });

  it('is aborted where one was aborted before', () => {
    const first = firstOf([new AbortController().signal, AbortSignal.abort('before')]);
    expect([first.aborted, first.reason]).toEqual([true, 'before']);
  });
});

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

describe('receivedSignal', () => {
  it('is the name of the signal that aborted a run, and nothing for any other reason', () => {
    const { signal } = new AbortController();
    const names = [signal, AbortSignal.abort(), AbortSignal.abort(new AbortedError())].map(receivedSignal);
    expect(names).toEqual([undefined, undefined, undefined]);
    const byHangUp = AbortSignal.abort(new ReceivedSignalError('SIGHUP'));
    expect(receivedSignal(AbortSignal.any([signal, byHangUp]))).toBe('SIGHUP');
    expect(SIGNAL_EXIT_CODES).toEqual({ SIGHUP: 129, SIGINT: 130, SIGBREAK: 130, SIGTERM: 143 });
  });
});

describe('blocking', () => {
  it('leaves signals to the system during the work, and restores the handlers, also after an error', () => {
    const handler = () => {};
    process.on('SIGHUP', handler);
    try {
      const before = process.listeners('SIGHUP');
      expect(blocking(() => process.listenerCount('SIGHUP'))).toBe(0);
      expect(process.listeners('SIGHUP')).toEqual(before);
      const fail = () => {
        throw new Error('text');
      };
      expect(() => blocking(fail)).toThrow('text');
      expect(process.listeners('SIGHUP')).toEqual(before);
    } finally {
      process.off('SIGHUP', handler);
    }
  });
});
