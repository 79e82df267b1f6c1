import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Manifest, readManifest } from '../../../src/features/export/manifest.ts';
import { verifyCopy } from '../../../src/features/export/verify.ts';
import { PART_FORMATS } from '../../../src/output/formats.ts';
import { folderForAll, folderForTest } from '../../harness/temporary-folder.ts';
import { writePart } from '../../output/parts/written-part.ts';
import { editText, listOf, StoredCopy } from './stored-copy.ts';

const { signal } = new AbortController();

const EU = 'things/merchant_account_id=eu';
const FIRST = `${EU}/part-000001.ndjson`;
const record = (id: string) => `{"id":"${id}","n":1,"updated_at":"2026-01-01T00:00:00Z"}`;

type Settings = ConstructorParameters<typeof StoredCopy>[1];
type ClosedCopy = Pick<StoredCopy, 'directory' | 'edit'>;

/** By their settings: the copies that those of tests are made of. */
const made = new Map<string, Promise<string>>();
const originals = folderForAll();

/** A copy of the things of two accounts, of which the first was synced; its parts have two records each. */
async function makeCopy(settings: Settings = {}): Promise<ClosedCopy> {
  const key = JSON.stringify(settings);
  const original = made.get(key) ?? makeOriginal(join(originals, String(made.size)), settings);
  made.set(key, original);
  const directory = folderForTest();
  cpSync(await original, directory, { recursive: true });
  return { directory, edit: (change) => editText(join(directory, 'manifest.json'), change) };
}

async function makeOriginal(directory: string, settings: Settings): Promise<string> {
  mkdirSync(directory);
  const copy = new StoredCopy(directory, { lists: [listOf('eu'), listOf('us')], ...settings });
  await copy.read(['a', 'b', 'c', 'd'].map(record));
  await copy.read(['a', 'b', 'c'].map(record).with(0, '{"id":"a"}'));
  await copy.read(['a', 'b'].map(record), 1);
  await copy.finish();
  copy.state.close();
  return directory;
}

/** What `verify` says about the copy: a line for each problem. */
async function problemsIn({ directory }: Pick<StoredCopy, 'directory'>): Promise<readonly string[]> {
  const { damage } = await verifyCopy(directory, { signal, version: '1.2.3', onPart() {} });
  return damage.map(({ file, problem }) => `${file}: ${problem}`);
}

const hashOfBytes = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Puts other bytes in the place of the first part, which the manifest then names. */
function replaceFirst(copy: ClosedCopy, bytes: Buffer | string, rows = 2): void {
  const content = Buffer.from(bytes);
  writeFileSync(join(copy.directory, FIRST), content);
  editManifest(copy, ({ lists: [list] }) => {
    const [part] = list?.parts ?? [];
    Object.assign(part ?? {}, { bytes: content.length, sha256: hashOfBytes(content), rows });
    if (list) Object.assign(list, { rows: list.parts.reduce((sum, one) => sum + one.rows, 0) });
  });
}

function editManifest(copy: ClosedCopy, change: (manifest: Manifest) => void): void {
  copy.edit((text) => {
    const manifest: Manifest = JSON.parse(text);
    change(manifest);
    return JSON.stringify(manifest);
  });
}

const unknown = (path: string, what = 'file') =>
  `${path}: The manifest does not name this ${what}, and an engine would read it.`;

/** What happens to a copy, and what is then said about it. */
type DamagedBy = {
  readonly what: string;
  readonly damage: (directory: string) => void;
  readonly problems: readonly string[];
};

