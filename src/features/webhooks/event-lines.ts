import type { OutputFlagValues } from '../../cli/flags/list.ts';
import { DataMasker } from '../../cli/secrets/mask.ts';
import { textOf } from '../../cli/show/cells.ts';
import type { Display } from '../../cli/show/display.ts';
import { writerOptions } from '../../cli/show/writer-options.ts';
import { UsageError } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import { type Column, valueAt } from '../../output/columns.ts';
import { FORMATS } from '../../output/formats.ts';
import { createListPage, type ListWriter } from '../../output/list-page.ts';
import { createListWriter } from '../../output/list-writer.ts';
import { attemptMembers, timeOf } from '../../webhooks/attempts.ts';
import type { Attempted } from '../../webhooks/sends.ts';
import { EVENT_COLUMNS, isRefused, REFUSED } from './columns.ts';
import { eventRecord, outcomeText } from './records.ts';
import type { StoredEvent } from './store.ts';

/** Lines that wait for a reader that is slower than the events; more are left out. */
const MOST_WAITING = 10_000;

/** Prints what a listener does with events, one line at a time, in the format of the run. */
export class EventLines {
  readonly #writer: ListWriter;
  readonly #masker: DataMasker;
  readonly #display: Display;
  /** Formats for programs and filters get the body of the event, too. */
  readonly hasBodies: boolean;
  #waiting: string[] = [];
  #leftOut = 0;
  #writing: Promise<void> | undefined;

  private constructor(display: Display, writer: ListWriter, flags: OutputFlagValues, hasFilter: boolean) {
    this.#display = display;
    this.#writer = writer;
    this.#masker = new DataMasker(display, flags, { personalByName: true });
    this.hasBodies = hasFilter || !display.format.isForPeople;
  }

  /** Opens the lines; those of several targets say which. @throws UsageError `endless_document`, `invalid_jq`, `unknown_column` */
  static async open(display: Display, flags: OutputFlagValues, urls: number): Promise<EventLines> {
    const options = await writerOptions({ display }, flags, { columns: lineColumns(urls) });
    const format = options.jq && !display.isFormatChosen ? FORMATS.ndjson : options.format;
    if (format.isDocument) {
      throw new UsageError(
        'endless_document',
        'This output format is a single document, which would never end',
        {
          hint: 'Use -o ndjson: one JSON object a line.',
        },
      );
    }
    const writer = await createListWriter({ ...options, format, whole: true, asItComes: true });
    return new EventLines(display, writer, flags, options.jq !== undefined);
  }

  /** Prints where the listener is reached: for programs as the first line of JSON. */
  async begin(url: string): Promise<void> {
    const { format, stdout } = this.#display;
    if (format.isForPeople) await stdout.write(`${url}\n`);
    else if (!format.hasHeader) this.#add(JSON.stringify({ type: 'listening', url, pid: process.pid }));
  }

  /** Prints an event that was received; `body` is its JSON text. */
  received(event: StoredEvent, body: string | undefined, waitingFor?: string): void {
    const forward = waitingFor === undefined ? null : forwardMember(waitingFor, 'waiting');
    this.#addEvent(event, forward, body);
  }

  /** Prints an event that is not kept, for this reason. */
  notKept(event: StoredEvent, problem: string): void {
    this.#addEvent(event, { ...forwardMember(null, 'not_kept'), problem }, undefined);
  }

  /** Prints an attempt to forward an event. */
  attempted(event: StoredEvent, { send, outcome, attempt, state, nextMs }: Attempted, body?: string): void {
    const waitMs = nextMs === undefined ? undefined : nextMs - Date.now();
    const forward = {
      ...forwardMember(send.url, state),
      attempt,
      ...attemptMembers(outcome),
      next_attempt_at: timeOf(nextMs),
      wait_ms: waitMs === undefined ? null : Math.max(0, Math.round(waitMs / 100) * 100),
    };
    this.#addEvent(event, forward, body);
  }

  #addEvent(event: StoredEvent, forward: object | null, body: string | undefined): void {
    const { id, ...members } = eventRecord(event);
    const text = JSON.stringify({ type: 'event', id, ...members, forward });
    // The bytes of the body stay as they are, with all digits of its numbers.
    this.#add(body === undefined ? text : `${text.slice(0, -1)},"body":${body}}`);
  }

  #add(text: string): void {
    if (this.#waiting.length >= MOST_WAITING) this.#leftOut += 1;
    else this.#waiting.push(text);
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#display.stdout.failure) {
      const texts = this.#waiting.splice(0, 100);
      const { text } = this.#masker.mask(`{"items":[${texts.join(',')}]}`);
      await this.#writer.page(createListPage(text, texts)).catch((error: unknown) => {
        // The run ends with the failure of stdout; a filter that fails on one event does not end it.
        if (!this.#display.stdout.failure)
          this.#display.warn('line_not_shown', error instanceof Error ? error.message : String(error));
      });
    }
    if (this.#leftOut === 0) return;
    const left = this.#leftOut;
    this.#leftOut = 0;
    this.#display.warn(
      'line_not_shown',
      `${left} lines were left out, because the output was not read in time`,
    );
  }

  /** Prints what is left. */
  async end(): Promise<void> {
    await this.#writing;
    await this.#writer.end({ nextCursor: null });
  }
}

function forwardMember(url: string | null, state: string) {
  return {
    url,
    state,
    attempt: null,
    ...attemptMembers(undefined),
    next_attempt_at: null,
    wait_ms: null,
  };
}

function lineColumns(urls: number): readonly Column[] {
  const forwarded: Column = {
    header: 'FORWARDED',
    path: 'forward.status',
    parts: ['verdict', 'forward.status', 'forward.problem', 'forward.milliseconds', 'forward.state'],
    format: 'text',
    cell: forwardText,
    minWidth: 24,
    // `the connection was refused, again in 30s`
    goodWidth: 40,
    priority: 10,
    tone: (line) => {
      const state = textOf(line, 'forward.state');
      if (state === 'failed') return 'red';
      return state === 'pending' || state === 'waiting' ? 'yellow' : undefined;
    },
  };
  const to: Column = { header: 'TO', path: 'forward.url', minWidth: 20, goodWidth: 36, priority: 8 };
  const id: Column = { header: 'ID', path: 'id', shortens: true, priority: 6 };
  return [...EVENT_COLUMNS, ...(urls > 0 ? [forwarded] : []), ...(urls > 1 ? [to] : []), id];
}

function forwardText(line: unknown): string {
  const forward = valueAt(line, 'forward');
  if (!isObject(forward)) return isRefused(line) ? REFUSED : '';
  const { state, wait_ms: waitMs, attempt } = forward;
  if (state === 'waiting') return 'waits for an earlier event of this record';
  if (state === 'not_kept') return textOf(forward, 'problem');
  const outcome = outcomeText(forward);
  if (state === 'failed') return `${outcome}, given up after attempt ${String(attempt)}`;
  return typeof waitMs === 'number' ? `${outcome}, again in ${shortWait(waitMs)}` : outcome;
}

/** A wait as flags take it, rounded: `30s` or `5m`. */
function shortWait(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 120 ? `${seconds}s` : `${Math.round(seconds / 60)}m`;
}
