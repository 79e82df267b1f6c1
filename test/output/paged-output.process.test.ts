import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AbortedError } from '../../src/errors.ts';
import { createPagedOutput } from '../../src/output/paged-output.ts';
import { createSink } from '../../src/output/streams.ts';
import { folderForAll } from '../harness/temporary-folder.ts';
import { MemoryStream } from './memory-stream.ts';

const folder = folderForAll();
const shown = join(folder, 'shown');
const read = () => readFileSync(shown, 'utf8');

const LINES = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');

function open(
  command: string | undefined,
  { rows = 5, isTTY = true }: { rows?: number; isTTY?: boolean } = {},
) {
  const stdout = new MemoryStream({ isTTY, columns: 80, rows });
  const stderr = new MemoryStream({ isTTY: true });
  const events: string[] = [];
  const output = createPagedOutput(createSink(stdout), createSink(stderr), {
    command,
    onOpen: async () => void events.push('open'),
    onFailure: (reason) => void events.push(reason),
  });
  output.page();
  return { output, stdout, stderr, events };
}

describe('output that may be paged', () => {
  it('goes to the terminal where it fits the screen', async () => {
    const { output, stdout, events } = open(`cat > ${shown}-never`);
    await output.stdout.write(LINES(3));
    expect(stdout.text).toBe('');
    await output.stdout.write('line 4\n');
    await output.stdout.end();
    await output.finish();
    expect(stdout.text).toBe(LINES(4));
    expect(events).toEqual([]);
  });

  it('goes to the pager, all of it, where it does not', async () => {
    const { output, stdout, events } = open(`cat > ${shown}`);
    await output.stdout.write(LINES(3));
    await output.stdout.write(LINES(3));
    await output.stdout.write('the end\n');
    await output.stdout.end();
    expect(read()).toBe(`${LINES(3)}${LINES(3)}the end\n`);
    expect(stdout.text).toBe('');
    expect(events).toEqual(['open']);
    expect(output.stdout.closed).toBe(false);
  });

  it.each([
    ['there is no pager', undefined, {}],
    ['stdout is no terminal', 'exit 9', { isTTY: false }],
    ['the height is not known', 'exit 9', { rows: 0 }],
  ])('is written at once where %s', async (_, command, options) => {
    const { output, stdout } = open(command, options);
    await output.stdout.write(LINES(50));
    await output.stdout.end();
    expect(stdout.text).toBe(LINES(50));
  });

  it('is a document that may fill two screens, and comes after what is said about it in a pager', async () => {
    const show = async (lines: number) => {
      const opened = open(`cat > ${shown}`);
      opened.output.page({ isDocument: true });
      await opened.output.stdout.write(LINES(lines));
      await opened.output.stdout.end();
      await opened.output.stderr.write('why\nwhat to do\n');
      await opened.output.finish();
      return { stdout: opened.stdout.text, stderr: opened.stderr.text, events: opened.events };
    };
    const said = 'why\nwhat to do\n';
    expect(await show(7)).toEqual({ stdout: LINES(7), stderr: said, events: [] });
    for (const lines of [8, 30]) {
      expect(await show(lines)).toEqual({ stdout: '', stderr: '', events: ['open'] });
      expect(read()).toBe(`${said}\n${LINES(lines)}`);
    }
  });

  it('keeps what is said until the pager has ended', async () => {
    const { output, stderr } = open(`cat > ${shown}`);
    await output.stderr.write('before\n');
    await output.stdout.write(LINES(6));
    await output.stderr.write('meanwhile\n');
    expect(stderr.text).toBe('before\n');
    await output.stdout.end();
    await output.stderr.write('after\n');
    await output.stderr.end();
    expect(stderr.text).toBe('before\nmeanwhile\nafter\n');
  });

  it('goes to the pager where it does not fit the screen together with what is said', async () => {
    const { output, stdout, stderr, events } = open(`cat > ${shown}; printf %s "$LESS" >> ${shown}`);
    await output.stderr.write('before\n');
    await output.stdout.write(LINES(2));
    await output.stdout.end();
    await output.stderr.write('after\nand after\n');
    expect([stdout.text, stderr.text]).toEqual(['', 'before\n']);
    await output.finish();
    await output.stderr.end();
    expect(read()).toBe(`${LINES(2)}${process.env.LESS ?? 'FRX'} -+F`);
    expect([stdout.text, stderr.text]).toEqual(['', 'before\nafter\nand after\n']);
    expect(events).toEqual(['open']);
  });

  it.each([
    ['it fits the screen', 'after\n', {}],
    ['the run failed', 'after\n'.repeat(5), { failed: true }],
  ])('is followed by what is said where %s', async (_, text, how) => {
    const { output, stdout, stderr, events } = open('exit 9');
    await output.stdout.write(LINES(2));
    await output.stdout.end();
    await output.stderr.write(text);
    expect([stdout.text, stderr.text]).toEqual(['', '']);
    await output.finish(how);
    await output.stderr.end();
    expect([stdout.text, stderr.text]).toEqual([LINES(2), text]);
    expect(events).toEqual([]);
  });

  it('is closed when the pager is left before the end, and not by leaving it afterwards', async () => {
    const { output, stdout } = open(`head -n 1 > ${shown}`);
    await output.stdout.write(LINES(20_000));
    while (!output.stdout.closed) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(output.stdout.closedSignal.aborted).toBe(true);
    await output.stdout.write('more\n');
    await output.stdout.end();
    expect(read()).toBe('line 1\n');
    expect(stdout.text).toBe('');
  });

  it.each([
    ['does not exist', 'payctl-no-such-pager 2>/dev/null', 'exit code 127'],
    ['fails', 'exit 3', 'exit code 3'],
  ])('is printed without the pager where that %s', async (_, command, reason) => {
    const { output, stdout, events } = open(command);
    await output.stdout.write(LINES(6));
    await output.stdout.write('and more\n');
    await output.stdout.end();
    expect(stdout.text).toBe(`${LINES(6)}and more\n`);
    expect(events).toEqual(['open', reason]);
    expect(output.stdout.closed).toBe(false);
  });

  it.each([1, 100])(
    'is printed without a pager that fails, however long, written in %i pieces',
    async (count) => {
      const { output, stdout, events } = open('exit 3');
      // Each character of three bytes or more, so that none may be cut in two.
      const text = `${'\u{1F600}\u20AC'.repeat(5_000)}\n`.repeat(100);
      const size = Math.ceil(text.length / count);
      for (let at = 0; at < text.length; at += size) await output.stdout.write(text.slice(at, at + size));
      await output.stdout.end();
      expect(stdout.text === text).toBe(true);
      expect(events).toEqual(['open', 'exit code 3']);
    },
  );

  it('reaches the pager whole, however long', async () => {
    const { output, stdout } = open(`cat > ${shown}`);
    const text = `x${'\u{1F600}'.repeat(50_000)}\n`.repeat(6);
    await output.stdout.write(text);
    await output.stdout.end();
    expect(read() === text).toBe(true);
    expect(stdout.text).toBe('');
  });

  it.each(['SIGTERM', 'SIGHUP'] as const)(
    'ends the pager and the run on %s, not as a success',
    async (name) => {
      const { output } = open(`exec sleep 30 > ${shown}`);
      await output.stdout.write(LINES(6));
      const ended = output.stdout.end();
      process.listeners(name).at(-1)?.(name);
      await expect(ended).rejects.toBeInstanceOf(AbortedError);
    },
  );

  it('takes SIGINT for the pager while that runs, and leaves no listener', async () => {
    const { output } = open(`cat > ${shown}`);
    const before = process.listenerCount('SIGINT');
    await output.stdout.write(LINES(6));
    expect(process.listenerCount('SIGINT')).toBe(before + 1);
    await output.stdout.end();
    expect(process.listenerCount('SIGINT')).toBe(before);
  });
});
