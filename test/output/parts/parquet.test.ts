import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PART_FORMATS } from '../../../src/output/formats.ts';
import { EncodedTexts } from '../../../src/output/parts/encoded-texts.ts';
import { propertyRuns } from '../../harness/property-runs.ts';
import { anyObject, columnsOfEachType } from './any-record.ts';
import { metadataOf, parquetOf, rowsOf, writePart } from './written-part.ts';

const { parquet } = PART_FORMATS;
/** The same, in small row groups and pages. */
const divided = parquetOf({ page: 4_096, rows: 6_144, kept: 3 * 2 ** 20 });

const columns = columnsOfEachType('any');

const noMarks = { _synced_at: null, _deleted: null };
const pagesOf = (texts: readonly string[]) => [texts.slice(0, 2), [], texts.slice(2)];

describe('a part in Parquet', () => {
  it('has every value that fits its column, and the whole record where one does not', {
    tags: 'slow',
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyObject(columns), { maxLength: 12 }),
        fc.constantFrom('none', 'zstd', 'gzip'),
        async (records, compression) => {
          const part = await writePart(parquet, pagesOf(records.map(({ text }) => text)), {
            columns,
            compression,
          });
          const expected = records.map(({ value, text, isHeld }) => ({
            ...Object(value),
            ...noMarks,
            _raw: isHeld ? null : text,
          }));
          expect(await rowsOf(part)).toEqual(expected);
        },
      ),
      propertyRuns(2000, 30),
    );
  });

  it('counts the values that do not fit, by column, and nulls none of the others', async () => {
    const part = await writePart(
      parquet,
      [
        [
          '{"id":1,"int":1.5}',
          '{"id":"b","int":"2","owner":{"limits":{"most":1e400},"legs":[{"fare":"3"}]}}',
        ],
      ],
      { columns },
    );
    expect(part.unfit).toEqual({ id: 1, int: 2, 'owner.limits.most': 1, 'owner.legs.fare': 1 });
    expect(await rowsOf(part)).toMatchObject([
      { id: null },
      { id: 'b', owner: { limits: { most: null }, legs: [{ fare: null }] } },
    ]);
  });

  it('has the whole record with --raw, and is an empty table without records', async () => {
    const [text] = ['{"id":"a"}'];
    expect(await rowsOf(await writePart(parquet, [[text]], { columns, raw: true }))).toMatchObject([
      { id: 'a', _raw: text },
    ]);
    const empty = await writePart(parquet, [], { columns });
    expect(await rowsOf(empty)).toEqual([]);
    expect(metadataOf(empty).num_rows).toBe(0n);
  });

  it('has what sync adds in columns of their own, in every part', async () => {
    const part = await writePart(
      parquet,
      [
        [
          '{"id":"a","_synced_at":"2026-11-22T18:00:00Z"}',
          '{"id":"b","_deleted":true,"_synced_at":"2026-11-22T18:00:01Z"}',
        ],
      ],
      { columns: [{ name: 'id', type: 'text' }] },
    );
    expect(await rowsOf(part)).toEqual([
      { id: 'a', _synced_at: 1_795_370_400_000_000n, _deleted: null, _raw: null },
      { id: 'b', _synced_at: 1_795_370_401_000_000n, _deleted: true, _raw: null },
    ]);
  });

  it('has no column for what its folder says, and keeps a record that says something else', async () => {
    const own = [
      { name: 'id', type: 'text' },
      { name: 'account', type: 'text' },
    ] as const;
    const texts = [
      '{"account":"eu","id":"a"}',
      '{"account":"us","id":"b"}',
      '{"account":null,"id":"c"}',
      '{"id":"d"}',
    ];
    const part = await writePart(parquet, [texts], { columns: own, partition: { account: 'eu' } });
    expect(await rowsOf(part)).toEqual([
      { id: 'a', ...noMarks, _raw: null },
      { id: 'b', ...noMarks, _raw: texts[1] },
      { id: 'c', ...noMarks, _raw: texts[2] },
      { id: 'd', ...noMarks, _raw: null },
    ]);
  });

  it('keeps a record that is no object, and one with a member of a reserved name', async () => {
    const texts = ['"text"', '[1]', '{"id":"a","_raw":"x"}', '{"id":"b"}'];
    const part = await writePart(parquet, [texts], {
      columns: [
        { name: 'id', type: 'text' },
        { name: '_RAW', type: 'text' },
      ],
    });
    expect(await rowsOf(part)).toEqual([
      { id: null, ...noMarks, _raw: texts[0] },
      { id: null, ...noMarks, _raw: texts[1] },
      { id: 'a', ...noMarks, _raw: texts[2] },
      { id: 'b', ...noMarks, _raw: null },
    ]);
  });

  it('has null for a masked value that is no text, which it does not count', async () => {
    const text = '{"id":"***","day":"***","int":"***","owner":"***","texts":["***"]}';
    const part = await writePart(parquet, [[text, '{"int":"**"}']], { columns, mask: '***' });
    const nulls = { day: null, int: null, owner: null };
    expect(await rowsOf(part)).toMatchObject([
      { id: '***', ...nulls, texts: ['***'], _raw: null },
      { id: null, ...nulls, _raw: '{"int":"**"}' },
    ]);
    expect(part.unfit).toEqual({ int: 1 });
  });

  it('divides many records into row groups and pages, with what is in them', { tags: 'slow' }, async () => {
    const own = [
      { name: 'id', type: 'text' },
      { name: 'n', type: 'int64' },
      { name: 'at', type: 'timestamp' },
    ] as const;
    const texts = Array.from({ length: 6_500 }, (_, n) => {
      const at = n % 3 === 0 ? 'null' : `"${new Date(n * 1000).toISOString()}"`;
      return `{"id":"${'x'.repeat(20)}${n}","n":${n},"at":${at}}`;
    });
    const pages = Array.from({ length: 65 }, (_, page) => texts.slice(page * 100, page * 100 + 100));
    const part = await writePart(divided, pages, { columns: own, compression: 'zstd' });
    const groups = metadataOf(part).row_groups;
    expect(groups.map(({ num_rows }) => num_rows)).toEqual([6_200n, 300n]);
    expect(
      groups.map(({ columns: [, count, at] }) => [
        count?.meta_data?.statistics,
        at?.meta_data?.statistics?.null_count,
      ]),
    ).toMatchObject([
      [{ min_value: 0n, max_value: 6_199n, null_count: 0n }, 2_067n],
      [{ min_value: 6_200n, max_value: 6_499n }, 100n],
    ]);
    const rows = await rowsOf(part);
    expect(rows.length).toBe(6_500);
    expect(
      rows.every(
        ({ id, n, at }, index) =>
          id === `${'x'.repeat(20)}${index}` &&
          n === BigInt(index) &&
          at === (index % 3 === 0 ? null : BigInt(index) * 1_000_000n),
      ),
    ).toBe(true);
  });

  it('ends a row group where large records would take too much memory', { tags: 'slow' }, async () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyz'];
    const texts = letters.map((letter) => `{"id":"${letter.repeat(2 ** 18)}"}`);
    const part = await writePart(divided, [texts], { columns: [{ name: 'id', type: 'text' }] });
    expect(metadataOf(part).row_groups.length).toBe(2);
    expect((await rowsOf(part)).map(({ id }) => [String(id).length, String(id)[0]])).toEqual(
      letters.map((letter) => [2 ** 18, letter]),
    );
  });

  it('says between what its values are, in the order of their bytes', async () => {
    const own = [
      { name: 'text', type: 'text' },
      { name: 'double', type: 'double' },
      { name: 'long', type: 'decimal' },
      { name: 'day', type: 'date' },
      { name: 'any', type: 'json' },
    ] as const;
    const texts = [
      '{"text":"\u{1f600}","double":0,"long":-5,"day":"1970-01-02","any":1}',
      '{"text":"\uff21","double":0.0,"long":99999999999999999999,"day":"1969-12-31"}',
      `{"text":"${'b'.repeat(40)}"}`,
    ];
    const [group] = metadataOf(await writePart(parquet, [texts], { columns: own })).row_groups;
    const bounds = group?.columns.map(({ meta_data }) => meta_data?.statistics).slice(0, 5);
    expect(bounds).toMatchObject([
      { min_value: 'b'.repeat(16), max_value: '\u{1f600}', is_min_value_exact: false, null_count: 0n },
      { min_value: -0, max_value: 0, null_count: 1n },
      { min_value: -5, max_value: 1e20 },
      { min_value: new Date('1969-12-31'), max_value: new Date('1970-01-02') },
      { null_count: 2n },
    ]);
    expect(bounds?.[4]?.min_value).toBeUndefined();
  });

  it('passes on that it could not be written', async () => {
    const { createPartWriter } = await parquet();
    const full = new Error('disk full');
    const writer = createPartWriter({
      columns,
      raw: false,
      compression: 'zstd',
      write: () => Promise.reject(full),
    });
    await expect(writer.add(new EncodedTexts().encode(['{"id":"a"}']))).rejects.toBe(full);
  });
});
