import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readLogFiles } from '../../../src/features/api-logs/log-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'payctl-logs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

/** What is read of some files; `-` is `stdin`. */
async function read(paths: readonly string[], stdin = '') {
  const warnings: string[] = [];
  const looked = { duplicates: 0, unreadable: 0 };
  const texts: string[] = [];
  const options = {
    stdin: async function* () {
      yield Buffer.from(stdin);
    },
    signal: new AbortController().signal,
    warn: (code: string, message: string) => void warnings.push(`${code}: ${message.replace(folder, 'DIR')}`),
    looked,
  };
  for await (const items of readLogFiles(paths, options)) texts.push(...items.map(({ text }) => text));
  return { texts, warnings, duplicates: looked.duplicates };
}

describe('log files', () => {
  it('may be lines, an array and a document, and standard input', async () => {
    const lines = file('a.ndjson', '{"id":"1","n":1.0}\n{"id":"2"}\n');
    const array = file('b.json', '[\n  {"id":"3"},\n  {"id":"4"}\n]\n');
    const document = file('c.json', '{"items":[{"id":"5"}],"next_cursor":null}\n{"items":[{"id":"6"}]}\n');
    expect(await read([lines, array, document, '-'], '\uFEFF{"id":"7"}')).toEqual({
      texts: ['{"id":"1","n":1.0}', ...['2', '3', '4', '5', '6', '7'].map((id) => `{"id":"${id}"}`)],
      warnings: [],
      duplicates: 0,
    });
  });

  it('count an entry once, in one file and over several, but every entry without an id', async () => {
    const first = file('d.ndjson', '{"id":"1"}\n{"id":"1"}\n{}\n{}\n');
    const second = file('e.ndjson', '{"id":"1"}\n{"id":"2"}\n');
    const { texts, duplicates } = await read([first, second]);
    expect(texts).toEqual(['{"id":"1"}', '{}', '{}', '{"id":"2"}']);
    expect(duplicates).toBe(2);
  });

  it('are read around what cannot be read, which is counted and named', async () => {
    const path = file('f.ndjson', '{"id":"1"}\n{"id":\n[1]\n{"id":"2"}\nx\n1\n2\n3\n');
    const { texts, warnings } = await read([path]);
    expect(texts).toEqual(['{"id":"1"}', '{"id":"2"}']);
    expect(warnings).toEqual([
      'unreadable_entries: DIR/f.ndjson: 6 of 8 lines cannot be read (line 2, 3, 5, 6, 7, \u2026); line 2 is not JSON: expected a value at column 7, but the text ends.',
    ]);
  });

  it('that are cut give what they have', async () => {
    const path = file('g.json', '{"items":[\n{"id":"1"},\n{"id":"2"}');
    const { texts, warnings } = await read([path]);
    expect(texts).toEqual(['{"id":"1"}', '{"id":"2"}']);
    expect(warnings).toEqual([
      'unreadable_entries: DIR/g.json: 1 of 3 elements cannot be read (element 3); element 3 is missing: the document is cut off.',
    ]);
  });

  it('with bytes that are not UTF-8 are read, and warned of once', async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"id":"\uFFFD"}\n{"id":"'),
      Buffer.from([0xe9, 0xff]),
      Buffer.from('"}\n'),
    ]);
    const { texts, warnings } = await read([
      file('h.ndjson', bytes),
      file('i.ndjson', '{"id":"\uFFFD\u00E9"}'),
    ]);
    expect(texts).toEqual(['{"id":"\uFFFD"}', '{"id":"\uFFFD\uFFFD"}', '{"id":"\uFFFD\u00E9"}']);
    expect(warnings).toEqual([
      'invalid_utf8: DIR/h.ndjson is not valid UTF-8; invalid bytes are shown as U+FFFD.',
    ]);
  });

  it('that are empty hold no entries', async () => {
    expect(await read([file('j', ''), file('k', '[]'), file('l', '{"items":[]}\n')])).toMatchObject({
      texts: [],
      warnings: [],
    });
  });

  it('of which none has an entry are refused, and so is one that does not exist', async () => {
    await expect(read([file('m', 'hello\n'), file('n', '3\n')])).rejects.toMatchObject({
      code: 'unreadable_log',
      message: expect.stringMatching(
        /m contains no entry of an API log: line 1 is not JSON: expected a value at column 1 instead of "h"$/,
      ),
    });
    await expect(read([join(folder, 'none')])).rejects.toMatchObject({ code: 'unreadable_file' });
    await expect(read([folder])).rejects.toMatchObject({ code: 'unreadable_file' });
  });
});
