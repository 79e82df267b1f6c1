import { writeDocument } from '../../output/document-writer.ts';
import { loadColors } from '../../output/palette.ts';
import { INSPECTION_COLUMNS } from '../columns/auth-inspect.ts';
import type { Display } from '../display.ts';
import type { OutputFlagValues } from '../flags/list-flags.ts';
import { writerOptions } from '../writer-options.ts';
import { type InspectedToken, inspectionText } from './inspection-text.ts';
import { viewInspection } from './inspection-view.ts';

/**
 * Prints an inspection: as sections on a terminal, else as one document in the format of the run.
 * @throws OutputError `invalid_jq`, `jq_failed`
 */
export async function showInspection(
  inspected: InspectedToken,
  display: Display,
  flags: OutputFlagValues,
): Promise<void> {
  const { stdout, stdoutTerminal, format } = display;
  const isView = format === 'table' && stdoutTerminal.isTerminal && !flags.columns && !flags.jq;
  if (!isView) {
    await writeDocument(inspectionText(inspected), await writerOptions(display, flags, INSPECTION_COLUMNS));
    return;
  }
  const colors = await loadColors(stdoutTerminal.color);
  await stdout.write(viewInspection(inspected, { width: stdout.columns, colors }));
  await stdout.end();
}
