import { sanitizeMultiline, sanitizeText } from '../../../output/sanitize.ts';
import type { Group } from '../summary.ts';
import { clock, grouped, percent } from './figures.ts';
import { timelineFigure } from './html-timeline.ts';
import type { Report, ShownExample } from './model.ts';
import { STYLE } from './style.ts';
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
<title>${headlineOf(report, escapeHtml)}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<p class="over">API error report</p>
<h1>${headlineOf(report, code)}</h1>
<p class="lead">${groups.length === 0 ? '' : `${countOf(report)}. `}${outcomeOf(report)}</p>
</header>
<main>
${lookedAt(report)}
${tiles(report)}
${timeline.bars.length < 2 ? '' : timelineFigure(timeline)}
${groups.length === 0 ? '' : causes(report)}
${examples.length === 0 ? '' : `<section aria-labelledby="examples"><h2 id="examples">Examples</h2>\n${examples.map((example) => article(example, groups[example.group - 1])).join('\n')}\n${further === undefined ? '' : `<p class="note">${escapeHtml(further)}</p>\n`}</section>`}
${notes(report)}
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

/** The source of the figures, and what may be missing. */
function lookedAt(report: Report): string {
  const notice = gapsOf(report)
    .map((gap) => `<p>${gap}</p>`)
    .join('');
  return `<section aria-labelledby="about"><h2 id="about">What was looked at</h2>
${definitions(factsOf(report, WRITING))}
</section>
${notice === '' ? '' : `<aside class="notice" aria-label="What may be missing">${notice}</aside>`}`;
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

function kindOf(status: number | null): string {
  if (status === null) return '';
  return status >= 500 ? 'server' : 'client';
}

/** Method and path, with the status before them. */
function requestLine({ status, method, path }: Pick<Group, 'status' | 'method' | 'path'>): string {
  const request = requestOf({ method, path });
  const named = request === '' ? '' : ` ${code(request)}`;
  return `<span class="status ${kindOf(status)}">${status ?? '-'}</span>${named}`;
}

function causes(report: Report): string {
  const { groups, examples } = report;
  const others = othersOf(report);
  const shown = new Set(examples.map(({ group }) => group));
  const item = (group: Group, index: number): string => {
    const { count, share, status, last_seen: last } = group;
    const why = causeOf(group);
    const more = [
      ...(why === '' ? [] : [code(why)]),
      ...(last === null ? [] : [`last seen ${clock(last)}`]),
      ...(shown.has(index + 1) ? [`<a href="#cause-${index + 1}">example</a>`] : []),
    ];
    return `<li>
<div class="cause"><span>${requestLine(group)}</span><span class="count">${grouped(count)} <span class="soft">(${percent(share)})</span></span></div>
<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect class="${kindOf(status)}" width="${(share * 100).toFixed(2)}" height="1"/></svg>
<div class="soft">${more.join(' \u00b7 ')}</div>
</li>`;
  };
  return `<section aria-labelledby="causes"><h2 id="causes">What fails most</h2>
<ol class="causes">
${groups.map(item).join('\n')}
</ol>
${others === undefined ? '' : `<p class="note">${others}</p>`}</section>`;
}

const WRITING = { code, sentence: escapeHtml, remedy: (text: string) => text };

function article(example: ShownExample, cause: Group | undefined): string {
  const { group, method, url } = example;
  const request: Line = ['Request', url === null ? [] : [code([method, url].filter(Boolean).join(' '))]];
  // Behind the commands.
  const lines = linesOf(example, WRITING).toSpliced(4, 0, request);
  return `<article id="cause-${group}">
<h3><span class="soft">${group}</span> ${requestLine(cause ?? { ...example, path: null })}</h3>
${definitions(lines)}
${body('Request body', example.request_body)}${body('Response body', example.response_body)}</article>`;
}

function definitions(lines: readonly Line[]): string {
  const rows = lines.flatMap(([name, values]) =>
    values.length === 0 ? [] : [`<dt>${name}</dt>${values.map((value) => `<dd>${value}</dd>`).join('')}`],
  );
  return `<dl>\n${rows.join('\n')}\n</dl>`;
}

function body(title: string, value: unknown): string {
  const text = bodyText(value);
  if (text === undefined) return '';
  return `<details><summary>${title}</summary>\n<pre>${entities(sanitizeMultiline(text).replaceAll('\r', '\u240d'))}</pre></details>\n`;
}

function notes(report: Report): string {
  return `<section aria-labelledby="notes"><h2 id="notes">Notes</h2>
${notesOf(report)
  .map((note) => `<p class="note">${note}</p>`)
  .join('\n')}
</section>`;
}
