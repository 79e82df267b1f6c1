import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { isObject } from '../../../src/json/is-object.ts';
import type { LoadParts, PartEnd, PartWriterOptions } from '../../../src/output/format.ts';
import { PART_FORMATS } from '../../../src/output/formats.ts';
import { EncodedTexts, inPieces } from '../../../src/output/parts/encoded-texts.ts';
import { createPartWriter as createParquetWriter } from '../../../src/output/parts/parquet.ts';
import type { TypedColumn } from '../../../src/output/typed-column.ts';

/** A file as a writer of parts made it. */
export type WrittenPart = PartEnd & { readonly bytes: Buffer<ArrayBuffer> };

/** Writes the records page by page, and returns the file. */
export async function writePart(
  parts: LoadParts,
  pages: readonly (readonly string[])[],
  options: Partial<PartWriterOptions> & { readonly columns: readonly TypedColumn[] },
): Promise<WrittenPart> {
  const { createPartWriter } = await parts();
  const chunks: Uint8Array[] = [];
  const writer = createPartWriter({
    ...{ raw: false, compression: 'none', ...options },
    // A writer may use its memory again.
    write: async (bytes) => void chunks.push(Uint8Array.from(bytes)),
  });
  for (const texts of pages)
    for (const piece of inPieces(texts.map((text) => ({ text }))))
      await writer.add(new EncodedTexts().encode(piece.map(({ text }) => text)));
  return { ...(await writer.end()), bytes: Buffer.concat(chunks) };
}

/** Parquet that is divided into row groups and pages of other sizes. */
export function parquetOf(sizes: NonNullable<Parameters<typeof createParquetWriter>[1]>): LoadParts {
  return async () => ({
    ...(await PART_FORMATS.parquet()),
    createPartWriter: (options) => createParquetWriter(options, sizes),
  });
}

const codecs = {
  ZSTD: (bytes: Uint8Array) => zstdDecompressSync(bytes),
  GZIP: (bytes: Uint8Array) => gunzipSync(bytes),
};

const asStored = (value: unknown) => value;
const text = new TextDecoder('utf-8', { fatal: true });

/** Reads the rows of a Parquet file: integers and microseconds as `bigint`, and days as numbers. */
export async function rowsOf({ bytes }: WrittenPart): Promise<readonly Record<string, unknown>[]> {
  const rows = await parquetReadObjects({
    file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
    compressors: codecs,
    parsers: {
      timestampFromMicroseconds: asStored,
      dateFromDays: asStored,
      stringFromBytes: (string: Uint8Array | undefined) => string && text.decode(string),
    },
  });
  return rows.map((row) => Object(withNull(row)));
}

/** The reader has nothing where an object or a list is null. */
function withNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNull);
  if (!isObject(value)) return value ?? null;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withNull(member)]));
}

/** What a Parquet file says about itself. */
export function metadataOf({ bytes }: Pick<WrittenPart, 'bytes'>) {
  return parquetMetadata(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}
