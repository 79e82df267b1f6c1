import type { OutputFlagValues } from '../../cli/flags/list.ts';
import { createDataMasker, type DataMasker } from '../../cli/mask.ts';
import type { Session } from '../../cli/session.ts';
import { writerOptions } from '../../cli/writer-options.ts';
import { operations } from '../../contract/generated/operations.ts';
import { OutputError, PayctlError, UsageError } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import type { Column } from '../../output/columns.ts';
import { createListPage, type ListWriter } from '../../output/list-page.ts';
import { createListWriter } from '../../output/list-writer.ts';
import { LOG_COLUMNS } from './columns.ts';
import type { NewEntry } from './marks.ts';

/** What tables show of an entry beside its own data. */
type RowMarks = WeakMap<object, 'late' | 'gap'>;

type Parts = {
  readonly writer: ListWriter;
  readonly masker: DataMasker;
  readonly marks: RowMarks;
  readonly perPage: number;
};

/** Prints the entries of a log as they come. */
export class TailOutput {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Prints entries, oldest first; `onPrinted` is told which are printed, piece by piece. */
  async print(
    entries: readonly NewEntry[],
    isAfterGap: boolean,
    onPrinted: (some: readonly NewEntry[]) => void,
  ): Promise<void> {
    const { writer, masker, marks, perPage } = this.#parts;
    for (let start = 0; start < entries.length; start += perPage) {
      const some = entries.slice(start, start + perPage);
      const text = masker.mask(`{"items":[${some.map((entry) => entry.text).join(',')}]}`);
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
    await this.#parts.writer.end({ nextCursor: null }).catch((second: unknown) => {
      if (!(error instanceof PayctlError && second instanceof OutputError)) throw second;
    });
    this.#parts.masker.report();
  }
}

/**
 * Opens the output of a tail. Its formats print each entry when it comes; those that make one document need a run that ends.
 * @throws UsageError `endless_document`, `invalid_jq`, `unknown_column`
 */
export async function openTailOutput(
  session: Session,
  flags: OutputFlagValues,
  hasEnd: boolean,
): Promise<TailOutput> {
  const { display } = session;
  const marks: RowMarks = new WeakMap();
  const columns = tailColumns(marks, display.view === 'wide');
  const options = await writerOptions(session, flags, { columns, operation: operations.listApiLogs.id });
  // Without a format, the results of --jq are lines, too: those of a document would come when all is over.
  const format = options.jq && !display.isFormatChosen ? 'ndjson' : options.format;
  const isDocument = format === 'json' || format === 'yaml';
  if (isDocument && !hasEnd) throw endlessDocument(format);
  const writer = await createListWriter({ ...options, format, whole: true, asItComes: true });
  if (isDocument || format === 'csv') await writer.page(createListPage('{"items":[]}', []));
  const masker = createDataMasker(display, flags, { personalData: undefined });
  // Where a filter fails on an entry, all entries before it have been printed.
  return new TailOutput({ writer, masker, marks, perPage: options.jq ? 1 : 10_000 });
}

function endlessDocument(format: string): UsageError {
  return new UsageError(
    'endless_document',
    `-o ${format} makes one document, which would never be complete`,
    {
      hint: 'Use -o ndjson, or end the run with --for, --max-items or --until-match.',
    },
  );
}

/** The columns of the log; hosts only where the width does not matter, because columns do not come and go. */
function tailColumns(marks: RowMarks, isWide: boolean): readonly Column[] {
  const markOf = (log: unknown) => (isObject(log) ? marks.get(log) : undefined);
  return LOG_COLUMNS.filter(({ onlyIfVaried }) => !onlyIfVaried || isWide).map((column) => {
    const { cell } = column;
    if (column.header !== 'WHY' || !cell) return column;
    return {
      ...column,
      cell: (log: unknown) => (markOf(log) ? `[${markOf(log)}] ${cell(log)}` : cell(log)),
      tone: (log: unknown) => (markOf(log) ? ('yellow' as const) : column.tone?.(log)),
    };
  });
}
