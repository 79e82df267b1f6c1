import { sanitizeMultiline, sanitizeText } from '../../../output/sanitize.ts';
import type { Group } from '../summary.ts';
import { type Bar, stepInWords } from './histogram.ts';
import type { Report, ShownExample } from './model.ts';
import { STYLE } from './style.ts';
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
 * A report as one HTML file: nothing is loaded, nothing runs, and its policy allows neither, whatever a text of the service
 * might say. Every such text is escaped.
 */
export function toHtml(report: Report): string {
  const further = withoutExample(report);
  const { groups, timeline, examples } = report;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${styleHash()}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${headlineOf(report)}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<p class="over">API error report</p>
<h1>${headlineOf(report)}</h1>
<p class="lead">${outcomeOf(report)}</p>
<p class="soft">${originOf(report).join(' \u00b7 ')}</p>
</header>
<main>
${tiles(report)}
${notice(report)}
${timeline.bars.length < 2 ? '' : timelineFigure(timeline)}
${groups.length === 0 ? '' : causes(report)}
${examples.length === 0 ? '' : `<section aria-labelledby="examples"><h2 id="examples">Examples</h2>\n${examples.map((example) => article(example, groups[example.group - 1])).join('\n')}\n${further === undefined ? '' : `<p class="note">${escapeHtml(further)}</p>\n`}</section>`}
${facts(report)}
</main>
</body>
</html>
`;
}

/** A text of the service or of the user on one line: without markup, and without characters that change what one sees. */
export function escapeHtml(text: string): string {
  return entities(sanitizeText(text));
}

function entities(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** The policy allows this style sheet by its hash, and no other. */
function styleHash(): string {
  const { hash } = process.getBuiltinModule('node:crypto');
  return hash('sha256', STYLE, 'base64');
}

function code(text: string): string {
  return `<code>${escapeHtml(text)}</code>`;
}

/** Where and when it happened. */
function originOf({ source, from, to }: Report): readonly string[] {
  const { profile, host, merchant_account: account, files } = source;
  const places = files.length > 0 ? files : [profile, host, account].filter((place) => place !== null);
  const span = from === null || to === null ? [] : [`${minuteOf(from)} to ${clock(to)}`];
  return [...places.map(escapeHtml), ...span];
}

function tiles({ kept, client_errors: client, server_errors: server, groups, others }: Report): string {
  const tile = (count: number, label: string, kind = '') =>
    `<li${kind && count > 0 ? ` class="${kind}"` : ''}><strong>${grouped(count)}</strong> ${label}</li>`;
  return `<ul class="tiles">
${tile(kept, 'failed requests')}
${tile(client, 'refused by the service (4xx)', 'client')}
${tile(server, 'failed in the service (5xx)', 'server')}
${tile(groups.length + others.groups, 'causes')}
</ul>`;
}

function notice(report: Report): string {
  const gaps = gapsOf(report);
  if (gaps.length === 0) return '';
  return `<aside class="notice" aria-label="What may be missing">${gaps.map((gap) => `<p>${gap}</p>`).join('')}</aside>`;
}

function kindOf(status: number | null): string {
  if (status === null) return '';
  return status >= 500 ? 'server' : 'client';
}

/** Method and path, with the status before them. */
function requestLine({ status, method, path }: Pick<Group, 'status' | 'method' | 'path'>): string {
  const request = [method, path].filter((part) => part !== null).join(' ');
  const named = request === '' ? '' : ` ${code(request)}`;
  return `<span class="status ${kindOf(status)}">${status ?? '-'}</span>${named}`;
}

function causes({ groups, others, examples }: Report): string {
  const most = groups[0]?.count ?? 1;
  const shown = new Map(examples.map(({ group, why }) => [group, why]));
  const item = (group: Group, index: number): string => {
    const { count, share, status, code: error, pointer, last_seen: last } = group;
    const why = shown.get(index + 1) || [error, pointer].filter(Boolean).join(' ');
    const more = [
      ...(why === '' ? [] : [code(why)]),
      ...(last === null ? [] : [`last seen ${clock(last)}`]),
      ...(shown.has(index + 1) ? [`<a href="#cause-${index + 1}">example</a>`] : []),
    ];
    return `<li>
<div class="cause"><span>${requestLine(group)}</span><span class="count">${grouped(count)} <span class="soft">(${percent(share)})</span></span></div>
<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect class="${kindOf(status)}" width="${((count / most) * 100).toFixed(2)}" height="1"/></svg>
<div class="soft">${more.join(' \u00b7 ')}</div>
</li>`;
  };
  const rest = `<p class="note">And ${grouped(others.entries)} more of ${grouped(others.groups)} smaller causes.</p>`;
  return `<section aria-labelledby="causes"><h2 id="causes">What fails most</h2>
<ol class="causes">
${groups.map(item).join('\n')}
</ol>
${others.groups === 0 ? '' : rest}</section>`;
}

function timelineFigure({ step_seconds: step, bars }: Report['timeline']): string {
  const most = Math.max(...bars.map(({ count }) => count));
  const [first, last] = [bars[0], bars.at(-1)];
  if (!first || !last) return '';
  const busiest = bars.find(({ count }) => count === most) ?? first;
  const peak = `Most failed from ${minuteOf(busiest.from, step)} on: ${grouped(most)}.`;
  const rows = bars.map((bar) => `<tr><th scope="row">${minuteOf(bar.from, step)}</th>${cells(bar)}</tr>`);
  return `<section aria-labelledby="timeline"><h2 id="timeline">Timeline</h2>
<figure>
<div class="axis"><span>${grouped(most)} in ${stepInWords(step)}</span></div>
<svg class="timeline" viewBox="0 0 ${bars.length * 10} 100" preserveAspectRatio="none" role="img" aria-labelledby="chart-title chart-text">
<title id="chart-title">Failed requests over time</title>
<desc id="chart-text">Each bar is ${stepInWords(step)}. ${peak}</desc>
${bars.map((bar, index) => drawBar(bar, { index, most, step })).join('\n')}
</svg>
<div class="axis"><span>${minuteOf(first.from, step)}</span><span>${minuteOf(last.from, step)}</span></div>
<figcaption><p><span class="key">4xx</span><span class="key server">5xx</span>Each bar is ${stepInWords(step)}. ${peak}</p></figcaption>
</figure>
<details><summary>Figures</summary>
<table><thead><tr><th scope="col">From</th><th scope="col">Count</th><th scope="col">4xx</th><th scope="col">5xx</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table></details>
</section>`;
}

function cells({ count, '4xx': client, '5xx': server }: Bar): string {
  return [count, client, server].map((value) => `<td>${grouped(value)}</td>`).join('');
}

/** What failed in the service is at the foot of a bar, with what was refused above it. */
function drawBar(bar: Bar, { index, most, step }: { index: number; most: number; step: number }): string {
  const { count, '4xx': client, '5xx': server } = bar;
  if (count === 0) return '';
  let top = 100;
  const part = (value: number, kind: string): string => {
    if (value === 0) return '';
    const height = (value / most) * 100;
    top -= height;
    return `<rect class="${kind}" x="${index * 10 + 1}" y="${top.toFixed(2)}" width="8" height="${height.toFixed(2)}"/>`;
  };
  const parts = part(server, 'server') + part(client, 'client') + part(count - client - server, '');
  return `<g><title>${minuteOf(bar.from, step)}: ${grouped(count)}</title>${parts}</g>`;
}

function article(example: ShownExample, cause: Group | undefined): string {
  const { group, url, id, time, took_ms: took, why, meaning, causes: likely, commands } = example;
  const lines: readonly (readonly [name: string, values: readonly string[]])[] = [
    ['Why', why === '' ? [] : [code(why)]],
    ['Meaning', meaning === null ? [] : [escapeHtml(meaning)]],
    ['Likely cause', likely.map(escapeHtml)],
    ['Try', commands.map(code)],
    ['Request', url === null ? [] : [code([example.method, url].filter(Boolean).join(' '))]],
    [
      'Time',
      time === null ? [] : [`${clock(time)}${took === null ? '' : `, response after ${tookText(took)}`}`],
    ],
    ['ID', id === null ? [] : [code(id)]],
  ];
  return `<article id="cause-${group}">
<h3><span class="soft">${group}</span> ${requestLine(cause ?? { ...example, path: null })}</h3>
${definitions(lines)}
${body('Request body', example.request_body)}${body('Response body', example.response_body)}</article>`;
}

function definitions(lines: readonly (readonly [name: string, values: readonly string[]])[]): string {
  const rows = lines.flatMap(([name, values]) =>
    values.length === 0 ? [] : [`<dt>${name}</dt>${values.map((value) => `<dd>${value}</dd>`).join('')}`],
  );
  return `<dl>\n${rows.join('\n')}\n</dl>`;
}

function body(title: string, value: unknown): string {
  const text = bodyText(value);
  if (text === undefined) return '';
  return `<h4>${title}</h4>\n<pre>${entities(sanitizeMultiline(text).replaceAll('\r', '\u240d'))}</pre>\n`;
}

function facts(report: Report): string {
  const lines = factsOf(report).map(
    ({ name, isQuoted, values }) => [name, values.map(isQuoted ? code : escapeHtml)] as const,
  );
  const notes = [...notesOf(report), 'Times are in UTC.'];
  return `<section aria-labelledby="about"><h2 id="about">About this report</h2>
${definitions(lines)}
<h4>Notes</h4>
${notes.map((note) => `<p class="note">${note}</p>`).join('\n')}
</section>`;
}
