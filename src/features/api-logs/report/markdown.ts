import { sanitizeMultiline, sanitizeText } from '../../../output/sanitize.ts';
import type { Group } from '../summary.ts';
import { type Bar, stepInWords } from './histogram.ts';
import type { Report, ShownExample } from './model.ts';
import {
  bodyText,
  clock,
  factsOf,
  gapsOf,
  grouped,
  headlineOf,
  minuteOf,
  notesOf,
  outcomeOf,
  percent,
  tookText,
  withoutExample,
} from './wording.ts';

/**
 * A report as Markdown for a ticket (GitHub's dialect). Every text of the service or of the user is in code, where neither
 * markup nor HTML nor an address means anything.
 */
export function toMarkdown(report: Report): string {
  const { groups, others, timeline, examples } = report;
  const more = `And ${grouped(others.entries)} more of ${grouped(others.groups)} smaller causes.`;
  const parts = [
    `# ${headlineOf(report)}`,
    outcomeOf(report),
    factsOf(report)
      .map(({ name, isQuoted, values }) => `- ${name}: ${(isQuoted ? values.map(code) : values).join(', ')}`)
      .join('\n'),
    gapsOf(report)
      .map((gap) => `> ${gap}`)
      .join('\n>\n'),
    ...(groups.length === 0 ? [] : ['## Causes', groupTable(groups), others.groups === 0 ? '' : more]),
    ...(timeline.bars.length < 2 ? [] : ['## Timeline', timelineText(timeline)]),
    ...(examples.length === 0
      ? []
      : [
          '## Examples',
          ...examples.flatMap((example) => exampleText(example, groups[example.group - 1])),
          withoutExample(report) ?? '',
        ]),
    '## Notes',
    [...notesOf(report), 'Times are in UTC.'].map((note) => `- ${note}`).join('\n'),
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
    const { status, method, path, pointer, code: error, count, share, last_seen: last } = group;
    const cells = [
      String(index + 1),
      grouped(count),
      percent(share),
      String(status ?? '-'),
      cellCode(requestOf({ method, path })),
      cellCode(error ?? ''),
      cellCode(pointer ?? ''),
      last === null ? '-' : minuteOf(last),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    '| # | Count | Share | Status | Request | Code | Pointer | Last seen |',
    '|---:|---:|---:|---:|---|---|---|---|',
    ...rows,
  ].join('\n');
}

function requestOf({ method, path }: Pick<Group, 'method' | 'path'>): string {
  return [method, path].filter((part) => part !== null).join(' ');
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
  return `Each line is ${stepInWords(step)}.${left}\n\n${block(failing.map(line).join('\n'), 'text')}`;
}

function exampleText(example: ShownExample, cause: Group | undefined): string[] {
  const { group, status, method, url, id, time, took_ms: took, why, causes, commands } = example;
  const request = bodyText(example.request_body);
  const response = bodyText(example.response_body);
  const facts = [
    `Request: ${code([method, url].filter((part) => part !== null).join(' '))}`,
    ...(why === '' ? [] : [`Why: ${code(why)}`]),
    ...(example.meaning === null ? [] : [`Meaning: ${example.meaning}`]),
    ...causes.map((cause) => `Likely cause: ${cause}`),
    ...commands.map((command) => `Try: ${code(command)}`),
    ...(time === null
      ? []
      : [`Time: ${clock(time)}${took === null ? '' : `, response after ${tookText(took)}`}`]),
    ...(id === null ? [] : [`ID: ${code(id)}`]),
  ];
  return [
    `### ${group}. ${status ?? 'No status'} ${code(requestOf(cause ?? { method, path: null }))}`,
    facts.map((fact) => `- ${fact}`).join('\n'),
    ...(request === undefined ? [] : ['Request body:', block(request, languageOf(example.request_body))]),
    ...(response === undefined ? [] : ['Response body:', block(response, languageOf(example.response_body))]),
  ];
}

function languageOf(body: unknown): string {
  return typeof body === 'string' ? 'text' : 'json';
}
