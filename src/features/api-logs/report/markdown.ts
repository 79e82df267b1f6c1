import { sanitizeMultiline, sanitizeText } from '../../../output/sanitize.ts';
import type { Bar } from '../histogram.ts';
import type { Group } from '../summary.ts';
import { grouped, minuteOf, percent, stepInWords } from './figures.ts';
import type { Report, ShownExample } from './model.ts';
import {
  bodyText,
  causeOf,
  countOf,
  factsOf,
  gapsOf,
  headlineOf,
  type Line,
  linesOf,
  notesOf,
  othersOf,
  outcomeOf,
  requestOf,
  withoutExample,
} from './wording.ts';

/**
 * A report as Markdown for a ticket (GitHub's dialect). Every text of the service or of the user is in code, where neither
 * markup nor HTML nor an address means anything.
 */
export function toMarkdown(report: Report): string {
  const { groups, timeline, examples } = report;
  const parts = [
    `# ${headlineOf(report, code)}`,
    [...(groups.length === 0 ? [] : [`${countOf(report)}.`]), outcomeOf(report)].filter(Boolean).join(' '),
    factsOf(report, WRITING)
      .filter(([, values]) => values.length > 0)
      .map(([name, values]) => `- ${name}: ${values.join(', ')}`)
      .join('\n'),
    gapsOf(report)
      .map((gap) => `> ${gap}`)
      .join('\n>\n'),
    ...(groups.length === 0 ? [] : ['## Causes', groupTable(groups), othersOf(report) ?? '']),
    ...(timeline.bars.length < 2 ? [] : ['## Timeline', timelineText(timeline)]),
    ...(examples.length === 0
      ? []
      : [
          '## Examples',
          ...examples.flatMap((example) => exampleText(example, groups[example.group - 1])),
          withoutExample(report) ?? '',
        ]),
    '## Notes',
    notesOf(report)
      .map((note) => `- ${note}`)
      .join('\n'),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** A text as inline code, on one line; nothing in it means anything to Markdown. */
export function code(text: string): string {
  const line = sanitizeText(text);
  if (line.trim() === '') return '-';
  const fence = '`'.repeat(longestRun(line) + 1);
  const space = /^`|`$|^ .* $/.test(line) ? ' ' : '';
  return `${fence}${space}${line}${space}${fence}`;
}

/** The same in a cell of a table, where a vertical bar ends a cell even in code. */
export function cellCode(text: string): string {
  return code(text).replace(/(\\*)\|/g, (_, slashes: string) => `${slashes}${slashes}\\|`);
}

/** A text as a block of code. */
export function block(text: string, language = ''): string {
  const lines = sanitizeMultiline(text).replaceAll('\r', '\u240d');
  const fence = '`'.repeat(Math.max(3, longestRun(lines) + 1));
  return `${fence}${language}\n${lines}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
}

function groupTable(groups: readonly Group[]): string {
  const rows = groups.map((group, index) => {
    const { status, method, path, code: error, count, share, last_seen: last } = group;
    const cells = [
      String(index + 1),
      grouped(count),
      percent(share),
      String(status ?? '-'),
      cellCode(requestOf({ method, path })),
      cellCode(error ?? ''),
      cellCode(causeOf(group)),
      last === null ? '-' : minuteOf(last),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    '| # | Count | Share | Status | Request | Code | Why | Last seen |',
    '|---:|---:|---:|---:|---|---|---|---|',
    ...rows,
  ].join('\n');
}

/** The longest bar, in characters. */
const WIDEST = 40;

function timelineText({ step_seconds: step, bars }: Report['timeline']): string {
  const most = Math.max(...bars.map(({ count }) => count));
  const width = grouped(most).length;
  const line = (bar: Bar): string => {
    const drawn = '\u2588'.repeat(Math.ceil((bar.count / most) * WIDEST));
    const server = bar['5xx'] > 0 ? ` (${grouped(bar['5xx'])} with 5xx)` : '';
    return `${minuteOf(bar.from, step)}  ${grouped(bar.count).padStart(width)}  ${drawn}${server}`.trimEnd();
  };
  const failing = bars.filter(({ count }) => count > 0);
  const left = failing.length < bars.length ? ' Times without failures are left out.' : '';
  return `Each line covers ${stepInWords(step)}.${left}\n\n${block(failing.map(line).join('\n'), 'text')}`;
}

const WRITING = { code, sentence: (text: string) => text, remedy: code };

function exampleText(example: ShownExample, cause: Group | undefined): string[] {
  const { group, status, method, url } = example;
  const request = bodyText(example.request_body);
  const response = bodyText(example.response_body);
  const asked = [method, url].filter((part) => part !== null).join(' ');
  const lines: readonly Line[] = [['Request', [code(asked)]], ...linesOf(example, WRITING)];
  const facts = lines.flatMap(([name, values]) => values.map((value) => `- ${name}: ${value}`));
  return [
    `### ${group}. ${status ?? 'No status'} ${code(requestOf(cause ?? { method, path: null }))}`,
    facts.join('\n'),
    ...(request === undefined ? [] : ['Request body:', block(request, languageOf(example.request_body))]),
    ...(response === undefined ? [] : ['Response body:', block(response, languageOf(example.response_body))]),
  ];
}

function languageOf(body: unknown): string {
  return typeof body === 'string' ? 'text' : 'json';
}
