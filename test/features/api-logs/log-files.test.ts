import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readLogFiles } from '../../../src/features/api-logs/log-files.ts';
import { folderForAll } from '../../harness/temporary-folder.ts';

const folder = folderForAll();

const file = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

/** What is read of some files; `-` is `stdin`. */
async function read(paths: readonly string[], stdin: string | Uint8Array = '') {
  const said: string[] = [];
  const looked = { duplicates: 0, unreadable: 0 };
  const texts: string[] = [];
  const options = {
    stdin: async function* () {
      for (const byte of Buffer.from(stdin)) yield Uint8Array.of(byte);
    },
    signal: new AbortController().signal,
    display: {
      warn: (code: string, message: string) => void said.push(`${code}: ${message.replace(folder, 'DIR')}`),
      info: (text: string) => void said.push(`info: ${text.replace(folder, 'DIR')}`),
    },
    looked,
  };
  for await (const items of readLogFiles(paths, options)) texts.push(...items.map(({ text }) => text));
  return { texts, warnings: said, ...looked };
}

describe('log files', () => {
  it('may be lines, an array and a document, and standard input', async () => {
    const lines = file('a.ndjson', '{"id":"1","n":1.0,"response_body":0}\n{"id":"2","response_body":0}\n');
    const array = file('b.json', '[\n  {"id":"3","response_body":0},\n  {"id":"4","response_body":0}\n]\n');
    const document = file(
      'c.json',
      '{"items":[{"id":"5","response_body":0}],"next_cursor":null}\n{"items":[{"id":"6","response_body":0}]}\n',
    );
    expect(await read([lines, array, document, '-'], '\uFEFF{"id":"7","response_body":0}')).toEqual({
      texts: [
        '{"id":"1","n":1.0,"response_body":0}',
        ...['2', '3', '4', '5', '6', '7'].map((id) => `{"id":"${id}","response_body":0}`),
      ],
      warnings: [],
      duplicates: 0,
      unreadable: 0,
    });
  });

  it('count an entry once, in one file and over several, but every entry without an id', async () => {
    const first = file(
      'd.ndjson',
      '{"id":"1","response_body":0}\n{"id":"1","response_body":0}\n{"response_body":0}\n{"response_body":0}\n',
    );
    const second = file('e.ndjson', '{"id":"1","response_body":0}\n{"id":"2","response_body":0}\n');
    const { texts, duplicates } = await read([first, second]);
    expect(texts).toEqual([
      '{"id":"1","response_body":0}',
      '{"response_body":0}',
      '{"response_body":0}',
      '{"id":"2","response_body":0}',
    ]);
    expect(duplicates).toBe(2);
  });

  it('are read around what cannot be read, which is counted and named', async () => {
    const path = file(
      'f.ndjson',
      '{"id":"1","response_body":0}\n{"id":\n[1]\n{"id":"2","response_body":0}\nx\n1\n2\n3\n',
    );
    const { texts, warnings } = await read([path]);
    expect(texts).toEqual(['{"id":"1","response_body":0}', '{"id":"2","response_body":0}']);
    expect(warnings).toEqual([
      'unreadable_entries: DIR/f.ndjson: 6 of 8 lines cannot be read (line 2, 3, 5, 6, 7, \u2026); line 2 is not JSON: expected a value at column 7, but the text ends.',
    ]);
  });

  it('that are cut give what they have', async () => {
    const path = file('g.json', '{"items":[\n{"id":"1","response_body":0},\n{"id":"2","response_body":0}');
    const { texts, warnings } = await read([path]);
    expect(texts).toEqual(['{"id":"1","response_body":0}', '{"id":"2","response_body":0}']);
    expect(warnings).toEqual([
      'unreadable_entries: DIR/g.json: 1 of 3 elements cannot be read (element 3); element 3 is missing: the document is cut off.',
    ]);
  });

  it('with bytes that are not UTF-8 are read, and warned of once', async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"id":"\uFFFD","response_body":0}\n{"id":"'),
      Buffer.from([0xe9, 0xff]),
      Buffer.from('","response_body":0}\n'),
    ]);
    const { texts, warnings } = await read([
      file('h.ndjson', bytes),
      file('i.ndjson', '{"id":"\uFFFD\u00E9","response_body":0}'),
    ]);
    expect(texts).toEqual([
      '{"id":"\uFFFD","response_body":0}',
      '{"id":"\uFFFD\uFFFD","response_body":0}',
      '{"id":"\uFFFD\u00E9","response_body":0}',
    ]);
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
        /m contains no API log entries: line 1 is not JSON: expected a value at column 1 instead of "h"$/,
      ),
    });
    await expect(read([join(folder, 'none')])).rejects.toMatchObject({ code: 'unreadable_file' });
    await expect(read([folder])).rejects.toMatchObject({ code: 'unreadable_file' });
  });
});

