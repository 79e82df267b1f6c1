import type { OutputFlagValues } from '../../cli/flags/list.ts';
import type { ListSession } from '../../cli/show/show-list.ts';
import { writerOptions } from '../../cli/show/writer-options.ts';
import type { Column } from '../../output/columns.ts';
import type { ListPage } from '../../output/list-page.ts';
import { writeList } from '../../output/list-writer.ts';
import { shellQuote } from '../../text/shell.ts';
import type { Summary } from './summary.ts';

/** Characters of a sparkline. */
export const TREND_WIDTH = 16;

type Row = Readonly<Record<string, unknown>>;

type Shown = {
  readonly summary: Summary;
  /** The counts of each group over time. */
  readonly trends: readonly (readonly number[])[];
  readonly flags: OutputFlagValues;
};

/**
 * Prints a summary: the document of figures as JSON and YAML; in other formats its groups, or with a histogram the rows of
 * that. Only a table on a terminal draws lines.
 * @throws UsageError `invalid_jq`, `unknown_column`; OutputError
 */
export async function showSummary(session: ListSession, { summary, trends, flags }: Shown): Promise<void> {
  const { display } = session;
  const draws = display.format.aligned !== undefined && display.stdoutTerminal.isTerminal;
  const rows: readonly Row[] = summary.histogram ?? summary.groups;
  const columns = summary.histogram ? histogramColumns(summary.histogram, draws) : groupColumns(draws);
  const options = await writerOptions(session, flags, { columns });
  const items = summary.histogram ? rows : rows.map((row, index) => ({ ...row, trend: trends[index] ?? [] }));
  const page: ListPage = {
    count: rows.length,
    text: JSON.stringify(summary),
    items: draws ? items : rows,
    texts: () => rows.map((row) => JSON.stringify(row)),
    hasLines: false,
    rest: () => [],
  };
  display.page();
  // The hours and days of a histogram begin in UTC.
  const { terminal } = options;
  const times = summary.histogram && terminal.times === 'local' ? 'utc' : terminal.times;
  await writeList(page, { ...options, terminal: { ...terminal, times } });
}

/** A command, without `payctl`, that shows an example of one of the first rows, and which row it is. */
export type ExampleCommand = { readonly row: string; readonly words: string };

/** One for each of the three largest groups. */
export function exampleCommands({ groups }: Summary): readonly ExampleCommand[] {
  return ['First row', 'Second row', 'Third row'].flatMap((row, index) => {
    const id = groups[index]?.example_id ?? null;
    return id === null ? [] : [{ row, words: `api-logs get ${shellQuote(id)}` }];
  });
}

/** The columns of groups; completion and --columns know them. */
export function groupColumns(draws: boolean): readonly Column[] {
  const trend: Column = {
    header: 'TREND',
    path: 'trend',
    cell: (row) => sparkline((row as { readonly trend: readonly number[] }).trend),
    minWidth: TREND_WIDTH,
    priority: 6,
  };
  return [
    { header: 'COUNT', path: 'count', format: 'number', priority: 10 },
    { header: 'SHARE', path: 'share', format: 'number', priority: 7, ...(draws ? { cell: shareText } : {}) },
    { header: 'STATUS', path: 'status', format: 'number', priority: 10, tone: statusTone },
    { header: 'METHOD', path: 'method', priority: 9 },
    {
      header: 'PATH',
      path: 'path',
      format: 'path',
      minWidth: 16,
      goodWidth: 42,
      yields: true,
      priority: 10,
      ...(draws ? { cell: shortTemplate } : {}),
    },
    { header: 'POINTER', path: 'pointer', minWidth: 14, goodWidth: 24, yields: true, priority: 9 },
    ...(draws ? [trend] : []),
    { header: 'LAST SEEN', path: 'last_seen', format: 'seconds', priority: 5 },
    { header: 'CODE', path: 'code', minWidth: 10, goodWidth: 17, priority: 4 },
    { header: 'FIRST SEEN', path: 'first_seen', format: 'seconds', priority: 2 },
    { header: 'EXAMPLE ID', path: 'example_id', shortens: true, priority: 3 },
    { header: 'TYPE', path: 'type', minWidth: 10, priority: 2 },
    { header: 'MESSAGE', path: 'message', minWidth: 16, goodWidth: 50, wraps: true, priority: 8 },
  ];
}

const BAR = 40;

function histogramColumns(rows: readonly { readonly count: number }[], draws: boolean): readonly Column[] {
  const most = Math.max(1, ...rows.map(({ count }) => count));
  const bar: Column = {
    header: '',
    path: 'bar',
    cell: (row) => '\u2588'.repeat(Math.ceil(((row as { readonly count: number }).count / most) * BAR)),
    minWidth: 10,
    priority: 8,
  };
  return [
    { header: 'FROM', path: 'from', format: 'time', priority: 10 },
    { header: 'COUNT', path: 'count', format: 'number', priority: 10 },
    ...(draws ? [bar] : []),
    { header: '4XX', path: '4xx', format: 'number', priority: 9 },
    { header: '5XX', path: '5xx', format: 'number', priority: 9 },
  ];
}

/** The path with `{id}` for the names of its parameters, as --path takes it: what they are called is not worth the room. */
function shortTemplate(row: unknown): string {
  const { path } = row as { readonly path: string | null };
  return path?.replace(/\{\w+\}/g, '{id}') ?? '';
}

function shareText(row: unknown): string {
  return `${((row as { readonly share: number }).share * 100).toFixed(1)} %`;
}

function statusTone(row: unknown): 'red' | undefined {
  return Number((row as { readonly status: number | null }).status) >= 500 ? 'red' : undefined;
}

const BARS = ['\u2581', '\u2582', '\u2583', '\u2584', '\u2585', '\u2586', '\u2587', '\u2588'];

/** Draws counts as a line of bars; nothing is a space, and the largest count a full bar. */
export function sparkline(counts: readonly number[]): string {
  const most = Math.max(...counts, 1);
  return counts
    .map((count) => (count === 0 ? ' ' : (BARS[Math.ceil((count / most) * BARS.length) - 1] ?? '')))
    .join('');
}
