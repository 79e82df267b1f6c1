import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { columnsOfItems } from '../../../src/descriptions/item-columns.ts';
import { ownKnown } from '../../../src/features/api/known-description.ts';
import type { Compression } from '../../../src/output/format.ts';
import { PART_FORMATS, type PartFormat } from '../../../src/output/formats.ts';
import { type SqlResource, schemaSql } from '../../../src/output/parts/schema-sql.ts';
import type { ColumnType, TypedColumn } from '../../../src/output/typed-column.ts';
import { folderForTest } from '../../harness/temporary-folder.ts';
import { writePart } from './written-part.ts';

const python = process.env.PAYCTL_PYTHON ?? 'python3';
const script = join(import.meta.dirname, 'engines.py');

/** Whether the Python of this machine has the engines; `PAYCTL_PYTHON` names another one. */
function hasEngines(): boolean {
  try {
    execFileSync(python, ['-c', 'import duckdb, pyarrow.parquet'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function startEngines() {
  const env = { ...process.env, PYTHONIOENCODING: 'utf-8' };
  const child = spawn(python, [script], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  return { child, answers: createInterface(child.stdout)[Symbol.asyncIterator]() };
}

/** One process for all tests: loading the engines takes longer than most questions. */
let engines: ReturnType<typeof startEngines>;

async function ask(question: { readonly folder: string; readonly views: readonly string[] }) {
  engines.child.stdin.write(`${JSON.stringify(question)}\n`);
  const { value = '{"error":"the engines have ended"}' } = await engines.answers.next();
  const answer = JSON.parse(value);
  if (answer.error) throw new Error(answer.error);
  return answer;
}

type Seen = {
  readonly types: Readonly<Record<string, string>>;
  readonly rows: readonly Record<string, unknown>[];
  readonly pyarrow: readonly Record<string, unknown>[];
};

const columns: readonly TypedColumn[] = [
  { name: 'id', type: 'text' },
  { name: 'merchant_account_id', type: 'text' },
  { name: 'int', type: 'int64' },
  { name: 'long', type: 'decimal' },
  { name: 'double', type: 'double' },
  { name: 'flag', type: 'boolean' },
  { name: 'at', type: 'timestamp' },
  { name: 'day', type: 'date' },
  { name: 'any', type: 'json' },
  { name: `na"me-1's`, type: 'text' },
  {
    name: 'owner',
    type: {
      struct: [
        { name: 'name', type: 'text' },
        { name: 'most', type: 'int64' },
        { name: 'limits', type: { struct: [{ name: 'at', type: 'timestamp' }] } },
      ],
    },
  },
  { name: 'texts', type: { list: 'text' } },
  {
    name: 'legs',
    type: {
      list: {
        struct: [
          { name: 'fare', type: 'int64' },
          { name: 'tags', type: { list: 'text' } },
        ],
      },
    },
  },
];

const large = 'ü'.repeat(2 ** 19);
const texts = [
  `{"id":"1","int":9223372036854775807,"long":${'9'.repeat(38)},"double":1.7976931348623157e308,"flag":true,` +
    '"at":"2026-10-28T12:37:48.123456789+02:00","day":"2026-02-28","any":{"z":[1,null]},"na\\"me-1\'s":"q\\"uo,te\\r\\nline",' +
    '"owner":{"name":"\\u00e9\\ud83d\\ude00","most":-1,"limits":{"at":"1969-12-31T23:59:59.999999Z"}},"texts":["a","",null],' +
    '"legs":[{"fare":1,"tags":["t"]},{"fare":null,"tags":[]},null,{}]}',
  `{"id":"2","int":-9223372036854775808,"long":-${'9'.repeat(38)},"double":-0.0,"flag":false,"at":"0001-01-01T00:00:00Z",` +
    '"day":"0001-01-01","any":"text","na\\"me-1\'s":"","owner":{"name":null,"most":9007199254740993,"limits":null},"texts":[],"legs":[]}',
  '{"id":"3","int":9007199254740993,"long":9007199254740993,"double":5e-324,"flag":null,"at":"9999-12-31T23:59:59.999999Z",' +
    `"day":"9999-12-31","any":null,"na\\"me-1's":"${large}","owner":{"name":" =1+1\\u0000","limits":{"at":null}},"texts":null,"legs":null}`,
  '{"id":"4","owner":null}',
  '{"id":"5","int":1.5,"long":1e400,"double":1e400,"flag":"no","at":"soon","day":"2026-02-29","owner":{"most":0.1},"legs":[{"fare":2.5}]}',
];

const none = {
  int: null,
  long: null,
  double: null,
  flag: null,
  at: null,
  day: null,
  any: null,
  texts: null,
  legs: null,
};
const name = `na"me-1's`;
const rows = [
  {
    ...{
      id: '1',
      int: '9223372036854775807',
      long: '9'.repeat(38),
      double: '1.7976931348623157e+308',
      flag: true,
    },
    ...{ at: '2026-10-28T10:37:48.123456+00:00', day: '2026-02-28', any: '{"z":[1,null]}' },
    [name]: 'q"uo,te\r\nline',
    owner: { name: 'é\u{1f600}', most: '-1', limits: { at: '1969-12-31T23:59:59.999999+00:00' } },
    texts: ['a', '', null],
    legs: [{ fare: '1', tags: ['t'] }, { fare: null, tags: [] }, null, { fare: null, tags: null }],
  },
  {
    ...{ id: '2', int: '-9223372036854775808', long: `-${'9'.repeat(38)}`, double: '-0.0', flag: false },
    ...{ at: '0001-01-01T00:00:00+00:00', day: '0001-01-01', any: '"text"', [name]: '' },
    ...{ owner: { name: null, most: '9007199254740993', limits: null }, texts: [], legs: [] },
  },
  {
    ...{ ...none, id: '3', int: '9007199254740993', long: '9007199254740993', double: '5e-324' },
    ...{ at: '9999-12-31T23:59:59.999999+00:00', day: '9999-12-31', [name]: large },
    owner: { name: ' =1+1\u0000', most: null, limits: { at: null } },
  },
  { ...none, id: '4', [name]: null, owner: null },
  {
    ...{ ...none, id: '5', [name]: null },
    ...{ owner: { name: null, most: null, limits: null }, legs: [{ fare: null, tags: null }] },
  },
];

/** The same as CSV has it: the members of objects are columns, and lists are JSON. */
function flat({ owner, texts: list, legs, ...row }: (typeof rows)[number]) {
  return {
    ...row,
    ...{ 'owner.name': owner?.name ?? null, 'owner.most': owner?.most ?? null },
    'owner.limits.at': owner?.limits?.at ?? null,
    ...{ texts: list && expect.anything(), legs: legs && expect.anything() },
  };
}

/** A resource of a copy: its records by the names of their files, without the ending. */
type Written = Pick<SqlResource, 'name' | 'columns' | 'id'> & {
  readonly parts: Readonly<Record<string, readonly string[]>>;
};

/** Writes a copy, and asks the engines what they see of each resource. */
async function seeAll(
  format: PartFormat,
  compression: Compression,
  written: readonly Written[],
): Promise<Readonly<Record<string, Seen>>> {
  const folder = folderForTest();
  const load = PART_FORMATS[format];
  const ending = (await load()).ending(compression);
  for (const { name, columns: own, id, parts } of written) {
    for (const [file, records] of Object.entries(parts)) {
      const account = /merchant_account_id=(\w+)/.exec(file)?.[1] ?? '';
      const options = { columns: own, id, compression, partition: { merchant_account_id: account } };
      const path = join(folder, name, `${file}${ending}`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, (await writePart(load, [records], options)).bytes);
    }
  }
  const partition = ['merchant_account_id'];
  const sql = schemaSql(
    written.map(({ name, columns: own, id }) => ({ name, partition, columns: own, id, format, ending })),
  );
  writeFileSync(join(folder, 'schema.sql'), sql);
  return await ask({ folder, views: written.map(({ name }) => name) });
}

async function see(
  format: PartFormat,
  compression: Compression,
  parts: Written['parts'],
  { name = 'my-list', id = 'id' }: Partial<Pick<Written, 'name' | 'id'>> = {},
): Promise<Seen> {
  const { [name]: seen } = await seeAll(format, compression, [{ name, columns, id, parts }]);
  if (!seen) throw new Error(`nothing is known about ${name}`);
  return seen;
}

/** JSON text of a value of a type, with every member and one element. */
function sampleOf(type: ColumnType): string {
  if (typeof type === 'string') return SAMPLES[type];
  if ('list' in type) return `[${sampleOf(type.list)}]`;
  return `{${type.struct.map((member) => `${JSON.stringify(member.name)}:${sampleOf(member.type)}`).join(',')}}`;
}

const SAMPLES: Readonly<Record<Extract<ColumnType, string>, string>> = {
  int64: '9223372036854775807',
  decimal: '9'.repeat(38),
  double: '0.1',
  boolean: 'false',
  text: '"é"',
  timestamp: '"2026-10-28T12:37:48.123456+02:00"',
  date: '"2026-02-28"',
  json: '{"a":[1]}',
};

const part = 'merchant_account_id=eu/part-000001';
const added = { _synced_at: null, merchant_account_id: 'eu' };
const raw = texts.map((text, index) => (index === 4 ? text : null));

describe.skipIf(!hasEngines())('DuckDB and pyarrow, where Python has them,', () => {
  beforeAll(() => {
    engines = startEngines();
  });
  afterAll(() => engines.child.kill());

  it.each(['zstd', 'gzip', 'none'] as const)('read every value of Parquet with %s', async (compression) => {
    const { types, rows: seen, pyarrow } = await see('parquet', compression, { [part]: texts });
    expect(types).toMatchObject({
      ...{
        int: 'BIGINT',
        long: 'DECIMAL(38,0)',
        at: 'TIMESTAMP WITH TIME ZONE',
        day: 'DATE',
        any: 'VARCHAR',
      },
      legs: 'STRUCT(fare BIGINT, tags VARCHAR[])[]',
    });
    expect(seen).toEqual(rows.map((row, index) => ({ ...row, ...added, _raw: raw[index] })));
    expect(pyarrow).toEqual(
      rows.map((row, index) => ({ ...row, _synced_at: null, _deleted: null, _raw: raw[index] })),
    );
  });

  it.each(['zstd', 'none'] as const)('read every value of CSV with %s', async (compression) => {
    const { rows: seen } = await see('csv', compression, { [part]: texts });
    expect(seen).toEqual(rows.map((row, index) => ({ ...flat(row), ...added, _raw: raw[index] })));
  });

  it.each(['zstd', 'gzip'] as const)('read every value of lines of JSON with %s', async (compression) => {
    const { types, rows: seen } = await see('ndjson', compression, { [part]: texts });
    expect(types.legs).toBe('STRUCT(fare BIGINT, tags VARCHAR[])[]');
    expect(seen).toEqual(rows.map((row) => ({ ...row, ...added })));
  });

  const before = '{"id":"a","int":1}';
  const sync = (members: string, hour: number) => `{${members},"_synced_at":"2026-11-22T${hour}:00:00Z"}`;

  it.each(['parquet', 'csv', 'ndjson'] as const)(
    'see the latest version of each record of %s',
    async (format) => {
      const { rows: seen } = await see(format, 'zstd', {
        [part]: [before, '{"id":"b"}', '{"id":"c"}', '{"id":"d"}'],
        'merchant_account_id=us/part-000001': [before],
        'merchant_account_id=eu/sync-20261122T1800Z-000001': [
          sync('"id":"a","int":2', 18),
          sync('"id":"b","_deleted":true', 18),
          sync('"id":"c","_deleted":true', 18),
          sync('"id":"new"', 18),
        ],
        'merchant_account_id=eu/sync-20261122T1900Z-000001': [
          sync('"id":"a","int":3', 19),
          sync('"id":"c","int":4', 19),
        ],
      });
      const shown = seen.map((row) => [row.merchant_account_id, row.id, row.int]);
      expect(shown.toSorted()).toEqual([
        ['eu', 'a', '3'],
        ['eu', 'c', '4'],
        ['eu', 'd', null],
        ['eu', 'new', null],
        ['us', 'a', '1'],
      ]);
    },
  );

  it.each(['parquet', 'csv', 'ndjson'] as const)(
    'see every record of %s with a line end in a name',
    async (format) => {
      const own: readonly TypedColumn[] = [
        { name: 'id', type: 'text' },
        { name: 'a\nb', type: 'text' },
      ];
      const parts = { [part]: ['{"id":"1","a\\nb":"x\\ny"}', '{"id":"2"}'] };
      const { list } = await seeAll(format, 'none', [{ name: 'list', columns: own, id: 'id', parts }]);
      expect(list?.rows.map((row) => [row.id, row['a\nb']])).toEqual([
        ['1', 'x\ny'],
        ['2', null],
      ]);
    },
  );

  it.each(['parquet', 'csv'] as const)(
    'see the latest version of each record of %s where a text is no Unicode',
    async (format) => {
      const parts = {
        [part]: ['{"id":"1","n":"\\ud800"}', '{"id":"2","n":"a"}', '{"id":"\\ud800"}'],
        'merchant_account_id=eu/sync-20261122T1800Z-000001': [
          sync('"id":"1","n":"b"', 18),
          sync('"id":"2","n":"\\udc00"', 18),
        ],
      };
      for (const type of ['text', 'json'] as const) {
        const own: readonly TypedColumn[] = [
          { name: 'id', type },
          { name: 'n', type: 'text' },
        ];
        const { list } = await seeAll(format, 'none', [{ name: 'list', columns: own, id: 'id', parts }]);
        expect(list?.rows.map(({ n }) => n)).toEqual(expect.arrayContaining([null, 'b', null]));
        expect(list?.rows.length).toBe(3);
      }
    },
  );

  it('see every record of a list without IDs, below any name', async () => {
    const { rows: seen } = await see(
      'ndjson',
      'none',
      { [part]: [before, before] },
      { name: `it's "n"`, id: 'uid' },
    );
    expect(seen.map(({ id }) => id)).toEqual(['a', 'a']);
  });

  const ids: [what: string, id: string, columns: readonly TypedColumn[], write: (id: string) => string][] = [
    [
      'are in objects',
      'meta.uid',
      [{ name: 'meta', type: { struct: [{ name: 'uid', type: 'text' }] } }],
      (id) => `"meta":{"uid":"${id}"}`,
    ],
    [
      'are in objects of any kind',
      'meta.uid',
      [{ name: 'meta', type: 'json' }],
      (id) => `"meta":{"uid":"${id}"}`,
    ],
    [
      'are in objects of any kind in objects',
      'meta.more.uid',
      [{ name: 'meta', type: { struct: [{ name: 'more', type: 'json' }] } }],
      (id) => `"meta":{"more":{"uid":"${id}"}}`,
    ],
    ['are texts or numbers', 'uid', [{ name: 'uid', type: 'json' }], (id) => `"uid":"${id}"`],
    ['are in objects without a column', 'meta.a b', [], (id) => `"meta":{"a b":"${id}"}`],
    ['have no column', 'uid', [], (id) => `"uid":"${id}"`],
    ['do not fit the type of their column', 'uid', [{ name: 'uid', type: 'int64' }], (id) => `"uid":"${id}"`],
    [
      'are numbers where texts are described',
      'uid',
      [{ name: 'uid', type: 'text' }],
      (id) => `"uid":${id.charCodeAt(0)}`,
    ],
    [
      'are integers that no double holds',
      'uid',
      [{ name: 'uid', type: 'double' }],
      (id) => `"uid":90071992547409${id.charCodeAt(0) - 8}`,
    ],
  ];

  it.each(
    (['parquet', 'csv', 'ndjson'] as const).flatMap((format) => ids.map((one) => [format, ...one] as const)),
  )('see the latest version of each record of %s whose IDs %s', async (format, _, id, own, write) => {
    const all = [...own, { name: 'n', type: 'int64' } as const];
    const { list } = await seeAll(format, 'none', [
      {
        ...{ name: 'list', columns: all, id },
        parts: {
          [part]: ['a', 'b', 'c', 'd'].map((one) => `{${write(one)},"n":1}`),
          'merchant_account_id=eu/sync-20261122T1800Z-000001': [
            // The whole record is stored as well.
            sync(`${write('b')},"n":2,"more":1`, 18),
            sync(`${write('c')},"_deleted":true`, 18),
          ],
        },
      },
    ]);
    expect(list?.rows.map(({ n }) => n).toSorted()).toEqual(['1', '1', '2']);
  });

  it.each(
    (['parquet', 'csv', 'ndjson'] as const).flatMap((format) =>
      (['int64', 'decimal', 'double'] as const).map((type) => [format, type] as const),
    ),
  )(
    'see records of %s whose IDs of %s are the same number in other digits as different ones',
    async (format, type) => {
      const all: readonly TypedColumn[] = [
        { name: 'uid', type },
        { name: 'n', type: 'int64' },
      ];
      const { list } = await seeAll(format, 'none', [
        {
          ...{ name: 'list', columns: all, id: 'uid' },
          parts: {
            [part]: ['1', '1.0', '2', '2.0', '3', '3.0'].map((id) => `{"uid":${id},"n":1}`),
            'merchant_account_id=eu/sync-20261122T1800Z-000001': [
              sync('"uid":1,"n":2', 18),
              sync('"uid":2.0,"n":2', 18),
              sync('"uid":3.0,"_deleted":true', 18),
            ],
          },
        },
      ]);
      expect(list?.rows.map(({ uid, n }) => `${Number(uid)} ${n}`).toSorted()).toEqual([
        ...['1 1', '1 2', '2 1', '2 2', '3 1'],
      ]);
    },
  );

  it.each(['parquet', 'csv', 'ndjson'] as const)(
    'see records of %s that a service calls deleted, as no sync has written them',
    async (format) => {
      const { rows: seen } = await see(format, 'none', { [part]: ['{"id":"a","_deleted":true}', before] });
      expect(seen.map(({ id }) => id)).toEqual(['a', 'a']);
    },
  );

  it.each(['parquet', 'csv', 'ndjson'] as const)(
    'take the same values of %s for those of a type',
    async (format) => {
      const written = [
        '"int":1000.0,"long":1e3,"double":1e3,"at":"2026-01-01T00:00:00","day":"2026-01-01"',
        '"int":1.5e3,"double":9007199254740993,"at":"epoch","day":"epoch"',
        '"int":"5","long":"5","double":"5","at":"infinity","day":"2026-01-01T00:00:00Z"',
        '"int":9007199254740993.5,"double":9007199254740992,"at":"2026-01-01t00:00:00Z"',
      ].map((members, at) => `{"id":"${at}",${members}}`);
      const { rows: seen } = await see(format, 'none', { [part]: written });
      expect(seen.map(({ int, long, double, at, day }) => [int, long, double, at, day])).toEqual([
        ['1000', '1000', '1000.0', null, '2026-01-01'],
        ['1500', null, null, null, null],
        [null, null, null, null, null],
        [null, null, '9007199254740992.0', null, null],
      ]);
    },
  );

  it('read every field of every list of the contract', async () => {
    const known = await ownKnown();
    const lists = known.index.operations.filter(({ isList }) => isList);
    const written = lists.map((list) => {
      const own = columnsOfItems(known.operation(list));
      const text = sampleOf({ struct: own.filter((column) => column.name !== 'merchant_account_id') });
      return { name: list.command.replaceAll(' ', '-'), columns: own, id: 'id', parts: { [part]: [text] } };
    });
    const [parquet, ndjson] = [
      await seeAll('parquet', 'zstd', written),
      await seeAll('ndjson', 'zstd', written),
    ];
    for (const { name: list, columns: own } of written) {
      const { rows: [row = {}] = [], types } = parquet[list] ?? {};
      const { _raw: whole, ...record } = row;
      expect(whole).toBeNull();
      expect(JSON.stringify({ ...record, _synced_at: '' })).not.toContain('null');
      expect(ndjson[list]?.rows).toEqual([record]);
      const asText = Object.entries(ndjson[list]?.types ?? {}).map(([column, type]) => [
        column,
        type.replaceAll('JSON', 'VARCHAR'),
      ]);
      expect({ ...Object.fromEntries(asText), _raw: 'VARCHAR' }).toEqual(types);
      expect(Object.keys(record)).toEqual(expect.arrayContaining(own.map((column) => column.name)));
    }
  });

  it('report a damaged line instead of leaving it out', async () => {
    await expect(see('ndjson', 'none', { [part]: [before, '{"id":"b'] })).rejects.toThrow('Malformed JSON');
  });
});
