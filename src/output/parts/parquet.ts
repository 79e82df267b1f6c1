import { promisify } from 'node:util';
import { constants, gzip, type ZlibOptions, type ZstdOptions, zstdCompress } from 'node:zlib';
import type { CompressionCodec, RowGroup, SchemaElement } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer/src/bytewriter.js';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { writeMetadata } from 'hyparquet-writer/src/metadata.js';
import type { PartEnd, PartWriter, PartWriterOptions } from '../format.ts';
import { type ColumnType, columnsOfPart, RAW, type TypedColumn } from '../typed-column.ts';
import { ZSTD_LEVEL } from './compressed.ts';
import type { EncodedTexts } from './encoded-texts.ts';
import { type Page, type ParquetColumn, parquetColumn, type StoredType } from './parquet-columns.ts';
import { Records } from './records.ts';

/** Parquet compresses its own pages, and has one ending. */
export const ending = (): string => '.parquet';

/** The pages of a row group. */
export const holdsPages = true;

/** How a file is divided. */
type Sizes = {
  /** Bytes of a page before it is compressed: each page takes a compressor of its own, so smaller ones cost time. */
  readonly page: number;
  /** A row group ends after this many rows, or this many bytes of pages, which are kept until then; most of them are compressed. */
  readonly rows: number;
  readonly kept: number;
};
const SIZES: Sizes = { page: 256 * 1024, rows: 122_880, kept: 12 * 2 ** 20 };
/** Pages that are compressed at a time. */
const MOST_WAITING = 8;

/** A page as it is in the file, its header included, and its size without compression. */
type StoredPage = { readonly bytes: Buffer; readonly plainSize: number; readonly slots: number };

