import { createHash } from 'node:crypto';
import { closeSync, constants, fsyncSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Destination } from '../../cli/session/destination.ts';
import { OutputError, UsageError } from '../../errors.ts';
import { fileErrorReason } from '../../files/file-error.ts';
import { refuseNewer } from '../../files/newer-version.ts';
import { findTarget, moveDraft, unwritable } from '../../files/output-file.ts';
import { parseKeepingNumbers, stringifyExactJson } from '../../json/exact.ts';
import { jsonOrNone } from '../../json/is-json.ts';
import { isObject } from '../../json/is-object.ts';
import { plural, quote } from '../../text/format.ts';

/** The first line of a plan. Names are those of the file. */
export type PlanHeader = Destination & {
  /** The version of the format. */
  readonly payctl_plan: 1;
  readonly id: string;
  readonly command: string;
  readonly operation: { readonly id: string; readonly method: string; readonly path: string };
  /** SHA-256 of the imported description; null for a command of payctl's own contract. */
  readonly description: string | null;
  /** RFC 3339, in UTC, as `expires_at`. */
  readonly created_at: string;
  readonly expires_at: string;
  readonly rows: number;
  /** How many records the rows change. */
  readonly records: number;
  /** Of all requests, without what differs between two plans of the same table. */
  readonly requests_sha256: string;
  /** By currency, in its major unit. */
  readonly totals: Readonly<Record<string, string>>;
  /** Rows without an amount, which move all that is left. The totals include it. */
  readonly rows_without_amount: number;
  /** Rows that move an amount with an unknown currency. */
  readonly rows_with_unknown_amount: number;
  /** Whether the records were read. */
  readonly preflight: boolean;
  /** The columns of the input, in its order. */
  readonly columns: readonly string[];
  /** The column that identifies a row in messages. */
  readonly key_column: string | null;
  /** The same for each request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly scopes: readonly string[] | null;
  readonly content_type: string | null;
};

/** The line of a row. */
export type PlanRow = {
  /** From 1. */
  readonly row: number;
  /** Of the input. */
  readonly line: number;
  /** Identifies the row in messages: its `row_key`, else its line. */
  readonly key: string;
  readonly arguments: Readonly<Record<string, string | readonly string[]>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly idempotency_key?: string;
  /** The version of the record when the plan was made. */
  readonly read?: { readonly updated_at?: string; readonly etag?: string };
  /** What the row moves: amounts in the major unit, by currency. */
  readonly moves?: Readonly<Record<string, string>>;
  /** The values of the input, in the order of the columns. */
  readonly input: readonly unknown[];
};

/** A plan, without its rows. */
export type Plan = {
  /** As it was typed. */
  readonly path: string;
  readonly header: PlanHeader;
  /** SHA-256 of everything but the last line, which has it, in hexadecimal. */
  readonly hash: string;
};

/** How long a plan may be applied, in milliseconds. */
export const LIFETIME_MS = 24 * 60 * 60 * 1000;

const ALGORITHM = 'sha256';

/** How a plan is written: its rows first, because the header has their totals. */
export class PlanWriter {
  readonly #path: string;
  readonly #target: string;
  readonly #rows: string;
  readonly #draft: string;
  readonly #overwrite: boolean;
  #descriptor: number | undefined;
  /** Used again and again: V8 frees the memory of buffers late. */
  readonly #bytes = Buffer.allocUnsafeSlow(8 * WRITTEN_AT_ONCE);
  #pending: string[] = [];
  #length = 0;

  constructor(path: string, target: string, overwrite: boolean) {
    this.#path = path;
    this.#target = target;
    this.#overwrite = overwrite;
    this.#draft = `${target}.${process.pid}.new`;
    this.#rows = `${target}.${process.pid}.rows`;
  }

  /** Adds the JSON of a `PlanRow`. @throws OutputError `file_unwritable` */
  add(row: string): void {
    this.#pending.push(row);
    this.#length += row.length;
    if (this.#length > WRITTEN_AT_ONCE) this.#flush();
  }

  #flush(): void {
    try {
      this.#descriptor ??= openSync(this.#rows, 'wx+', 0o600);
      const text = this.#pending.map((row) => `${row}\n`).join('');
      const isShort = 3 * text.length <= this.#bytes.length;
      const bytes = isShort ? this.#bytes.subarray(0, this.#bytes.write(text)) : Buffer.from(text);
      writeAll(this.#descriptor, bytes);
    } catch (error) {
      throw unwritable(OutputError, this.#path, error);
    }
    this.#pending = [];
    this.#length = 0;
  }

  /** Puts the plan in its place and gives its hash. @throws OutputError `file_unwritable`, `file_exists` */
  async finish(header: PlanHeader): Promise<string> {
    this.#flush();
    let descriptor: number | undefined;
    try {
      descriptor = openSync(this.#draft, 'wx', 0o600);
      const hash = createHash(ALGORITHM);
      const write = (bytes: Uint8Array, to = descriptor ?? -1) => {
        hash.update(bytes);
        writeAll(to, bytes);
      };
      write(Buffer.from(`${stringifyExactJson(header)}\n`));
      for (const piece of piecesOf(this.#descriptor ?? -1, this.#bytes)) write(piece);
      const digest = hash.digest('hex');
      writeAll(descriptor, Buffer.from(`${JSON.stringify({ [ALGORITHM]: digest })}\n`));
      fsyncSync(descriptor);
      await moveDraft(this.#draft, { target: this.#target, path: this.#path, overwrite: this.#overwrite });
      return digest;
    } catch (error) {
      throw error instanceof OutputError ? error : unwritable(OutputError, this.#path, error);
    } finally {
      if (descriptor !== undefined) closeSync(descriptor);
      this.discard();
    }
  }

  /** Removes what was written. */
  discard(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
    for (const path of [this.#rows, this.#draft]) rmSync(path, { force: true });
  }
}

const PIECE = 1_048_576;
/** Less than `PIECE`: lines that wait must not outlive the young generation. */
const WRITTEN_AT_ONCE = 8192;

/** The bytes of a file from its beginning; each piece is valid until the next one is asked for. */
function* piecesOf(descriptor: number, bytes: Buffer): Generator<Uint8Array, void, undefined> {
  for (let position = 0; ; ) {
    const length = readSync(descriptor, bytes, 0, bytes.length, position);
    if (length === 0) return;
    yield bytes.subarray(0, length);
    position += length;
  }
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  // The system may take less than it was given.
  for (let from = 0; from < bytes.length; ) from += writeSync(descriptor, bytes, from);
}

/** Opens the writer of a plan. @throws UsageError `file_exists`, `file_unwritable` */
export async function openPlanWriter(path: string, { overwrite }: { readonly overwrite: boolean }) {
  return new PlanWriter(path, await findTarget(path, overwrite), overwrite);
}

/**
 * Reads a plan. Whether its header agrees with its rows, and whether it has expired, is found out by who relies on it (`requireDerived`, `requireFresh`).
 * @throws UsageError `plan_unreadable`, `newer_version`, `plan_changed`
 */
export async function readPlan(path: string): Promise<Plan> {
  const hash = createHash(ALGORITHM);
  let header: PlanHeader | undefined;
  let rows = 0;
  let length = 0;
  let found: string | undefined;
  for await (const line of linesOf(path)) {
    length += line.length + 1;
    if (found !== undefined) throw planChanged(path, 'it has a line after its last one');
    const text = line.toString();
    if (header === undefined) {
      header = headerIn(path, text);
      hash.update(line).update('\n');
      continue;
    }
    found = digestIn(text);
    if (found !== undefined) continue;
    hash.update(line).update('\n');
    rows += 1;
  }
  if (!header) throw notAPlan(path, 'it is empty');
  if (found === undefined) throw planChanged(path, 'its last line is missing');
  if (length !== statSync(path).size) throw planChanged(path, 'its last line is incomplete');
  if (rows !== header.rows)
    throw planChanged(path, `it has ${plural(rows, 'row')} instead of ${header.rows}`);
  if (found !== hash.digest('hex')) throw planChanged(path, 'its SHA-256 does not match its content');
  return { path, header, hash: found };
}

/** @throws UsageError `plan_changed` where the file is not the plan any more that was read; as `readPlan` */
export async function requireUnchanged({ path, hash }: Plan): Promise<void> {
  if ((await readPlan(path)).hash === hash) return;
  throw new UsageError('plan_changed', `${quote(path)} was replaced by another plan during the run`, {
    hint: 'Restore the original plan, or make a new one for the remaining rows.',
  });
}

/**
 * The rows of a plan that was read before.
 * @throws UsageError `plan_unreadable`; `plan_changed` where something else is written to the file meanwhile
 */
export async function* planRows(path: string): AsyncGenerator<PlanRow, void, undefined> {
  let isFirst = true;
  for await (const line of linesOf(path, { isFixed: true })) {
    const text = line.toString();
    if (!isFirst && digestIn(text) === undefined) yield rowIn(path, text);
    isFirst = false;
  }
}

function headerIn(path: string, text: string): PlanHeader {
  const value = jsonOrNone(text);
  if (value === undefined) throw notAPlan(path, 'its first line is not JSON');
  if (!isObject(value) || !('payctl_plan' in value))
    throw notAPlan(path, 'its first line is not the header of a plan');
  refuseNewer(path, value.payctl_plan, 1, 'make a new plan.');
  if (value.payctl_plan === 1) return value as PlanHeader;
  throw notAPlan(path, 'its version is not 1');
}

/** @throws UsageError `plan_unreadable` for a line without a row, which somebody wrote by hand */
function rowIn(path: string, text: string): PlanRow {
  let value: unknown;
  try {
    value = parseKeepingNumbers(text);
  } catch {
    throw notAPlan(path, 'the line of a row is not JSON');
  }
  if (isObject(value) && isObject(value.arguments) && isTotals(value.moves ?? {}))
    return value as unknown as PlanRow;
  throw notAPlan(path, 'a line has no row');
}

function isTotals(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((amount) => typeof amount === 'string');
}

const LAST_LINE = /^\{"sha256":"([0-9a-f]{64})"\}$/;

function digestIn(text: string): string | undefined {
  return LAST_LINE.exec(text)?.[1];
}

function unreadable(path: string, what: 'plan' | 'journal', why: string): UsageError {
  if (what === 'plan') return notAPlan(path, why);
  return new UsageError('journal_unreadable', `${quote(path)} is not a journal: ${why}`);
}

function notAPlan(path: string, why: string): UsageError {
  return new UsageError('plan_unreadable', `${quote(path)} is not a plan: ${why}`, {
    hint: 'To make one: payctl bulk plan --help',
  });
}

/** The error of a plan that was edited. */
export function planChanged(path: string, why: string): UsageError {
  return new UsageError('plan_changed', `${quote(path)} was changed after it was made: ${why}`, {
    hint: 'Nothing was sent. Make a new plan.',
  });
}

function changedMeanwhile(path: string): UsageError {
  return new UsageError('plan_changed', `${quote(path)} was changed while it was read`, {
    hint: 'The journal says which rows were sent. To send the rest, put back the plan as it was.',
  });
}

/** The longest line of a plan or a journal, in bytes. */
const LONGEST_LINE = 64 * 1_048_576;

/**
 * The lines of a file without their ends, one at a time; also a last one that is not ended.
 * @throws UsageError `plan_unreadable`, or `journal_unreadable` for what is a journal; `plan_changed` where `isFixed` says that nobody writes the file, and somebody does
 */
export async function* linesOf(
  path: string,
  { isFixed = false, what = 'plan' }: { readonly isFixed?: boolean; readonly what?: 'plan' | 'journal' } = {},
): AsyncGenerator<Buffer, void, undefined> {
  let rest: Buffer[] = [];
  let length = 0;
  const file = await openRegular(path, what);
  try {
    const begun = await file.stat({ bigint: true });
    // Such a buffer is allocated for each read, also for the one that finds the end of a small file.
    const highWaterMark = Math.min(PIECE, Number(begun.size) + WRITTEN_AT_ONCE);
    for await (const piece of file.createReadStream({ highWaterMark, autoClose: false })) {
      const bytes: Buffer = piece;
      const { mtimeNs, size } = isFixed ? await file.stat({ bigint: true }) : begun;
      if (mtimeNs !== begun.mtimeNs || size !== begun.size) throw changedMeanwhile(path);
      let from = 0;
      for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, from)) {
        const tail = bytes.subarray(from, end);
        yield rest.length === 0 ? tail : Buffer.concat([...rest, tail]);
        rest = [];
        length = 0;
        from = end + 1;
      }
      if (from < bytes.length) rest.push(bytes.subarray(from));
      length += bytes.length - from;
      if (length > LONGEST_LINE) throw unreadable(path, what, 'a line is too long');
    }
    if (rest.length > 0) yield Buffer.concat(rest);
  } finally {
    await file.close();
  }
}

async function openRegular(path: string, what: 'plan' | 'journal') {
  try {
    const { O_RDONLY, O_NONBLOCK = 0 } = constants;
    const file = await open(path, O_RDONLY | O_NONBLOCK);
    if ((await file.stat()).isFile()) return file;
    await file.close();
  } catch (error) {
    throw new UsageError(`${what}_unreadable`, `${quote(path)} cannot be read: ${fileErrorReason(error)}`, {
      cause: error,
    });
  }
  throw unreadable(path, what, 'it is not a regular file');
}
