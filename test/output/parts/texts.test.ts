import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PART_FORMATS, type PartFormat } from '../../../src/output/formats.ts';
import { EncodedTexts } from '../../../src/output/parts/encoded-texts.ts';
import type { TypedColumn } from '../../../src/output/typed-column.ts';
import { propertyRuns } from '../../harness/property-runs.ts';
import { anyObject } from './any-record.ts';
import { writePart } from './written-part.ts';

const columns: readonly TypedColumn[] = [
  { name: 'id', type: 'text' },
  { name: 'n', type: 'int64' },
  { name: 'x', type: 'double' },
  { name: 'at', type: 'timestamp' },
  { name: 'a.b', type: 'json' },
  {
    name: 'owner',
    type: {
      struct: [
        { name: 'flag', type: 'boolean' },
        { name: 'day', type: 'date' },
      ],
    },
  },
  { name: 'list', type: { list: 'decimal' } },
];

const textOf = async (format: PartFormat, texts: readonly string[], options: object = {}) =>
  (await writePart(PART_FORMATS[format], [texts], { columns, ...options })).bytes.toString();

describe('a part of lines of JSON', () => {
  it('has each record as it was sent, on one line', async () => {
    const texts = ['{"id":"a", "n":1.50}', '{\n  "id": "b c",\r\n  "t": "\\n"\n}', '{"id":"ü\u2028"}', '5'];
    expect(await textOf('ndjson', texts)).toBe(
      '{"id":"a", "n":1.50}\n{"id":"b c","t":"\\n"}\n{"id":"ü\u2028"}\n5\n',
    );
    expect(await textOf('ndjson', [])).toBe('');
  });
});

describe('a part in CSV', () => {
  const header = 'id,n,x,at,a\\.b,owner.flag,owner.day,list,_synced_at,_deleted,_raw\r\n';

  it('has the exact values below dotted paths, and tells an empty text from none', async () => {
    const texts = [
      '{"id":"=1+1","n":9223372036854775807,"x":0.10,"at":"2026-01-01T00:00:00.123456789+01:00","a.b":{"c": 1.0},"owner":{"flag":true,"day":"2026-02-28"},"list":[1, 2]}',
      '{"id":"","n":1e2,"owner":null,"list":null}',
      '{"id":" a,\\"b\\"\\r\\n","n":-0}',
      '{"id":"b","_deleted":true,"_synced_at":"2026-11-22T18:00:00Z"}',
    ];
    expect(await textOf('csv', texts)).toBe(
      `${header}=1+1,9223372036854775807,0.10,2026-01-01T00:00:00.123456789+01:00,"{""c"": 1.0}",true,2026-02-28,"[1, 2]",,,\r\n` +
        '"",100,,,,,,,,,\r\n" a,""b""\r\n",0,,,,,,,,,\r\nb,,,,,,,,2026-11-22T18:00:00Z,true,\r\n',
    );
    expect(await textOf('csv', [])).toBe(header);
  });

  it('has the whole record where a value does not fit or has no column', async () => {
    const texts = ['{"id":5,"n":"1","owner":{"flag":"yes"}}', '{"more":1}'];
    const part = await writePart(PART_FORMATS.csv, [texts], { columns });
    expect(part.bytes.toString()).toBe(
      `${header},,,,,,,,,,"{""id"":5,""n"":""1"",""owner"":{""flag"":""yes""}}"\r\n,,,,,,,,,,"{""more"":1}"\r\n`,
    );
    expect(part.unfit).toEqual({ id: 1, n: 1, 'owner.flag': 1 });
    expect(await textOf('csv', ['{"id":"a"}'], { raw: true })).toBe(
      `${header}a,,,,,,,,,,"{""id"":""a""}"\r\n`,
    );
  });

  it('agrees with Parquet about what fits', { tags: 'slow' }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyObject(columns.slice(0, 6)), { maxLength: 10 }), async (records) => {
        const texts = records.map(({ text }) => text);
        const [csv, parquet] = [PART_FORMATS.csv, PART_FORMATS.parquet];
        const options = { columns: columns.slice(0, 6) };
        expect((await writePart(csv, [texts], options)).unfit).toEqual(
          (await writePart(parquet, [texts], options)).unfit,
        );
      }),
      propertyRuns(1000),
    );
  });
});

describe('the text of a part', () => {
  const texts = Array.from({ length: 20_000 }, (_, n) => `{"id":"${n}","n":${n}}`);
  const pages = Array.from({ length: 200 }, (_, page) => texts.slice(page * 100, page * 100 + 100));

  it.each([
    ['zstd', '.ndjson.zst', zstdDecompressSync],
    ['gzip', '.ndjson.gz', gunzipSync],
    ['none', '.ndjson', (bytes: Buffer) => bytes],
  ] as const)('is compressed with %s', async (compression, ending, decompress) => {
    const part = await writePart(PART_FORMATS.ndjson, pages, { columns, compression });
    expect(decompress(part.bytes).toString()).toBe(`${texts.join('\n')}\n`);
    expect((await PART_FORMATS.ndjson()).ending(compression)).toBe(ending);
  });

  it('has lines of any length, without a cut in a character', async () => {
    const long = [0, 1].map((more) => `"${'a'.repeat(more)}${'😀'.repeat(400_000)}"`);
    const part = await writePart(PART_FORMATS.ndjson, [long, texts, long], { columns });
    expect(part.bytes.equals(Buffer.from(`${[...long, ...texts, ...long].join('\n')}\n`))).toBe(true);
  });

  it('waits for the disk, and passes on that it is full', async () => {
    const { createPartWriter } = await PART_FORMATS.ndjson();
    const full = new Error('disk full');
    const texts = Array.from({ length: 100 }, (_, n) =>
      JSON.stringify({
        id: Buffer.from(String(n ** 9))
          .toString('base64')
          .repeat(3000),
      }),
    );
    const random = new EncodedTexts().encode(texts);
    let isWriting = false;
    const write = async () => {
      expect(isWriting).toBe(false);
      isWriting = true;
      await new Promise((resolve) => setImmediate(resolve));
      isWriting = false;
    };
    const good = createPartWriter({ columns, raw: false, compression: 'zstd', write });
    await good.add(random);
    await good.end();
    const bad = createPartWriter({
      columns,
      raw: false,
      compression: 'zstd',
      write: () => Promise.reject(full),
    });
    await expect(
      bad
        .add(random)
        .then(() => bad.add(random))
        .then(() => bad.end()),
    ).rejects.toBe(full);
  });
});
