import type { Client } from '../../client/client.ts';
import { sleep } from '../../client/deadline.ts';
import type { PagedResource, PageQuery } from '../../client/page.ts';
import { fetchOne } from '../../client/paging/resource.ts';
import { NotFoundError } from '../../errors.ts';
import { watchReader } from '../../output/pipe-reader.ts';
import { countEntries, flagWith, isShortId } from '../../text/format.ts';
import { shellQuote } from '../../text/shell.ts';
import { StoppedFollowingError } from '../failure/stopped-following-error.ts';
import type { OutputFlagValues } from '../flags/list.ts';
import type { Session } from '../session/session.ts';
import { itemsOf } from '../show/find-in-list.ts';
import { FlushedPages } from '../show/flushed-pages.ts';
import { without } from '../show/list-end.ts';
import { timeOfPage } from '../show/list-pages.ts';
import { openWhere, type Where } from '../show/where.ts';
import { unknownMemberOf } from '../show/where-members.ts';
import { type FollowEvent, type FollowOptions, follow } from './follow.ts';
import type { NewEntry, Printed, TailItem } from './marks.ts';
import { TailMessages } from './messages.ts';
import { openTailOutput, type TailOutput } from './output.ts';
import { continuesCutLine, idOf, readPrinted } from './printed.ts';
import type { TailSource } from './source.ts';
import type { TailPage } from './walk.ts';

/** What a tail is asked for. Times are in milliseconds. */
export type TailRequest = Pick<FollowOptions, 'intervalMs' | 'forMs' | 'timeoutMs' | 'maxRetries'> & {
  readonly flags: OutputFlagValues;
  /** The words of the command, and the arguments after them, as they were typed. */
  readonly command: { readonly words: string; readonly argv: readonly string[] };
  readonly maxItems?: number | undefined;
  /** A jq expression; the tail ends with the first entry for which it is true. */
  readonly untilMatch?: string | undefined;
  /** How many existing entries are printed; by default 10, or all with `isSince`. */
  readonly last?: number | undefined;
  /** A start time was given. */
  readonly isSince: boolean;
  /** ID of the entry to begin after, or `@FILE` with what was printed before. */
  readonly after?: string | undefined;
};

/**
 * Follows a list and prints its entries as they come, until an end that was asked for.
 * @throws UsageError `endless_document`; StoppedFollowingError for every other end after the first response; NotFoundError where
 * no entry matched
 */
export async function tail(session: Session, source: TailSource, request: TailRequest): Promise<void> {
  const { flags, untilMatch } = request;
  const until =
    untilMatch === undefined ? undefined : await openWhere(untilMatch, session.signal, '--until-match');
  if (untilMatch !== undefined) {
    const reading = { operation: source.list, flag: '--until-match' };
    const unknown = await unknownMemberOf(untilMatch, reading);
    if (unknown !== undefined) session.display.warn('unknown_member', unknown);
  }
  try {
    const hasEnd = [request.forMs, request.maxItems, untilMatch].some((end) => end !== undefined);
    const output = await openTailOutput(session, source, { flags, hasEnd });
    const after = await wholeAfter(session, request, source);
    const printed = after === undefined ? undefined : readPrinted(after, source);
    if (after !== undefined && continuesCutLine(after)) await session.display.stdout.write('\n');
    const last = request.last ?? (printed || request.isSince ? undefined : 10);
    const client = await session.client();
    await new Tail({ session, source, output, until, client, printed, last }, { ...request, after }).run();
  } finally {
    until?.close();
  }
}

/** The entry to begin after, by its whole ID. */
async function wholeAfter(
  session: Session,
  { after }: TailRequest,
  source: TailSource,
): Promise<string | undefined> {
  if (after === undefined || !isShortId(after)) return after;
  const { wholeId } = await import('../show/short-id.ts');
  const list: PagedResource<unknown, PageQuery> = (await session.client()).lists[source.list];
  return await wholeId(session, after, { list, noun: 'entry', nouns: 'entries' });
}

type TailParts = {
  readonly session: Session;
  readonly source: TailSource;
  readonly output: TailOutput;
  readonly until: Where | undefined;
  readonly client: Client;
  /** What an earlier run printed. */
  readonly printed: Printed | undefined;
  /** How many existing entries are printed. */
  readonly last: number | undefined;
};

/** How far a run has come. */
type TailPosition = { readonly printed: number; readonly after: string | undefined };

class Tail {
  readonly #parts: TailParts;
  readonly #request: TailRequest;
  readonly #messages: TailMessages;
  readonly #written: FlushedPages<TailPosition>;
  readonly #hasReaderLeft = watchReader();
  #printed = 0;
  #after: string | undefined;
  #hasResponse = false;
  #hasMatched = false;
  /** How many of the entries of the first response the filters keep, as far as it was read. */
  #wantedOfPast = 0;

  constructor(parts: TailParts, request: TailRequest) {
    this.#parts = parts;
    this.#request = request;
    this.#after = request.after;
    this.#messages = new TailMessages(parts.session.display, request.after);
    this.#written = new FlushedPages(parts.session.display.stdout);
  }

