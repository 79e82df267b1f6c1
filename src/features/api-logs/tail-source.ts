import type { TailItem } from '../../cli/tail/marks.ts';
import type { TailSource } from '../../cli/tail/source.ts';
import { LOG_COLUMNS } from './columns.ts';
import { readEntry, tookOf } from './entry.ts';
import type { LogItem } from './filter.ts';
import type { OpenLog } from './log-command.ts';
import { OwnPolls } from './own-polls.ts';

/** The log of failed requests with its filters. `userAgent` is what the requests of this command call themselves. */
export function apiLogSource({ filter, run }: OpenLog, userAgent: string): TailSource {
  const itemsOf = (entries: readonly TailItem[]): readonly LogItem[] =>
    entries.map(({ item, text }) => ({ entry: readEntry(item), text }));
  return {
    list: 'listApiLogs',
    query: {},
    columns: LOG_COLUMNS,
    marked: 'WHY',
    timeOf: writtenAt,
    begin: (now) => filter.begin(now),
    select: (entries) => filter.select(itemsOf(entries)),
    keeps: (entries) => run.keeps(itemsOf(entries)),
    summary: () => run.text(),
    ownPolls: new OwnPolls(userAgent),
  };
}

/** When a request was answered, else when it arrived. */
function writtenAt(item: unknown): number | undefined {
  const entry = readEntry(item);
  return entry.at === undefined ? undefined : entry.at + (tookOf(entry) ?? 0);
}