/** A window that is not larger than a page: by default each compression would take megabytes. */
const ZSTD: ZstdOptions = {
  chunkSize: SIZES.page / 4,
  params: { [constants.ZSTD_c_windowLog]: 18, [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL },
};

const zstd = promisify<Buffer, ZstdOptions, Buffer>(zstdCompress);
const gzipped = promisify<Buffer, ZlibOptions, Buffer>(gzip);

type Compressor = { readonly codec: CompressionCodec; readonly compress: (body: Buffer) => Promise<Buffer> };

const COMPRESSORS: Readonly<Record<PartWriterOptions['compression'], Compressor>> = {
  zstd: { codec: 'ZSTD', compress: (body) => zstd(body, ZSTD) },
  gzip: { codec: 'GZIP', compress: (body) => gzipped(body, { chunkSize: SIZES.page / 4 }) },
  none: { codec: 'UNCOMPRESSED', compress: async (body) => body },
};

/**
 * Writes a Parquet file: pages of version 1 and plain values, which every engine reads. A value that does not fit the type of its column is null
 * there; the whole record is then in `_raw`, as it is for a record with members that have no column.
 */
export function createPartWriter(options: PartWriterOptions, sizes = SIZES): PartWriter {
  const part = new ParquetPart(options, sizes);
  return { add: (encoded) => part.add(encoded), end: () => part.end() };
}

class ParquetPart {
  readonly #options: PartWriterOptions;
  readonly #sizes: Sizes;
  readonly #records: Records;
  readonly #columns: readonly ParquetColumn[];
  readonly #whole: ParquetColumn;
  readonly #schema: SchemaElement[];
  readonly #paths: readonly (readonly string[])[];
  readonly #compressor: Compressor;
  /** By column, the pages of this row group. */
  #pages: Promise<StoredPage>[][];
  readonly #waiting = new Set<Promise<StoredPage>>();
  #kept = 0;
  #rows = 0;
  #groups: RowGroup[] = [];
  #offset = 0;

  constructor(options: PartWriterOptions, sizes: Sizes) {
    const { id, partition, mask } = options;
    const columns = columnsOfPart(options.columns, partition);
    this.#options = options;
    this.#sizes = sizes;
    this.#records = new Records(
      columns.filter((column) => column !== RAW),
      { takesLists: true, id, partition, mask },
    );
    this.#whole = parquetColumn(this.#records.whole);
    this.#columns = [...this.#records.leaves().map(parquetColumn), this.#whole];
    this.#pages = this.#columns.map(() => []);
    this.#compressor = COMPRESSORS[options.compression];
    const types = this.#columns.map(({ type }) => type).values();
    const described = columns.map((column) => describe(column, types, []));
    this.#schema = [
      { name: 'schema', num_children: columns.length },
      ...described.flatMap(({ elements }) => elements),
    ];
    this.#paths = described.flatMap(({ paths }) => paths);
  }

  async add(encoded: EncodedTexts): Promise<void> {
    if (this.#offset === 0) await this.#write(Buffer.from(MAGIC));
    const records = this.#records;
    records.read(encoded);
    for (const column of this.#columns) {
      if (column === this.#whole) records.placeWhole(this.#options.raw);
      column.append(records);
    }
    this.#rows += encoded.texts.length;
    let open = 0;
    for (const [index, column] of this.#columns.entries()) {
      if (column.size >= this.#sizes.page) this.#cut(index, column);
      else open += column.size;
    }
    while (this.#waiting.size > MOST_WAITING) await Promise.race(this.#waiting);
    if (this.#rows >= this.#sizes.rows || this.#kept + open >= this.#sizes.kept) await this.#endGroup();
  }

  async end(): Promise<PartEnd> {
    if (this.#offset === 0) await this.#write(Buffer.from(MAGIC));
    if (this.#rows > 0) await this.#endGroup();
    const footer = new ByteWriter();
    const rows = this.#groups.reduce((sum, { num_rows }) => sum + num_rows, 0n);
    const metadata = {
      version: 1,
      created_by: 'payctl',
      schema: this.#schema,
      num_rows: rows,
      row_groups: this.#groups,
    };
    writeMetadata(footer, { ...metadata, metadata_length: 0 });
    footer.appendBytes(Buffer.from(MAGIC));
    await this.#write(footer.getBytes());
    return { unfit: this.#records.unfit };
  }

  #cut(index: number, column: ParquetColumn): void {
    const page = column.takePage();
    if (!page) return;
    const stored = this.#store(page);
    this.#pages[index]?.push(stored);
    this.#waiting.add(stored);
    stored.then(
      ({ bytes }) => {
        this.#kept += bytes.length;
        this.#waiting.delete(stored);
      },
      () => {},
    );
  }

  async #store({ body, slots }: Page): Promise<StoredPage> {
    const compressed = await this.#compressor.compress(body);
    const header = new ByteWriter(64);
    writePageHeader(header, {
      type: 'DATA_PAGE',
      uncompressed_page_size: body.length,
      compressed_page_size: compressed.length,
      data_page_header: {
        num_values: slots,
        encoding: 'PLAIN',
        definition_level_encoding: 'RLE',
        repetition_level_encoding: 'RLE',
      },
    });
    const bytes = Buffer.concat([header.getBytes(), compressed]);
    return { bytes, plainSize: header.offset + body.length, slots };
  }

  async #endGroup(): Promise<void> {
    const start = this.#offset;
    const chunks: RowGroup['columns'] = [];
    for (const [index, column] of this.#columns.entries()) this.#cut(index, column);
    for (const [index, column] of this.#columns.entries()) {
      const pages = await Promise.all(this.#pages[index] ?? []);
      const { nulls, least, most } = column.takeStatistics();
      const at = BigInt(this.#offset);
      for (const { bytes } of pages) await this.#write(bytes);
      chunks.push({
        file_offset: at,
        meta_data: {
          type: column.type.type,
          encodings: ['PLAIN', 'RLE'],
          path_in_schema: [...(this.#paths[index] ?? [])],
          codec: this.#compressor.codec,
          num_values: sumOf(pages, 'slots'),
          total_uncompressed_size: sumOf(pages, 'plainSize'),
          total_compressed_size: BigInt(this.#offset) - at,
          data_page_offset: at,
          statistics: {
            null_count: BigInt(nulls),
            ...(least !== undefined && { min_value: least }),
            ...(most !== undefined && { max_value: most }),
          },
        },
      });
    }
    this.#groups.push({
      columns: chunks,
      total_byte_size: chunks.reduce(
        (sum, { meta_data }) => sum + (meta_data?.total_uncompressed_size ?? 0n),
        0n,
      ),
      num_rows: BigInt(this.#rows),
      file_offset: BigInt(start),
      total_compressed_size: BigInt(this.#offset - start),
    });
    this.#pages = this.#columns.map(() => []);
    this.#kept = 0;
    this.#rows = 0;
  }

  async #write(bytes: Uint8Array): Promise<void> {
    this.#offset += bytes.length;
    await this.#options.write(bytes);
  }
}

const MAGIC = 'PAR1';

function sumOf(pages: readonly StoredPage[], name: 'slots' | 'plainSize'): bigint {
  return BigInt(pages.reduce((sum, page) => sum + page[name], 0));
}

type Described = { readonly elements: SchemaElement[]; readonly paths: readonly (readonly string[])[] };

/** The elements of the schema for a column, and the paths of those with values; `types` gives the type of each of them in turn. */
function describe(
  { name, type }: TypedColumn,
  types: Iterator<StoredType>,
  above: readonly string[],
): Described {
  const path = [...above, name];
  if (typeof type === 'string') {
    const { value }: IteratorResult<StoredType, undefined> = types.next();
    return { elements: [{ name, repetition_type: 'OPTIONAL', ...value }], paths: [path] };
  }
  const { group, inner } = partsOf(type);
  const parts = inner.map((one) => describe(one, types, 'list' in type ? [...path, 'list'] : path));
  return {
    elements: [
      { name, repetition_type: 'OPTIONAL', ...group },
      ...listGroup(type),
      ...parts.flatMap(({ elements }) => elements),
    ],
    paths: parts.flatMap(({ paths }) => paths),
  };
}

function partsOf(type: Exclude<ColumnType, string>): {
  readonly group: Omit<SchemaElement, 'name'>;
  readonly inner: readonly TypedColumn[];
} {
  if ('struct' in type) return { group: { num_children: type.struct.length }, inner: type.struct };
  return {
    group: { num_children: 1, converted_type: 'LIST', logical_type: { type: 'LIST' } },
    inner: [{ name: 'element', type: type.list }],
  };
}

function listGroup(type: Exclude<ColumnType, string>): readonly SchemaElement[] {
  return 'list' in type ? [{ name: 'list', repetition_type: 'REPEATED', num_children: 1 }] : [];
}

/** The records of a part. */
export { readParquet as readPart } from './parquet-reader.ts';
