import { join } from 'node:path';
import { PayctlError, UsageError } from '../../errors.ts';
import { fileErrorCode } from '../../files/file-error.ts';
import { refuseNewer } from '../../files/newer-version.ts';
import { LIMITS, readRegularFile } from '../../files/read-file.ts';
import { unreadableInput } from '../../files/read-input.ts';
import { jsonOrNone } from '../../json/is-json.ts';
import { isObject } from '../../json/is-object.ts';
import type { MemberMarks } from '../../json/mask.ts';
import type { Compression } from '../../output/format.ts';
import { PART_FORMATS, type PartFormat } from '../../output/formats.ts';
import type { ColumnType, TypedColumn } from '../../output/typed-column.ts';
import { quote } from '../../text/format.ts';
import { shellQuote } from '../../text/shell.ts';

/** The file in a copy that says what it holds. It is written last: a copy that has one was whole. */
export const MANIFEST_FILE = 'manifest.json';

/** The file in a copy that knows which records are in it, and how far its lists have come. */
export const STATE_FILE = '.state.sqlite';

/** What to do about a copy that this version cannot use, as half a sentence. */
export const OTHER_COPY = 'export again to another directory.';

/** The file that is locked while a process writes to a copy. */
export const LOCK_FILE = '.lock';

/** How files can be compressed, the default first. */
export const COMPRESSIONS = ['zstd', 'gzip', 'none'] as const satisfies readonly Compression[];

/** How the records of a part are stored. Names are those of the manifest. */
export type Storage = {
  readonly format: PartFormat;
  readonly compression: Compression;
};

/** What all lists of a copy have in common. */
export type CopySettings = Storage & {
  readonly profile: string | null;
  /** The base URL, without credentials; `emulator` for the built-in profile, whose address may be another one in each run. */
  readonly origin: string;
  /** The SHA-256 of the imported description, if a list is of one. */
  readonly description: string | null;
  readonly personal_data: 'masked' | 'revealed';
  readonly secrets: 'masked' | 'revealed';
  /** A column `_raw` with the whole record. */
  readonly raw: boolean;
  /** Bytes of JSON text after which a part ends. */
  readonly part_size: number;
};

/** A list of a copy: one resource and one merchant account. */
export type ListEntry = {
  readonly resource: string;
  readonly merchant_account: string | null;
  /** The folder of its parts, below the copy. */
  readonly folder: string;
  /** The dotted path of the ID of a record. */
  readonly id_path: string;
  /** The columns of its records, in files of columns and in `schema.sql`. */
  readonly schema: readonly TypedColumn[];
  /** The fields of its records that are masked: those of the description, and those whose names say it. */
  readonly marks: {
    readonly personal_data: MemberMarks | null;
    readonly personal_by_name: boolean;
    readonly secrets: MemberMarks | null;
  };
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly query: Readonly<Record<string, string>>;
  };
  /** RFC 3339, in UTC, by the clock of this machine. */
  readonly started_at: string | null;
  /** The clock of the service when it sent the first page. */
  readonly service_started_at: string | null;
  /** When the list was read to its end. */
  readonly ended_at: string | null;
  /** The cursor after the last part; null at the start. */
  readonly cursor: string | null;
  readonly complete: boolean;
  /**
   * All changes before this time are in the copy: the newest `updated_at` of a record, or the clock of the service when the last reading
   * began, if that is earlier. RFC 3339, in UTC; null where either is not known.
   */
  readonly changes_until: string | null;
  /** Items that the service sent again while the list was read, without a change. */
  readonly repeated: number;
  /** Items that the service sent again with a change: their newer copies are in a part of their own. */
  readonly sent_again_changed: number;
  /** Rows without an ID, which payctl cannot distinguish. */
  readonly without_id: number;
};

const NOTHING_READ = {
  started_at: null,
  service_started_at: null,
  ended_at: null,
  cursor: null,
  complete: false,
  changes_until: null,
  repeated: 0,
  sent_again_changed: 0,
  without_id: 0,
};

/** The entry of a list of which nothing was read. */
export function begun(entry: Omit<ListEntry, keyof typeof NOTHING_READ>): ListEntry {
  return { ...entry, ...NOTHING_READ };
}

/** A part of a list. */
export type PartEntry = {
  /** The name of its file, in the folder of the list. */
  readonly file: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly first_id: unknown;
  readonly last_id: unknown;
  readonly cursor_after: string | null;
  readonly created_at: Span | null;
  readonly updated_at: Span | null;
  /** Values that did not fit the types of their columns, by column: null there, and whole in `_raw`. */
  readonly unfit?: Readonly<Record<string, number>>;
  /** The time of the sync that wrote it. */
  readonly synced_at?: string;
};

/** The rows of some parts. */
export function rowsIn(parts: readonly PartEntry[]): number {
  return parts.reduce((sum, { rows }) => sum + rows, 0);
}

/** The smallest and the largest of some values, as they were sent. */
export type Span = { readonly min: string | number; readonly max: string | number };

/** What the manifest of a copy says. */
export type Manifest = CopySettings & {
  readonly payctl_copy: 1;
  readonly payctl: string;
  readonly complete: true;
  /** RFC 3339, in UTC. */
  readonly written_at: string;
  readonly lists: readonly (ListEntry & {
    readonly rows: number;
    readonly schema_sha256: string;
    readonly parts: readonly PartEntry[];
  })[];
};

/** The text of the file of a manifest. */
export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

/**
 * Reads the manifest of a copy.
 * @throws UsageError `not_a_copy`, `copy_incomplete` where an export has not ended, `unreadable_file`, `newer_version`, `manifest_damaged`
 */
