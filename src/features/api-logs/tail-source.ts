import type { TailItem } from '../../cli/tail/marks.ts';
import type { TailSource } from '../../cli/tail/source.ts';
import { ApiError } from '../../client/errors.ts';
import type { PayctlError } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import { LOG_COLUMNS } from './columns.ts';
import { pathOf, readEntry, tookOf } from './entry.ts';
import type { LogItem } from './filter.ts';
import type { OpenLog } from './log-command.ts';

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
    summary: (style) => run.text(style),
    ownPolls: new OwnPolls(userAgent),
  };
}

/** When the response was sent, else when the request arrived. */
function writtenAt(item: unknown): number | undefined {
  const entry = readEntry(item);
  return entry.at === undefined ? undefined : entry.at + (tookOf(entry) ?? 0);
}

/** Recognises the entries that following the log makes itself: a poll that fails is logged like every other request. */
class OwnPolls {
  readonly #userAgent: string;
  /** How many polls failed with each status and have not been found in the log. */
  readonly #failed = new Map<number, number>();

  /** `userAgent` is what the polls call themselves. */
  constructor(userAgent: string) {
    this.#userAgent = userAgent;
  }

  /** Remembers a poll that failed. */
  add(error: PayctlError): void {
    if (error instanceof ApiError) this.#failed.set(error.status, (this.#failed.get(error.status) ?? 0) + 1);
  }

  /**
   * Whether an entry is of such a poll; `unknown` where it may be, but does not say who sent the request. The contract has no
   * user agent in an entry; services add one as a member or among the headers.
   */
  isOwn({ item }: TailItem): boolean | 'unknown' {
    const { method, url = '', status = 0 } = readEntry(item);
    const count = this.#failed.get(status) ?? 0;
    if (count === 0 || method !== 'GET' || !pathOf(url).endsWith('/api-logs')) return false;
    const userAgent = userAgentIn(item);
    if (userAgent === undefined) return 'unknown';
    if (userAgent !== this.#userAgent) return false;
    this.#failed.set(status, count - 1);
    return true;
  }
}

function userAgentIn(log: unknown): string | undefined {
  if (!isObject(log)) return undefined;
  const headers = isObject(log.request_headers) ? Object.entries(log.request_headers) : [];
  const header = headers.find(([name]) => name.toLowerCase() === 'user-agent')?.[1];
  return [log.request_user_agent, log.user_agent, header].find((value) => typeof value === 'string');
}
