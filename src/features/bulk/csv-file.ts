import { closeSync, openSync, writeFileSync } from 'node:fs';
import { OutputError, UsageError } from '../../errors.ts';
import { findTarget, unwritable } from '../../files/output-file.ts';
import { plainNumber, stringifyExactJson } from '../../json/exact.ts';

/** A value as a cell that goes back into a plan: as it is, because an apostrophe before `-5` would be part of it. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const isNumber = plainNumber(value) !== undefined;
  const text =
    typeof value === 'string'
      ? value
      : isNumber || typeof value === 'object'
        ? stringifyExactJson(value)
        : String(value);
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A record of CSV (RFC 4180), its line end included. */
export function csvRecord(values: readonly unknown[]): string {
  // A line without any character would be read as none.
  const text = values.map(cell).join(',');
  return `${text === '' ? '""' : text}\r\n`;
}

/** A file of CSV that is written row by row, of mode 0600. */
export type CsvFile = { add(values: readonly unknown[]): void; close(): void };

/** Opens a file of CSV with this header; `toLine` makes a line of values, by default one that goes back into a plan. @throws UsageError `file_exists`, `file_unwritable`; `add` throws OutputError */
export async function openCsvFile(
  path: string,
  header: readonly string[],
  {
    overwrite,
    toLine = csvRecord,
  }: { readonly overwrite: boolean; readonly toLine?: (values: readonly unknown[]) => string },
): Promise<CsvFile> {
  const target = await findTarget(path, overwrite);
  let descriptor: number;
  try {
    descriptor = openSync(target, overwrite ? 'w' : 'wx', 0o600);
  } catch (error) {
    throw unwritable(UsageError, path, error);
  }
  const add = (values: readonly unknown[]) => {
    try {
      // All of it, also where the system takes less at once.
      writeFileSync(descriptor, toLine(values));
    } catch (error) {
      throw unwritable(OutputError, path, error);
    }
  };
  add(header);
  return { add, close: () => closeSync(descriptor) };
}
