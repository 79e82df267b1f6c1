import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clearingFirst, createProgress } from '../../src/output/progress.ts';
import { createSink } from '../../src/output/streams.ts';
import { MemoryStream, systemError } from './memory-stream.ts';

const erase = '\r\u001B[2K';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function start(columns = 80, enabled = true) {
  const stream = new MemoryStream({ isTTY: true, columns });
  const stderr = createSink(stream);
  const progress = createProgress({ stderr, enabled });
  progress.start();
  return { stream, stderr, progress };
}

describe('createProgress', () => {
  it('shows nothing before its start, however long that takes', async () => {
    const stream = new MemoryStream({ isTTY: true, columns: 80 });
    const progress = createProgress({ stderr: createSink(stream), enabled: true });
    progress.update({ items: 1, pages: 1 });
    vi.advanceTimersByTime(60_000);
    await progress.stop();
    expect(stream.text).toBe('');
  });

  it('shows nothing in the first second', async () => {
    const { stream, progress } = start();
    progress.update({ items: 100, pages: 1 });
    vi.advanceTimersByTime(900);
    await progress.stop();
    expect(stream.text).toBe('');
  });

  it('shows items, pages and rate after a second, and is erased at the end', async () => {
    const { stream, progress } = start();
    progress.update({ items: 1_200, pages: 12 });
    vi.advanceTimersByTime(1_000);
    expect(stream.text).toBe(`${erase}1200 items, 12 pages, 1200 items/s, 1 s`);
    await progress.stop();
    vi.advanceTimersByTime(5_000);
    expect(stream.text).toBe(`${erase}1200 items, 12 pages, 1200 items/s, 1 s${erase}`);
  });

  it('changes at most ten times a second', () => {
    const { stream, progress } = start();
    vi.advanceTimersByTime(1_000);
    const before = stream.chunks.length;
    for (let step = 1; step <= 100; step++) {
      progress.update({ items: step, pages: 1 });
      vi.advanceTimersByTime(10);
    }
    expect(stream.chunks.length - before).toBeLessThanOrEqual(10);
    expect(stream.chunks.at(-1)).toContain('items, 1 page,');
  });

  it('fits the terminal', () => {
    const { stream } = start(12);
    vi.advanceTimersByTime(1_000);
    expect(stream.text).toBe(`${erase}Waiting fo…`);
  });

  it('shows nothing when it is not enabled', async () => {
    const { stream, progress } = start(80, false);
    progress.update({ items: 5, pages: 1 });
    vi.advanceTimersByTime(2_000);
    await progress.clearLine('x');
    await progress.stop();
    expect(stream.text).toBe('');
  });

  it('ends quietly when stderr fails', async () => {
    const { stream, progress } = start();
    stream.failWith = systemError('ENOSPC');
    vi.advanceTimersByTime(3_000);
    await new Promise((resolve) => setImmediate(resolve));
    await progress.stop();
    expect(stream.text).toBe('');
  });
});

describe('clearingFirst', () => {
  it('takes the line away before other text, and brings it back after', async () => {
    const { stream, stderr, progress } = start();
    const notes = clearingFirst(stderr, progress);
    vi.advanceTimersByTime(1_000);
    await notes.write('A note.\n');
    vi.advanceTimersByTime(100);
    const line = 'Waiting for the service, 1 s';
    expect(stream.text).toBe(`${erase}${line}${erase}A note.\n${erase}${line}`);
  });

  it('does not erase a line of data that is not finished', async () => {
    const { stream, stderr, progress } = start();
    const data = clearingFirst(stderr, progress);
    await data.write('{"items":[');
    vi.advanceTimersByTime(3_000);
    expect(stream.text).toBe('{"items":[');
    await data.write(']}\n');
    vi.advanceTimersByTime(100);
    expect(stream.text).toBe(`{"items":[]}\n${erase}Waiting for the service, 3 s`);
  });

  it('is otherwise the sink that it wraps', async () => {
    const { stream, stderr, progress } = start(99);
    const sink = clearingFirst(stderr, progress);
    expect([sink.isTerminal, sink.columns, sink.closed]).toEqual([true, 99, false]);
    stream.emit('close');
    expect([sink.closed, sink.closedSignal.aborted]).toEqual([true, true]);
    await sink.end();
  });
});
