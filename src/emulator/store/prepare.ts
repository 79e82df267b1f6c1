import { existsSync } from 'node:fs';
import { CredentialsError, PayctlError } from '../../errors.ts';
import { LIMITS, readRegularFile } from '../../files/read-file.ts';
import { generateKey, readSigningKey } from '../../tokens/keys.ts';
import { ensureDirectory, writePrivateFile } from '../data-directory.ts';
import { type EmulatorFiles, filesOf } from '../data-files.ts';
import { loadSeeds } from '../resources/registry.ts';
import { databaseError, type EmulatorDatabase, openDatabase } from './database.ts';
import { readMeta, registerKey, writeMeta } from './meta.ts';
import { indexes, schemaVersion, tables } from './schema.ts';

/** What a database is seeded with. A value left out takes what is stored, and on the first start 1 and 250. */
export type SeedOptions = {
  /** Chooses the set of records; an integer of 32 bits. */
  readonly seed?: number | undefined;
  /** How many buyers there are, over all merchant accounts. */
  readonly buyers?: number | undefined;
};

const defaults = { seed: 1, buyers: 250 } as const;
/** How long a start waits for another process that is seeding, and a request for one that is writing. */
const lockTimeoutMs = { start: 600_000, request: 5_000 } as const;
const crypto = process.getBuiltinModule('node:crypto');

/**
 * Opens the database of a data directory, after making whatever is missing: the directory, the signing key with its
 * registration, the tables and the records. Data is seeded again when it is of an older version or has other tables, or
 * when a seed or a number of buyers is asked for that differs. Any number of processes may do this at the same moment.
 * @throws PayctlError `emulator_directory_unusable`, `emulator_database_unusable`, `emulator_database_newer`;
 * CredentialsError when the stored signing key is damaged
 */
export async function prepareDatabase(directory: string, options: SeedOptions): Promise<EmulatorDatabase> {
  ensureDirectory(directory);
  const files = filesOf(directory);
  const database = openDatabase(files.database, lockTimeoutMs.start);
  try {
    if (!isSeeded(database, options) || !existsSync(files.signingKey))
      await makeData(database, files, options);
    database.useWriteAheadLog();
    await registerSigningKey(database, files.signingKey);
    database.execute(`PRAGMA busy_timeout = ${lockTimeoutMs.request}`);
    return database;
  } catch (error) {
    database.close();
    throw error instanceof PayctlError ? error : databaseError(files.database, error);
  }
}

async function makeData(
  database: EmulatorDatabase,
  files: EmulatorFiles,
  options: SeedOptions,
): Promise<void> {
  const { privateKeyPem } = await generateKey();
  // Needed once in the life of a database, so that no later start has to load them.
  const [{ seedDatabase }, seeds] = await Promise.all([import('../seed/seed-database.ts'), loadSeeds()]);
  const fill = (values: SeedValues) => seedDatabase(database, { ...values, seeds });
  // A new file is filled before it is switched to WAL, which would write every page twice.
  database.execute('PRAGMA synchronous = OFF');
  // Records of about 1 KiB fill large pages better, which takes a third off the time of seeding many.
  database.execute('PRAGMA page_size = 16384');
  // Another process may have done all of this while this one waited for the lock, so everything is looked at again.
  database.inTransaction(() => {
    if (!existsSync(files.signingKey)) writePrivateFile(files.signingKey, privateKeyPem);
    if (!isSeeded(database, options)) seed(database, options, fill);
  });
  database.execute('PRAGMA synchronous = NORMAL');
}

/** Whether every table is there and as it is declared now. */
function hasTables(database: EmulatorDatabase): boolean {
  const stored = database.prepare("SELECT sql FROM sqlite_master WHERE type = 'table'").all();
  const statements = new Set(stored.map(({ sql }) => sql));
  return tables.every((table) => statements.has(table));
}

function isSeeded(database: EmulatorDatabase, options: SeedOptions): boolean {
  const version = Number(database.prepare('PRAGMA user_version').get()?.user_version);
  if (version > schemaVersion) {
    throw new PayctlError(
      'emulator_database_newer',
      `${database.path} was written by a newer version of payctl`,
      {
        hint: 'Update payctl, or reset the emulator: payctl emulator reset',
      },
    );
  }
  if (version < schemaVersion || !hasTables(database)) return false;
  return (['seed', 'buyers'] as const).every((name) => {
    const asked = options[name];
    return asked === undefined || readMeta(database, name) === String(asked);
  });
}

type SeedValues = { readonly [Name in keyof SeedOptions]-?: number };

function seed(database: EmulatorDatabase, options: SeedOptions, fill: (values: SeedValues) => void): void {
  const hasMeta = Number(database.prepare('PRAGMA user_version').get()?.user_version) === schemaVersion;
  const chosen = (name: keyof SeedOptions) =>
    options[name] ?? Number((hasMeta ? readMeta(database, name) : undefined) ?? defaults[name]);
  const values = { seed: chosen('seed'), buyers: chosen('buyers') };
  dropTables(database);
  for (const table of tables) database.execute(table);
  writeMeta(database, 'seed', String(values.seed));
  writeMeta(database, 'buyers', String(values.buyers));
  writeMeta(database, 'cursor_secret', crypto.randomBytes(32).toString('base64url'));
  fill(values);
  for (const index of indexes) database.execute(index);
  database.execute(`PRAGMA user_version = ${schemaVersion}`);
}

function dropTables(database: EmulatorDatabase): void {
  database.execute('PRAGMA defer_foreign_keys = ON');
  const names = database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    .all()
    .map((row) => String(row.name));
  for (const name of names) database.execute(`DROP TABLE "${name}"`);
}

/** Registers the key in the file unless this very file is registered already: reading a key takes time. */
async function registerSigningKey(database: EmulatorDatabase, path: string): Promise<void> {
  const damaged = (cause: unknown) =>
    new CredentialsError('emulator_key_damaged', `The emulator cannot read its signing key ${path}`, {
      hint: 'Reset the emulator: payctl emulator reset',
      cause,
    });
  const pem = readKeyFile(path, damaged);
  const digest = crypto.createHash('sha256').update(pem).digest('hex');
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
