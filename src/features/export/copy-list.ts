import { realpathSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { OutputError } from '../../errors.ts';
import { makeDirectory } from '../../files/make-directory.ts';
import { unwritable } from '../../files/output-file.ts';
import type { NotedValues } from '../../json/mask.ts';
import { EncodedTexts, inPieces } from '../../output/parts/encoded-texts.ts';
import { quote } from '../../text/format.ts';
import type { ListEntry, PartEntry } from './manifest.ts';
import { Part, type PartOptions, timeOf } from './part.ts';
import { type CopiedRecord, notedRecords, recordReader } from './record.ts';
import { GONE, IdLog, type RecordIndex, type Version } from './record-index.ts';
import type { ListState } from './state.ts';

/** One reading of a list: what the parts of a pass are called, and the time that a sync adds to its records. */
export type Pass = {
  /** `part` for an export, `sync-20261122T180000Z` for a sync. */
  readonly name: string;
  /** RFC 3339, in UTC; undefined for an export. */
  readonly syncedAt?: string | undefined;
};

/** What a pass has found. */
export type Counts = {
  /** Records that the copy did not have. */
  added: number;
  changed: number;
  unchanged: number;
  /** Records that the service no longer has. */
  gone: number;
  /** Items of a sync that were left out: without an ID, payctl cannot know whether the copy has them. */
  withoutId: number;
  /** Records that a sync was not sent, and which may be among those without an ID. */
  unsure: number;
  bytes: number;
  parts: number;
};

/** The counts of a pass that has found nothing yet. */
export function noCounts(): Counts {
  return { added: 0, changed: 0, unchanged: 0, gone: 0, withoutId: 0, unsure: 0, bytes: 0, parts: 0 };
}

/** A page of a list, with the exact texts of its items as they are to be stored. */
export type CopiedPage = {
  readonly texts: readonly string[];
  /** The values of `notedNames` in the items, where the reading of the page has noted them. */
  readonly noted?: NotedValues | undefined;
  /** The cursor of the next page; null at the end. */
  readonly cursor: string | null;
  /** The clock of the service when it sent the first page that says it, in milliseconds since 1970; undefined before that. */
  readonly sentAt: number | undefined;
};

/** How a list is copied. */
export type CopyParts = {
  readonly state: ListState;
  /** The path of the copy. */
  readonly directory: string;
  readonly pass: Pass;
  readonly part: PartOptions;
  /** The ending of the files of parts, with its dot. */
  readonly ending: string;
};

/**
 * Writes the records of a list to parts: of an export all, of a sync those that are new or changed. Each record is once in the
 * parts of a pass, with the text that came first.
 */
export class ListCopy {
  readonly counts = noCounts();
  readonly #parts: CopyParts;
  readonly #read: ReturnType<typeof recordReader>;
  #entry: ListEntry;
  #part: { readonly part: Part; readonly file: string } | undefined;
  #number: number;
  readonly #ids: IdLog;
  /** The IDs of new records of this piece. */
  readonly #added: string[] = [];
  readonly #texts = new EncodedTexts();
  #changed = new Set<number>();
  /** The numbers of the records that a reading of the whole list had not sent. */
  #missed: number[] | undefined;
  /** Records that were sent again with another text. */
  readonly #newer = new Set<string>();
  /** The clock of the service when the present reading began. */
  #askedAt: number | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(parts: CopyParts) {
    this.#parts = parts;
    this.#entry = parts.state.entry;
    const { pass, state } = parts;
    this.#number = lastNumber(pass, state.parts());
    this.#read = recordReader(state.entry.id_path);
    this.#ids = new IdLog(state.index().size);
  }

  get #isSync(): boolean {
    return this.#parts.pass.syncedAt !== undefined;
  }

  /** What is known about the list. */
  get entry(): ListEntry {
    return this.#entry;
  }

  /** Makes the folder of the list, without what killed runs have left in it. @throws OutputError; what the file system throws */
  async prepare(): Promise<void> {
    const { directory, state } = this.#parts;
    if (state.entry.started_at === null) this.#entry = { ...this.#entry, started_at: now() };
    const folder = join(directory, state.entry.folder);
    makeFolder(directory, state.entry.folder);
    const parts = state.parts();
    for (const { file, bytes } of parts) await requirePart(join(folder, file), bytes);
    const recorded = new Set(parts.map(({ file }) => file));
    for (const name of await readdir(folder))
      if (!recorded.has(name) && isOwnFile(name)) await rm(join(folder, name), { force: true });
    const index = state.index();
    if (!this.#isSync) index.markAll();
    // A newer copy is of use only if the older one was recorded: all others are read again.
    const stale: string[] = [];
    for (const [id] of state.newer()) {
      if (!this.#isSync && index.has(id)) this.#newer.add(id);
      else stale.push(id);
    }
    state.forgetNewer(stale);
  }

  /** Adds a page. Its cursor is recorded with the part that ends after it. */
  async add({ cursor, sentAt, ...page }: CopiedPage): Promise<void> {
    await this.#keep(this.#recordsOf(page));
    this.#askedAt ??= sentAt;
    if (!this.#isSync) {
      const begun =
        this.#entry.service_started_at ?? (sentAt === undefined ? null : new Date(sentAt).toISOString());
      this.#entry = { ...this.#entry, cursor, service_started_at: begun };
    }
    if (this.#part?.part.isFull) await this.#endPart();
  }

  /** The list of an export is read to its end. */
  async endReading(): Promise<void> {
    const { state } = this.#parts;
    this.#entry = { ...this.#entry, cursor: null, ended_at: now() };
    // Engines find no table where there is no file.
    if (state.parts().length === 0) await this.#write([]);
    await this.#endPart();
    state.record(this.#entry);
    this.#askedAt = undefined;
  }

  /** Adds a page of what was changed while the list was read. */
  async addChanged({ sentAt, ...page }: Omit<CopiedPage, 'cursor'>): Promise<void> {
    this.#askedAt ??= sentAt;
    const { repeated } = this.#entry;
    // Those without an ID may be in the list, too.
    await this.#keep(this.#recordsOf(page).filter(({ id }) => id !== undefined));
    // They are asked for again.
    this.#entry = { ...this.#entry, repeated };
    if (this.#part?.part.isFull) await this.#endPart();
  }

  /** Some of what was changed while the list was read may not be in the copy. */
  missChanges(): void {
    this.#askedAt = undefined;
  }

  /** Whether there are records that are not known to be gone, and that the pass was not sent so far. Of use once the whole list was read. */
  missesRecords(): boolean {
    const index = this.#parts.state.index();
    this.#missed ??= notSent(index);
    while (index.isMarked(this.#missed.at(-1) ?? index.size)) this.#missed.pop();
    return this.#missed.length > 0;
  }

  #recordsOf({ texts, noted }: Pick<CopiedPage, 'texts' | 'noted'>): readonly CopiedRecord[] {
    return noted ? notedRecords(texts, noted) : texts.map(this.#read);
  }

  async #keep(records: readonly CopiedRecord[]): Promise<void> {
    await this.#attempt(async () => {
      for (const piece of inPieces(records)) {
        const index = this.#parts.state.index();
        const texts = this.#texts.encode(piece.map(({ text }) => text));
        const versions = index.versionsOf(texts);
        // A sync of records in their old order needs none.
        let prints: readonly Version[] | undefined;
        const printAt = (at: number) => {
          prints ??= index.printsOf(piece.map(({ id = '' }) => id));
          return prints[at] ?? GONE;
        };
        const kept = piece.filter((record, at) =>
          this.#keeps(record, versions[at] ?? GONE, () => printAt(at)),
        );
        this.#ids.add(this.#added.splice(0));
        if (kept.length > 0) await this.#write(kept, kept.length === piece.length ? texts : undefined);
      }
    });
  }

  /** Ends the pass. `readsAll` says that what was not read is gone, unless it may have come without its ID. */
  async finish({ readsAll }: { readonly readsAll: boolean }): Promise<void> {
    const { state } = this.#parts;
    if (readsAll && this.#isSync) await this.#writeGone();
    await this.#endPart();
    await this.#attempt(() => this.#writeNewer());
    if (this.counts.parts > 0 || !this.#entry.complete) {
      const until = changesUntil(state.parts(), this.#askedAt);
      const changed = this.#isSync ? this.#entry.sent_again_changed : this.#newer.size;
      this.#entry = {
        ...this.#entry,
        complete: true,
        changes_until: until,
        sent_again_changed: changed,
      };
      state.record(this.#entry);
    }
    state.forgetNewer(this.#newer);
  }

  /** Keeps what was written before a failure of the service; after one of the disk, what was recorded stands. */
  async fail(): Promise<void> {
    await this.#endPart().catch(() => {});
  }

  /** Does some of the work, unless some has failed: what comes after it would stand without it. */
  async #attempt<T>(work: () => Promise<T>): Promise<T> {
    if (this.#failure) throw this.#failure.error;
    try {
      return await work();
    } catch (error) {
      this.#failure = { error };
      await this.#part?.part.discard();
      throw error;
    }
  }

  /** Whether a record is written now. */
  #keeps({ text, id }: CopiedRecord, version: Version, print: () => Version): boolean {
    const index = this.#parts.state.index();
    if (id === undefined && this.#isSync) {
      this.counts.withoutId += 1;
      return false;
    }
    if (id === undefined) {
      this.#entry = { ...this.#entry, without_id: this.#entry.without_id + 1 };
      this.counts.added += 1;
      return true;
    }
    const before = index.size;
    const number = index.numberOf(id, version, print);
    const wasRead = index.mark(number);
    if (number === before) {
      this.#added.push(id);
      this.counts.added += 1;
      return true;
    }
    const isSame = index.hasVersion(number, version);
    if (wasRead) {
      if (!isSame || this.#newer.has(id)) this.#keepNewer(id, text);
      else if (!this.#isSync) this.#entry = { ...this.#entry, repeated: this.#entry.repeated + 1 };
      return false;
    }
    if (isSame) this.counts.unchanged += 1;
    else {
      index.setVersion(number, version);
      this.#changed.add(number);
      this.counts.changed += 1;
    }
    return !isSame;
  }

  #keepNewer(id: string, text: string): void {
    this.#parts.state.keepNewer(id, text);
    this.#newer.add(id);
  }

  /** Writes the newer copies of records as a pass of their own. */
  async #writeNewer(): Promise<void> {
    if (this.#newer.size === 0) return;
    const { state } = this.#parts;
    const later = new ListCopy({ ...this.#parts, pass: nextSync(state) });
    const index = state.index();
    for (const [id, text] of state.newer()) {
      const [version = GONE] = index.versionsOf(this.#texts.encode([text]));
      const number = index.numberOf(id, version);
      if (index.hasVersion(number, version)) continue;
      index.setVersion(number, version);
      later.#changed.add(number);
      await later.#add(text);
    }
    await later.#endPart();
    this.counts.parts += later.counts.parts;
    this.counts.bytes += later.counts.bytes;
  }

  async #writeGone(): Promise<void> {
    const { state } = this.#parts;
    const index = state.index();
    for (const [number, id] of state.ids((one) => !index.isMissing(one))) {
      if (this.counts.withoutId > 0) {
        this.counts.unsure += 1;
        continue;
      }
      index.setVersion(number, GONE);
      this.#changed.add(number);
      this.counts.gone += 1;
      await this.#add(goneText(this.#entry.id_path, id));
    }
  }

  /** Writes records one by one. */
  async #add(text: string): Promise<void> {
    await this.#attempt(() => this.#write([this.#read(text)]));
    if (this.#part?.part.isFull) await this.#endPart();
  }

  /** Writes records; `texts` has theirs, unless they change. */
  async #write(records: readonly CopiedRecord[], texts?: EncodedTexts): Promise<void> {
    const { part, pass, ending, directory } = this.#parts;
    if (!this.#part) {
      const file = partName(pass, this.#number + 1) + ending;
      this.#part = { part: await Part.begin(join(directory, this.#entry.folder, file), part), file };
    }
    if (pass.syncedAt === undefined) await this.#part.part.add(records, texts);
    else
      await this.#part.part.add(
        records.map((record) => ({ ...record, text: withTime(record.text, pass.syncedAt) })),
      );
  }

  async #endPart(): Promise<void> {
    await this.#attempt(async () => await this.#putInPlace());
  }

  async #putInPlace(): Promise<void> {
    const open = this.#part;
    if (!open) return;
    const ended = await open.part.end();
    this.#part = undefined;
    this.#number += 1;
    const { syncedAt } = this.#parts.pass;
    const part: PartEntry = {
      file: open.file,
      ...ended,
      cursor_after: this.#entry.cursor,
      ...(syncedAt !== undefined && { synced_at: syncedAt }),
    };
    this.#parts.state.record(this.#entry, part, { ids: this.#ids, changed: this.#changed });
    this.#ids.clear();
    this.#changed = new Set();
    this.counts.bytes += part.bytes;
    this.counts.parts += 1;
  }
}

/** The numbers of the records that a pass was not sent, without those that are known to be gone. */
function notSent(index: RecordIndex): number[] {
  const found: number[] = [];
  for (let number = 0; number < index.size; number += 1) if (index.isMissing(number)) found.push(number);
  return found;
}

/** Makes a folder in a directory. A link could lead to files of somebody else. @throws OutputError `file_unwritable`, `copy_damaged` */
function makeFolder(directory: string, folder: string): void {
  const path = join(directory, folder);
  try {
    makeDirectory(path);
    if (!isLink(directory, folder)) return;
  } catch (error) {
    throw unwritable(OutputError, path, error);
  }
  throw new OutputError('copy_damaged', `${quote(path)} is a symbolic link`, {
    hint: 'Put the directory itself in its place, or export again to another directory.',
  });
}

/** Whether the folder of a list, or one that it is in, is a symbolic link. @throws what the file system throws */
export function isLink(directory: string, folder: string): boolean {
  return realpathSync(join(directory, folder)) !== join(realpathSync(directory), folder);
}

/** @throws OutputError `copy_damaged` where the file of a recorded part is not there as it was */
async function requirePart(path: string, bytes: number): Promise<void> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats?.isFile() && stats.size === bytes) return;
  const problem = stats ? 'is not as payctl wrote it' : 'is missing';
  throw new OutputError('copy_damaged', `${quote(path)} ${problem}`, {
    hint: 'Restore the file from a backup, or export again to another directory.',
  });
}

/** Whether a name is one that payctl gives to a file in the folder of a list, whole or not. */
export function isOwnFile(name: string): boolean {
  return /^\.?(?:part|sync-\d{8}T\d{6}Z)-\d{6}\./.test(name);
}

/** The name of a part, without its ending; numbers begin at 1. */
export function partName({ name }: Pick<Pass, 'name'>, number: number): string {
  return `${name}-${String(number).padStart(6, '0')}`;
}

/** The number of the last part of a pass; 0 where there is none. */
export function lastNumber({ name }: Pick<Pass, 'name'>, parts: readonly PartEntry[]): number {
  const own = parts.filter(({ file }) => file.startsWith(`${name}-`));
  return Math.max(0, ...own.map(({ file }) => Number.parseInt(file.slice(name.length + 1), 10)));
}

/** The pass of a sync that begins now; in any case after the one before. */
export function nextSync(state: Pick<ListState, 'parts'>): Pass {
  const before = state.parts().map(({ synced_at: at }) => (at === undefined ? 0 : Date.parse(at) + 1));
  const syncedAt = new Date(Math.max(Date.now(), ...before)).toISOString();
  return { name: `sync-${syncedAt.replaceAll(/[-:]|\.\d+/g, '')}`, syncedAt };
}

/** The time before which all changes are in these parts, of which the last reading began at `askedAt`. */
function changesUntil(parts: readonly PartEntry[], askedAt: number | undefined): string | null {
  const times = parts.flatMap(({ updated_at: span }) => (span ? [timeOf(JSON.stringify(span.max))] : []));
  return times.length === 0 || askedAt === undefined
    ? null
    : new Date(Math.min(Math.max(...times), askedAt)).toISOString();
}

function now(): string {
  return new Date().toISOString();
}

/** The marker of a record that is gone. `id` is the JSON text of its ID. */
function goneText(idPath: string, id: string): string {
  const [first = '', ...inner] = idPath.split('.');
  const value = inner.reduceRight((text, name) => `{${JSON.stringify(name)}:${text}}`, id);
  return `{${JSON.stringify(first)}:${value},"_deleted":true}`;
}

/** Adds the time of a sync at the end of a record. */
function withTime(text: string, syncedAt = ''): string {
  const end = text.lastIndexOf('}');
  const comma = /^\{\s*$/.test(text.slice(0, end)) ? '' : ',';
  return `${text.slice(0, end)}${comma}"_synced_at":${JSON.stringify(syncedAt)}}`;
}

/** A record as it was before `withTime`; the same where no time was added. */
export function withoutTime(text: string, syncedAt: string | undefined): string {
  const end = `"_synced_at":${JSON.stringify(syncedAt)}}`;
  if (syncedAt === undefined || !text.endsWith(end)) return text;
  return `${text.slice(0, -end.length).replace(/,$/, '')}}`;
}
