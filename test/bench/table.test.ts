import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeRow } from '../../bench/row.ts';
import {
  fileNameOf,
  newestResult,
  type Result,
  resultsFolder,
  textOfResult,
  withTable,
} from '../../bench/table.ts';

const PLACE = [
  '<!-- Written by bench/table.ts from the newest file of bench/results; do not edit. -->',
  '<!-- End of what bench/table.ts writes. -->',
] as const;
const PAGE = `before\n\n${PLACE[0]}\n\nold\n\n${PLACE[1]}\n\nafter\n`;

const curl = { name: 'curl 8.1', values: { best: 13.04, median: 14 } };
const RESULT: Result = {
  date: '2026-03-01T10:00:00.000Z',
  machine: {
    cpu: 'Example CPU',
    cores: 2,
    memoryGiB: 24,
    os: 'Linux 6.1',
    arch: 'x64',
    node: '26.1.0',
    load: 0.25,
  },
  rows: [
    makeRow({ name: 'a|b', unit: 'MiB', values: { best: 93.4567, median: 93.4567 }, bar: { atMost: 130 } }),
    makeRow({ name: 'list', unit: 'ms', values: { best: 65.2, median: 70 }, against: curl }),
  ],
  absent: [{ name: 'gh', reason: 'not installed' }],
  failures: [{ name: 'logs', reason: 'Error: no' }],
};

describe('the table of the benchmarks', () => {
  it('stands between its markers', () => {
    const text = withTable(PAGE, RESULT);
    expect(text).toBe(
      [
        'before',
        '',
        PLACE[0],
        '',
        '2026-03-01, Node 26.1.0, Linux 6.1 x64, Example CPU, 2 cores, 24 GiB; load 0.3 at the start.',
        '',
        '| Measured | payctl | Against | Ratio | Bar |  |',
        '|---|---|---|---|---|---|',
        '| a\\|b | 93 MiB |  |  | at most 130 MiB | met |',
        '',
        '| Peers, for orientation | payctl | Peer | Ratio |',
        '|---|---|---|---|',
        '| list | 65 ms | curl 8.1: 13 ms | 5 x |',
        '',
        'Not measured: gh (not installed); logs (Error: no).',
        '',
        PLACE[1],
        '',
        'after',
        '',
      ].join('\n'),
    );
    expect(withTable(text, RESULT)).toBe(text);
  });

  it('needs a place in the page', () => {
    expect(() => withTable('nothing', RESULT)).toThrow('docs/speed.md has no place for the table');
  });

  it('is that of the newest result in docs/speed.md', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/speed.md'), 'utf8');
    expect(withTable(page, newestResult(resultsFolder))).toBe(page);
  });

  it('comes from a file that is called by day, platform and Node, with four digits of each value', () => {
    expect(fileNameOf(RESULT)).toBe('2026-03-01-linux-x64-node26.1.0.json');
    expect(JSON.parse(textOfResult(RESULT)).rows[0].values).toEqual({ best: 93.46, median: 93.46 });
  });
});