  async run(): Promise<void> {
    const { session, source, output, until } = this.#parts;
    const { display } = session;
    display.progress.start(() => this.#messages.status(this.#printed));
    try {
      await this.#follow();
    } catch (error) {
      await display.progress.stop();
      if (display.stdout.failure) throw this.#tornError(error);
      await output.end(error);
      if (!this.#hasResponse) throw error;
      throw this.#stopped(error, { printed: this.#printed, after: this.#after });
    }
    await display.progress.stop();
    await output.end().catch((error: unknown) => {
      throw this.#tornError(error);
    });
    const resume = this.#after === undefined ? '' : ` Resume with: ${this.#resumeCommand(this.#after)}`;
    display.info(
      `Printed ${countEntries(this.#printed)}. ${source.summary(display.stderrTerminal.times)}${resume}`,
    );
    if (until && !this.#hasMatched) throw new NotFoundError('No entry matched --until-match');
  }

  /** What to throw where stdout could not be written: entries that it did not take have not been printed. */
  #tornError(error: unknown): unknown {
    const { last } = this.#written;
    if (!last || !this.#parts.output.inPieces) return error;
    return this.#stopped(error, { ...last.position, wholeLines: last.lines });
  }

  #stopped(error: unknown, position: TailPosition & { readonly wholeLines?: number }): StoppedFollowingError {
    const { after } = position;
    const resumeCommand = after === undefined ? undefined : this.#resumeCommand(after);
    return new StoppedFollowingError(error, { ...position, resumeCommand });
  }

  /** The command line that continues after an entry: without the flags that say where this run began. */
  #resumeCommand(after: string): string {
    const { words, argv } = this.#request.command;
    const kept = ['--after', '--last', '--since'].reduce((left, flag) => without(flag, left), argv);
    return ['payctl', words, ...kept.map(shellQuote), flagWith('--after', after)].join(' ');
  }

  async #follow(): Promise<void> {
    const { session, source, printed } = this.#parts;
    const { intervalMs, forMs, timeoutMs, maxRetries } = this.#request;
    const events = follow({
      fetch: (cursor, withinMs) => this.#fetch(cursor, withinMs),
      sleep: (milliseconds) => this.#sleep(milliseconds),
      now: () => performance.now(),
      random: Math.random,
      isEnough: (pages) => this.#isEnough(pages),
      ...{ intervalMs, forMs, timeoutMs, maxRetries, after: printed },
    });
    for await (const event of events) {
      // A stream fails after it has accepted what it could not write; the next entry may be hours away.
      if (session.display.stdout.failure) throw session.display.stdout.failure;
      this.#messages.show(event);
      if (event.kind === 'failure') source.ownPolls?.add(event.error);
      if (event.kind === 'response' && (await this.#take(event))) return;
    }
  }

  async #sleep(milliseconds: number): Promise<void> {
    const { stdout, signal } = this.#parts.session.display;
    await sleep(milliseconds, signal);
    // The write fails, which ends the run as for every list whose reader has left.
    if (this.#hasReaderLeft()) await stdout.write('\n');
  }

  async #fetch(cursor: string | undefined, withinMs: number | undefined): Promise<TailPage> {
    const { client, session, source } = this.#parts;
    const list: PagedResource<unknown, PageQuery> = client.lists[source.list];
    const times = withinMs === undefined ? [] : [AbortSignal.timeout(withinMs)];
    const signal = AbortSignal.any([session.signal, ...times]);
    const page = await fetchOne(list, { ...source.query, cursor }, { signal });
    return {
      items: itemsOf(page).map((entry) => ({
        ...entry,
        id: idOf(entry.item),
        time: source.timeOf(entry.item),
      })),
      nextCursor: page.next.cursor || undefined,
      at: timeOfPage(page),
    };
  }

  /** Whether the pages hold the part of the past that is to be printed. */
  async #isEnough(pages: readonly TailPage[]): Promise<boolean> {
    const { source, last } = this.#parts;
    const { items = [] } = pages.at(-1) ?? {};
    const { from } = source.begin(pages[0]?.at ?? Date.now());
    if (from !== undefined && items.every(({ time }) => time !== undefined && time < from)) return true;
    if (last === undefined) return false;
    if (last > 0) this.#wantedOfPast += (await source.select(items)).filter(Boolean).length;
    return this.#wantedOfPast >= last;
  }

  /** Prints what is wanted of a response; true where the run ends with it. */
  async #take(event: FollowEvent & { readonly kind: 'response' }): Promise<boolean> {
    const { source, until, last } = this.#parts;
    const { maxItems = Number.POSITIVE_INFINITY } = this.#request;
    this.#hasResponse = true;
    source.begin(event.at);
    const kept = await source.keeps(event.entries);
    let wanted = event.entries.filter((entry, index) => kept[index] && !this.#isOwn(entry));
    if (event.isPast && last !== undefined) wanted = wanted.slice(Math.max(0, wanted.length - last));
    const room = maxItems - this.#printed;
    const matches = (await until?.select(wanted.slice(0, room).map(({ text }) => text))) ?? [];
    const match = matches.indexOf(true);
    this.#hasMatched = match !== -1;
    const isOver = this.#hasMatched || wanted.length >= room;
    await this.#print(wanted.slice(0, this.#hasMatched ? match + 1 : room), event.gap !== undefined);
    if (!isOver) this.#reach(event.entries);
    return isOver;
  }

  #isOwn(item: TailItem): boolean {
    const isOwn = this.#parts.source.ownPolls?.isOwn(item);
    if (isOwn === 'unknown') this.#messages.warnOfOwnPolls();
    return isOwn === true;
  }

  async #print(entries: readonly NewEntry[], isAfterGap: boolean): Promise<void> {
    this.#messages.warnOfLate(entries.filter(({ isLate }) => isLate));
    await this.#parts.output.print(entries, isAfterGap, (some) => {
      this.#printed += some.length;
      this.#reach(some);
    });
  }

  /** Everything up to these entries was printed or is not wanted. Below entries that were known, there is nothing to resume after. */
  #reach(entries: readonly NewEntry[]): void {
    this.#after = entries.findLast(({ id, isBehind }) => id !== undefined && !isBehind)?.id ?? this.#after;
    this.#written.add({ printed: this.#printed, after: this.#after });
  }
}
