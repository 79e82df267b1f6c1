import { closeSync, fchmodSync, openSync, writeFileSync } from 'node:fs';
import { OutputError, UsageError } from '../../errors.ts';
import { findTarget, unwritable } from '../../files/output-file.ts';
import { stringifyExactJson } from '../../json/exact.ts';

/** A value as a cell that goes back into a plan: as it is, because an apostrophe before `-5` would be part of it. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : stringifyExactJson(value);
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A record of CSV (RFC 4180), its line end included. */
export function csvRecord(values: readonly unknown[]): string {
  // A line without any character would be read as none.
  const text = values.map(cell).join(',');
  return `${text === '' ? '""' : text}\r\n`;
}

/** A file that is written line by line, of mode 0600. */
export type LineFile = { add(line: string): void; close(): void };

/** Opens a file of lines, which are added with their ends. @throws UsageError `file_exists`, `file_unwritable`; `add` throws OutputError */
export async function openLineFile(
  path: string,
  { overwrite }: { readonly overwrite: boolean },
): Promise<LineFile> {
  const target = await findTarget(path, overwrite);
  let descriptor: number;
  try {
    descriptor = openSync(target, overwrite ? 'w' : 'wx', 0o600);
    // A file that is replaced keeps its mode.
    fchmodSync(descriptor, 0o600);
  } catch (error) {
    throw unwritable(UsageError, path, error);
  }
  const add = (line: string) => {
    try {
      // All of it, also where the system takes less at once.
      writeFileSync(descriptor, line);
    } catch (error) {
      throw unwritable(OutputError, path, error);
    }
  };
  return { add, close: () => closeSync(descriptor) };
}
