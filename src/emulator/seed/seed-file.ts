import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { AbortedError, PayctlError } from '../../errors.ts';
import { renamePatiently } from '../../files/rename.ts';
import { generateKey, readSigningKey } from '../../tokens/keys.ts';
import { seedEndOf } from '../clock.ts';
import { writePrivateFile } from '../data-directory.ts';
import type { EmulatorFiles } from '../data-files.ts';
import { loadSeeds } from '../resources/registry.ts';
import { databaseError, type EmulatorDatabase, openEmulatorDatabase } from '../store/database.ts';
import { registerKey, writeMeta } from '../store/meta.ts';
import { indexes, schemaVersion, tables } from '../store/schema.ts';
import { type Pause, seedDatabase } from './seed-database.ts';

type SeedValues = { readonly seed: number; readonly buyers: number; readonly until: string };

const defaults = { seed: 1, buyers: 250 };

/**
 * How the draft is written. Nobody else sees it, and a draft that was cut short is never used, so it needs neither a
 * journal nor a flush. Records of about 1 KiB fill large pages better.
 */
const settings = `
PRAGMA page_size = 16384;
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA foreign_keys = OFF;
PRAGMA cache_size = -131072;
`;

/**
 * Puts a newly seeded database in the place of the one that is there, in one step: a run that is ended before leaves that
 * one as it was. Only the caller holds the data. Other work of the process continues meanwhile.
 * @throws AbortedError within a fraction of a second of the signal; PayctlError as `databaseError`
 */
export async function seedFile(
  files: EmulatorFiles,
  values: Pick<SeedValues, 'until'> & Partial<SeedValues>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { database: target, draft } = files;
  removeDatabase(draft);
  try {
    const database = openEmulatorDatabase(draft, 0);
    try {
      database.execute(settings);
      await fill(database, { ...defaults, ...values }, createPause(signal));
      await registerRestrictedKey(database, files.restrictedKey);
    } finally {
      database.close();
    }
    // A write-ahead log that a killed process left must not be mistaken for one of the new file.
    removeDatabase(target);
    renamePatiently(draft, target);
  } catch (error) {
    removeDatabase(draft);
    throw error instanceof PayctlError ? error : databaseError(target, error);
  }
}

/** The merchant account that the restricted key is for. */
const restrictedTo = 'outlet';

/** Registers a second key for one merchant account only, so that a restricted key can be met. */
async function registerRestrictedKey(database: EmulatorDatabase, path: string): Promise<void> {
  if (!existsSync(path)) writePrivateFile(path, (await generateKey()).privateKeyPem);
  const key = await readSigningKey(readFileSync(path, 'utf8'));
  registerKey(database, key.keyId, { jwk: key.publicJwk, status: 'active', merchantAccount: restrictedTo });
}

/** Deletes a database with its side files. */
function removeDatabase(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(path + suffix, { force: true });
}

const sliceMs = 30;

/** Gives other work of the process a turn now and then. */
function createPause(signal: AbortSignal | undefined): Pause {
  let since = performance.now();
  return () => {
    if (performance.now() - since < sliceMs) return undefined;
    return turn().then(() => {
      if (signal?.aborted) throw new AbortedError();
      since = performance.now();
    });
  };
}

/** From here on, making one index would keep the process from obeying a signal for a second. */
const manyBuyers = 200_000;

async function fill(database: EmulatorDatabase, values: SeedValues, pause: Pause): Promise<void> {
  const seeds = await loadSeeds();
  database.execute('BEGIN');
  const isLarge = values.buyers > manyBuyers;
  // To make an index of all rows at once is faster than to keep it while they come in, but it cannot be interrupted.
  const [first, last] = isLarge ? [[...tables, ...indexes], []] : [tables, indexes];
  for (const statement of first) database.execute(statement);
  writeMeta(database, 'seed', String(values.seed));
  writeMeta(database, 'buyers', String(values.buyers));
  writeMeta(database, 'until', values.until);
  const secret = process.getBuiltinModule('node:crypto').randomBytes(32);
  writeMeta(database, 'cursor_secret', secret.toString('base64url'));
  await seedDatabase(database, { ...values, endMs: seedEndOf(values.until), seeds, pause });
  for (const index of last) {
    await pause();
    database.execute(index);
  }
  database.execute(`PRAGMA user_version = ${schemaVersion}`);
  database.execute('COMMIT');
}
