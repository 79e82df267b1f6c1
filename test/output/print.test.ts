import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openPrinter } from '../../src/output/print.ts';

/** What each call of the system does: takes so many bytes, or fails with a code. */
let answers: (number | string)[] = [];
let taken: Buffer[] = [];

vi.mock('node:fs', async (original) => ({
  ...(await original<typeof import('node:fs')>()),
  fstatSync: () => ({ isFIFO: () => true, isSocket: () => false, isFile: () => false }),
  writeSync(_: number, bytes: Buffer, offset: number) {
    const answer = answers.shift() ?? bytes.length;
    if (typeof answer === 'string') throw Object.assign(new Error(answer), { code: answer });
    const part = bytes.subarray(offset, offset + answer);
    taken.push(Buffer.from(part));
    return part.length;
  },
}));

beforeEach(() => {
  answers = [];
  taken = [];
});

describe.skipIf(process.platform === 'win32')('printing into a pipe', () => {
  it('assumes a width of 80 columns', () => {
    expect(openPrinter().columns).toBe(80);
  });

  it('writes all bytes when the pipe takes part of them, or is full for a time', async () => {
    answers = [1, 'EAGAIN', 2, 'EAGAIN', 'EAGAIN'];
    await openPrinter().print('Grüße\n');
    expect(Buffer.concat(taken).toString()).toBe('Grüße\n');
    expect(taken).toHaveLength(3);
  });

  it.each(['EPIPE', 'ECONNRESET'])('ends quietly when the reader has left: %s', async (code) => {
    answers = [2, code];
    await openPrinter().print('text\n');
    expect(Buffer.concat(taken).toString()).toBe('te');
  });

  it('rejects with what the system says of a disk that is full', async () => {
    for (const code of ['ENOSPC', 'EIO']) {
      answers = [2, code];
      await expect(openPrinter().print('text\n')).rejects.toThrow(code);
    }
  });
});
