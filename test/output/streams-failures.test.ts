import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createSink, type OutputStream } from '../../src/output/streams.ts';
import { systemError } from './memory-stream.ts';

type Written = { readonly text: string; readonly done: (error?: Error | null) => void };

/** A stream that does nothing by itself: it is the test that accepts, fails and drains. */
class ManualStream extends EventEmitter implements OutputStream {
  readonly written: Written[] = [];
  accepts = true;

  write(text: string, done: (error?: Error | null) => void = () => {}): boolean {
    this.written.push({ text, done });
    return this.accepts;
  }

  get texts(): string[] {
    return this.written.map(({ text }) => text);
  }
}

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));

/** Whether a promise is settled by now. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const note = () => {
    settled = true;
  };
  promise.then(note, note);
  await turn();
  return settled;
}

describe('a sink', () => {
  it('plans one flush a turn, and another one in the next turn', async () => {
    const stream = new ManualStream();
    const sink = createSink(stream);
    await sink.write('a');
    await sink.write('');
    await sink.write('b');
    expect(stream.texts).toEqual([]);
    await turn();
    expect(stream.texts).toEqual(['ab']);
    await sink.write('c');
    await turn();
    await turn();
    expect(stream.texts).toEqual(['ab', 'c']);
  });

  it('writes nothing for an empty text, not even to a terminal', async () => {
    const stream = Object.assign(new ManualStream(), { isTTY: true });
    await createSink(stream).write('');
    await turn();
    expect(stream.texts).toEqual([]);
  });

  it('ends when its last write was taken, and only then', async () => {
    const stream = new ManualStream();
    const sink = createSink(stream);
    await sink.write('a');
    const ending = sink.end();
    expect(await isSettled(ending)).toBe(false);
    expect(stream.texts).toEqual(['a', '']);
    stream.written[1]?.done();
    await ending;
  });

  it('ends when its reader leaves while it ends', async () => {
    const stream = new ManualStream();
    const sink = createSink(stream);
    const ending = sink.end();
    expect(await isSettled(ending)).toBe(false);
    stream.emit('close');
    await ending;
    expect(sink.closed).toBe(true);
  });

  it('fails at its end with what the last write reports', async () => {
    const stream = new ManualStream();
    const ending = createSink(stream).end();
    await turn();
    stream.written[0]?.done(systemError('ENOSPC'));
    await expect(ending).rejects.toMatchObject({ code: 'ENOSPC' });
  });

  it('ends with what was gathered while it was full', async () => {
    const stream = new ManualStream();
    const sink = createSink(stream, { bufferSize: 1 });
    stream.accepts = false;
    const first = sink.write('a');
    const second = sink.write('b');
    const ending = sink.end();
    expect(await isSettled(ending)).toBe(false);
    expect(stream.texts).toEqual(['a']);
    stream.accepts = true;
    stream.emit('drain');
    await Promise.all([first, second]);
    await turn();
    expect(stream.texts).toEqual(['a', 'b', '']);
    stream.written[2]?.done();
    await ending;
  });

  it('writes nothing more after a failure, and fails every writer with it', async () => {
    const stream = new ManualStream();
    const sink = createSink(stream, { bufferSize: 1 });
    await sink.write('a');
    stream.written[0]?.done(systemError('ENOSPC'));
    stream.emit('error', systemError('EIO'));
    await expect(sink.write('b')).rejects.toMatchObject({ code: 'ENOSPC' });
    await expect(sink.end()).rejects.toMatchObject({ code: 'ENOSPC' });
    stream.emit('drain');
    await turn();
    expect(stream.texts).toEqual(['a']);
  });

  it('does not take a stream that failed and closed for one whose reader left', async () => {
    const stream = new ManualStream();
    const sink = createSink(stream);
    stream.emit('error', systemError('ENOSPC'));
    stream.emit('close');
    expect([sink.closed, sink.closedSignal.aborted]).toEqual([false, false]);
    await expect(sink.write('a')).rejects.toMatchObject({ code: 'ENOSPC' });
  });

  it('fails a writer that waits for a full stream', async () => {
    const stream = new ManualStream();
    stream.accepts = false;
    const writing = createSink(stream, { bufferSize: 1 }).write('a');
    stream.emit('error', systemError('ENOSPC'));
    await expect(writing).rejects.toMatchObject({ code: 'ENOSPC' });
  });

  it('fails with EIO, which only a terminal answers when its reader has left', async () => {
    const stream = new ManualStream();
    const sink = createSink(stream, { bufferSize: 1 });
    await sink.write('a');
    stream.written[0]?.done(systemError('EIO'));
    await expect(sink.write('b')).rejects.toMatchObject({ code: 'EIO' });
    expect([sink.closed, sink.failure]).toEqual([false, expect.objectContaining({ code: 'EIO' })]);
  });

  it('tells what the operating system has taken from what was only accepted', async () => {
    const stream = new ManualStream();
    const sink = createSink(stream, { bufferSize: 4 });
    expect(sink.mark()()).toBe(true);
    await sink.write('page');
    const first = sink.mark();
    await sink.write('p2');
    const second = sink.mark();
    expect([first(), second()]).toEqual([false, false]);
    stream.written[0]?.done();
    expect([first(), second()]).toEqual([true, false]);
    await turn();
    stream.written[1]?.done(systemError('ENOSPC'));
    expect([first(), second(), sink.failure?.message]).toEqual([true, false, 'write ENOSPC']);
  });

  it.each(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'])(
    'is silent after %s, by the error or by a write, and drops what it held',
    async (code) => {
      for (const fail of [
        (stream: ManualStream) => stream.emit('error', systemError(code)),
        (stream: ManualStream) => stream.written[0]?.done(systemError(code)),
      ]) {
        const stream = new ManualStream();
        const sink = createSink(stream);
        await sink.write('a');
        await turn();
        await sink.write('b');
        fail(stream);
        expect(sink.closed).toBe(true);
        await sink.write('c');
        await sink.end();
        await turn();
        expect(stream.texts).toEqual(['a']);
      }
    },
  );

  it('that may fail takes every failure for a reader that left', async () => {
    const stream = new ManualStream();
    const sink = createSink(stream, { mayFail: true });
    stream.emit('error', systemError('ENOSPC'));
    await sink.write('a');
    await sink.end();
    expect([sink.closed, stream.texts]).toEqual([true, []]);
  });
});
