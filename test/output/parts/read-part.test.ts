import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AbortedError } from '../../../src/errors.ts';
import type { PartReaderOptions } from '../../../src/output/format.ts';
import { PART_FORMATS, type PartFormat } from '../../../src/output/formats.ts';
import { DamagedPart } from '../../../src/output/parts/damaged-part.ts';
import type { TypedColumn } from '../../../src/output/typed-column.ts';
import { isNode22 } from '../../harness/node-22.ts';
import { propertyRuns } from '../../harness/property-runs.ts';
import { folderForAll } from '../../harness/temporary-folder.ts';
import { anyObject, columnsOfEachType } from './any-record.ts';
import { metadataOf, parquetOf, writePart } from './written-part.ts';

const FORMATS: readonly PartFormat[] = ['ndjson', 'csv', 'parquet'];

// A name with a dot is no path.
const columns = columnsOfEachType('a.b');

const directory = folderForAll();
const path = join(directory, 'part');

const compressions = fc.constantFrom<PartReaderOptions['compression'][]>('none', 'zstd', 'gzip');

async function readBytes(
  format: PartFormat,
  bytes: Uint8Array,
  options: PartReaderOptions,
): Promise<readonly string[]> {
  writeFileSync(path, bytes);
  const { readPart } = await PART_FORMATS[format]();
  return (await Array.fromAsync(readPart(path, options))).flat();
}

/** What is read of the records after they were written. */
async function again(
  format: PartFormat,
  texts: readonly string[],
  options: Partial<PartReaderOptions & { readonly raw: boolean }> = {},
): Promise<readonly string[]> {
  const all = { columns, compression: 'none', ...options } as const;
  return await readBytes(format, (await writePart(PART_FORMATS[format], [texts], all)).bytes, all);
}

describe('the records of a part', () => {
  const exact = [
    '{"id":"\\u0000 ü\\"\\n","int":-9223372036854775808,"long":-99999999999999999999999999999999999999,"double":0.1,"flag":false,"at":"2026-01-01T00:00:00.123456Z","day":"0001-01-02","a.b":{"c": [1.50]},"texts":["",null],"owner":{"name":"","limits":{"most":9007199254740993},"grid":[[],[1,2],null],"legs":[{"fare":-0,"tags":[]},null]}}',
    '{"id":"","int":0,"at":"1969-12-31T23:59:59.999Z","_deleted":true,"_synced_at":"2026-11-22T18:00:00.000Z"}',
    '{"id":"b","other":1}',
  ];

  it.each(FORMATS)('are the same in %s', async (format) => {
    expect(await again(format, exact)).toEqual(exact);
    expect(await again(format, [])).toEqual([]);
  });

  it.each(['csv', 'parquet'] as const)(
    'are made of the columns of %s, where the whole is not there',
    async (format) => {
      const texts = [
        '{"_synced_at":"2026-11-22T18:00:00+00:00","merchant_account_id":"eu","int":1e2, "id" : "a","at":null,"texts":[],"owner":{}}',
        '{}',
      ];
      const partition = { merchant_account_id: 'eu' };
      const rest =
        format === 'csv'
          ? '"_synced_at":"2026-11-22T18:00:00+00:00"'
          : '"owner":{},"_synced_at":"2026-11-22T18:00:00.000Z"';
      expect(await again(format, texts, { partition })).toEqual([
        `{"id":"a","int":100,"texts":[],${rest}}`,
        '{}',
      ]);
      expect(await again(format, texts, { partition, raw: true })).toEqual(texts);
    },
  );

  it.each(['csv', 'parquet'] as const)('make the same %s again', { tags: 'slow' }, async (format) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyObject(columns), { maxLength: 8 }),
        compressions,
        async (records, compression) => {
          const options = { columns, compression };
          const texts = records.map(({ text }) => text);
          const before = await writePart(PART_FORMATS[format], [texts], options);
          const read = await readBytes(format, before.bytes, options);
          expect(read.length).toBe(texts.length);
          for (const [row, { text, isHeld }] of records.entries())
            if (format === 'parquet' && !isHeld) expect(read[row]).toBe(text);
          expect(await writePart(PART_FORMATS[format], [read], options)).toEqual(before);
        },
      ),
      propertyRuns(2000, 15),
    );
  });

  it('are those of all pages and row groups of Parquet', { tags: 'slow' }, async () => {
    const long = (n: number) => `{"id":"${String(n).repeat(2 ** 14)}"}`;
    const options = { columns, compression: 'zstd' } as const;
    const lists = Array.from(
      { length: 600 },
      (_, n) => `{"id":"${n}","texts":[${'"a",null,'.repeat(n % 60)}"z"]}`,
    );
    const texts = [...lists, ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(long), ...lists];
    const divided = parquetOf({ page: 4_096, rows: 300, kept: 2 ** 20 });
    const { bytes } = await writePart(divided, [texts], options);
    expect(await readBytes('parquet', bytes, options)).toEqual(texts);
    expect(metadataOf({ bytes }).row_groups.length).toBeGreaterThan(2);
  });

  it('end where the reader is interrupted', async () => {
    const signal = AbortSignal.abort();
    for (const format of FORMATS)
      await expect(again(format, exact, { signal })).rejects.toThrow(AbortedError);
  });
});

