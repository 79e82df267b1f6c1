import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { AbortedError, CredentialsError, PayctlError, UsageError } from '../../errors.ts';
import type { HeldLock } from '../../files/kernel-lock.ts';
import { refuseNewer } from '../../files/newer-version.ts';
import { LIMITS, readRegularFile } from '../../files/read-file.ts';
import { generateKey, readSigningKey } from '../../tokens/keys.ts';
import { lastSeedDay } from '../clock.ts';
import { ensureDirectory, resetCommand, writePrivateFile } from '../data-directory.ts';
import { type EmulatorFiles, filesOf } from '../data-files.ts';
import { databaseError, type EmulatorDatabase, openEmulatorDatabase } from './database.ts';
import { inUse, tryLock } from './lock.ts';
import { hasWebhookTables, readMeta, readUntil, registerKey, writeMeta } from './meta.ts';
import { schemaVersion, tables } from './schema.ts';

/** What a database is seeded with. A value left out takes what is stored; new data has the seed 1 and 250 buyers. */
export type SeedOptions = {
  /** Chooses the set of records, 0 to 4294967295. A value other than the stored one needs `replace`, as the next two do. */
  readonly seed?: number | undefined;
  /** How many buyers there are, over all merchant accounts, 0 to 10,000,000. */
  readonly buyers?: number | undefined;
  /** The last day of the seeded past, such as `2025-12-01`. */
  readonly until?: string | undefined;
  /** The same where data is made; stored data keeps its day. Default: the newest day that is over. */
  readonly untilIfNew?: string | undefined;
  /** Whether data that was seeded with other values may be replaced, with every change that was made to it. */
  readonly replace?: boolean | undefined;
  /** The time that tokens are checked against and records are stamped with. */
  readonly now?: (() => Date) | undefined;
  /** Ends the seeding, and the wait for another process that seeds. */
  readonly signal?: AbortSignal | undefined;
};

/** How long to wait for another process: until it has seeded the data, has stopped using it, or has written to it. */
const timeoutMs = { seeding: 600_000, use: 5_000, write: 5_000 } as const;

/**
 * Opens the database of a data directory, after making whatever is missing: the directory, the signing keys with their
 * registrations, the tables and the records. Data is replaced when it is of an older version or has other tables, or
 * when a seed, a day or a number of buyers is asked for that differs, if `replace` allows it; it is never replaced while any process
 * uses it. Any number of processes may do this at the same moment.
 * @throws DataDiffersError where `replace` is needed; PayctlError `emulator_directory_unusable`, `emulator_disk_full`, `emulator_database_unusable`,
 * `emulator_in_use`; UsageError `newer_version`; CredentialsError when a stored key is damaged; AbortedError
 */
export async function prepareDatabase(directory: string, options: SeedOptions): Promise<EmulatorDatabase> {
  ensureDirectory(directory);
  const files = filesOf(directory);
  const { lock, database } = await openSeeded(files, options);
  const close = () => {
    database.close();
    lock.release();
  };
  try {
    database.useWriteAheadLog();
    if (!hasWebhookTables(database)) (await import('../webhooks/tables.ts')).createWebhookTables(database);
    await registerSigningKey(database, files.signingKey);
    return { ...database, close };
  } catch (error) {
    close();
    throw error instanceof PayctlError ? error : databaseError(files.database, error);
  }
}

/** The data was seeded with other values than those asked for. Nothing was replaced. */
export class DataDiffersError extends UsageError {
  /** How many records there are of which merchant account, in words. */
  readonly records: string;

  constructor({ seed, buyers, until }: StoredValues, records: string) {
    const flags = `--seed ${seed} --buyers ${buyers} --until ${until}`;
    const message = `The emulator's data was generated with ${flags}; other values would replace all its records: ${records}`;
    super('emulator_data_differs', message, {
      hint: 'Add --yes to replace it; to keep it, leave these flags out, or choose another --directory.',
    });
    this.records = records;
  }
}

type Seeded = { readonly lock: HeldLock; readonly database: EmulatorDatabase };

/** Waits for its turn, and seeds where nobody has done so. The lock is shared with all who use the data. */
async function openSeeded(files: EmulatorFiles, options: SeedOptions): Promise<Seeded> {
  const start = performance.now();
  let inUseSince: number | undefined;
  for (;;) {
    if (options.signal?.aborted) throw new AbortedError();
    const lock = tryLock(files.dataLock, 'shared');
    const database = lock && existsSync(files.signingKey) ? openIfSeeded(files, options, lock) : undefined;
    if (lock && database) return { lock, database };
    lock?.release();
    if (await seedAlone(files, options)) continue;
    inUseSince = lock ? (inUseSince ?? performance.now()) : undefined;
    const isOver = (since: number | undefined, limit: number) =>
      since !== undefined && performance.now() - since > limit;
    if (isOver(inUseSince, timeoutMs.use) || isOver(start, timeoutMs.seeding)) throw inUse();
    await wait(5 + Math.random() * 20, undefined, { signal: options.signal }).catch(() => undefined);
  }
}

