import { commandOf, hasOwnDescription } from '../../../cli/failure/advice.ts';
import { stringifyExactJson } from '../../../json/exact.ts';
import { prettyJson } from '../../../json/pretty.ts';
import { escapeJsonText } from '../../../output/sanitize.ts';
import type { LogItem } from '../filter.ts';
import { givenFilters } from '../filter-flags.ts';
import type { LogFlagValues, OpenLog } from '../log-command.ts';
import type { Report, ReportContext } from './model.ts';
import { ReportCollector } from './report.ts';

/** The formats of a report. */
export type ReportFormat = 'markdown' | 'html' | 'json';

type WriteOptions = Pick<ReportContext, 'view' | 'hasMessages' | 'createdBy'> & {
  readonly log: OpenLog;
  readonly values: LogFlagValues;
  readonly format: ReportFormat;
};

/**
 * Reads the entries to their end, and writes the report of them; nothing is written before. Says on stderr what was looked at.
 * @throws what reading throws
 */
export async function writeReport(
  entries: AsyncIterable<readonly LogItem[]>,
  options: WriteOptions,
): Promise<void> {
  const { log, format } = options;
  const { local, run, basePath } = log;
  const collector = new ReportCollector(basePath);
  for await (const items of entries) collector.add(items);
  const report = collector.report(run, contextOf(options));
  const text = await RENDERERS[format](report, local.display.stdoutTerminal.isTerminal);
  if (format !== 'html') local.display.page();
  await local.display.stdout.write(text);
  await local.display.stdout.end();
  local.display.info(run.text(local.display.stderrTerminal.times));
}

/** Writes a report as text. */
type Renderer = (report: Report, isTerminal: boolean) => Promise<string>;

const RENDERERS: Readonly<Record<ReportFormat, Renderer>> = {
  markdown: async (report) => (await import('./markdown.ts')).toMarkdown(report),
  html: async (report) => (await import('./html.ts')).toHtml(report),
  json: async (report, isTerminal) => {
    const json = escapeJsonText(stringifyExactJson(report));
    return `${isTerminal ? prettyJson(json) : json}\n`;
  },
};

function contextOf({ log, values, view, hasMessages, createdBy }: WriteOptions): ReportContext {
  const { basename } = process.getBuiltinModule('node:path');
  const settings = log.session?.settings;
  return {
    createdBy,
    view,
    hasMessages,
    hasOthers: hasOwnDescription(log.session),
    now: Date.now(),
    source: {
      profile: settings?.profile.value?.name ?? null,
      merchant_account: settings?.merchantAccount.value ?? null,
      files: (values.file ?? []).map((path) => (path === '-' ? 'standard input' : basename(path))),
    },
    filters: givenFilters(values),
    commandOf: (words) => commandOf(words, log.session),
  };
}
