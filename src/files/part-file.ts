import { createHash, type Hash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { AbortedError, OutputError, PayctlError, UsageError } from '../errors.ts';
import { quote } from '../text/format.ts';
import { fileErrorCode } from './file-error.ts';
import { type HeldLock, lockAlone } from './kernel-lock.ts';
import { findTarget, moveDraft, type OutputFileOptions, unwritable } from './output-file.ts';
import { replaceFile } from './private-files.ts';
import { LIMITS, readRegularFile } from './read-file.ts';

/** A record: how many bytes of the part are to be kept, their SHA-256, and what the writer noted about them; null before there is any. */
type PartRecord = { readonly bytes: number; readonly sha256: string; readonly notes: unknown };

/** How a part is opened. */
export type PartFileOptions = OutputFileOptions & {
  /** Continues the part, where there is one. By default a part that something was recorded of is refused, unless `overwrite`. */
  readonly resume: boolean;
  /** Throws where this run must not continue what these notes are about. */
  readonly check: (notes: unknown) => void;
  /** Ends the reading of a long part. */
  readonly signal?: AbortSignal | undefined;
};

/** Bytes of a part that are read at a time. */
const PIECE = 1_048_576;

/**
 * Opens the part of a file and locks it, before anything is asked for that is to be written to it. What follows the recorded end
 * of a part is cut off: a run that was killed may have written it halfway. What is before it is read and compared with its hash.
 * @throws UsageError `file_exists`, `file_unwritable`, `file_in_use`, `part_exists`, `part_unknown`, `part_changed`; AbortedError; what
 * `check` throws
 */
export async function openPartFile(path: string, options: PartFileOptions): Promise<PartFile> {
  const target = await findTarget(path, options.overwrite);
  const part = `${target}.part`;
  const names = { path, target, part, record: `${part}.json`, lock: `${part}.lock` };
  const lock = lockPart(names);
  try {
    const opened = await openPart(names, options);
    return new PartFile(names, { ...opened, lock, overwrite: options.overwrite });
  } catch (error) {
    lock.release();
    throw error instanceof PayctlError ? error : unwritable(UsageError, path, error);
  }
}

type Names = Readonly<Record<'path' | 'target' | 'part' | 'record' | 'lock', string>>;
type Opened = {
  readonly descriptor: number;
  readonly resumed: PartRecord | undefined;
  /** The hash of the recorded bytes. */
  readonly hash: Hash;
};
type Held = Opened & { readonly lock: HeldLock; readonly overwrite: boolean };

/**
 * A file that several runs may write. Until it is whole, `FILE.part` holds what there is and `FILE.part.json` says up to where
 * that is to be kept; both have the mode 0600.
 */
export class PartFile {
  /** What the last record says, where this run continues from it; undefined where it begins the file. */
  readonly resumed: PartRecord | undefined;
  readonly #names: Names;
  readonly #lock: HeldLock;
  readonly #overwrite: boolean;
  /** The hash of the recorded bytes. */
  #hash: Hash;
  /** Undefined once it is closed. */
  #descriptor: number | undefined;
  #length: number;
  #recorded: number;

  constructor(names: Names, { descriptor, resumed, hash, lock, overwrite }: Held) {
    this.resumed = resumed;
    this.#names = names;
    this.#lock = lock;
    this.#overwrite = overwrite;
    this.#hash = hash;
    this.#descriptor = descriptor;
    this.#length = resumed?.bytes ?? 0;
    this.#recorded = this.#length;
  }

  /** Bytes so far. */
  get length(): number {
    return this.#length;
  }

  /** Appends. @throws what the file system throws */
  write(bytes: Uint8Array): void {
    if (this.#descriptor === undefined) return;
    // The system may take less than it was given.
    for (let from = 0; from < bytes.length; ) {
      const written = writeSync(this.#descriptor, bytes, from, bytes.length - from, this.#length);
      from += written;
      this.#length += written;
    }
  }

  /** Forgets what was written, of which nothing is recorded. @throws what the file system throws */
  restart(): void {
    if (this.#descriptor !== undefined) ftruncateSync(this.#descriptor, 0);
    this.#length = 0;
  }

  /**
   * Records that the first `length` bytes are to be kept, which are on the disk by then; never fewer than before.
   * @throws what the file system throws
   */
  record(length: number, notes: object): void {
    if (this.#descriptor === undefined) return;
    fsyncSync(this.#descriptor);
    const hash = this.#hash.copy();
    for (const _ of hashing(this.#descriptor, hash, this.#recorded, length));
    writeRecord(this.#names, { bytes: length, sha256: digestOf(hash), notes });
    this.#hash = hash;
    this.#recorded = length;
  }

  /** Puts the part in the place of the file. @throws OutputError `file_unwritable`, `file_exists`: the part is still there then */
  async finish(): Promise<void> {
    const { path, target, part, record } = this.#names;
    try {
      if (this.#descriptor !== undefined) fsyncSync(this.#descriptor);
      await moveDraft(part, { target, path, overwrite: this.#overwrite });
    } catch (error) {
      throw error instanceof OutputError ? error : unwritable(OutputError, path, error);
    }
    this.#end([record]);
  }

  /** Leaves the part to a later run, cut to what was recorded; nothing after `finish`. */
  keep(): void {
    if (this.#descriptor !== undefined) ftruncateSync(this.#descriptor, this.#recorded);
    this.#end([]);
  }

  /** Removes the part; nothing after `finish`. */
  discard(): void {
    this.#end([this.#names.part, this.#names.record]);
  }

  /** Removes these files, and lets other processes write. */
  #end(paths: readonly string[]): void {
    if (this.#descriptor === undefined) return;
    closeSync(this.#descriptor);
    this.#descriptor = undefined;
    // A run that was killed may have left the draft of a record.
    for (const path of [...paths, draftOf(this.#names)]) rmSync(path, { force: true });
    this.#lock.release();
  }
}

/** Opens the part of an earlier run, or begins one. */
async function openPart(names: Names, options: PartFileOptions): Promise<Opened> {
  const { resume, overwrite, check, signal } = options;
  const found = lstatSync(names.part, { throwIfNoEntry: false });
  if (!found || isPlaced(names)) {
    // A file of somebody else is not replaced by a record.
    if (lstatSync(names.record, { throwIfNoEntry: false })) readRecord(names, '.part.json');
    return begin(names);
  }
  if (!found.isFile()) throw unknown(names, '.part');
  const recorded = readRecord(names);
  if (recorded.notes === null) return begin(names);
  if (resume) {
    check(recorded.notes);
    return await reopen(names, recorded, signal);
  }
  if (overwrite) return begin(names);
  throw new UsageError('part_exists', `${quote(`${names.path}.part`)} holds what an earlier run wrote`, {
    hint: 'Add --resume to continue it, or --overwrite to begin again.',
  });
}

/** Whether the part is the file itself: a run was killed after it had put the part in its place. */
function isPlaced({ part, target }: Names): boolean {
  const [one, other] = [part, target].map((path) => lstatSync(path, { bigint: true, throwIfNoEntry: false }));
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
}

/** There is a record before there is a part, so that a part without one is somebody else's. */
function begin(names: Names): Opened {
  rmSync(names.part, { force: true });
  writeRecord(names, { bytes: 0, sha256: '', notes: null });
  return {
    descriptor: openSync(names.part, 'wx+', 0o600),
    resumed: undefined,
    hash: createHash(ALGORITHM),
  };
}

/** Opens a part that is as it was recorded, and cuts off what follows. @throws UsageError `part_changed`; AbortedError */
async function reopen(names: Names, resumed: PartRecord, signal: AbortSignal | undefined): Promise<Opened> {
  const { bytes, sha256 } = resumed;
  const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDWR } = constants;
  const descriptor = openSync(names.part, O_RDWR | O_NOFOLLOW | O_NONBLOCK);
  const hash = createHash(ALGORITHM);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.size < bytes) throw changed(names);
    for (const _ of hashing(descriptor, hash, 0, bytes)) {
      // Lets signals be handled in between.
      await turn();
      if (signal?.aborted) throw new AbortedError();
    }
    if (digestOf(hash) !== sha256) throw changed(names);
    ftruncateSync(descriptor, bytes);
    return { descriptor, resumed, hash };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

const ALGORITHM = 'sha256';

/** Adds the bytes of a file from `from` to `to` to a hash; ends early where the file does. Yields after each piece. */
function* hashing(descriptor: number, hash: Hash, from: number, to: number): Generator<void, void, void> {
  const piece = Buffer.allocUnsafe(Math.min(to - from, PIECE));
  for (let at = from; at < to; ) {
    const read = readSync(descriptor, piece, 0, Math.min(to - at, PIECE), at);
    if (read === 0) return;
    hash.update(piece.subarray(0, read));
    at += read;
    yield;
  }
}

/** The hash of what was added so far, in hexadecimal; more can be added. */
function digestOf(hash: Hash): string {
  return hash.copy().digest('hex');
}

function writeRecord(names: Names, content: PartRecord): void {
  replaceFile(names.record, `${JSON.stringify(content)}\n`, draftOf(names));
}

function draftOf({ record }: Names): string {
  return `${record}.new`;
}

/** @throws UsageError `part_unknown` about the file with this ending, by default the part, where there is no record */
function readRecord(names: Names, inTheWay = '.part'): PartRecord {
  try {
    const content: Partial<PartRecord> | null = JSON.parse(readRegularFile(names.record, LIMITS.json));
    const { bytes, sha256, notes } = content ?? {};
    if (Number.isSafeInteger(bytes) && Number(bytes) >= 0 && typeof sha256 === 'string')
      return { bytes: Number(bytes), sha256, notes };
  } catch (error) {
    if (fileErrorCode(error) === 'EACCES') throw error;
  }
  throw unknown(names, inTheWay);
}

function unknown({ path }: Names, ending: string): UsageError {
  return new UsageError(
    'part_unknown',
    `${quote(path + ending)} is in the way: it is not a file of an earlier run`,
    {
      hint: 'Move it away, or choose another name.',
    },
  );
}

function changed({ path }: Names): UsageError {
  return new UsageError('part_changed', `${quote(`${path}.part`)} is not what the earlier run wrote`, {
    hint: 'Something else has changed it. To begin again, replace --resume with --overwrite.',
  });
}

/** @throws UsageError `file_in_use` while another process writes the file, `file_unwritable` */
function lockPart(names: Names): HeldLock {
  try {
    const lock = lockAlone(names.lock);
    if (lock === undefined) throw inUse(names);
    return lock;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw fileErrorCode(error) === 'ERR_SQLITE_ERROR'
      ? unknown(names, '.part.lock')
      : unwritable(UsageError, names.path, error);
  }
}

function inUse({ path }: Names): UsageError {
  return new UsageError('file_in_use', `Another payctl is writing ${quote(path)}`, {
    hint: 'Wait until it ends, or choose another name.',
  });
}