/** The database that suits the options, or undefined where it has to be made. */
function openIfSeeded(
  files: EmulatorFiles,
  options: SeedOptions,
  lock: HeldLock,
): EmulatorDatabase | undefined {
  if (!existsSync(files.database)) return undefined;
  let database: EmulatorDatabase | undefined;
  try {
    database = openEmulatorDatabase(files.database, timeoutMs.write);
    if (isSeeded(database, options)) return database;
    database.close();
    return undefined;
  } catch (error) {
    database?.close();
    lock.release();
    throw error instanceof PayctlError ? error : databaseError(files.database, error);
  }
}

/** False where somebody else uses the data or seeds it. */
async function seedAlone(files: EmulatorFiles, options: SeedOptions): Promise<boolean> {
  const alone = tryLock(files.dataLock, 'exclusive');
  if (alone === undefined) return false;
  try {
    if (!existsSync(files.signingKey))
      writePrivateFile(files.signingKey, (await generateKey()).privateKeyPem);
    const present = openIfSeeded(files, options, alone);
    present?.close();
    if (present) return true;
    const stored = storedValues(files.database);
    if (stored?.isReadable && options.replace !== true) {
      const { describeRecords } = await import('./count-records.ts');
      throw new DataDiffersError(stored.values, describeRecords(files.database) ?? 'none');
    }
    // Needed once in the life of a database, so that no later start has to load it.
    const { seedFile } = await import('../seed/seed-file.ts');
    const { now = () => new Date() } = options;
    const until = options.untilIfNew ?? lastSeedDay(now());
    await seedFile(files, { ...stored?.values, until, ...given(options) }, options.signal);
    return true;
  } finally {
    alone.release();
  }
}

function given({ seed, buyers, until }: SeedOptions): Partial<StoredValues> {
  return {
    ...(seed !== undefined && { seed }),
    ...(buyers !== undefined && { buyers }),
    ...(until !== undefined && { until }),
  };
}

type StoredValues = { readonly seed: number; readonly buyers: number; readonly until: string };

/** What the stored data was seeded with, and whether this version can read all of it; undefined where it does not say. */
function storedValues(
  path: string,
): { readonly values: StoredValues; readonly isReadable: boolean } | undefined {
  if (!existsSync(path)) return undefined;
  const database = openEmulatorDatabase(path, timeoutMs.write);
  try {
    if (versionOf(database) !== schemaVersion) return undefined;
    const values = valuesIn(database);
    return { values, isReadable: hasTables(database) };
  } catch {
    return undefined;
  } finally {
    database.close();
  }
}

function valuesIn(database: EmulatorDatabase): StoredValues {
  const [seed, buyers] = [Number(readMeta(database, 'seed')), Number(readMeta(database, 'buyers'))];
  return { seed, buyers, until: readUntil(database) };
}

/** Whether every table is there and as it is declared now. */
function hasTables(database: EmulatorDatabase): boolean {
  const stored = database.prepare("SELECT sql FROM sqlite_master WHERE type = 'table'").all();
  const statements = new Set(stored.map(({ sql }) => sql));
  return tables.every((table) => statements.has(table));
}

function versionOf(database: EmulatorDatabase): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}

function isSeeded(database: EmulatorDatabase, options: SeedOptions): boolean {
  const version = versionOf(database);
  const { path } = database;
  refuseNewer(path, version, schemaVersion, `reset the emulator: ${resetCommand(path)}`);
  if (version < schemaVersion || !hasTables(database)) return false;
  const asked = Object.entries(given(options));
  if (asked.length === 0) return true;
  const stored = new Map<string, unknown>(Object.entries(valuesIn(database)));
  return asked.every(([name, value]) => stored.get(name) === value);
}

/** Registers the key in the file unless this very file is registered already: reading a key takes time. */
async function registerSigningKey(database: EmulatorDatabase, path: string): Promise<void> {
  const damaged = (cause: unknown) =>
    new CredentialsError('emulator_key_damaged', `The emulator cannot read its signing key ${path}`, {
      hint: `Reset the emulator: ${resetCommand(path)}`,
      cause,
    });
  const pem = readKeyFile(path, damaged);
  const digest = process.getBuiltinModule('node:crypto').createHash('sha256').update(pem).digest('hex');
  if (readMeta(database, 'signing_key_digest') === digest) return;
  const key = await readSigningKey(pem).catch((cause: unknown) => {
    throw damaged(cause);
  });
  registerKey(database, key.keyId, { jwk: key.publicJwk, status: 'active' });
  writeMeta(database, 'signing_key_digest', digest);
}

function readKeyFile(path: string, damaged: (cause: unknown) => CredentialsError): string {
  try {
    return readRegularFile(path, LIMITS.secret);
  } catch (error) {
    throw damaged(error);
  }
}
