/**
 * Writes the table of the newest results in bench/results/ into docs/speed.md, between two markers. With --check it compares
 * instead, and fails when the table is stale.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type WrittenFile, writeOrCheck } from '../scripts/written-files.ts';
import { type Absent, cellsOf, type Row } from './row.ts';

/** What a whole run gave, and on what: nothing of it tells one machine from another of its kind. */
export type Result = {
  /** ISO 8601, in UTC. */
  readonly date: string;
  readonly machine: {
    readonly cpu: string;
    readonly cores: number;
    readonly memoryGiB: number;
    readonly os: string;
    readonly arch: string;
    readonly node: string;
    /** Average load of the minute before the start; 0 on Windows. */
    readonly load: number;
  };
  readonly rows: readonly Row[];
  readonly absent: readonly Absent[];
  /** Groups that failed. */
  readonly failures: readonly Absent[];
};

/** Where results are, one file for each day and kind of machine. */
export const resultsFolder = join(import.meta.dirname, 'results');

const START = '<!-- Written by bench/table.ts from the newest file of bench/results; do not edit. -->';
const END = '<!-- End of what bench/table.ts writes. -->';

/** The file of a result; files sort by day. */
export function fileNameOf({ date, machine }: Result): string {
  return `${date.slice(0, 10)}-${machine.os.split(' ')[0]?.toLowerCase()}-${machine.arch}-node${machine.node}.json`;
}

/** A result as it is kept: four digits of each measured value. */
export function textOfResult(result: Result): string {
  const rounded = (_: string, value: unknown) =>
    typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value;
  return `${JSON.stringify(result, rounded, 2)}\n`;
}

/** The page with the table of a result in place of the one that it has. @throws if it has no place for one. */
export function withTable(text: string, result: Result | undefined): string {
  const [start, end] = [text.indexOf(START), text.indexOf(END)];
  if (start === -1 || end < start)
    throw new Error('docs/speed.md has no place for the table of the benchmarks');
  const table = result ? tableOf(result) : 'Not measured yet.';
  return `${text.slice(0, start)}${START}\n\n${table}\n\n${text.slice(end)}`;
}

/** The newest result of a folder; undefined if it has none. */
export function newestResult(folder: string): Result | undefined {
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  const results = files.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Result);
  return results.sort((a, b) => a.date.localeCompare(b.date)).at(-1);
}

/** docs/speed.md with the table of the newest result. */
export function writtenPage(): WrittenFile {
  const text = readFileSync(join(import.meta.dirname, '../docs/speed.md'), 'utf8');
  return ['docs/speed.md', withTable(text, newestResult(resultsFolder))];
}

function tableOf({ date, machine, rows, absent, failures }: Result): string {
  const { cpu, cores, memoryGiB, os, arch, node, load } = machine;
  const bars = rows.filter(({ bar }) => bar !== undefined);
  const peers = rows.filter(({ bar }) => bar === undefined);
  const missing = [...absent, ...failures].map(({ name, reason }) => `${name} (${reason})`);
  return [
    `${date.slice(0, 10)}, Node ${node}, ${os} ${arch}, ${cpu}, ${cores} cores, ${memoryGiB} GiB; load ${load.toFixed(1)} at the start.`,
    markdown(['Measured', 'payctl', 'Against', 'Ratio', 'Bar', ''], bars.map(cellsOf)),
    ...(peers.length > 0
      ? [
          markdown(
            ['Peers, for orientation', 'payctl', 'Peer', 'Ratio'],
            peers.map((row) => cellsOf(row).slice(0, 4)),
          ),
        ]
      : []),
    ...(missing.length > 0 ? [`Not measured: ${missing.join('; ')}.`] : []),
  ].join('\n\n');
}

function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

if (import.meta.main) writeOrCheck([writtenPage()]);
