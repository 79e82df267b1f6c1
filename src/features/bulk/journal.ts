import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { OutputError, UsageError } from '../../errors.ts';
import { fileErrorCode } from '../../files/file-error.ts';
import { type HeldLock, lockAlone } from '../../files/kernel-lock.ts';
import { refuseNewer } from '../../files/newer-version.ts';
import { unwritable } from '../../files/output-file.ts';
import { makePrivateDirectory, replaceFile } from '../../files/private-files.ts';
import { LIMITS, openInput, readRegularFile } from '../../files/read-file.ts';
import { jsonOrNone } from '../../json/is-json.ts';
import { isObject } from '../../json/is-object.ts';
import { quote } from '../../text/format.ts';
import { shellQuote } from '../../text/shell.ts';
import { linesOf, type Plan } from './plan-file.ts';

/**
 * What is known about a row. `pending`: not sent, or provably not carried out and taken back. `sending`: handed to the connection, and
 * nothing more is known. The others are the four ends of a row.
 */
export const ROW_STATES = ['pending', 'sending', 'done', 'refused', 'failed', 'unknown'] as const;

/** One of them. */
export type RowState = (typeof ROW_STATES)[number];

/** A line of a journal about a row. Names are those of the file. */
export type JournalLine = {
  readonly row: number;
  readonly state: RowState;
  /** RFC 3339, in UTC, by the clock of this machine. */
  readonly at: string;
  /** How often the row was sent in this run, from 1. */
  readonly attempt?: number;
  readonly status?: number;
  /** The `status` of the record that was created or changed. */
  readonly record_status?: string;
  /** ID of the record that was created or changed. */
  readonly id?: string;
  readonly code?: string;
  readonly message?: string;
  /** JSON pointer to the value that the service refused. */
  readonly pointer?: string;
  readonly request_id?: string;
  readonly milliseconds?: number;
  /** The clock of the service, by the `Date` header of a response (RFC 9110, 6.6.1). */
  readonly service_time?: string;
  /** Where the state comes from, if not from a response: `bulk reconcile`, or a person who looked at the service. */
  readonly by?: 'reconcile' | 'person';
};

/** The code of a row whose response had a record that it cannot have made. */
export const OTHER_RECORD = 'other_record';

/** The longest text of a line in characters: the service decides how long its IDs, codes and messages are. */
const LONGEST_TEXT = 500;

type JournalHeader = { readonly payctl_journal: 1; readonly plan: string; readonly begun_at: string };

/** What a journal is read with. */
type JournalPlan = Pick<Plan, 'path' | 'hash'> & { readonly header: Pick<Plan['header'], 'rows'> };

/** The path of the journal next to a plan. */
export function journalPath(plan: string): string {
  return `${plan}.journal`;
}

/** Refuses to replace a journal, of whatever plan: without it, nobody knows what was sent. @throws UsageError `journal_kept` */
export function requireNoJournals(paths: readonly (string | undefined)[]): void {
  for (const path of paths) {
    if (path === undefined || !isJournal(path)) continue;
    throw new UsageError('journal_kept', `${quote(path)} is the journal of a plan, and is not replaced`, {
      hint: 'Nothing was sent. Choose another file.',
    });
  }
}

const JOURNAL_START = '{"payctl_journal":';

