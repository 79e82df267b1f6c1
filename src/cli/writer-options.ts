import { type Column, chooseColumns } from '../output/columns.ts';
import type { DocumentWriterOptions } from '../output/document-writer.ts';
import type { Jq } from '../output/list-page.ts';
import type { Display } from './display.ts';
import type { OutputFlagValues } from './flags/list.ts';

/**
 * The options of every writer of data: the format and the streams of the run, the columns of --columns or else those
 * given, and the compiled expression of --jq.
 * @throws UsageError `invalid_jq`
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
    info: display.info,
  };
}

/**
 * Compiles the expression of --jq before anything is sent; jq itself is loaded only then.
 * @throws UsageError `invalid_jq`
 */
async function openJq(expression: string | undefined): Promise<Jq | undefined> {
  if (expression === undefined) return undefined;
  const { createJq } = await import('../output/formats/jq.ts');
  return await createJq(expression);
}
