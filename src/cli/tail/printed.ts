import { closeSync, fstatSync, readSync } from 'node:fs';
import { UsageError } from '../../errors.ts';
import { openInput, requireRegularFile } from '../../files/read-file.ts';
import { jsonOrNone } from '../../json/is-json.ts';
import { isObject } from '../../json/is-object.ts';
import { quote } from '../../text/format.ts';
import type { Printed } from './marks.ts';
import type { TailSource } from './source.ts';

/** The end of the earlier output that is read by default, in bytes: it covers the time in which late entries arrive. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * What an earlier run printed, according to --after: the ID of an entry, or `@FILE` with JSON lines. Undefined for an empty file,
 * which the shell creates before the first run. @throws UsageError `bad_after` for a file that cannot be read or has no entry
 */
export function readPrinted(
  after: string,
  source: Pick<TailSource, 'timeOf'>,
  mostBytes = MOST_BYTES,
): Printed | undefined {
  if (!after.startsWith('@')) return { items: [{ id: after, text: '' }], since: undefined };
  const lines = readLines(after.slice(1), mostBytes);
  // A run that was killed may have left a part of a line.
  const entries = lines.flatMap((text) => {
    const item = jsonOrNone(text);
    return isObject(item) ? [{ id: idOf(item), text, item }] : [];
  });
  const [first] = entries;
  if (first) return { items: entries, since: source.timeOf(first.item) };
  if (lines.length === 0) return undefined;
  throw badAfter(after.slice(1), 'it has no JSON lines', 'Name a file that holds the output of -o ndjson.');
}

/**
 * Whether stdout continues the file of an earlier output that was cut within its last line, which a killed run or a full disk leaves: the
 * next entry would become a part of that line.
 */
export function continuesCutLine(after: string): boolean {
  if (!after.startsWith('@')) return false;
  const { descriptor, stats } = openInput(after.slice(1));
  try {
    const stdout = fstatSync(1);
    if (stats.size === 0 || stdout.ino !== stats.ino || stdout.dev !== stats.dev) return false;
    const last = Buffer.alloc(1);
    readSync(descriptor, last, 0, 1, stats.size - 1);
    return last[0] !== LINE_FEED;
  } finally {
    closeSync(descriptor);
  }
}

const LINE_FEED = 10;

/** The ID of an entry. */
export function idOf(item: unknown): string | undefined {
  const id = isObject(item) ? item.id : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

function readLines(path: string, mostBytes: number): readonly string[] {
  try {
    const { descriptor, stats } = openInput(path);
    try {
      requireRegularFile(stats);
      const start = Math.max(0, stats.size - mostBytes);
      const bytes = Buffer.alloc(stats.size - start);
      const count = readSync(descriptor, bytes, 0, bytes.length, start);
      const lines = bytes.toString('utf8', 0, count).split('\n');
      return (start === 0 ? lines : lines.slice(1)).filter((line) => line.trim() !== '');
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw badAfter(path, error instanceof Error ? error.message : String(error));
  }
}

function badAfter(path: string, reason: string, hint?: string): UsageError {
  return new UsageError('bad_after', `--after cannot use the file ${quote(path)}: ${reason}`, { hint });
}
