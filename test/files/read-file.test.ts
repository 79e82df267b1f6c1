import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeUtf8,
  firstInvalidByte,
  formatLimit,
  gatherBytes,
  InputError,
  LIMITS,
  readRegularFile,
  requireReadable,
} from '../../src/files/read-file.ts';
import { freshDirectory, thrownBy } from '../config/config-directory.ts';
import { anyText } from '../harness/any-text.ts';
import { propertyRuns } from '../harness/property-runs.ts';

/** Bytes of which many are nearly UTF-8: valid texts, cut and mixed with single bytes. */
const anyBytes = fc
  .array(
    fc.oneof(
      anyText(10).map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 4 }),
      fc.constantFrom(
        [0xef, 0xbf, 0xbd],
        [0xef, 0xbf],
        [0xef, 0xbb, 0xbf],
        [0xc3],
        [0xed, 0xa0, 0x80],
        [0xf4, 0x90],
        [0x0a],
      ),
    ),
    { maxLength: 6 },
  )
  .map((parts) => Buffer.concat(parts.map((part) => Uint8Array.from(part))));

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

describe('decodeUtf8', () => {
  it('accepts exactly what is UTF-8, and takes nothing but a byte order mark away', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        if (!isUtf8(bytes)) {
          expect(thrownBy(() => decodeUtf8(bytes))).toMatchObject({ problem: 'not_utf8' });
          return;
        }
        const mark = bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? 3 : 0;
        expect(Buffer.from(decodeUtf8(bytes))).toEqual(bytes.subarray(mark));
      }),
      propertyRuns(2_000),
    );
  });

  it('names the first byte that is wrong, its line and a remedy', () => {
    const error = thrownBy(() => decodeUtf8(Buffer.from('{"a":\n"é\uFFFD"}\n', 'utf8').fill(0xe9, 12, 13)));
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({
      message: 'it is not valid UTF-8: byte 13, in line 2, is 0xe9',
      hint: 'Convert it first, for example: iconv -f latin1 -t utf-8',
    });
  });

  it('recognises UTF-16 by its byte order mark', () => {
    expect(thrownBy(() => decodeUtf8(Buffer.from('\uFEFF{}', 'utf16le')))).toMatchObject({
      hint: 'Convert it first, for example: iconv -f utf-16 -t utf-8',
    });
  });
});

describe('firstInvalidByte', () => {
  it('is where the valid part ends', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        const index = firstInvalidByte(bytes);
        expect(isUtf8(bytes.subarray(0, index))).toBe(true);
        if (index === bytes.length) return;
        // No number of further bytes makes a character of it.
        const ends = [1, 2, 3, 4].map((count) => bytes.subarray(index, index + count));
        expect(ends.some((end) => end.length > 0 && isUtf8(end))).toBe(false);
      }),
      propertyRuns(2_000),
    );
  });
});

describe('a limit', () => {
  it('takes as many bytes as it says and refuses one more', () => {
    const gathered = gatherBytes(3);
    gathered.add(Buffer.from('ab'));
    gathered.add(Buffer.from('c'));
    expect(String(gathered.bytes())).toBe('abc');
    expect(thrownBy(() => gathered.add(Buffer.from('d')))).toMatchObject({ problem: 'too_large' });
  });

  it('is named as people name it', () => {
    expect(Object.values(LIMITS).map(formatLimit)).toEqual([
      '16 MiB',
      '1 GiB',
      '64 MiB',
      '64 KiB',
      '1 MiB',
      '4 MiB',
      '64 KiB',
    ]);
  });
});

describe('readRegularFile', () => {
  it('reads a file of its limit, without a byte order mark, and refuses a larger one', () => {
    const path = join(freshDirectory(), 'file');
    writeFileSync(path, `\uFEFF${'a'.repeat(997)}`);
    expect(readRegularFile(path, 1000)).toBe('a'.repeat(997));
    expect(thrownBy(() => readRegularFile(path, 999))).toMatchObject({ problem: 'too_large' });
  });

  it('reads a file whose size the system does not tell', () => {
    if (process.platform === 'linux') expect(readRegularFile('/proc/self/stat', 10_000)).toContain('(');
  });

  it('refuses a directory and a device, also behind a link', () => {
    const directory = freshDirectory();
    mkdirSync(join(directory, 'folder'));
    symlinkSync('/dev/zero', join(directory, 'link'));
    const read = (name: string) => thrownBy(() => readRegularFile(join(directory, name), 1000));
    expect(read('folder')).toMatchObject({ problem: 'not_a_file', message: 'it is a directory' });
    expect(read('link')).toMatchObject({ message: 'it is a device, not a regular file' });
  });
});

describe('requireReadable', () => {
  it('refuses what is missing, too large or a directory, and nothing else', () => {
    const path = join(freshDirectory(), 'file');
    expect(thrownBy(() => requireReadable(path, 3))).toMatchObject({ code: 'ENOENT' });
    writeFileSync(path, 'abc');
    requireReadable(path, 3);
    expect(thrownBy(() => requireReadable(path, 2))).toMatchObject({ problem: 'too_large' });
    expect(thrownBy(() => requireReadable('/', 2))).toMatchObject({ message: 'it is a directory' });
  });
});
