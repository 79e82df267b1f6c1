import { type Column, chooseColumns } from '../output/columns.ts';
import type { DocumentWriterOptions } from '../output/document-writer.ts';
import type { OutputFlagValues } from './flags/list.ts';
import { openJq } from './open-jq.ts';
import type { Session } from './session.ts';

/**
 * The options of every writer of data: the format and the streams of the run, the columns of --columns or else those
 * given, and the compiled expression of --jq.
 * @throws UsageError `invalid_jq`
 */
export async function writerOptions(
  { display, jq }: Pick<Session, 'display' | 'jq'>,
  flags: OutputFlagValues,
  columns: readonly Column[],
): Promise<DocumentWriterOptions> {
  return {
    format: display.format,
    columns: flags.columns ? chooseColumns(flags.columns, columns) : columns,
    explicitColumns: flags.columns !== undefined,
    header: !flags['no-header'],
    jq: await (jq ?? openJq(display, flags.jq)),
    stdout: display.stdout,
    terminal: display.stdoutTerminal,
    info: display.info,
  };
}
