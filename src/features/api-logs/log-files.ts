import type { Display } from '../../cli/show/display.ts';
import { UsageError } from '../../errors.ts';
import { readInputPieces, unreadableInput } from '../../files/read-input.ts';
import { SeenHashes } from '../../text/seen-hashes.ts';
import type { LogItem } from './filter.ts';
import { LogFile } from './log-file.ts';
import { decodeLog } from './log-input.ts';
import type { LookedAt } from './looked-at.ts';

export type LogFilesOptions = {
  /** What `-` is. */
  readonly stdin: () => AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal;
  readonly display: Pick<Display, 'warn' | 'info'>;
  /** Gets the numbers of duplicates and of what cannot be read. */
  readonly looked: Pick<LookedAt, 'duplicates' | 'unreadable'>;
};

/**
 * Reads the entries of log files, as they arrive: arrays, documents `{"items": [...]}`, lines of JSON and HTTP archives, compressed or
 * not; `-` is standard input. Duplicate IDs are left out. A warning for each file says what cannot be read.
 * @throws UsageError `bad_flag`, `unreadable_file`, and `unreadable_log` where no file has an entry that can be read; AbortedError
 */
export async function* readLogFiles(
  paths: readonly string[],
  { stdin, signal, display, looked }: LogFilesOptions,
): AsyncGenerator<readonly LogItem[], void, undefined> {
  if (paths.filter((path) => path === '-').length > 1) {
    throw new UsageError('bad_flag', '--file - can be given once: standard input is read to its end');
  }
  const ids = new SeenHashes();
  const isNew = ({ entry: { id } }: LogItem): boolean => {
    if (id === undefined || ids.add(id, 1) === undefined) return true;
    looked.duplicates += 1;
    return false;
  };
  const refused: string[] = [];
  let hasReadable = false;
  for (const path of paths) {
    const name = path === '-' ? 'Standard input' : path;
    const file = new LogFile(name);
    const bytes = path === '-' ? stdin() : readInputPieces(path, signal);
    try {
      for await (const items of file.read(decodeLog(bytes))) yield items.filter(isNew);
    } catch (error) {
      throw unreadableInput(`--file cannot read ${path === '-' ? 'standard input' : path}`, error);
    }
    looked.unreadable += file.unreadable;
    hasReadable ||= file.isReadable;
    if (!file.isReadable) refused.push(file.refusal());
    else file.report(display);
  }
  const [first] = refused;
  if (first !== undefined && !hasReadable) throw new UsageError('unreadable_log', first, { hint: KINDS });
  for (const refusal of refused) display.warn('unreadable_entries', `${refusal}.`);
}

const KINDS =
  'A file must contain an array of entries, a document {"items": [...]}, one entry per line, or an HTTP archive (HAR).';
