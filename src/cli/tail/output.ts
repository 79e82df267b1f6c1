import { type Operation, operations } from '../../contract/generated/operations.ts';
import { OutputError, PayctlError, UsageError } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import type { Column } from '../../output/columns.ts';
import type { Format } from '../../output/format.ts';
import { FORMATS, OUTPUT_FORMATS } from '../../output/formats.ts';
import { createListPage, type ListWriter } from '../../output/list-page.ts';
import { createListWriter } from '../../output/list-writer.ts';
import type { OutputFlagValues } from '../flags/list.ts';
import { DataMasker } from '../secrets/mask.ts';
import type { Session } from '../session/session.ts';
import { writerOptions } from '../show/writer-options.ts';
import type { NewEntry } from './marks.ts';
import type { TailSource } from './source.ts';

/** What tables show for an entry in addition to its own data. */
type RowMarks = WeakMap<object, 'late' | 'gap'>;

type TailOutputOptions = {
  readonly writer: ListWriter;
  readonly masker: DataMasker;
  readonly marks: RowMarks;
  readonly perPage: number;
  readonly isDocument: boolean;
};

/** Prints the entries of a list as they come. */
export class TailOutput {
  readonly #options: TailOutputOptions;

  constructor(options: TailOutputOptions) {
    this.#options = options;
  }

  /** What is printed is of use without what follows it. */
  get inPieces(): boolean {
    return !this.#options.isDocument;
  }

  /** Prints entries, oldest first; `onPrinted` is told which are printed, piece by piece. */
  async print(
    entries: readonly NewEntry[],
    isAfterGap: boolean,
    onPrinted: (some: readonly NewEntry[]) => void,
  ): Promise<void> {
    const { writer, masker, marks, perPage } = this.#options;
    for (let start = 0; start < entries.length; start += perPage) {
      const some = entries.slice(start, start + perPage);
      const { text } = masker.mask(`{"items":[${some.map((entry) => entry.text).join(',')}]}`);
      const page = createListPage(text, some);
      for (const [index, { isLate }] of some.entries()) {
        const mark = isAfterGap && start + index === 0 ? 'gap' : isLate ? 'late' : undefined;
        if (!mark) continue;
        const row = page.items[index];
        if (isObject(row)) marks.set(row, mark);
      }
      await writer.page(page);
      onPrinted(some);
    }
  }

  /** Completes what was printed; `error` is what ended the run, if anything did. */
  async end(error?: unknown): Promise<void> {
    await this.#options.writer.end({ nextCursor: null }).catch((second: unknown) => {
      if (!(error instanceof PayctlError && second instanceof OutputError)) throw second;
    });
    this.#options.masker.report();
  }
}

/**
 * Opens the output of a tail. Its formats print each entry when it comes; those that make one document need a run that ends.
 * @throws UsageError `endless_document`, `invalid_jq`, `unknown_column`
 */
export async function openTailOutput(
  session: Session,
  source: Pick<TailSource, 'list' | 'columns' | 'marked'>,
  { flags, hasEnd }: { readonly flags: OutputFlagValues; readonly hasEnd: boolean },
): Promise<TailOutput> {
  const { display } = session;
  const marks: RowMarks = new WeakMap();
  const operation: Operation = operations[source.list];
  const columns = tailColumns(source, marks, display.format.aligned === 'whole');
  const options = await writerOptions(session, flags, { columns, operation: operation.id });
  // Without a format, the results of --jq are lines, too: those of a document would come when all is over.
  const format = options.jq && !display.isFormatChosen ? FORMATS.ndjson : options.format;
  const isDocument = format.isDocument === true;
  if (isDocument && !hasEnd) throw endlessDocument(format);
  const writer = await createListWriter({ ...options, format, whole: true, asItComes: true });
  // A format for people shows nothing of an empty list.
  if (!format.isForPeople) await writer.page(createListPage('{"items":[]}', []));
  const masker = new DataMasker(display, flags, { personalData: operation.personalData });
  // Where a filter fails on an entry, all entries before it have been printed.
  return new TailOutput({ writer, masker, marks, perPage: options.jq ? 1 : 10_000, isDocument });
}

function endlessDocument(format: Format): UsageError {
  const name = OUTPUT_FORMATS.find((one) => FORMATS[one] === format);
  return new UsageError(
    'endless_document',
    `-o ${name} writes a single document, which would never be complete`,
    {
      hint: 'Use -o ndjson, or end the run with --for, --max-items or --until-match.',
    },
  );
}

/** New rows differ in their seconds: of 120 columns, the text leaves room for these. */
const WIDE_ENOUGH = 50;

/** The columns of a list; those that come and go with their data only where the width does not matter. */
function tailColumns(
  { columns, marked }: Pick<TailSource, 'columns' | 'marked'>,
  marks: RowMarks,
  isWide: boolean,
): readonly Column[] {
  const markOf = (row: unknown) => (isObject(row) ? marks.get(row) : undefined);
  return columns
    .filter(({ onlyIfVaried }) => !onlyIfVaried || isWide)
    .map((column) => {
      const { cell, goodWidth = 0 } = column;
      if (column.header !== marked || !cell) return column;
      return {
        ...column,
        ...(goodWidth > WIDE_ENOUGH && { goodWidth: WIDE_ENOUGH }),
        cell: (row: unknown) => (markOf(row) ? `[${markOf(row)}] ${cell(row)}` : cell(row)),
        tone: (row: unknown) => (markOf(row) ? ('yellow' as const) : column.tone?.(row)),
      };
    });
}
