import type { Column } from '../output/column.ts';
import type { DocumentWriterOptions } from '../output/document-writer.ts';
import { chooseColumns } from './choose-columns.ts';
import type { Display } from './display.ts';
import type { OutputFlagValues } from './flags/list-flags.ts';
import { openJq } from './open-jq.ts';

/**
 * What every writer of data is told: the format and the streams of the run, the columns that --columns names or else
 * those given, and the compiled expression of --jq.
 * @throws OutputError `invalid_jq`
 */
export async function writerOptions(
  display: Display,
  flags: OutputFlagValues,
  columns: readonly Column[],
): Promise<DocumentWriterOptions> {
  return {
    format: display.format,
    columns: flags.columns ? chooseColumns(flags.columns, columns) : columns,
    explicitColumns: flags.columns !== undefined,
    header: !flags['no-header'],
    jq: await openJq(flags.jq),
    stdout: display.stdout,
    terminal: display.stdoutTerminal,
    note: display.note,
  };
}
