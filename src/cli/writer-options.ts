import type { DocumentWriterOptions } from '../output/document-writer.ts';
import type { OutputFlagValues } from './flags/list.ts';
import type { KnownColumns } from './known-columns.ts';
import { openJq } from './open-jq.ts';
import type { Session } from './session.ts';

/**
 * The options of every writer of data: the format and the streams of the run, the columns of --columns or else those
 * given, and the compiled expression of --jq, whose results are JSON unless somebody chose a format.
 * @throws UsageError `invalid_jq`, `unknown_column`
 */
export async function writerOptions(
  { display, jq }: Pick<Session, 'display' | 'jq'>,
  flags: OutputFlagValues,
  known: KnownColumns,
): Promise<DocumentWriterOptions> {
  const columns = await columnsOf(flags.columns, known);
  const compiled = await (jq ?? openJq(display, flags.jq));
  return {
    format: compiled && !display.isFormatChosen ? 'json' : display.format,
    view: display.view,
    columns,
    explicitColumns: flags.columns !== undefined,
    header: !flags['no-header'],
    jq: compiled,
    stdout: display.stdout,
    terminal: display.stdoutTerminal,
    info: display.info,
  };
}

async function columnsOf(asked: readonly string[] | undefined, known: KnownColumns) {
  if (asked === undefined) return known.columns;
  const { resolveColumns } = await import('./known-columns.ts');
  return resolveColumns(asked, known);
}
