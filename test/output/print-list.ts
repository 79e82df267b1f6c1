import type { ListWriterOptions } from '../../src/output/format.ts';
import { FORMATS } from '../../src/output/formats.ts';
import type { ListPage } from '../../src/output/list-page.ts';
import { createListWriter } from '../../src/output/list-writer.ts';
import { memoryOutput } from './memory-stream.ts';

type PrintOptions = Partial<ListWriterOptions> & {
  /** Makes stdout a terminal of so many columns. */
  readonly width?: number | undefined;
  /** The cursor after the last page. */
  readonly nextCursor?: string | null;
};

/** A whole list as a table of all its columns, whose notes nobody reads. */
export const WHOLE_TABLE = {
  format: FORMATS.table,
  whole: true,
  columns: [],
  explicitColumns: false,
  header: true,
  info: () => {},
} as const;

/** What the pages of a whole list print, as a table unless the options say otherwise, and the notes in addition to it. */
export async function printList(
  pages: readonly ListPage[],
  { width, nextCursor = null, ...options }: PrintOptions = {},
): Promise<{ readonly text: string; readonly notes: readonly string[] }> {
  const { stream, stdout, terminal } = memoryOutput(width);
  const notes: string[] = [];
  const writer = await createListWriter({
    ...WHOLE_TABLE,
    stdout,
    terminal,
    info: (note) => void notes.push(note),
    ...options,
  });
  for (const page of pages) await writer.page(page);
  await writer.end({ nextCursor });
  return { text: stream.text, notes };
}