describe('a copy', () => {
  it.each(['ndjson', 'csv', 'parquet'] as const)(
    'of %s is whole, also next to files that no engine reads',
    async (format) => {
      const copy = await makeCopy({ format, compression: 'zstd' });
      writeFileSync(join(copy.directory, EU, '.part-000009.ndjson.zst.tmp'), '');
      writeFileSync(join(copy.directory, EU, '.DS_Store'), '');
      writeFileSync(join(copy.directory, 'notes.txt'), '');
      mkdirSync(join(copy.directory, 'things/merchant_account_id=empty'));
      mkdirSync(join(copy.directory, 'models'));
      writeFileSync(join(copy.directory, 'models/things.sql'), '');
      expect(await problemsIn(copy)).toEqual([]);
    },
  );

  it.each(['ndjson', 'csv', 'parquet'] as const)(
    'of %s is whole where IDs are the same number in other digits',
    async (format) => {
      const directory = folderForTest();
      const { schema, ...list } = listOf('eu');
      const lists = [{ ...list, schema: schema.with(0, { name: 'id', type: 'int64' }) }];
      using copy = new StoredCopy(directory, { format, lists });
      const records = ['1', '1.0', '1e0', '-0', '0'].map((id) => `{"id":${id}}`);
      await copy.read(records);
      await copy.finish();
      expect(await problemsIn(copy)).toEqual([]);
      expect(await copy.read(records.slice(1))).toBe(1);
      await copy.finish();
      expect(await problemsIn(copy)).toEqual([]);
    },
  );

  const damages: readonly DamagedBy[] = [
    {
      what: 'a flipped byte',
      damage: (directory) => {
        const bytes = readFileSync(join(directory, FIRST));
        bytes[9] = 0x62;
        writeFileSync(join(directory, FIRST), bytes);
      },
      problems: [`${FIRST}: It has changed: its SHA-256 differs.`],
    },
    {
      what: 'a part that is cut',
      damage: (directory) => truncateSync(join(directory, FIRST), 9),
      problems: [`${FIRST}: It has 9 bytes, not 106.`],
    },
    {
      what: 'an empty part',
      damage: (directory) => truncateSync(join(directory, FIRST)),
      problems: [`${FIRST}: It has 0 bytes, not 106.`],
    },
    {
      what: 'a part that has grown',
      damage: (directory) => appendFileSync(join(directory, FIRST), '{}\n'),
      problems: [`${FIRST}: It has 109 bytes, not 106.`],
    },
    {
      what: 'a missing part',
      damage: (directory) => rmSync(join(directory, FIRST)),
      problems: [`${FIRST}: It cannot be read: no such file or directory.`],
    },
    {
      what: 'a part with another name',
      damage: (directory) => renameSync(join(directory, FIRST), join(directory, EU, 'x.ndjson')),
      problems: [unknown(`${EU}/x.ndjson`), `${FIRST}: It cannot be read: no such file or directory.`],
    },
    {
      what: 'a copy of a part, and one that is hidden',
      damage: (directory) => {
        copyFileSync(join(directory, FIRST), join(directory, EU, 'part-000009.ndjson'));
        copyFileSync(join(directory, FIRST), join(directory, EU, '._part.ndjson'));
      },
      problems: [unknown(`${EU}/._part.ndjson`), unknown(`${EU}/part-000009.ndjson`)],
    },
    {
      what: 'two parts in each other’s place',
      damage: (directory) => {
        renameSync(join(directory, FIRST), join(directory, 'x'));
        renameSync(join(directory, EU, 'part-000002.ndjson'), join(directory, FIRST));
        renameSync(join(directory, 'x'), join(directory, EU, 'part-000002.ndjson'));
      },
      problems: [
        `${FIRST}: It has changed: its SHA-256 differs.`,
        `${EU}/part-000002.ndjson: It has changed: its SHA-256 differs.`,
      ],
    },
    {
      what: 'another merchant account',
      damage: (directory) => {
        mkdirSync(join(directory, 'things/merchant_account_id=x'));
        copyFileSync(
          join(directory, FIRST),
          join(directory, 'things/merchant_account_id=x/part-000001.ndjson'),
        );
      },
      problems: [unknown('things/merchant_account_id=x', 'folder')],
    },
    {
      what: 'a file next to the merchant accounts',
      damage: (directory) => writeFileSync(join(directory, 'things/more.ndjson'), ''),
      problems: [unknown('things/more.ndjson')],
    },
    {
      what: 'a folder in that of a merchant account',
      damage: (directory) => {
        mkdirSync(join(directory, EU, 'old'));
        copyFileSync(join(directory, FIRST), join(directory, EU, 'old/a.ndjson'));
      },
      problems: [unknown(`${EU}/old`, 'folder')],
    },
    {
      what: 'another resource',
      damage: (directory) => {
        mkdirSync(join(directory, 'others/merchant_account_id=eu'), { recursive: true });
        copyFileSync(
          join(directory, FIRST),
          join(directory, 'others/merchant_account_id=eu/part-000001.ndjson'),
        );
      },
      problems: [unknown('others', 'folder')],
    },
    {
      what: 'no folder of a merchant account',
      damage: (directory) => rmSync(join(directory, 'things/merchant_account_id=us'), { recursive: true }),
      problems: [
        'things/merchant_account_id=us/part-000001.ndjson: It cannot be read: no such file or directory.',
      ],
    },
    {
      what: 'a folder in the place of a part',
      damage: (directory) => {
        rmSync(join(directory, FIRST));
        mkdirSync(join(directory, FIRST));
      },
      problems: [`${FIRST}: It is not a regular file.`],
    },
    {
      what: 'a symbolic link in the place of a folder',
      damage: (directory) => {
        renameSync(join(directory, EU), join(directory, 'elsewhere'));
        symlinkSync('../elsewhere', join(directory, EU));
      },
      problems: [unknown('elsewhere', 'folder'), `${EU}: It is a symbolic link, which a sync refuses.`],
    },
    {
      what: 'a symbolic link in the place of the folder of a resource',
      damage: (directory) => {
        renameSync(join(directory, 'things'), join(directory, 'elsewhere.d'));
        symlinkSync('elsewhere.d', join(directory, 'things'));
      },
      problems: [
        unknown('elsewhere.d', 'folder'),
        ...['eu', 'us'].map(
          (account) => `things/merchant_account_id=${account}: It is a symbolic link, which a sync refuses.`,
        ),
      ],
    },
    {
      what: 'no views',
      damage: (directory) => rmSync(join(directory, 'schema.sql')),
      problems: ['schema.sql: It is missing, or cannot be read.'],
    },
    {
      what: 'other views',
      damage: (directory) => appendFileSync(join(directory, 'schema.sql'), ' '),
      problems: ['schema.sql: It is not as payctl writes it.'],
    },
    {
      what: 'a symbolic link in the place of a part',
      damage: (directory) => {
        renameSync(join(directory, FIRST), join(directory, 'x'));
        symlinkSync('../../x', join(directory, FIRST));
      },
      problems: [`${FIRST}: It is not a regular file.`],
    },
  ];

  it.each(damages)('is damaged by $what', async ({ damage, problems }) => {
    const copy = await makeCopy();
    damage(copy.directory);
    expect(await problemsIn(copy)).toEqual(problems);
  });

  it('may have the views of another version', async () => {
    const copy = await makeCopy();
    appendFileSync(join(copy.directory, 'schema.sql'), ' ');
    const { damage } = await verifyCopy(copy.directory, { signal, version: '1.2.4', onPart() {} });
    expect(damage).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('is damaged by a pipe in the place of a part', async () => {
    const copy = await makeCopy();
    rmSync(join(copy.directory, FIRST));
    execFileSync('mkfifo', [join(copy.directory, FIRST)]);
    expect(await problemsIn(copy)).toEqual([`${FIRST}: It is not a regular file.`]);
  });

  it('is damaged by a manifest that names other rows, hashes and types', async () => {
    const copy = await makeCopy();
    editManifest(copy, ({ lists: [eu, us] }) => {
      Object.assign(eu?.parts[0] ?? {}, { rows: 3 });
      Object.assign(eu?.parts[1] ?? {}, { sha256: 'x' });
      Object.assign(us?.schema[0] ?? {}, { type: 'json' });
    });
    const problems = [
      `manifest.json: The files of ${EU} have 7 rows in all, not 6.`,
      `${FIRST}: It has 2 rows, not 3.`,
      `${EU}/part-000002.ndjson: It has changed: its SHA-256 differs.`,
      'manifest.json: The schema of things/merchant_account_id=us has changed: its SHA-256 differs.',
    ];
    expect(await problemsIn(copy)).toEqual(problems);
  });

  it('is damaged by an ID that is in a pass two times, but not by one of another pass', async () => {
    const copy = await makeCopy();
    replaceFirst(copy, `${record('a')}\n${record('c')}\n${record('c')}\n`, 3);
    expect(await problemsIn(copy)).toEqual([
      `${FIRST}: 1 row has the ID of another row.`,
      `${EU}/part-000002.ndjson: 1 row has the ID of another row.`,
    ]);
  });

  it.each([
    ['a row that is no JSON', `${record('a')}\n{"id":"\\x"}\n`, 'Row 2 is not a JSON object.'],
    ['a row that is no object', `${record('a')}\n["b"]\n`, 'Row 2 is not a JSON object.'],
    [
      'a row that is nested without end',
      `${record('a')}\n${'['.repeat(100_000)}\n`,
      'Row 2 is not a JSON object.',
    ],
    ['another encoding', Buffer.from(`${record('ä')}\n`, 'latin1'), 'It is not UTF-8.'],
    ['a row too few', `${record('a')}\n`, 'It has 1 row, not 2.'],
  ])('is damaged by %s, with a manifest that says so', async (_, bytes, problem) => {
    const copy = await makeCopy();
    replaceFirst(copy, bytes);
    expect(await problemsIn(copy)).toEqual([`${FIRST}: ${problem}`]);
  });

  it('is damaged by Parquet with other columns', async () => {
    const copy = await makeCopy({ format: 'parquet' });
    const { bytes } = await writePart(PART_FORMATS.parquet, [[record('a')]], {
      columns: [{ name: 'id', type: 'text' }],
    });
    const file = `${EU}/part-000001.parquet`;
    writeFileSync(join(copy.directory, file), bytes);
    editManifest(copy, ({ lists: [list] }) => {
      Object.assign(list?.parts[0] ?? {}, { bytes: bytes.length, sha256: hashOfBytes(bytes) });
    });
    expect(await problemsIn(copy)).toEqual([`${file}: It does not have the columns of the manifest.`]);
  });

  it('is not verified after an interruption', async () => {
    const { directory } = await makeCopy();
    const options = { signal: AbortSignal.abort(), version: '1.2.3', onPart() {} };
    await expect(verifyCopy(directory, options)).rejects.toThrow('Interrupted');
  });

  it('has files that an interrupted sync left', async () => {
    const copy = await makeCopy();
    writeFileSync(join(copy.directory, EU, 'sync-20261122T180000Z-000001.ndjson'), '');
    writeFileSync(join(copy.directory, EU, 'more.ndjson'), '');
    const { damage } = await verifyCopy(copy.directory, { signal, version: '1.2.3', onPart() {} });
    expect(damage.map(({ extra, folder }) => [extra, folder])).toEqual([
      ['foreign', EU],
      ['leftover', EU],
    ]);
  });
});

describe('a manifest', () => {
  it('is not there', async () => {
    const { directory } = await makeCopy();
    rmSync(join(directory, 'manifest.json'));
    expect(() => readManifest(directory)).toThrow(expect.objectContaining({ code: 'copy_incomplete' }));
    expect(() => readManifest(folderForTest())).toThrow(expect.objectContaining({ code: 'not_a_copy' }));
    expect(() => readManifest(join(directory, FIRST))).toThrow(
      expect.objectContaining({ code: 'not_a_copy' }),
    );
  });

  const nested = (depth: number): unknown => (depth === 0 ? 'text' : { list: nested(depth - 1) });
  /** Stands for a type that is nested so deeply that a Node before 26 could not write it as JSON. */
  const deep = 'nested 20,000 deep';
  const deepText = `${'{"list":'.repeat(20_000)}"text"${'}'.repeat(20_000)}`;
  const list = 'lists.0';
  const part = 'lists.0.parts.0';

  it.each<[path: string, ...values: unknown[]]>([
    ['payctl_copy', 0, '1'],
    ['complete', false, undefined],
    ['format', 'json', 'constructor', 5],
    ['compression', 'brotli', null],
    ['lists', {}, [5], null],
    [`${list}.resource`, 5],
    [`${list}.merchant_account`, {}],
    [
      `${list}.folder`,
      ...[
        '../x/merchant_account_id=eu',
        'things/..',
        '/etc',
        'things',
        'things/merchant_account_id=../../x',
        '.things/merchant_account_id=eu',
      ],
      ...[
        'things\\..\\x/merchant_account_id=eu',
        'things/merchant_account_id=%zz',
        'things/merchant_account_id=%ff',
        'a\0/merchant_account_id=b',
        5,
      ],
      'things/merchant_account_id=us',
    ],
    [`${list}.id_path`, undefined, 5],
    [`${list}.rows`, -1, 1.5, 1e300, '6'],
    [`${list}.schema_sha256`, null],
    [
      `${list}.schema`,
      {},
      [5],
      [{ name: 'id' }],
      [{ name: 5, type: 'text' }],
      [{ name: 'id', type: 'toString' }],
    ],
    [
      `${list}.schema.0.type`,
      { struct: [] },
      { struct: {} },
      { struct: [{ name: 'a', type: 1 }] },
      {},
      nested(100),
      deep,
    ],
    [`${list}.parts`, null, { length: 1 }],
    [`${part}.file`, '../part', 'a/b', '..', '.hidden', '', 'part-000002.ndjson', 'a\nb', 5],
    [`${part}.rows`, -1, 2 ** 60, null],
    [`${part}.bytes`, -1, '106'],
    [`${part}.sha256`, 5],
    [`${part}.synced_at`, 5, null],
  ])('is refused for another %s', async (...[path, ...values]: [string, ...unknown[]]) => {
    const copy = await makeCopy();
    const whole = readFileSync(join(copy.directory, 'manifest.json'), 'utf8');
    expect(readManifest(copy.directory)).toEqual(JSON.parse(whole));
    const names = path.split('.');
    for (const value of values) {
      const manifest: object = JSON.parse(whole);
      const above = names.slice(0, -1).reduce((at, name) => Object(Reflect.get(at, name)), manifest);
      Reflect.set(above, names.at(-1) ?? '', value);
      const text = JSON.stringify(manifest).replace(JSON.stringify(deep), deepText);
      writeFileSync(join(copy.directory, 'manifest.json'), text);
      expect(() => readManifest(copy.directory), JSON.stringify(value)).toThrow(
        expect.objectContaining({ code: 'manifest_damaged' }),
      );
    }
  });

  it('is refused where a later version of payctl has written it, whatever else it has', async () => {
    const { directory } = await makeCopy();
    writeFileSync(join(directory, 'manifest.json'), '{"payctl_copy":2}');
    expect(() => readManifest(directory)).toThrow(expect.objectContaining({ code: 'newer_version' }));
  });

  it.each([
    ['', 'manifest_damaged'],
    ['null', 'manifest_damaged'],
    ['{"payctl_copy":1', 'manifest_damaged'],
    ['['.repeat(10_000), 'manifest_damaged'],
    [Buffer.from([0xff]), 'unreadable_file'],
  ])('is refused for the text %.20s', async (text, code) => {
    const { directory } = await makeCopy();
    writeFileSync(join(directory, 'manifest.json'), text);
    expect(() => readManifest(directory)).toThrow(expect.objectContaining({ code }));
  });

  it('is refused where it is no file', async () => {
    const { directory } = await makeCopy();
    rmSync(join(directory, 'manifest.json'));
    mkdirSync(join(directory, 'manifest.json'));
    expect(() => readManifest(directory)).toThrow(expect.objectContaining({ code: 'unreadable_file' }));
  });
});