describe('a damaged part', () => {
  const problemOf = async (
    format: PartFormat,
    bytes: Uint8Array | string,
    options: Partial<PartReaderOptions> = {},
  ) => {
    const error: unknown = await readBytes(format, Buffer.from(bytes), {
      columns,
      compression: 'none',
      ...options,
    }).catch((thrown: unknown) => thrown);
    return error instanceof DamagedPart ? error.message : error;
  };
  const header = 'id,n,_synced_at,_deleted,_raw\r\n';
  const two: readonly TypedColumn[] = [
    { name: 'id', type: 'text' },
    { name: 'n', type: 'int64' },
  ];

  it.each([
    ['no header', '', 'It has no header'],
    [
      'another header',
      'id,_synced_at,n,_deleted,_raw\r\n',
      'Its header does not have the names of the columns',
    ],
    ['a short row', `${header}a,1,,,\r\nb,2\r\n`, 'Row 2 does not have 5 cells'],
    ['a wrong value', `${header}a,1;2,,,\r\n`, 'Row 1 has a wrong value of n'],
    ['an open quotation mark', `${header}"a,1,,,\r\n`, 'Row 1 is not CSV'],
    ['another encoding', Buffer.from(`${header}\xe4,1,,,\r\n`, 'latin1'), 'It is not UTF-8'],
  ])('of CSV has %s', async (_, bytes, problem) => {
    expect(await problemOf('csv', bytes, { columns: two })).toBe(problem);
  });

  it('of Parquet has other columns', async () => {
    const { bytes } = await writePart(PART_FORMATS.parquet, [['{"id":"a"}']], { columns });
    expect(await problemOf('parquet', bytes, { columns: two })).toBe(
      'It does not have the columns of the manifest',
    );
    expect(await problemOf('parquet', '')).toBe('Its data is not Parquet as payctl writes it');
  });

  // `export verify` compares the size of a part first.
  it.skipIf(isNode22)('ends too early', async () => {
    const compression = 'zstd';
    const { bytes } = await writePart(PART_FORMATS.ndjson, [['{"id":"a"}']], { columns, compression });
    expect(await problemOf('ndjson', bytes.subarray(0, -2), { compression })).toBe(
      'Its compressed data is damaged: unexpected end of file',
    );
  });

  it('is not compressed as the manifest says', async () => {
    expect(await problemOf('ndjson', '{"id":"a"}\n', { compression: 'zstd' })).toBe(
      'Its compressed data is damaged: Unknown frame descriptor',
    );
  });

  it('is what the system cannot read, in words', async () => {
    mkdirSync(join(directory, 'folder'));
    for (const format of FORMATS) {
      const { readPart } = await PART_FORMATS[format]();
      const read = (name: string) =>
        Array.fromAsync(readPart(join(directory, name), { columns, compression: 'none' }));
      await expect(read('folder')).rejects.toMatchObject({ code: 'EISDIR' });
      await expect(read('missing')).rejects.toMatchObject({ code: 'ENOENT' });
    }
  });

  it.each(FORMATS)(
    'of %s gives records or one problem, whatever is in it',
    { tags: 'slow' },
    async (format) => {
      const damage = fc.record({ at: fc.nat(), bytes: fc.uint8Array({ maxLength: 4 }), cut: fc.nat(6) });
      await fc.assert(
        fc.asyncProperty(
          fc.array(anyObject(columns), { maxLength: 4 }),
          compressions,
          fc.array(damage, { minLength: 1, maxLength: 3 }),
          async (records, compression, damages) => {
            const texts = records.map(({ text }) => text);
            const options = { columns, compression };
            let { bytes }: { bytes: Uint8Array } = await writePart(PART_FORMATS[format], [texts], options);
            for (const { at, bytes: more, cut } of damages) {
              const from = at % (bytes.length + 1);
              bytes = Buffer.concat([bytes.subarray(0, from), more, bytes.subarray(from + cut)]);
            }
            const problem = await problemOf(format, bytes, options);
            expect(Array.isArray(problem) || typeof problem === 'string' || problem).toBe(true);
          },
        ),
        propertyRuns(5000, 30),
      );
    },
  );
});
