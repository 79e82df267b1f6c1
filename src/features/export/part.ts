import { createHash } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { OutputError } from '../../errors.ts';
import { unwritable, writeError } from '../../files/output-file.ts';
import { renamePatiently } from '../../files/rename.ts';
import { parseKeepingNumbers } from '../../json/exact.ts';
import type { LoadParts, PartWriter, PartWriterOptions } from '../../output/format.ts';
import { EncodedTexts, inPieces } from '../../output/parts/encoded-texts.ts';
import type { PartEntry, Span } from './manifest.ts';
import type { CopiedRecord } from './record.ts';

/** The most rows of a part: payctl keeps the ID of each in memory until the part is recorded. */
const MOST_ROWS = 250_000;

/** How a part is written. */
export type PartOptions = Omit<PartWriterOptions, 'write'> & {
  readonly createPartWriter: Awaited<ReturnType<LoadParts>>['createPartWriter'];
  /** Bytes of JSON text after which the part is full. */
  readonly size: number;
};

/** A part of a copy that is being written: to a file with another name, until it is whole. */
export class Part {
  readonly #path: string;
  readonly #size: number;
  readonly #writer: PartWriter;
  readonly #file: FileHandle;
  readonly #hash = createHash('sha256');
  readonly #encoded = new EncodedTexts();
  readonly #created = new Times();
  readonly #updated = new Times();
  #bytes = 0;
  #rows = 0;
  #length = 0;
  /** The JSON texts of the IDs of the first record and of the last one. */
  #first: string | undefined;
  #last: string | undefined;

  private constructor(path: string, file: FileHandle, { createPartWriter, size, ...options }: PartOptions) {
    this.#path = path;
    this.#size = size;
    this.#file = file;
    this.#writer = createPartWriter({ ...options, write: async (bytes) => await this.#write(bytes) });
  }

  /** Begins a part. @throws OutputError `file_unwritable` */
  static async begin(path: string, options: PartOptions): Promise<Part> {
    const draft = draftOf(path);
    try {
      await rm(draft, { force: true });
      return new Part(path, await open(draft, 'wx', 0o600), options);
    } catch (error) {
      throw unwritable(OutputError, draft, error);
    }
  }

  get isFull(): boolean {
    return this.#length >= this.#size || this.#rows >= MOST_ROWS;
  }

  /** Adds records. `encoded` has their texts, if they are encoded already. */
  async add(records: readonly CopiedRecord[], encoded?: EncodedTexts): Promise<void> {
    for (const { text, created, updated } of records) {
      this.#length += text.length + 1;
      this.#created.add(created);
      this.#updated.add(updated);
    }
    if (this.#rows === 0) this.#first = records[0]?.id;
    if (records.length > 0) this.#last = records.at(-1)?.id;
    this.#rows += records.length;
    await this.#attempt(async () => {
      if (encoded) await this.#writer.add(encoded);
      else
        for (const piece of inPieces(records))
          await this.#writer.add(this.#encoded.encode(piece.map(({ text }) => text)));
    });
  }

  /** Ends the part, and puts it in its place. @throws OutputError */
  async end(): Promise<Omit<PartEntry, 'file' | 'cursor_after'>> {
    return await this.#attempt(async () => {
      const { unfit } = await this.#writer.end();
      await this.#file.sync();
      await this.#file.close();
      renamePatiently(draftOf(this.#path), this.#path);
      await syncDirectory(dirname(this.#path));
      return {
        rows: this.#rows,
        bytes: this.#bytes,
        sha256: this.#hash.digest('hex'),
        first_id: exactValue(this.#first ?? 'null'),
        last_id: exactValue(this.#last ?? 'null'),
        created_at: this.#created.span(),
        updated_at: this.#updated.span(),
        ...(Object.keys(unfit).length > 0 && { unfit }),
      };
    });
  }

  /** Removes what was written. */
  async discard(): Promise<void> {
    await this.#file.close().catch(() => {});
    await rm(draftOf(this.#path), { force: true }).catch(() => {});
  }

  async #write(bytes: Uint8Array): Promise<void> {
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    await this.#file.appendFile(bytes);
  }

  async #attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw writeError(this.#path, error);
    }
  }
}

/** What the file of a part is called until it is whole. */
const DRAFT = '.tmp';

function draftOf(path: string): string {
  return join(dirname(path), `.${basename(path)}${DRAFT}`);
}

/** Makes the names in a directory last, where the system can do that. */
async function syncDirectory(path: string): Promise<void> {
  try {
    const directory = await open(path, 'r');
    await directory.sync().finally(() => directory.close());
  } catch {
    // Windows opens no directories.
  }
}

/** The smallest and the largest time of some records: RFC 3339 or seconds. */
class Times {
  #min = '';
  #max = '';
  #earliest = Number.POSITIVE_INFINITY;
  #latest = Number.NEGATIVE_INFINITY;
  /** The form of both; 0 if they have different ones. */
  #form = 0;

  add(written: string | undefined): void {
    if (written === undefined) return;
    const form = formOf(written);
    const isSameForm = form !== 0 && form === this.#form;
    if (isSameForm && this.#min <= written && written <= this.#max) return;
    const time = timeOf(written);
    // What only looks like a time, such as 9999-99-99T00:00:00Z, can be compared as a text.
    if (!Number.isFinite(time)) return;
    this.#form = isSameForm || this.#min === '' ? form : 0;
    if (isSameForm ? written < this.#min : time < this.#earliest) {
      this.#min = written;
      this.#earliest = time;
    }
    if (isSameForm ? this.#max < written : this.#latest < time) {
      this.#max = written;
      this.#latest = time;
    }
  }

  span(): Span | null {
    return this.#min === '' ? null : { min: exactValue(this.#min), max: exactValue(this.#max) };
  }
}

/** What the texts of two times have in common if they can be compared as texts; 0 for a text that cannot. */
function formOf(written: string): number {
  if (written.endsWith('Z"')) return written.length;
  return written.endsWith('+00:00"') ? -written.length : 0;
}

/** A string, or a number with all its digits. */
function exactValue(written: string): string | number {
  return parseKeepingNumbers(`{"value":${written}}`).value as string | number;
}

/** Milliseconds since 1970; NaN for the JSON text of any other value. */
export function timeOf(written: string): number {
  return written.startsWith('"')
    ? Date.parse(written.slice(1, -1))
    : Number(/^\d/.test(written) ? written : Number.NaN) * 1000;
}