function isJournal(path: string): boolean {
  const { closeSync, readSync } = process.getBuiltinModule('node:fs');
  try {
    const { descriptor } = openInput(path);
    try {
      const start = Buffer.alloc(JOURNAL_START.length);
      return readSync(descriptor, start, 0, start.length, 0) > 0 && start.toString() === JOURNAL_START;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // What cannot be read is reported where it is opened for writing.
    return false;
  }
}

/** The states of the rows of a plan. */
export class RowStates {
  readonly #states: Uint8Array;

  constructor(rows: number) {
    this.#states = new Uint8Array(rows + 1);
  }

  /** Of a row, counted from 1. */
  of(row: number): RowState {
    return ROW_STATES[this.#states[row] ?? 0] ?? 'pending';
  }

  set(row: number, state: RowState): void {
    this.#states[row] = ROW_STATES.indexOf(state);
  }

  /** How many rows have each state. */
  counts(): Record<RowState, number> {
    const counts = new Array<number>(ROW_STATES.length).fill(0);
    for (const state of this.#states.subarray(1)) counts[state] = (counts[state] ?? 0) + 1;
    return Object.fromEntries(ROW_STATES.map((state, index) => [state, counts[index] ?? 0])) as Record<
      RowState,
      number
    >;
  }
}

/** The lines about rows in a journal that is not being written. @throws UsageError `journal_unreadable`, `newer_version` */
export async function* journalLines(
  path: string,
  plan: JournalPlan,
): AsyncGenerator<JournalLine, void, undefined> {
  for await (const { line } of placedLines(path, plan)) yield line;
}

type PlacedLine = { readonly line: JournalLine; readonly offset: number; readonly length: number };

async function* placedLines(path: string, plan: JournalPlan): AsyncGenerator<PlacedLine, void, undefined> {
  let number = 0;
  let offset = 0;
  let isTorn = false;
  for await (const bytes of linesOf(path, { what: 'journal' })) {
    number += 1;
    // Only the last line can be incomplete.
    if (isTorn) throw damaged(path, plan, number - 1);
    const line = parsed(bytes);
    if (number === 1 && isObject(line)) refuseNewer(path, line.payctl_journal, 1);
    if (number === 1 && !isHeader(line, plan.hash) && !isTornHeader(bytes, plan)) throw notOfPlan(path, plan);
    if (isLine(line, plan.header.rows)) yield { line, offset, length: bytes.length };
    else if (line !== undefined && number > 1) throw damaged(path, plan, number);
    isTorn = line === undefined;
    offset += bytes.length + 1;
  }
  // A killed process cannot have written the end of an incomplete line.
  if (isTorn && (await byteAt(path, offset - 1)) === NEWLINE) throw damaged(path, plan, number);
}

const NEWLINE = 10;

async function byteAt(path: string, position: number): Promise<number | undefined> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(1), 0, 1, position);
    return bytesRead === 0 ? undefined : buffer[0];
  } finally {
    await file.close();
  }
}

/** The last line about each row of a plan, which stays in the file until it is asked for. */
export class LastLines {
  readonly #file: FileHandle;
  readonly #offsets: Float64Array;
  readonly #lengths: Uint32Array;

  constructor(file: FileHandle, offsets: Float64Array, lengths: Uint32Array) {
    this.#file = file;
    this.#offsets = offsets;
    this.#lengths = lengths;
  }

