import type { OutputFlagValues } from '../flags/list.ts';
import { type CommandData, knownColumnsOf } from './columns-flag.ts';
import type { Display } from './display.ts';
import { columnRecords } from './known-columns.ts';
import { showRecords } from './show-document.ts';

const COLUMNS = [
  { header: 'COLUMN', path: 'column' },
  { header: 'HEADER', path: 'header' },
];

/** Prints what --columns of a command can name, as a list in the format of the run. */
export async function showColumns(
  display: Display,
  flags: OutputFlagValues,
  command: CommandData,
): Promise<void> {
  const known = knownColumnsOf(command) ?? { columns: [] };
  await showRecords(display, columnRecords(known), {
    flags: { ...flags, columns: undefined, profileColumns: undefined },
    columns: COLUMNS,
  });
}
