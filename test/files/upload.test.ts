import { appendFileSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openUpload } from '../../src/files/upload.ts';
import { temporaryDirectory } from '../emulator/test-emulator.ts';

async function bytesOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

function fileOf(bytes: string | Uint8Array) {
  const directory = temporaryDirectory();
  const path = join(directory.path, 'a b.csv');
  writeFileSync(path, bytes);
  return { path, directory, [Symbol.dispose]: () => directory[Symbol.dispose]() };
}

describe('a file that is sent', () => {
  it.each([0, 1, 65_536, 65_537, 200_000])(
    'gives its %i bytes each time, in pieces of 64 KiB',
    { tags: 'slow' },
    async (size) => {
      const bytes = Buffer.alloc(size, 'abc');
      using file = fileOf(bytes);
      const upload = openUpload(file.path);
      expect(upload).toMatchObject({ size, fileName: 'a b.csv', canRepeat: true });
      expect(await bytesOf(upload.pieces())).toEqual(bytes);
      expect(await bytesOf(upload.pieces())).toEqual(bytes);
      for await (const piece of upload.pieces()) expect(piece.length).toBeLessThanOrEqual(65_536);
    },
  );

  it('is found through a link', async () => {
    using file = fileOf('x');
    const link = join(file.directory.path, 'link.txt');
    symlinkSync(file.path, link);
    expect(openUpload(link)).toMatchObject({ size: 1, fileName: 'link.txt' });
  });

  it.each<[string, (path: string) => void]>([
    ['longer than it was', (path) => appendFileSync(path, 'y')],
    ['shorter than it was', (path) => truncateSync(path, 10)],
    ['written again', (path) => writeFileSync(path, Buffer.alloc(100_000, 'z'))],
  ])('is not read to its end where it is %s, before or while it is read', async (_, change) => {
    for (const isOpen of [false, true]) {
      using file = fileOf(Buffer.alloc(100_000, 'x'));
      utimesSync(file.path, 1, 1);
      const pieces = openUpload(file.path).pieces();
      if (isOpen) await pieces.next();
      change(file.path);
      const when = isOpen
        ? 'while it was being sent, after 65536 of its 100000 bytes'
        : 'since it was checked';
      await expect(bytesOf(pieces)).rejects.toMatchObject({
        code: 'file_changed',
        message: `The file ${file.path} has changed ${when}`,
      });
    }
  });

  it('is refused where it is gone when it is read', async () => {
    using file = fileOf('x');
    const upload = openUpload(file.path);
    rmSync(file.path);
    await expect(bytesOf(upload.pieces())).rejects.toMatchObject({ code: 'unreadable_file' });
  });

  it.skipIf(process.platform !== 'linux')('is refused where it has bytes and says that it has none', () => {
    expect(() => openUpload('/proc/self/status')).toThrow('its size is not known before it is read');
  });

  it('is refused above the limit', () => {
    using file = fileOf('abc');
    expect(openUpload(file.path, 3).size).toBe(3);
    expect(() => openUpload(file.path, 2)).toThrow('it is larger than');
  });
});
