import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { filesOf } from '../../../src/emulator/data-files.ts';
import type { EmulatorDatabase } from '../../../src/emulator/store/database.ts';
import { readUntil } from '../../../src/emulator/store/meta.ts';
import { prepareDatabase, type SeedOptions } from '../../../src/emulator/store/prepare.ts';
import { temporaryDirectory } from '../test-emulator.ts';

const total = (database: EmulatorDatabase) =>
  database.prepare('SELECT count(*) AS total FROM buyers').get()?.total;
const documents = (database: EmulatorDatabase) =>
  database.prepare('SELECT document FROM buyers ORDER BY row').all();
const signingKeyIds = (database: EmulatorDatabase) =>
  database.prepare('SELECT kid FROM api_keys WHERE merchant_account_id IS NULL').all();
const keyIds = (database: EmulatorDatabase) => database.prepare('SELECT kid FROM api_keys').all();

/** Opens the database, looks, and closes it again. */
async function look<T>(
  directory: string,
  options: SeedOptions,
  found: (database: EmulatorDatabase) => T,
): Promise<T> {
  const database = await prepareDatabase(directory, options);
  try {
    return found(database);
  } finally {
    database.close();
  }
}

describe('the data directory', () => {
  it('is made with a database, a key and 250 buyers that nobody else can read', async () => {
    using parent = temporaryDirectory();
    const directory = join(parent.path, 'deep', 'data');
    const database = await prepareDatabase(directory, {});
    expect(readdirSync(directory).sort()).toEqual([
      'data.lock',
      'emulator.sqlite',
      'emulator.sqlite-shm',
      'emulator.sqlite-wal',
      'restricted-key.pem',
      'signing-key.pem',
    ]);
    expect(total(database)).toBe(250);
    if (process.platform !== 'win32') {
      expect(statSync(directory).mode & 0o777).toBe(0o700);
      for (const name of readdirSync(directory)) {
        expect([name, statSync(join(directory, name)).mode & 0o777]).toEqual([name, 0o600]);
      }
    }
    database.close();
  });

  it('keeps its key and records from start to start, whatever is left out', async () => {
    using directory = temporaryDirectory();
    const read = (database: EmulatorDatabase) => [keyIds(database), documents(database)];
    const first = await look(directory.path, { seed: 5, buyers: 12 }, read);
    expect(await look(directory.path, {}, read)).toEqual(first);
    expect(await look(directory.path, { seed: 5 }, read)).toEqual(first);
    expect(first[1]).toHaveLength(12);
  });

  it('is seeded again, with the same key, when another seed or number of buyers is asked for', async () => {
    using directory = temporaryDirectory();
    const first = await look(directory.path, { seed: 5, buyers: 12 }, documents);
    const keys = await look(directory.path, {}, keyIds);
    const second = await look(directory.path, { seed: 6, replace: true }, documents);
    expect(second).toHaveLength(12);
    expect(second).not.toEqual(first);
    expect(await look(directory.path, { buyers: 7, replace: true }, documents)).toHaveLength(7);
    expect(await look(directory.path, { seed: 5, buyers: 12, replace: true }, documents)).toEqual(first);
    expect(await look(directory.path, {}, keyIds)).toEqual(keys);
  });

  it('is kept unless it may be replaced, and the error counts the records of every merchant account', async () => {
    using directory = temporaryDirectory();
    const first = await look(directory.path, { seed: 5, buyers: 12 }, (database) => {
      database.execute(`CREATE TABLE described_1f_records (row INTEGER, account TEXT NOT NULL) STRICT;
        INSERT INTO described_1f_records VALUES (1, 'outlet/shop-1'), (2, 'outlet'), (3, 'third');
        CREATE TABLE described_1f_made (account TEXT); INSERT INTO described_1f_made VALUES ('outlet')`);
      return documents(database);
    });
    const records = await look(directory.path, {}, (database) =>
      ['default', 'outlet'].map((account) => {
        const tables = [
          'buyers',
          'payment_methods',
          'gift_cards',
          'audit_logs',
          'api_logs',
          'checkout_sessions',
        ];
        const others = ['webhook_subscriptions', 'digital_wallets'];
        const counts = [...tables, ...others].map((table) =>
          Number(
            database
              .prepare(`SELECT count(*) AS count FROM ${table} WHERE merchant_account_id = ?`)
              .get(account)?.count,
          ),
        );
        return counts.reduce((sum, count) => sum + count, account === 'outlet' ? 2 : 0);
      }),
    );
    for (const options of [{ seed: 6 }, { buyers: 13 }]) {
      await expect(prepareDatabase(directory.path, options)).rejects.toMatchObject({
        name: 'DataDiffersError',
        code: 'emulator_data_differs',
        records: `${records[0]} of default, ${records[1]} of outlet, 1 of third and 14 others`,
      });
    }
    expect(await look(directory.path, {}, documents)).toEqual(first);
  });

  it('ends on the day of the seeding unless a day is given, and keeps it', async () => {
    using directory = temporaryDirectory();
    const day = (database: EmulatorDatabase) => readUntil(database);
    const now = () => new Date('2026-11-23T09:00:00Z');
    expect(await look(directory.path, { now, buyers: 1 }, day)).toBe('2026-11-23');
    expect(await look(directory.path, { untilIfNew: '2026-01-01' }, day)).toBe('2026-11-23');
    await expect(prepareDatabase(directory.path, { until: '2026-01-01' })).rejects.toMatchObject({
      code: 'emulator_data_differs',
    });
    expect(await look(directory.path, { until: '2026-01-01', replace: true }, day)).toBe('2026-01-01');
    // New data ends on its own day, whatever that of the data was that it replaces.
    expect(await look(directory.path, { seed: 7, replace: true, now }, day)).toBe('2026-11-23');
    expect(await look(directory.path, { seed: 8, replace: true, untilIfNew: '2026-02-02' }, day)).toBe(
      '2026-02-02',
    );
    await look(directory.path, {}, (database) => database.execute("DELETE FROM meta WHERE name = 'until'"));
    expect(await look(directory.path, {}, day)).toBe('2025-12-01');
  });

  it('is seeded again when it is of an older version, and refused when it is of a newer one', async () => {
    using directory = temporaryDirectory();
    await look(directory.path, { buyers: 9 }, (database) => {
      database.execute('DELETE FROM buyers; CREATE TABLE old (x); PRAGMA user_version = 0');
    });
    expect(await look(directory.path, {}, total)).toBe(250);
    await look(directory.path, {}, (database) => database.execute('PRAGMA user_version = 99'));
    await expect(prepareDatabase(directory.path, {})).rejects.toMatchObject({
      code: 'newer_version',
      hint: `Upgrade payctl, or reset the emulator: payctl emulator reset --directory ${directory.path}`,
    });
  });

  it('is seeded again, with as many buyers, when a table is missing or is not as it is declared now', async () => {
    using directory = temporaryDirectory();
    const roles = (database: EmulatorDatabase) =>
      database.prepare('SELECT count(*) AS total, count(document) AS documents FROM roles').get();
    await look(directory.path, { buyers: 9 }, (database) => database.execute('DROP TABLE roles'));
    expect(await look(directory.path, {}, roles)).toEqual({ total: 7, documents: 7 });
    await look(directory.path, {}, (database) => {
      database.execute('ALTER TABLE roles RENAME COLUMN document TO text');
    });
    expect(await look(directory.path, {}, roles)).toEqual({ total: 7, documents: 7 });
    expect(await look(directory.path, {}, total)).toBe(9);
  });

  it('registers a new key when the key file is gone, and the one that it was replaced with', async () => {
    using directory = temporaryDirectory();
    using other = temporaryDirectory();
    const [first] = await look(directory.path, { buyers: 1 }, signingKeyIds);
    rmSync(filesOf(directory.path).signingKey);
    expect(await look(directory.path, {}, keyIds)).toHaveLength(3);
    const [foreign] = await look(other.path, { buyers: 1 }, signingKeyIds);
    writeFileSync(filesOf(directory.path).signingKey, readFileSync(filesOf(other.path).signingKey));
    const keys = await look(directory.path, {}, keyIds);
    expect(keys).toHaveLength(4);
    expect(keys).toEqual(expect.arrayContaining([first, foreign]));
  });

  it('is refused with a hint when its key, its database or its place cannot be used', async () => {
    using directory = temporaryDirectory();
    const { database, signingKey } = filesOf(directory.path);
    const hint = `Reset the emulator: payctl emulator reset --directory ${directory.path}`;
    writeFileSync(signingKey, 'nonsense');
    await expect(prepareDatabase(directory.path, { buyers: 1 })).rejects.toMatchObject({
      name: 'CredentialsError',
      code: 'emulator_key_damaged',
      message: `The emulator cannot read its signing key ${signingKey}`,
      hint,
    });
    for (const path of [database, `${database}-wal`, `${database}-shm`]) rmSync(path, { force: true });
    writeFileSync(database, 'nonsense '.repeat(1000));
    await expect(prepareDatabase(directory.path, {})).rejects.toMatchObject({
      code: 'emulator_database_unusable',
      message: `The emulator cannot use ${database}: file is not a database`,
      hint,
    });
    await expect(prepareDatabase(join(database, 'below'), {})).rejects.toMatchObject({
      code: 'emulator_directory_unusable',
      message: `The emulator cannot write ${join(database, 'below')}: part of the path is not a directory`,
      hint: 'Make the directory writable, or choose another one with --directory or PAYCTL_CONFIG_DIR.',
    });
  });

  it('has one key and one set of records when many processes start on it at the same moment', async () => {
    using directory = temporaryDirectory();
    const script = join(import.meta.dirname, '../start-and-report.ts');
    const start = () =>
      promisify(execFile)(process.execPath, [script, directory.path, JSON.stringify({ buyers: 3000 })]);
    const runs = await Promise.all(Array.from({ length: 6 }, start));
    for (const { stdout, stderr } of runs) {
      expect(stderr).toBe('');
      expect(stdout).toBe(runs[0]?.stdout);
    }
    expect(JSON.parse(runs[0]?.stdout ?? '')).toMatchObject({
      keys: [{ status: 'active' }, { status: 'active' }],
      buyers: [{ total: 3000 }],
    });
    expect(readdirSync(directory.path).sort()).toEqual([
      'data.lock',
      'emulator.sqlite',
      'restricted-key.pem',
      'signing-key.pem',
    ]);
  }, 60_000);
});