const LINES = '{"id":"1","response_body":"\u00E9\u{1F600}"}\n{"id":"2","response_body":0}\n';
const LINE_TEXTS = LINES.trimEnd().split('\n');
/** A zstd frame that holds no data of the file. */
const skipped = (kind: number, ...content: number[]) =>
  Buffer.from([kind, 0x2a, 0x4d, 0x18, content.length, 0, 0, 0, ...content]);
const swapped = (text: string) => Buffer.from(text, 'utf16le').swap16();

/** Whether payctl takes zstd here: older Nodes lose a part of it, and payctl refuses it, as the tests of Node versions show. */
function takesZstd(): boolean {
  const frame = zstdCompressSync('');
  try {
    zstdDecompressSync(Buffer.concat([frame, frame.subarray(0, -1)]));
    return false;
  } catch {
    return true;
  }
}
const isTaken = takesZstd()
  ? () => true
  : ([name]: readonly [string, ...unknown[]]) => !name.startsWith('zstd');

describe('a log file in another form', () => {
  const forms: readonly (readonly [string, Uint8Array])[] = [
    ['gzip', gzipSync(LINES)],
    ['gzip of several members', Buffer.concat([gzipSync(LINES.slice(0, 9)), gzipSync(LINES.slice(9))])],
    ['zstd', zstdCompressSync(LINES)],
    [
      'zstd of several frames',
      Buffer.concat([LINES.slice(0, 9), LINES.slice(9)].map((part) => zstdCompressSync(part))),
    ],
    ...[0x50, 0x5f].map(
      (kind) =>
        [
          `zstd behind a skipped frame ${kind}`,
          Buffer.concat([skipped(kind), zstdCompressSync(LINES)]),
        ] as const,
    ),
    [
      'zstd that ends like the beginning of a frame',
      Buffer.concat([zstdCompressSync(LINES), skipped(0x50, 0x28, 0xb5, 0x2f)]),
    ],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${LINES}`)],
    ['UTF-16, little-endian', Buffer.from(`\uFEFF${LINES}`, 'utf16le')],
    ['UTF-16, big-endian', swapped(`\uFEFF${LINES}`)],
    ['gzip of UTF-16', gzipSync(swapped(`\uFEFF${LINES}`))],
    ['zstd of UTF-8 with a byte order mark', zstdCompressSync(`\uFEFF${LINES}`)],
  ];

  it.each(forms.filter(isTaken))(
    'is read like plain text, from a file and from standard input: %s',
    async (name, bytes) => {
      expect(await read([file(name, bytes)])).toMatchObject({ texts: LINE_TEXTS, warnings: [] });
      expect(await read(['-'], bytes)).toMatchObject({ texts: LINE_TEXTS, warnings: [] });
    },
  );

  const damaged: readonly (readonly [string, Uint8Array, string])[] = [
    ['gzip, cut off', gzipSync(LINES).subarray(0, -3), 'its gzip data is cut off'],
    ['gzip, its magic alone', gzipSync(LINES).subarray(0, 2), 'its gzip data is cut off'],
    ['gzip, damaged', gzipSync(LINES).with(-7, 1), 'its gzip data is damaged'],
    ['zstd, cut off', zstdCompressSync(LINES).subarray(0, -3), 'its zstd data is cut off'],
    [
      'gzip of two members, the second one damaged in its first byte',
      Buffer.concat([gzipSync(LINES), gzipSync(LINES).with(0, 0)]),
      'its gzip data is damaged',
    ],
    [
      'zstd of two frames, the second one damaged in its first byte',
      Buffer.concat([zstdCompressSync(LINES), zstdCompressSync(LINES).with(0, 0)]),
      'its zstd data is damaged',
    ],
    ...[1, 2, 3].map(
      (length) =>
        [
          `zstd of two frames, of which ${length} bytes of the second one are left`,
          Buffer.concat([zstdCompressSync(LINES), zstdCompressSync(LINES).subarray(0, length)]),
          'its zstd data is damaged',
        ] as const,
    ),
    [
      'zstd, a frame that is skipped and cut off behind it',
      Buffer.concat([zstdCompressSync(LINES), Buffer.of(0x5f, 0x2a)]),
      'its zstd data is damaged',
    ],
    [
      'zstd, text behind its end',
      Buffer.concat([zstdCompressSync(LINES), Buffer.from('junk')]),
      'its zstd data is damaged',
    ],
    ['zstd, damaged', zstdCompressSync(LINES).fill(0xff, 9, 12), 'its zstd data is damaged'],
  ];

  it.each(damaged.filter(isTaken))(
    'is refused by name where it is not whole: %s',
    async (name, bytes, problem) => {
      const error = { code: 'unreadable_file', hint: 'Copy or download the file again.' };
      const path = file(name, bytes);
      await expect(read([path])).rejects.toMatchObject({
        ...error,
        message: `--file cannot read ${path}: ${problem}`,
      });
      await expect(read(['-'], bytes)).rejects.toMatchObject({
        ...error,
        message: `--file cannot read standard input: ${problem}`,
      });
    },
  );

  it.each([
    ['PK\u0003\u0004rest', 'it is a zip archive', 'unzip -p'],
    [Buffer.from('fd377a585a00', 'hex'), 'it is compressed with xz', 'xz -dc'],
    ['BZh91AY', 'it is compressed with bzip2', 'bzip2 -dc'],
  ])('is refused with the command that unpacks it: %j', async (bytes, problem, unpack) => {
    const path = file('packed', bytes);
    await expect(read([path])).rejects.toMatchObject({
      code: 'unreadable_file',
      message: `--file cannot read ${path}: ${problem}`,
      hint: `Unpack it first: ${unpack} FILE | payctl api-logs list --file -`,
    });
  });

  it('has no entries where it is empty', async () => {
    expect(await read([file('empty.gz', gzipSync('')), file('bom', Buffer.from([0xff, 0xfe]))])).toEqual({
      texts: [],
      warnings: [],
      duplicates: 0,
      unreadable: 0,
    });
  });
});

describe('an HTTP archive', () => {
  const request = (method: string, url: string, more: object = {}) => ({
    startedDateTime: '2026-03-01T10:00:00.000Z',
    time: 120.5,
    request: { method, url, headers: [{ name: 'Authorization', value: 'Bearer SECRET' }], ...more },
    response: { status: 200, headers: [], content: {} },
  });
  const failed = (status: number, url: string, content: object = {}) => ({
    ...request('POST', url, { postData: { mimeType: 'application/json', text: '{"first_name":""}' } }),
    response: { status, content },
  });
  const error = { type: 'error', code: 'bad_request', status: 400, message: 'Generic error', details: [] };
  const har = (...entries: unknown[]) => ({
    log: { version: '1.2', pages: [{ id: 'p' }], entries, comment: 'x' },
  });
  const all = [
    failed(400, 'https://api/buyers/b-1/shipping-details', { text: JSON.stringify(error) }),
    failed(502, 'https://api/v1/buyers', { text: '<html>bad</html>' }),
    failed(404, 'https://api/odd', {
      text: Buffer.from(JSON.stringify(error)).toString('base64'),
      encoding: 'base64',
    }),
    failed(422, 'https://api/odder', {
      text: '{"detail":[{"loc":["query","limit"],"msg":"m","type":"int"}]}',
    }),
    failed(404, 'https://shop/favicon.ico'),
    { ...request('OPTIONS', 'https://api/buyers'), response: { status: 403 } },
    request('GET', 'https://api/buyers'),
    { ...request('GET', 'https://api/roles'), response: { status: 0 } },
  ];
  const said = (name: string) =>
    `info: DIR/${name} is an HTTP archive of 8 requests: 4 entries read; left out: 1 did not fail, 2 were not for the API, 1 got no response.`;

  it.each([
    ['on one line', (value: object) => JSON.stringify(value)],
    ['over lines', (value: object) => JSON.stringify(value, null, 2)],
    [
      'behind a long page list',
      (value: object) => JSON.stringify(value).replace('[{"id":"p"}]', `[${'{}, '.repeat(400_000)}{}]`),
    ],
    [
      'as lines of requests',
      (value: object) =>
        (value as ReturnType<typeof har>).log.entries.map((entry) => JSON.stringify(entry)).join('\n'),
    ],
  ])(
    'gives the requests that failed at the API, and says what it leaves out: %s',
    { tags: 'slow' },
    async (name, textOf) => {
      const { texts, warnings } = await read([file(name, textOf(har(...all)))]);
      expect(warnings).toEqual([said(name)]);
      expect(texts.join()).not.toContain('SECRET');
      const entries = texts.map((text) => JSON.parse(text));
      expect(entries[0]).toEqual({
        type: 'api-log',
        id: expect.stringMatching(/^har-[\da-f]{12}$/),
        request_method: 'POST',
        request_url: 'https://api/buyers/b-1/shipping-details',
        request_received_at: '2026-03-01T10:00:00.000Z',
        response_status_code: 400,
        response_body: error,
        response_sent_at: '2026-03-01T10:00:00.120Z',
        request_body: { first_name: '' },
      });
      expect(entries.map((entry) => [entry.response_status_code, entry.response_body])).toEqual([
        [400, error],
        [502, '<html>bad</html>'],
        [404, error],
        [422, { detail: [{ loc: ['query', 'limit'], msg: 'm', type: 'int' }] }],
      ]);
    },
  );

  it.each([10_000, 200_000])(
    'keeps a body that is %d levels deep as it is, and the next entry',
    { tags: 'slow' },
    async (depth) => {
      const deep = '['.repeat(depth) + ']'.repeat(depth);
      const first = failed(400, 'https://api/buyers', { text: deep });
      const posted = { ...first, request: { ...first.request, postData: { text: deep } } };
      const { texts } = await read([file('deep.har', JSON.stringify(har(posted, all[0])))]);
      expect(texts).toHaveLength(2);
      expect(texts[0]?.endsWith(`,"response_body":${deep},"request_body":${deep}}`)).toBe(true);
    },
  );

  it('has the same IDs when it is read again, so that its entries count once', async () => {
    const path = file('again.har', JSON.stringify(har(...all)));
    expect(await read([path, path])).toMatchObject({ texts: { length: 4 }, duplicates: 4 });
  });

  it('is no error where no request failed, and odd ones are counted', async () => {
    const quiet = await read([file('quiet.har', JSON.stringify(har(request('GET', 'https://api/buyers'))))]);
    expect(quiet).toMatchObject({
      texts: [],
      warnings: [
        'info: DIR/quiet.har is an HTTP archive of 1 request: 0 entries read; left out: 1 did not fail.',
      ],
    });
    const odd = await read([file('odd.har', JSON.stringify(har(3, { request: {} }, ...all.slice(0, 1))))]);
    expect(odd.warnings).toEqual([
      'unreadable_entries: DIR/odd.har: 2 of 3 elements cannot be read (element 1, 2); element 1 is JSON, but not an object.',
      'info: DIR/odd.har is an HTTP archive of 1 request: 1 entry read.',
    ]);
    expect(
      await read([file('times.har', JSON.stringify(har({ ...all[0], startedDateTime: 'odd', time: 'x' })))]),
    ).toMatchObject({
      texts: [expect.not.stringContaining('response_sent_at')],
    });
  });
});

describe('a page of a list', () => {
  const items = [{ id: '1', response_body: 0 }];
  it.each([0, 2])('is warned of once where another page follows, with an indent of %d', async (indent) => {
    const page = (next_cursor: unknown) => JSON.stringify({ items, next_cursor, more: 'x' }, null, indent);
    const first = JSON.stringify({ next_cursor: 'c', items }, null, indent);
    for (const text of [page('c'), first, `${page('b')}\n${page('c')}`]) {
      expect((await read([file('page.json', text)])).warnings).toEqual([
        'list_cut: DIR/page.json is one page of a list: its next_cursor names another. Read all pages from the service: payctl api-logs list --all',
      ]);
    }
    for (const text of [page(null), page(''), page(1), `${page('c')}\n${page(null)}`]) {
      expect((await read([file('page.json', text)])).warnings).toEqual([]);
    }
  });
});

describe('JSON that is no log', () => {
  it.each([
    [{ openapi: '3.1.0', paths: {} }, 'is an OpenAPI document, not a log entry'],
    [{ swagger: '2.0' }, 'is an OpenAPI document, not a log entry'],
    [{ info: {}, item: [] }, 'is a Postman collection, not a log entry'],
    [{ $schema: 'https://json-schema.org/draft/2020-12/schema' }, 'is a JSON Schema, not a log entry'],
    [{ type: 'error', code: 'bad_request' }, 'is an error object of the service, not a log entry'],
    [{ kty: 'EC' }, 'is a JSON Web Key, not a log entry'],
    [{ keys: [{ kty: 'EC' }] }, 'is a JSON Web Key, not a log entry'],
    [
      { type: 'buyer', id: 'b' },
      'is an object without request_url, response_status_code and response_body (its type is "buyer")',
    ],
    [{ keys: [1] }, 'is an object without request_url, response_status_code and response_body'],
  ])('is refused by name: %j', async (value, problem) => {
    for (const [name, text, kind] of [
      ['line.json', JSON.stringify(value), 'line'],
      ['items.json', JSON.stringify({ items: [value] }), 'element'],
      ['pretty.json', JSON.stringify(value, null, 2), 'element'],
      ['list.json', JSON.stringify({ items: [value] }, null, 1), 'element'],
    ] as const) {
      const path = file(name, text);
      await expect(read([path])).rejects.toMatchObject({
        code: 'unreadable_log',
        message: `${path} contains no API log entries: ${kind} 1 ${problem}`,
        hint: 'A file must contain an array of entries, a document {"items": [...]}, one entry per line, or an HTTP archive (HAR).',
      });
    }
  });

  it('causes a warning that names it, next to files that can be read', async () => {
    const odd = file('openapi.json', '{"openapi":"3.1.0"}');
    const good = file('good.json', LINES);
    expect(await read([odd, good])).toMatchObject({
      texts: LINE_TEXTS,
      warnings: [
        'unreadable_entries: DIR/openapi.json contains no API log entries: line 1 is an OpenAPI document, not a log entry.',
      ],
    });
  });

  it.each([
    'request_url',
    'request_method',
    'request_received_at',
    'response_status_code',
    'response_body',
    'response_sent_at',
  ])('is not an entry with nothing but %s', async (member) => {
    expect(await read([file('member', JSON.stringify({ [member]: null }))])).toMatchObject({
      texts: { length: 1 },
    });
  });

  it('is not an entry of the type api-log', async () => {
    expect(await read([file('type', '{"type":"api-log"}')])).toMatchObject({ texts: { length: 1 } });
  });
});

it('a file of many entries is read in order, in batches', { tags: 'slow' }, async () => {
  const texts = Array.from({ length: 300 }, (_, index) => `{"id":"${index}","response_body":0}`);
  const path = file('many.ndjson', `${texts.join('\n')}\nx\n`);
  expect((await read([path])).texts).toEqual(texts);
  const five = await read([file('five', `${texts[0]}\n${'x\n'.repeat(5)}`)]);
  expect(five.warnings).toEqual([
    expect.stringContaining('5 of 6 lines cannot be read (line 2, 3, 4, 5, 6); line 2'),
  ]);
  const items = '{"items":[],"request_url":"https://h/buyers"}';
  expect((await read([file('items', items)])).texts).toEqual([items]);
  const long = file('long', `${texts[0]}\n"${'x'.repeat(17 * 1024 * 1024)}"\n`);
  expect((await read([long])).warnings).toEqual([expect.stringContaining('line 2 is longer than 16 MiB.')]);
});

it('standard input is named where it is no log, and what cannot be read is counted', async () => {
  await expect(read(['-'], 'x')).rejects.toMatchObject({
    message:
      'Standard input contains no API log entries: line 1 is not JSON: expected a value at column 1 instead of "x"',
  });
  expect(await read(['-'], `${LINES}x\ny\n`)).toMatchObject({ texts: LINE_TEXTS, unreadable: 2 });
});

it('standard input can be read once', async () => {
  await expect(read(['-', '-'])).rejects.toMatchObject({
    code: 'bad_flag',
    message: '--file - can be given once: standard input is read to its end',
  });
});