  /** The last line of a row, counted from 1; undefined if the row was never sent. */
  async of(row: number): Promise<JournalLine | undefined> {
    const length = this.#lengths[row] ?? 0;
    if (length === 0) return undefined;
    const bytes = Buffer.alloc(length);
    await this.#file.read(bytes, 0, length, this.#offsets[row] ?? 0);
    return parsed(bytes) as JournalLine | undefined;
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

/** Opens the last lines of a journal; undefined where there is no journal. @throws UsageError `journal_unreadable`, `newer_version` */
export async function openLastLines(path: string, plan: Plan): Promise<LastLines | undefined> {
  const offsets = new Float64Array(plan.header.rows + 1);
  const lengths = new Uint32Array(plan.header.rows + 1);
  try {
    for await (const { line, offset, length } of placedLines(path, plan)) {
      offsets[line.row] = offset;
      lengths[line.row] = length;
    }
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  return new LastLines(await open(path), offsets, lengths);
}

function isMissing(error: unknown): boolean {
  return error instanceof UsageError && fileErrorCode(error.cause) === 'ENOENT';
}

/** The states of all rows by a journal; all pending where there is none. @throws UsageError `journal_unreadable`, `newer_version` */
export async function readStates(path: string, plan: JournalPlan): Promise<RowStates> {
  const states = new RowStates(plan.header.rows);
  try {
    for await (const { row, state } of journalLines(path, plan)) states.set(row, state);
  } catch (error) {
    if (isMissing(error)) return states;
    throw error;
  }
  return states;
}

function parsed(bytes: Buffer): unknown {
  return jsonOrNone(bytes.toString());
}

function isHeader(value: unknown, hash: string): value is JournalHeader {
  return isObject(value) && value.payctl_journal === 1 && value.plan === hash;
}

/** Whether the process was killed while it wrote the first line. */
function isTornHeader(bytes: Buffer, { hash }: JournalPlan): boolean {
  const start = JSON.stringify({ payctl_journal: 1, plan: hash }).slice(0, -1);
  const text = bytes.toString();
  return parsed(bytes) === undefined && (start.startsWith(text) || text.startsWith(start));
}

function isLine(value: unknown, rows: number): value is JournalLine {
  if (!isObject(value)) return false;
  const { row, state } = value;
  return (
    Number.isInteger(row) &&
    Number(row) >= 1 &&
    Number(row) <= rows &&
    ROW_STATES.some((known) => known === state)
  );
}

/** The error for a journal of another plan. */
export function notOfPlan(path: string, { path: plan }: Pick<Plan, 'path'>): UsageError {
  return new UsageError('journal_unreadable', `${quote(path)} is not the journal of ${quote(plan)}`, {
    hint: `Nothing was sent. Name the journal of this plan: payctl bulk apply ${shellQuote(plan)} --journal FILE`,
  });
}

function damaged(path: string, { path: plan }: JournalPlan, line: number): UsageError {
  const mark = `payctl bulk reconcile ${shellQuote(plan)} --row KEY=done`;
  return new UsageError('journal_unreadable', `Line ${line} of ${quote(path)} is damaged`, {
    hint: `Nothing was sent. If somebody added this line, delete it and use ${mark}. Otherwise restore the journal: without it, payctl cannot tell which rows were sent.`,
  });
}

type Held = {
  readonly file: FileHandle;
  readonly lock: HeldLock;
  readonly length: number;
  /** Of the file that says how long the journal was when it was closed. */
  readonly lengthPath: string;
};

/** A journal that is being written, by one process at a time. */
export class Journal {
  readonly path: string;
  readonly states: RowStates;
  readonly #file: FileHandle;
  readonly #lock: HeldLock;
  readonly #lengthPath: string;
  #length: number;
  /** Up to the end of the last line that is surely on the disk. */
  #safeLength: number;
  #waiting: { readonly text: string; readonly done: PromiseWithResolvers<void> }[] = [];
  #isWriting = false;
  #failure: OutputError | undefined;

  constructor(path: string, states: RowStates, held: Held) {
    this.path = path;
    this.#lengthPath = held.lengthPath;
    this.states = states;
    this.#file = held.file;
    this.#lock = held.lock;
    this.#length = held.length;
    this.#safeLength = held.length;
  }

  /** Appends a line; resolves once it is on the disk. Lines that come meanwhile are written together. @throws OutputError `file_unwritable` */
  async add(line: JournalLine): Promise<void> {
    this.states.set(line.row, line.state);
    const short = (_: string, value: unknown) =>
      typeof value === 'string' ? value.slice(0, LONGEST_TEXT).toWellFormed() : value;
    await this.addText(`${JSON.stringify(line, short)}\n`);
  }

  /** @throws OutputError `file_unwritable` */
  async addText(text: string): Promise<void> {
    // No line may follow one that may be incomplete.
    if (this.#failure) throw this.#failure;
    const done = Promise.withResolvers<void>();
    this.#waiting.push({ text, done });
    if (!this.#isWriting) void this.#write();
    await done.promise;
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    // Lines of the same turn go together.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        const bytes = Buffer.from(batch.map(({ text }) => text).join(''));
        for (let from = 0; from < bytes.length; ) {
          const { bytesWritten } = await this.#file.write(bytes, from, bytes.length - from, this.#length);
          from += bytesWritten;
          this.#length += bytesWritten;
        }
        await this.#file.datasync();
        this.#safeLength = this.#length;
        for (const { done } of batch) done.resolve();
      } catch (error) {
        const failure = unwritable(OutputError, this.path, error);
        this.#failure = failure;
        for (const { done } of [...batch, ...this.#waiting.splice(0)]) done.reject(failure);
      }
    }
    this.#isWriting = false;
  }

  /** Lets other processes write. */
  async close(): Promise<void> {
    await this.#file.close();
    try {
      replaceFile(this.#lengthPath, String(this.#safeLength));
    } catch {
      // Without it, a journal that is cut later is not noticed; what was sent is in the journal anyway.
    }
    this.#lock.release();
  }
}

/**
 * Opens the journal of a plan, or begins it, and locks it: by its path, and by the plan in payctl's data directory, since a file can have
 * several paths (a hard link), and can be moved while a process writes it. One that lacks lines which it had is refused; a last line that a killed process left unfinished is cut off.
 * @throws UsageError `plan_in_use` while another process has it, `journal_unreadable`, `newer_version`, `file_unwritable`, `profiles_unwritable`
 */
export async function openJournal(path: string, plan: Plan, directory: string): Promise<Journal> {
  const lock = lockJournal(path, plan, directory);
  const lengthPath = join(directory, 'applied', `${plan.hash}.length`);
  let file: FileHandle | undefined;
  try {
    const { O_RDWR, O_CREAT, O_NOFOLLOW = 0 } = constants;
    file = await open(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600);
    const length = await wholeLength(file);
    if (length < lengthBefore(lengthPath)) throw shortened(path);
    await file.truncate(length);
    const states = length === 0 ? new RowStates(plan.header.rows) : await readStates(path, plan);
    const journal = new Journal(path, states, { file, lock, length, lengthPath });
    if (length === 0) await journal.addText(firstLine(plan.hash, new Date()));
    return journal;
  } catch (error) {
    await file?.close();
    lock.release();
    throw error instanceof UsageError || error instanceof OutputError
      ? error
      : unwritable(UsageError, path, error);
  }
}

/** The first line of the journal of the plan with this hash, its end included. */
export function firstLine(hash: string, now: Date): string {
  const header: JournalHeader = { payctl_journal: 1, plan: hash, begun_at: now.toISOString() };
  return `${JSON.stringify(header)}\n`;
}

/** How long the journal was when it was closed, in bytes; 0 where nobody knows. */
function lengthBefore(path: string): number {
  try {
    return Number.parseInt(readRegularFile(path, LIMITS.record), 10) || 0;
  } catch {
    return 0;
  }
}

function shortened(path: string): UsageError {
  return new UsageError('journal_unreadable', `${quote(path)} lacks lines that it had before`, {
    hint: 'Nothing was sent. Restore the journal: without these lines, rows that are done would be sent again.',
  });
}

/** The length of a file up to the end of its last whole line. */
async function wholeLength(file: FileHandle): Promise<number> {
  const { size } = await file.stat();
  const piece = Buffer.alloc(Math.min(size, 65_536));
  for (let end = size; end > 0; end -= piece.length) {
    const from = Math.max(0, end - piece.length);
    const { bytesRead } = await file.read(piece, 0, end - from, from);
    const at = piece.subarray(0, bytesRead).lastIndexOf(NEWLINE);
    if (at !== -1) return from + at + 1;
  }
  return 0;
}

/** The lock of a plan that is being applied, by its hash. */
export function planLock(directory: string, hash: string): string {
  return join(directory, 'applied', `${hash}.lock`);
}

function lockJournal(path: string, plan: Plan, directory: string): HeldLock {
  makePrivateDirectory(join(directory, 'applied'));
  const byPlan = lockFile(planLock(directory, plan.hash), plan);
  try {
    const byPath = lockFile(`${path}.lock`, plan);
    return {
      release() {
        byPath.release();
        byPlan.release();
      },
    };
  } catch (error) {
    byPlan.release();
    throw error;
  }
}

function lockFile(path: string, { path: plan }: Plan): HeldLock {
  let lock: HeldLock | undefined;
  try {
    lock = lockAlone(path);
  } catch (error) {
    throw unwritable(UsageError, path, error);
  }
  if (lock) return lock;
  throw new UsageError('plan_in_use', `Another payctl process is applying ${quote(plan)}`, {
    hint: `Wait until it ends. To see its progress: payctl bulk status ${shellQuote(plan)}`,
  });
}
