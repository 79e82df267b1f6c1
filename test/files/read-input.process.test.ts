import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, writeFileSync, writeSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { AbortedError, UsageError } from '../../src/errors.ts';
import { expandHome } from '../../src/files/home-directory.ts';
import { InputError } from '../../src/files/read-file.ts';
import { readInputFile, readStream, unreadableInput } from '../../src/files/read-input.ts';
import { failureOf } from '../client/failure-of.ts';
import { freshDirectory } from '../config/config-directory.ts';

function makePipe(): string {
  const path = join(freshDirectory(), 'pipe');
  execFileSync('mkfifo', [path]);
  return path;
}

/** Opens a named pipe for writing as soon as somebody reads it. */
async function openWriter(path: string): Promise<number> {
  for (;;) {
    try {
      return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}

describe.skipIf(process.platform === 'win32')('readInputFile', () => {
  it('waits for a writer that opens a named pipe later, and reads to its end', async () => {
    const path = makePipe();
    const text = readInputFile(path, { limit: 100 }).then((input) => input.text);
    const writer = await openWriter(path);
    writeSync(writer, '\uFEFF{"a"');
    await new Promise((resolve) => setTimeout(resolve, 20));
    writeSync(writer, ':1}');
    closeSync(writer);
    expect(await text).toBe('{"a":1}');
  });

  it.each(['before', 'after'])(
    'ends the wait when the signal is aborted %s the writer came',
    async (when) => {
      const path = makePipe();
      const controller = new AbortController();
      const failure = failureOf(readInputFile(path, { limit: 100, signal: controller.signal }));
      if (when === 'after') onTestFinished(closeSync.bind(undefined, await openWriter(path)));
      controller.abort();
      expect(await failure).toBeInstanceOf(AbortedError);
      // Nobody reads it any more.
      await vi.waitFor(() =>
        expect(() => openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)).toThrow('ENXIO'),
      );
    },
  );

  it('stops reading a pipe at the limit', async () => {
    const path = makePipe();
    const failure = failureOf(readInputFile(path, { limit: 10 }));
    const writer = await openWriter(path);
    onTestFinished(() => closeSync(writer));
    writeSync(writer, 'x'.repeat(11));
    expect(await failure).toMatchObject({ problem: 'too_large' });
  });

  it('reads a device without an end up to the limit, and an empty one', async () => {
    expect(await failureOf(readInputFile('/dev/zero', { limit: 1_000_000 }))).toMatchObject({
      problem: 'too_large',
    });
    expect(await readInputFile('/dev/null', { limit: 1 })).toMatchObject({ text: '' });
  });

  it('reads an open descriptor by its path, from where it is', async () => {
    const path = join(freshDirectory(), 'file');
    writeFileSync(path, 'text');
    const descriptor = openSync(path, 'r');
    onTestFinished(() => closeSync(descriptor));
    const read = () => readInputFile(`/dev/fd/${descriptor}`, { limit: 10 });
    expect([(await read()).text, (await read()).text]).toEqual(['text', '']);
  });

  it('refuses a directory, a socket, and what is not there', async () => {
    const directory = freshDirectory();
    const socket = join(directory, 'socket');
    const server = createServer().listen(socket);
    await new Promise((resolve) => server.once('listening', resolve));
    onTestFinished(() => void server.close());
    expect(await failureOf(readInputFile(directory, { limit: 1 }))).toMatchObject({ problem: 'not_a_file' });
    expect(await failureOf(readInputFile(socket, { limit: 1 }))).toMatchObject({ code: 'ENXIO' });
    expect(await failureOf(readInputFile(join(directory, 'x'), { limit: 1 }))).toMatchObject({
      code: 'ENOENT',
    });
  });
});

describe('expandHome', () => {
  it.each([
    ['~/file', join(homedir(), 'file')],
    ['~', homedir()],
    ['~user/file', '~user/file'],
    ['./~/file', './~/file'],
  ])('takes %s for %s', (path, expanded) => {
    expect(expandHome(path)).toBe(expanded);
  });

  it('takes the separator of Windows, on Windows', () => {
    const platform = vi.spyOn(process, 'platform', 'get').mockReturnValue('win32');
    onTestFinished(() => platform.mockRestore());
    expect(['~\\file', '~/file', '~user\\file'].map(expandHome)).toEqual([
      `${homedir()}\\file`,
      `${homedir()}/file`,
      '~user\\file',
    ]);
    platform.mockReturnValue('linux');
    expect(expandHome('~\\file')).toBe('~\\file');
  });
});

describe('readStream', () => {
  it('reads pieces to the end, also where they cut a character', async () => {
    const [first, second] = [Buffer.from([0x74, 0xc3]), Buffer.from([0xb6])];
    expect(await readStream(Readable.from([first, second]), { limit: 3 })).toBe('tö');
  });

  it.each(['the limit', 'the signal'])('destroys a stream that has no end at %s', async (end) => {
    const stream = new Readable({ read() {} });
    const controller = new AbortController();
    const failure = failureOf(readStream(stream, { limit: 2, signal: controller.signal }));
    if (end === 'the limit') stream.push('abc');
    else controller.abort();
    expect(await failure).toBeInstanceOf(end === 'the limit' ? InputError : AbortedError);
    expect(stream.destroyed).toBe(true);
  });
});

describe('unreadableInput', () => {
  it('is the error that is one of payctl already, and a usage error for any other', () => {
    const aborted = new AbortedError();
    expect(unreadableInput('X cannot be read', aborted)).toBe(aborted);
    const error = unreadableInput(
      'X cannot be read',
      new InputError('not_utf8', 'it is odd', 'convert'),
      'other',
    );
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({
      code: 'unreadable_file',
      message: 'X cannot be read: it is odd',
      hint: 'convert',
    });
  });
});
