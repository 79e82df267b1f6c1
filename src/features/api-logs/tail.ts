import { StoppedFollowingError } from '../../cli/failure/stopped-following-error.ts';
import type { Session } from '../../cli/session.ts';
import type { Client } from '../../client/client.ts';
import { sleep } from '../../client/deadline.ts';
import { parseHttpDate } from '../../client/http-date.ts';
import type { PagedResource, PageQuery } from '../../client/paging.ts';
import { responseOf } from '../../client/response.ts';
import { NotFoundError } from '../../errors.ts';
import { splitItems } from '../../json/edit.ts';
import { afterFlag, countEntries } from '../../text/format.ts';
import { readEntry } from './entry.ts';
import type { LogItem } from './filter.ts';
import { type FollowEvent, follow, type LogPage } from './follow.ts';
import type { LogFlagValues, OpenLog } from './log-command.ts';
import type { NewEntry } from './marks.ts';
import { OwnPolls } from './own-polls.ts';
import { TailMessages } from './tail-messages.ts';
import { openTailOutput, type TailOutput } from './tail-output.ts';
import { openWhere, type Where } from './where.ts';

/** What a tail is asked for. Times are in milliseconds. */
export type TailRequest = {
  readonly flags: LogFlagValues;
  readonly intervalMs: number;
  readonly forMs?: number | undefined;
  readonly maxItems?: number | undefined;
  /** A jq expression; the tail ends with the first entry for which it is true. */
  readonly untilMatch?: string | undefined;
  /** How many of the entries that there are already are printed; all that the filters keep by default. */
  readonly last?: number | undefined;
  /** ID of the entry to begin after. */
  readonly after?: string | undefined;
  readonly userAgent: string;
  /** How often the first answer is asked for again. */
  readonly maxRetries: number;
};

type Log = OpenLog & { readonly session: Session };

/**
 * Follows the error log and prints its entries as they come, until an end that was asked for.
 * @throws UsageError `endless_document`; StoppedFollowingError for every other end after the first answer; NotFoundError where
 * no entry matched
 */
export async function tail(log: Log, request: TailRequest): Promise<void> {
  const until =
    request.untilMatch === undefined
      ? undefined
      : await openWhere(request.untilMatch, log.session.signal, '--until-match');
  try {
    const hasEnd = [request.forMs, request.maxItems, request.untilMatch].some((end) => end !== undefined);
    const output = await openTailOutput(log.session, request.flags, hasEnd);
    const client = await log.session.client();
    await new Tail({ ...log, output, until, client }, request).run();
  } finally {
    until?.close();
  }
}

type TailParts = Log & {
  readonly output: TailOutput;
  readonly until: Where | undefined;
  readonly client: Client;
};

class Tail {
  readonly #parts: TailParts;
  readonly #request: TailRequest;
  readonly #messages: TailMessages;
  readonly #own: OwnPolls;
  #printed = 0;
  #after: string | undefined;
  #hasAnswered = false;
  #hasMatched = false;
  /** How many of the entries of the first answer the filters keep, as far as it was read. */
  #wantedOfPast = 0;

  constructor(parts: TailParts, request: TailRequest) {
    this.#parts = parts;
    this.#request = request;
    this.#after = request.after;
    this.#own = new OwnPolls(request.userAgent);
    this.#messages = new TailMessages(parts.session.display, request.after);
  }

  async run(): Promise<void> {
    const { session, run, output, until } = this.#parts;
    const { display } = session;
    display.progress.start(() => this.#messages.status(this.#printed));
    try {
      await this.#follow();
    } catch (error) {
      await display.progress.stop();
      await output.end(error);
      if (!this.#hasAnswered) throw error;
      throw new StoppedFollowingError(error, { printed: this.#printed, after: this.#after });
    }
    await display.progress.stop();
    await output.end();
    const resume = this.#after === undefined ? '' : ` Resume with: ${afterFlag(this.#after)}`;
    display.info(`Printed ${countEntries(this.#printed)}. ${run.text()}${resume}`);
    if (until && !this.#hasMatched) throw new NotFoundError('No entry matched --until-match');
  }

  async #follow(): Promise<void> {
    const { signal } = this.#parts.session;
    const { intervalMs, forMs, after, maxRetries } = this.#request;
    const events = follow({
      fetch: (cursor) => this.#fetch(cursor),
      sleep: (milliseconds) => sleep(milliseconds, signal),
      now: () => performance.now(),
      random: Math.random,
      isEnough: (pages) => this.#isEnough(pages),
      ...{ intervalMs, forMs, after, maxRetries },
    });
    for await (const event of events) {
      this.#messages.show(event);
      if (event.kind === 'failure') this.#own.add(event.error);
      if (event.kind === 'answer' && (await this.#take(event))) return;
    }
  }

  async #fetch(cursor: string | undefined): Promise<LogPage> {
    const { client, session } = this.#parts;
    const list: PagedResource<unknown, PageQuery> = client.apiLogs;
    const page = await list.list({ cursor }, { signal: session.signal });
    const { text, headers } = responseOf(page);
    const { texts } = splitItems(text);
    const now = Date.now();
    return {
      items: page.items.map((item, index) => ({ entry: readEntry(item), text: texts[index] ?? 'null' })),
      nextCursor: page.next_cursor || undefined,
      at: parseHttpDate(headers.date ?? '', now) ?? now,
    };
  }

  /** Whether the pages hold the part of the past that is to be printed. */
  async #isEnough(pages: readonly LogPage[]): Promise<boolean> {
    const { filter } = this.#parts;
    const { last } = this.#request;
    const { items = [] } = pages.at(-1) ?? {};
    const { from } = filter.begin(pages[0]?.at ?? Date.now());
    if (from !== undefined && items.every(({ entry: { at } }) => at !== undefined && at < from)) return true;
    if (last === undefined) return false;
    if (last > 0) this.#wantedOfPast += (await filter.select(items)).filter(Boolean).length;
    return this.#wantedOfPast >= last;
  }

  /** Prints what is wanted of an answer; true where the run ends with it. */
  async #take(event: FollowEvent & { readonly kind: 'answer' }): Promise<boolean> {
    const { filter, run, until } = this.#parts;
    const { maxItems = Number.POSITIVE_INFINITY, last } = this.#request;
    this.#hasAnswered = true;
    filter.begin(event.at);
    const kept = await run.keeps(event.entries);
    let wanted = event.entries.filter((entry, index) => kept[index] && !this.#isOwn(entry));
    if (event.isPast && last !== undefined) wanted = wanted.slice(Math.max(0, wanted.length - last));
    const room = maxItems - this.#printed;
    const matches = (await until?.select(wanted.slice(0, room).map(({ text }) => text))) ?? [];
    const match = matches.indexOf(true);
    this.#hasMatched = match !== -1;
    const isOver = this.#hasMatched || wanted.length >= room;
    await this.#print(wanted.slice(0, this.#hasMatched ? match + 1 : room), event.gap !== undefined);
    if (!isOver) this.#after = event.newestId ?? this.#after;
    return isOver;
  }

  #isOwn(item: LogItem): boolean {
    const isOwn = this.#own.isOwn(item);
    if (isOwn === 'unknown') this.#messages.warnOfOwnPolls();
    return isOwn === true;
  }

  async #print(entries: readonly NewEntry[], isAfterGap: boolean): Promise<void> {
    this.#messages.warnOfLate(entries.filter(({ isLate }) => isLate));
    await this.#parts.output.print(entries, isAfterGap, (some) => {
      this.#printed += some.length;
      this.#after = some.at(-1)?.entry.id ?? this.#after;
    });
  }
}
