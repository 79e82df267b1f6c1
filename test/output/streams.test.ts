import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createSink } from '../../src/output/streams.ts';
import { MemoryStream, systemError } from './memory-stream.ts';

const sinkModule = fileURLToPath(new URL('../../src/output/streams.ts', import.meta.url));

describe('createSink', () => {
  it('gathers small writes to a pipe into one', async () => {
    const stream = new MemoryStream();
    const sink = createSink(stream);
    await sink.write('a');
    await sink.write('b');
    expect(stream.chunks).toEqual([]);
    await sink.end();
    expect(stream.chunks).toEqual(['ab']);
  });

  it('writes what was gathered by itself when nothing follows', async () => {
    const stream = new MemoryStream();
    await createSink(stream).write('a log line\n');
    await new Promise((resolve) => setImmediate(resolve));
    expect(stream.chunks).toEqual(['a log line\n']);
  });

  it('writes to a terminal at once', async () => {
    const stream = new MemoryStream({ isTTY: true });
    const sink = createSink(stream);
    await sink.write('a');
    await sink.write('b');
    expect(stream.chunks).toEqual(['a', 'b']);
  });

  it('writes at once when the buffer is full', async () => {
    const stream = new MemoryStream();
    const sink = createSink(stream, { bufferSize: 4 });
    await sink.write('abc');
    expect(stream.chunks).toEqual([]);
    await sink.write('d');
    expect(stream.chunks).toEqual(['abcd']);
  });

  it('keeps the writer waiting until a full stream has drained', async () => {
    const stream = new MemoryStream({ fullAfter: 1 });
    const sink = createSink(stream, { bufferSize: 1 });
    let accepted = false;
    const writing = sink.write('page 1').then(() => {
      accepted = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(accepted).toBe(false);
    stream.drain();
    await writing;
    expect(accepted).toBe(true);
  });

  it('keeps the order of text that was written while the stream was full', async () => {
    const stream = new MemoryStream({ fullAfter: 1 });
    const sink = createSink(stream, { bufferSize: 1 });
    const writing = [sink.write('1'), sink.write('2'), sink.write('3')];
    expect(stream.chunks).toEqual(['1']);
    stream.drain();
    await Promise.all(writing);
    await sink.end();
    expect(stream.text).toBe('123');
  });

  it.each([
    ['EPIPE', false],
    ['EPIPE', true],
    ['EIO', true],
  ])('is closed after %s and swallows what follows (a terminal: %s)', async (code, isTTY) => {
    const stream = new MemoryStream({ isTTY });
    const sink = createSink(stream, { bufferSize: 1 });
    stream.failWith = systemError(code);
    await sink.write('lost');
    expect(sink.closed).toBe(true);
    expect(sink.closedSignal.aborted).toBe(true);
    stream.failWith = undefined;
    await sink.write('more');
    await sink.end();
    expect(stream.chunks).toEqual([]);
  });

  it('releases a waiting writer when the reader goes away', async () => {
    const stream = new MemoryStream({ fullAfter: 1 });
    const sink = createSink(stream, { bufferSize: 1 });
    const writing = sink.write('page 1');
    stream.emit('close');
    await writing;
    expect(sink.closed).toBe(true);
  });

  it('handles an error that comes in the same turn as its creation', () => {
    const stream = new MemoryStream();
    const sink = createSink(stream);
    stream.emit('error', systemError('EPIPE'));
    expect(sink.closed).toBe(true);
  });

  it('rejects with the code of the system when the disk is full', async () => {
    const stream = new MemoryStream();
    const sink = createSink(stream);
    stream.failWith = systemError('ENOSPC');
    await sink.write('page 1');
    await expect(sink.end()).rejects.toMatchObject({ code: 'ENOSPC' });
    await expect(sink.write('page 2')).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(sink.closed).toBe(false);
  });

  it('rejects at the end when the failure came after the last write was accepted', async () => {
    const stream = new MemoryStream();
    const sink = createSink(stream, { bufferSize: 1 });
    await sink.write('page 1');
    stream.failWith = systemError('ENOSPC');
    await expect(sink.end()).rejects.toMatchObject({ code: 'ENOSPC' });
  });

  it('knows the current width, and 80 columns where there is none', () => {
    const stream = new MemoryStream({ isTTY: true, columns: 120 });
    const sink = createSink(stream);
    expect(sink.columns).toBe(120);
    stream.columns = 100;
    expect(sink.columns).toBe(100);
    expect(createSink(new MemoryStream()).columns).toBe(80);
  });

  it('leaves quietly and stops producing when a real pipe is closed', { tags: 'slow' }, async () => {
    const script = `
      const { createSink } = await import(${JSON.stringify(sinkModule)});
      const sink = createSink(process.stdout);
      let pages = 0;
      while (!sink.closed && pages < 100_000) { await sink.write('x'.repeat(1_000) + '\\n'); pages++; }
      await sink.end();
      process.stderr.write(pages < 100_000 ? 'stopped' : 'ran on');
    `;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.stdout.once('data', () => child.stdout.destroy());
    const exitCode = await new Promise((resolve) => child.on('close', resolve));
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: 'stopped' });
  });

  it('does not hold more than a few chunks for a slow reader', { tags: 'slow' }, async () => {
    const script = `
      const { createSink } = await import(${JSON.stringify(sinkModule)});
      const sink = createSink(process.stdout);
      let most = 0;
      for (let page = 0; page < 200; page++) {
        await sink.write('x'.repeat(100_000) + '\\n');
        most = Math.max(most, process.stdout.writableLength);
      }
      await sink.end();
      process.stderr.write(String(most));
    `;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
    let bytes = 0;
    let most = '';
    child.stderr.on('data', (chunk) => {
      most += chunk;
    });
    for await (const chunk of child.stdout) {
      bytes += chunk.length;
      if (bytes % 7 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect(bytes).toBe(200 * 100_001);
    expect(Number(most)).toBeLessThan(300_000);
  });
});
