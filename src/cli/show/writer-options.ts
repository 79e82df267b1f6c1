import type { Column } from '../../output/columns.ts';
import type { DocumentWriterOptions } from '../../output/format.ts';
import { FORMATS } from '../../output/formats.ts';
import type { OutputFlagValues } from '../flags/list.ts';
import { FlagError } from '../flags/types.ts';
import type { Session } from '../session/session.ts';
import type { Display } from './display.ts';
import type { ChosenFor, KnownColumns } from './known-columns.ts';
import { openJq } from './open-jq.ts';

/**
 * The options of every writer of data: the format and the streams of the run, the columns of --columns or those
 * given, and the compiled expression of --jq, whose results are JSON unless somebody chose a format.
 * @throws UsageError `invalid_jq`, `unknown_column`
 */
export async function writerOptions(
  { display, jq }: Pick<Session, 'display' | 'jq'>,
  flags: OutputFlagValues,
  known: KnownColumns,
): Promise<DocumentWriterOptions> {
  const asked = askedColumns(display, flags);
  const columns = await columnsOf(asked, known);
  const compiled = await (jq ?? openJq(display, flags.jq));
  const majorUnits = flags.amounts === 'major' ? await majorUnitsOf(columns, { display, flags }) : undefined;
  return {
    format: compiled && !display.isFormatChosen ? FORMATS.json : display.format,
    columns: majorUnits?.columns ?? columns,
    majorFields: known.majorFields,
    majorUnits,
    explicitColumns: asked !== undefined,
    header: !flags['no-header'],
    jq: compiled,
    stdout: display.stdout,
    terminal: display.stdoutTerminal,
    info: display.info,
  };
}

type Shown = { readonly display: Display; readonly flags: OutputFlagValues };

/** @throws FlagError where amounts are not shown in columns of their own */
async function majorUnitsOf(columns: readonly Column[], { display: { format }, flags }: Shown) {
  const inColumns = format === FORMATS.csv || (format.hasHeader === true && flags.columns !== undefined);
  if (flags.jq !== undefined)
    throw new FlagError('--amounts major and --jq cannot be used together', 'Remove one of them.');
  if (!inColumns) {
    throw new FlagError(
      '--amounts major needs -o csv, or a table or markdown with --columns',
      'Other formats show amounts as the service sends them, and tables with their currency.',
    );
  }
  const { inMajorUnits } = await import('../../output/major-units.ts');
  return inMajorUnits(columns);
}

type Asked = { readonly names: readonly string[]; readonly chosenFor?: ChosenFor };

/** The columns of the flag, else those of the profile, which are for tables alone: other formats are read by programs. */
function askedColumns(display: Display, flags: OutputFlagValues): Asked | undefined {
  if (flags.columns) return { names: flags.columns };
  const isTable = display.format.aligned === 'fit' && flags.jq === undefined;
  return isTable ? flags.profileColumns : undefined;
}

async function columnsOf(asked: Asked | undefined, known: KnownColumns) {
  if (asked === undefined) return known.columns;
  const { resolveColumns } = await import('./known-columns.ts');
  return resolveColumns(asked.names, known, asked.chosenFor);
}
