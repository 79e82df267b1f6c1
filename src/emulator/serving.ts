import { existsSync, rmSync } from 'node:fs';
import { PayctlError } from '../errors.ts';
import { type HeldLock, tryPatiently } from '../files/kernel-lock.ts';
import { ensureDirectory, writePrivateFile } from './data-directory.ts';
import { type EmulatorFiles, filesOf } from './data-files.ts';
import { type Advertisement, type RunningEmulator, readAdvertisement, readJson } from './running.ts';
import type { Emulator } from './server.ts';
import { inUse, tryLock } from './store/lock.ts';

/** The command that stops the emulator of the profile. */
const STOP = 'payctl emulator stop';

/** What `claimServing` holds for one emulator. */
export type Serving = {
  /** Says in `running.json` (0600) where the emulator is reached. @throws PayctlError `emulator_directory_unusable` */
  advertise(emulator: Emulator, startedAt: Date): void;
  /** Deletes `running.json`, and lets another emulator serve. */
  release(): void;
};

/**
 * Makes this process the one that serves the data of a directory to others, until it ends or releases the claim. A stopped
 * process keeps its claim, a killed one loses it. `stop` is the command that stops the other one.
 * @throws PayctlError `emulator_running` at once while another process holds it
 */
export function claimServing(directory: string, stop = STOP): Serving {
  ensureDirectory(directory);
  const { servingLock, running } = filesOf(directory);
  const lock = claim(servingLock);
  if (lock === undefined) {
    const hint = `Choose another directory with --directory or PAYCTL_CONFIG_DIR, or stop it: ${stop}`;
    throw alreadyRunning(directory, 'already running', hint);
  }
  const write = (content: object) => writePrivateFile(running, `${JSON.stringify(content, null, 2)}\n`);
  try {
    write({ pid: process.pid });
  } catch (error) {
    lock.release();
    throw error;
  }
  return {
    advertise: (emulator, startedAt) => write(advertisementOf(emulator, startedAt)),
    release() {
      rmSync(running, { force: true });
      lock.release();
    },
  };
}

function advertisementOf({ port, baseUrl, merchantHeader, nonce }: Emulator, startedAt: Date): Advertisement {
  return { pid: process.pid, port, baseUrl, startedAt: startedAt.toISOString(), merchantHeader, nonce };
}

/** What is known about the process that holds the claim; undefined where none does. */
export function findServing(directory: string): Partial<RunningEmulator> | undefined {
  const { servingLock, running } = filesOf(directory);
  if (!existsSync(servingLock)) return undefined;
  const lock = tryLock(servingLock, 'shared');
  lock?.release();
  if (lock !== undefined) return undefined;
  const advertisement = readAdvertisement(running);
  if (advertisement === undefined) {
    const pid = readJson(running)?.pid;
    return Number.isInteger(pid) ? { pid: Number(pid) } : {};
  }
  const { nonce: _, ...emulator } = advertisement;
  return emulator;
}

/** `findServing` takes the lock for a moment, which must not look like an emulator. */
function claim(path: string): HeldLock | undefined {
  return tryPatiently(() => tryLock(path, 'exclusive'));
}

function alreadyRunning(directory: string, what: string, hint: string): PayctlError {
  const { pid, baseUrl } = findServing(directory) ?? {};
  const place = baseUrl === undefined ? `in ${directory}` : `at ${baseUrl}`;
  const process = pid === undefined ? '' : ` (process ${pid})`;
  return new PayctlError('emulator_running', `An emulator is ${what} ${place}${process}`, { hint });
}

/**
 * Deletes everything that the emulator stored in a directory, its signing keys included, so that the next start
 * begins from nothing. Gives the paths that were deleted; a directory without data is no error.
 * @throws PayctlError `emulator_running` while an emulator serves that data, `emulator_in_use` while a command uses it
 */
export function resetEmulator(directory: string, stop = STOP): readonly string[] {
  return aloneWith({ directory, stop }, (present) => {
    for (const path of present) rmSync(path, { force: true });
    return present;
  });
}

/** What `resetEmulator` would delete. @throws as it does */
export function findEmulatorData(directory: string, stop = STOP): readonly string[] {
  return aloneWith({ directory, stop }, (present) => present);
}

/** Calls `work` with the paths of what is stored, while nobody else uses it. */
function aloneWith(
  { directory, stop }: { readonly directory: string; readonly stop: string },
  work: (present: readonly string[]) => readonly string[],
): readonly string[] {
  if (!existsSync(directory)) return [];
  const files = filesOf(directory);
  const serving = claim(files.servingLock);
  if (serving === undefined) {
    throw alreadyRunning(directory, 'serving this data', `Stop it first: ${stop}`);
  }
  const alone = tryLock(files.dataLock, 'exclusive');
  try {
    if (alone === undefined) throw inUse();
    return work(presentOf(files));
  } finally {
    alone?.release();
    serving.release();
  }
}

/** Not the locks: who had opened a deleted one would hold a lock that nobody else can see. */
function presentOf({
  database,
  draft,
  signingKey,
  restrictedKey,
  running,
}: EmulatorFiles): readonly string[] {
  const paths = [database, `${database}-wal`, `${database}-shm`, draft, signingKey, restrictedKey, running];
  return paths.filter((path) => existsSync(path));
}
