import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { idOf, readPrinted } from '../../../src/cli/tail/printed.ts';
import { UsageError } from '../../../src/errors.ts';
import { folderForTest } from '../../harness/temporary-folder.ts';

const source = { timeOf: (item: unknown) => (item as { readonly at?: number }).at };

let folder: string;
beforeEach(() => {
  folder = folderForTest();
});

function readFile(text: string, mostBytes?: number) {
  const path = join(folder, 'log.ndjson');
  writeFileSync(path, text);
  return readPrinted(`@${path}`, source, mostBytes);
}

/** An empty line of so many bytes. */
const blank = (bytes: number) => `${' '.repeat(bytes - 1)}\n`;

/** Code, message and hint of the error that reading what was printed throws. */
function errorOf(read: () => unknown) {
  try {
    read();
  } catch (error) {
    if (error instanceof UsageError) return [error.code, error.message, error.hint];
    throw error;
  }
  return [];
}

describe('what an earlier run printed', () => {
  it('is one entry by its ID, and nothing is known of its time', () => {
    expect(readPrinted('a1', source)).toEqual({ items: [{ id: 'a1', text: '' }], since: undefined });
  });

  it('is every complete line of a file, since the time of the first one', () => {
    const printed = readFile('{"id":"a","at":7}\n{"at":8}\r\n\n  \n[1]\n{"id":"c","at":9}\n{"id":"d');
    expect(printed?.items.map(({ id, text }) => [id, text])).toEqual([
      ['a', '{"id":"a","at":7}'],
      [undefined, '{"at":8}\r'],
      ['c', '{"id":"c","at":9}'],
    ]);
    expect(printed?.since).toBe(7);
  });

  it.each(['', '\n', ' \n\t\n'])('is nothing where the file is empty: %j', (text) => {
    expect(readFile(text)).toBeUndefined();
  });

  it('is whole where the file has characters of several bytes', () => {
    expect(readFile('{"id":"ä€😀"}\n')?.items.map(({ id }) => id)).toEqual(['ä€😀']);
  });

  it('is the end of a large file, from the first whole line on', () => {
    const line = `{"id":"old","text":"${'x'.repeat(100)}"}\n`;
    const text = `{"id":"first","at":1}\n${line.repeat(64)}{"id":"last","at":2}\n`;
    const printed = readFile(text, 64 * line.length);
    expect(printed?.items.map(({ id }) => id)).toEqual([...Array(63).fill('old'), 'last']);
    expect(printed?.since).toBeUndefined();
  });

  it('begins with the first line of a file that is exactly as long as what is read', () => {
    const first = '{"id":"a","at":1}\n';
    const printed = readFile(first + blank(1000 - first.length), 1000);
    expect(printed?.items.map(({ id }) => id)).toEqual(['a']);
  });
});

describe('a file', () => {
  it('loses the part of a line with which the end that is read begins, even if that is JSON', () => {
    const cut = '{"id":"cut"}\n';
    const next = '{"id":"a"}\n';
    const rest = blank(1000 - next.length - cut.length);
    expect(readFile(`x${cut}${next}${rest}`, 1000)?.items.map(({ id }) => id)).toEqual(['a']);
  });

  it('is closed when it has been read', () => {
    const nextDescriptor = () => {
      const descriptor = openSync(folder, 'r');
      closeSync(descriptor);
      return descriptor;
    };
    const before = nextDescriptor();
    readFile('{"id":"a"}\n');
    expect(nextDescriptor()).toBe(before);
  });
});

describe('a file that cannot be used', () => {
  it('is refused where it has no JSON lines, and the hint says what has', () => {
    const path = join(folder, 'log.ndjson');
    expect(errorOf(() => readFile('Time  Path\n1\n'))).toEqual([
      'bad_after',
      `--after cannot use the file "${path}": it has no JSON lines`,
      'Name a file that holds the output of -o ndjson.',
    ]);
  });

  it('is refused where it is a device', () => {
    const [code, message] = errorOf(() => readPrinted('@/dev/null', source));
    expect([code, message]).toEqual([
      'bad_after',
      expect.stringContaining('--after cannot use the file "/dev/null": '),
    ]);
  });

  it('is refused where it does not exist, or is a folder', () => {
    const path = join(folder, 'none');
    const [code, message, hint] = errorOf(() => readPrinted(`@${path}`, source));
    expect([code, hint]).toEqual(['bad_after', undefined]);
    expect(message).toContain(`--after cannot use the file "${path}": `);
    expect(message).toContain('ENOENT');
    mkdirSync(path);
    const [ofFolder, messageOfFolder] = errorOf(() => readPrinted(`@${path}`, source));
    expect(ofFolder).toBe('bad_after');
    expect(messageOfFolder).toContain(`--after cannot use the file "${path}": `);
  });
});

describe('the ID of an entry', () => {
  it('is a text that is not empty', () => {
    const items = [{ id: 'a' }, { id: '' }, { id: 7 }, {}, null, undefined, 'a', []];
    expect(items.map(idOf)).toEqual(['a', ...Array(7).fill(undefined)]);
  });
});
