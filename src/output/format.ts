import type { Column } from './columns.ts';
import type { Jq, JqResult, ListWriter } from './list-page.ts';
import type { MajorUnits } from './major-units.ts';
import type { EncodedTexts } from './parts/encoded-texts.ts';
import type { Sink } from './streams.ts';
import type { Terminal } from './terminal.ts';
import type { TypedColumn } from './typed-column.ts';

/** A row of the table of output formats: how data are written in it, and all that other code decides by the format. */
export type Format = {
  /** Printed text may take the place of data: people alone read it. Otherwise the data are the same in every such format. */
  readonly isForPeople?: boolean;
  /** A terminal shows aligned columns: those that fit its width, or all of them. Commands may have a layout of their own for it. */
  readonly aligned?: 'fit' | 'whole';
  /** Only columns are shown of each item, below a header. */
  readonly hasHeader?: boolean;
  /** Many pages make one document, which cannot be used until it is complete. */
  readonly isDocument?: boolean;
  /** `--jq` filters each item by itself, and not the whole document. */
  readonly filtersItems?: boolean;
  /** Its lines appear on a terminal as they come, without a pager. */
  readonly skipsPager?: boolean;
  /** Errors and warnings are lines of JSON, and stderr has nothing else unless a person reads it. */
  readonly reportsJson?: boolean;
  /** It may begin with a byte order mark, by which spreadsheets know UTF-8. */
  readonly takesBom?: boolean;
  /** Loads the code that writes a list. */
  readonly list: (terminal: Terminal) => Promise<{
    readonly createWriter: (options: ListWriterOptions) => ListWriter | Promise<ListWriter>;
  }>;
  /** Loads the code that writes one document. */
  readonly document: (terminal: Terminal) => Promise<{
    readonly documentText: (document: ShownDocument) => string | Promise<string>;
  }>;
  /** Loads the code that writes what jq makes of data; by default, each result is a row of a list. */
  readonly results?: () => Promise<{
    readonly resultsText: (results: readonly JqResult[], terminal: Terminal) => string | Promise<string>;
  }>;
};

/** Loads the code that writes the parts of a copy in a format, and names their files. */
export type LoadParts = () => Promise<{
  readonly createPartWriter: (options: PartWriterOptions) => PartWriter;
  /** The end of the name of a part, such as `.ndjson.zst`. */
  readonly ending: (compression: Compression) => string;
  /** A part in this format holds compressed pages in memory until they are written together. */
  readonly holdsPages?: boolean;
  /**
   * The records of a part, each as JSON text; where the format has columns and the whole record is not there, text that is made of them, without
   * nulls and without what the names of the folders say. @throws DamagedPart; what the file system throws
   */
  readonly readPart: (path: string, options: PartReaderOptions) => AsyncIterable<readonly string[]>;
}>;

/** How a part is read. */
export type PartReaderOptions = Pick<PartWriterOptions, 'columns' | 'partition' | 'compression'> & {
  readonly signal?: AbortSignal | undefined;
};

/** How a part of a copy is compressed. */
export type Compression = 'zstd' | 'gzip' | 'none';

/** Writes the records of one part of a copy. */
export type PartWriter = {
  /** Adds records, each as its exact JSON text (one object). They may change when this has resolved. */
  add(records: EncodedTexts): Promise<void>;
  /** Writes what is left. Nothing follows. */
  end(): Promise<PartEnd>;
};

/** What is known about a part when it is written. */
export type PartEnd = {
  /** Values that did not fit the type of their column, by the dotted path of the column. */
  readonly unfit: Readonly<Record<string, number>>;
};

export type PartWriterOptions = {
  readonly columns: readonly TypedColumn[];
  /** The dotted path of the ID. A record whose column would write the ID in another way is in `_raw`. */
  readonly id?: string | undefined;
  /** What the names of its folders say (`merchant_account_id=eu`); for a format with columns, these are no columns. */
  readonly partition?: Readonly<Record<string, string>> | undefined;
  /** What replaces masked values: null in a column that is not of texts, and nothing to be counted. */
  readonly mask?: string | undefined;
  /** Takes the bytes of the file, in their order. Waits for the disk. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** For a format with columns: `_raw` has the whole record also where the columns hold all of it. */
  readonly raw: boolean;
  readonly compression: Compression;
};

/** What the writer of a list is made of. */
export type ListWriterOptions = {
  readonly format: Format;
  /** Many pages make one document (`--all`, `--max-items`); otherwise one page is written unchanged. */
  readonly whole: boolean;
  /** The member that holds the items of such a document; `items` by default. */
  readonly listName?: string | undefined;
  /** Such a document is an array, as each page is. */
  readonly isArray?: boolean | undefined;
  /** The columns to show: those of `--columns`, else those of the resource (for CSV all of its leaf fields). */
  readonly columns: readonly Column[];
  /** `--columns` was given: every format is reduced to them, and none is left out for lack of width. */
  readonly explicitColumns: boolean;
  /** The amounts that are sent in the major unit, by dotted paths in which `0` is any element. */
  readonly majorFields?: readonly string[] | undefined;
  /** What the columns show of amounts in the major unit, for `--amounts major`. */
  readonly majorUnits?: Pick<MajorUnits, 'writer'> | undefined;
  /** False for `--no-header`. */
  readonly header: boolean;
  /** It begins with a byte order mark. */
  readonly bom?: boolean | undefined;
  readonly stdout: Sink;
  /** How stdout is to be written to. */
  readonly terminal: Terminal;
  /** Prints one line for a person on stderr; given without its line end. */
  readonly info: (text: string) => void | Promise<void>;
  /** Every page is printed when it comes, also by the aligned table, whose columns then only get wider. For what has no end. */
  readonly asItComes?: boolean;
  /** Rows that the aligned table gathers; later ones are not aligned. 10,000 by default. */
  readonly maxRows?: number;
  /** Filters the JSON: each item, or the whole document, as the format says. */
  readonly jq?: Jq | undefined;
};

/** As for a list; `columns` are those of `--columns`, else the leaf fields of the resource (used by CSV alone). */
export type DocumentWriterOptions = Omit<ListWriterOptions, 'whole' | 'maxRows'>;

/** A document as a format writes it. */
export type ShownDocument = DocumentWriterOptions & {
  /** What the service sent. */
  readonly text: string;
  /** The same, reduced to the columns of `--columns` if there are any. */
  readonly chosen: string;
  /** The path of every value of `chosen` that holds no others, and the value as the text of a cell. */
  readonly leaves: () => readonly (readonly [path: string, value: string])[];
};

/** Whether each page is of use without those that follow. Results of jq are, where it filters each item by itself. */
export function writesInPieces({ isDocument, filtersItems }: Format, hasFilter: boolean): boolean {
  return hasFilter ? filtersItems === true : !isDocument;
}