export function readManifest(directory: string): Manifest {
  const path = join(directory, MANIFEST_FILE);
  let text: string;
  try {
    text = readRegularFile(path, LIMITS.description);
  } catch (error) {
    throw isAbsent(error) ? missing(directory) : unreadableInput(`${quote(path)} cannot be read`, error);
  }
  const manifest = jsonOrNone(text);
  if (isObject(manifest)) refuseNewer(path, manifest.payctl_copy, 1, OTHER_COPY);
  if (isManifest(manifest)) return manifest;
  throw new UsageError('manifest_damaged', `${quote(path)} is not a manifest of payctl`, {
    hint: isCopy(directory)
      ? `Write it again with: payctl sync --to ${shellQuote(directory)}`
      : 'Restore the file from a backup, or export again to another directory.',
  });
}

/** Why the manifest of a copy cannot be read; undefined where it can. */
export function manifestProblem(directory: string): PayctlError | undefined {
  try {
    readManifest(directory);
    return undefined;
  } catch (error) {
    if (error instanceof PayctlError) return error;
    throw error;
  }
}

/** Whether a directory holds a copy, whole or not. */
export function isCopy(directory: string): boolean {
  return process.getBuiltinModule('node:fs').existsSync(join(directory, STATE_FILE));
}

/** Whether a directory has the manifest of a copy. */
export function isWhole(directory: string): boolean {
  return process.getBuiltinModule('node:fs').existsSync(join(directory, MANIFEST_FILE));
}

function isAbsent(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(fileErrorCode(error) ?? '');
}

/** The error for a directory without a manifest, or without a state: `unreadable_file` where that cannot be seen. */
export function missing(directory: string): PayctlError {
  if (isWhole(directory)) {
    const problem = `${quote(directory)} has no ${STATE_FILE}, which says what a sync needs to know`;
    return new UsageError('state_missing', problem, {
      hint: 'Copy the file from where the export was made, or export again to another directory.',
    });
  }
  if (isCopy(directory)) return incomplete(directory);
  const path = join(directory, MANIFEST_FILE);
  try {
    process.getBuiltinModule('node:fs').statSync(path);
  } catch (error) {
    if (!isAbsent(error)) return unreadableInput(`${quote(path)} cannot be read`, error);
  }
  return new UsageError('not_a_copy', `${quote(directory)} holds no export: it has no ${MANIFEST_FILE}`, {
    hint: 'Name the directory of an export.',
  });
}

/** The error for an export that has not ended. */
export function incomplete(directory: string): UsageError {
  return new UsageError('copy_incomplete', `The export to ${quote(directory)} has not ended`, {
    hint: `To continue it: payctl export --resume ${shellQuote(directory)}`,
  });
}

function isManifest(value: unknown): value is Manifest {
  if (!isObject(value) || value.payctl_copy !== 1 || value.complete !== true) return false;
  const { format, compression, lists } = value;
  return (
    Object.keys(PART_FORMATS).includes(String(format)) &&
    COMPRESSIONS.some((one) => one === compression) &&
    Array.isArray(lists) &&
    lists.every(isList) &&
    areDifferent(lists.map(({ folder }) => folder))
  );
}

function isList(list: unknown): list is Manifest['lists'][number] {
  if (!isObject(list)) return false;
  const { resource, merchant_account: account, folder, id_path: idPath, rows, parts, schema } = list;
  return (
    [resource, idPath, list.schema_sha256].every((text) => typeof text === 'string') &&
    (account === null || typeof account === 'string') &&
    isFolder(folder) &&
    isCount(rows) &&
    areColumns(schema) &&
    Array.isArray(parts) &&
    parts.every(isPart) &&
    areDifferent(parts.map(({ file }) => file))
  );
}

/** The folder of a resource, and in it that of a merchant account. Any other path could lead out of the copy. */
export function isFolder(folder: unknown): folder is string {
  const [, account] =
    typeof folder === 'string'
      ? (/^[^./\\\0][^/\\\0]*\/merchant_account_id=([\w.~!*'()%-]+)$/.exec(folder) ?? [])
      : [];
  try {
    return account !== undefined && decodeURIComponent(account) !== '';
  } catch {
    return false;
  }
}

/** A name with a separator would lead out of the copy. */
export function isPart(part: unknown): part is PartEntry {
  if (!isObject(part)) return false;
  const { file, rows, bytes, sha256, synced_at: syncedAt } = part;
  return (
    typeof file === 'string' &&
    /^[\w-][\w.-]*$/.test(file) &&
    isCount(rows) &&
    isCount(bytes) &&
    typeof sha256 === 'string' &&
    (syncedAt === undefined || typeof syncedAt === 'string')
  );
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function areDifferent(names: readonly string[]): boolean {
  return new Set(names).size === names.length;
}

/** The depth of the deepest columns that are read. Those that are written are less deep. */
const DEEPEST = 64;

const VALUE_TYPES = new Set<unknown>([
  'int64',
  'decimal',
  'double',
  'boolean',
  'text',
  'timestamp',
  'date',
  'json',
] satisfies ColumnType[]);

function areColumns(columns: unknown, depth = 0): boolean {
  if (!Array.isArray(columns) || depth > DEEPEST) return false;
  return columns.every(
    (column: unknown) =>
      isObject(column) && typeof column.name === 'string' && isType(column.type, depth + 1),
  );
}

function isType(type: unknown, depth: number): boolean {
  if (!isObject(type)) return VALUE_TYPES.has(type);
  if (type.struct === undefined) return depth < DEEPEST && isType(type.list, depth + 1);
  return areColumns(type.struct, depth) && Array.isArray(type.struct) && type.struct.length > 0;
}
