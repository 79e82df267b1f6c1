import { countEntries, formatDuration, plural, quote } from '../../text/format.ts';
import { inShell } from '../../text/shell.ts';
import { momentIn } from '../../text/zoned-times.ts';
import type { Display } from '../show/display.ts';
import type { FollowEvent } from './follow.ts';
import type { Gap, NewEntry } from './marks.ts';

/** What a tail says in addition to its data: warnings, and the status line of a terminal. */
export class TailMessages {
  readonly #display: Pick<Display, 'warn' | 'stderrTerminal'>;
  readonly #after: string | undefined;
  #respondedAt: number | undefined;
  #fresh = 0;
  #failures = 0;
  #nextTryAt = 0;
  #hasWarnedOfOwn = false;

  /** `after` is the ID of the entry that the tail begins after. */
  constructor(display: Pick<Display, 'warn' | 'stderrTerminal'>, after: string | undefined) {
    this.#display = display;
    this.#after = after;
  }

  /** Warns of what an event means for the user, and remembers it for the status line. */
  show(event: FollowEvent): void {
    if (event.kind === 'late-gap') {
      this.#warnOfLateGap(event);
      return;
    }
    if (event.kind === 'response') {
      if (event.gap) this.#warnOfGap(event.gap, this.#reasonOfGap());
      this.#respondedAt = performance.now();
      this.#failures = 0;
      this.#fresh = event.isPast ? 0 : event.entries.length;
      return;
    }
    const { warn } = this.#display;
    if (event.kind === 'recovery') {
      const { failures, lastedMs } = event;
      const message = `The service responds again after ${formatDuration(lastedMs)} and ${plural(failures, 'failure')}`;
      warn('poll_recovered', message, { failures });
      return;
    }
    const { failures, delayMs, error } = event;
    this.#failures = failures;
    this.#nextTryAt = performance.now() + delayMs;
    // Of an outage of hours, a few lines are enough.
    if ((failures & (failures - 1)) !== 0) return;
    const inRow = failures === 1 ? '' : ` (${failures} failures in a row)`;
    const message = `${error.message}. Trying again in ${(delayMs / 1000).toFixed(1)} s${inRow}`;
    warn('poll_failed', message, { cause: error.code, failures });
  }

  /** Warns of entries that are stamped earlier than entries that were printed before. */
  warnOfLate(entries: readonly NewEntry[]): void {
    if (entries.length === 0) return;
    const count = `${countEntries(entries.length)} ${entries.length === 1 ? 'comes' : 'come'}`;
    const ids = entries.map(({ id }) => id ?? null);
    this.#display.warn('late', `${count} late, after entries with later times`, { ids });
  }

  /** Warns once that some entries may be of the tail itself. */
  warnOfOwnPolls(): void {
    if (this.#hasWarnedOfOwn) return;
    this.#hasWarnedOfOwn = true;
    const message =
      'Entries of GET /api-logs may be failed polls of this command: the log does not say who sent a request';
    this.#display.warn('own_requests', message);
  }

  /** The status line. */
  status(printed: number): string {
    const now = performance.now();
    const seconds = (milliseconds: number) => `${Math.max(0, Math.floor(milliseconds / 1000))} s`;
    if (this.#failures > 0) {
      const since = this.#respondedAt === undefined ? '' : ` for ${seconds(now - this.#respondedAt)}`;
      const next =
        this.#nextTryAt > now ? `next try in ${seconds(this.#nextTryAt - now + 999)}` : 'trying again';
      return `No response${since} (${plural(this.#failures, 'failure')}), ${next}; ${printed} printed`;
    }
    if (this.#respondedAt === undefined) return 'Waiting for the service';
    return `Last response ${seconds(now - this.#respondedAt)} ago, ${this.#fresh} new; ${printed} printed`;
  }

  #reasonOfGap(): string {
    if (this.#respondedAt !== undefined) return 'More entries arrived than one response holds';
    if (this.#after === undefined) return 'The list could not be read far enough back';
    if (this.#after.startsWith('@')) return `No entry of ${quote(this.#after.slice(1))} is listed any more`;
    return `The entry ${quote(this.#after)} is no longer listed`;
  }

  #warnOfLateGap({ gap, isOfStart }: FollowEvent & { readonly kind: 'late-gap' }): void {
    const reason = isOfStart
      ? 'Entries that arrived late cannot be told apart from those of the last run'
      : 'The list could not be searched for all late entries';
    const advice =
      isOfStart && !this.#after?.startsWith('@')
        ? inShell('. To find them next time, save the output with -o ndjson and resume with --after @FILE')
        : '';
    this.#warnOfGap(gap, reason, advice);
  }

  #warnOfGap({ from, to }: Gap, reason: string, advice = ''): void {
    const [start, end] = [from, to].map((time) => (time === undefined ? undefined : new Date(time)));
    const moment = (time: Date) => momentIn(this.#display.stderrTerminal.times, time.getTime());
    const when = [start && `from ${moment(start)}`, end && `up to ${moment(end)}`].filter(Boolean).join(' ');
    const which = `entries${when === '' ? '' : ` ${when}`} may be missing`;
    this.#display.warn('gap', `${reason}: ${which}${advice}`, {
      from: start?.toISOString() ?? null,
      to: end?.toISOString() ?? null,
    });
  }
}
