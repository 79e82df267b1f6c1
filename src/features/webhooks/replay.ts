import { textOf } from '../../cli/show/cells.ts';
import type { Display } from '../../cli/show/display.ts';
import { sleep } from '../../client/deadline.ts';
import type { Column } from '../../output/columns.ts';
import { createListPage, type ListWriter } from '../../output/list-page.ts';
import { attemptMembers } from '../../webhooks/attempts.ts';
import { recordKey } from '../../webhooks/event.ts';
import { isDelivered, type Outcome, type Sender } from '../../webhooks/sender.ts';
import { addSend, type Claim, claimSend, endClaim } from '../../webhooks/sends.ts';
import { checkSignature, type Scheme } from '../../webhooks/signature.ts';
import { eventColumns } from './columns.ts';
import { eventRecord, isForward, outcomeText } from './records.ts';
import { resend } from './resend.ts';
import type { EventStore, Forward, StoredEvent } from './store.ts';

/** Why no listener forwards an event to a URL that only a replay sent it to. */
const ONLY_REPLAYED = 'only replayed';

/** An event and the receivers that it is sent to again. */
export type Replay = {
  readonly event: StoredEvent;
  /** Only an event that was verified is signed again: a new signature says that the service sent it. */
  readonly isVerified: boolean;
  readonly receivers: readonly { readonly url: string; readonly forward: Forward | undefined }[];
};

/** What is sent again, and what is not, with the reason. */
export type ReplayPlan = {
  readonly replays: readonly Replay[];
  /** Events without a correct signature. */
  readonly unverified: readonly StoredEvent[];
  /** Events that were never forwarded, where no URL is named. */
  readonly withoutForward: readonly StoredEvent[];
};

/** How replays are chosen. */
export type ReplayChoice = {
  /** The receivers; those of the forwards of each event by default. */
  readonly urls: readonly string[] | undefined;
  /** Only forwards that failed. */
  readonly failed: boolean;
  readonly scheme: Scheme;
  readonly includesUnverified: boolean;
};

/** Plans which events are sent where, in the order in which they were received. */
export function planReplay(
  store: EventStore,
  events: readonly StoredEvent[],
  choice: ReplayChoice,
): ReplayPlan {
  const { urls, failed, scheme, includesUnverified } = choice;
  const unverified: StoredEvent[] = [];
  const withoutForward: StoredEvent[] = [];
  const replays: Replay[] = [];
  for (const event of events.toSorted((one, other) => one.row - other.row)) {
    const isVerified = wasVerified(store, event, scheme);
    if (!includesUnverified && !isVerified) {
      unverified.push(event);
      continue;
    }
    const forwards = store.forwards(event.row);
    const receivers = urls
      ? urls.map((url) => ({ url, forward: forwards.find((forward) => forward.url === url) }))
      : forwards
          .filter((forward) => isForward(forward) && (!failed || forward.hasFailed))
          .map((forward) => ({ url: forward.url, forward }));
    if (receivers.length === 0) withoutForward.push(event);
    else replays.push({ event, isVerified, receivers });
  }
  return { replays, unverified, withoutForward };
}

/** Whether to sign an event again is to say what is true. What was not checked is checked now, as of when it was received. */
function wasVerified(store: EventStore, { row, verdict, receivedMs }: StoredEvent, scheme: Scheme): boolean {
  if (verdict !== 'unchecked') return verdict === 'ok';
  const { names } = scheme;
  const { headers, body } = store.content(row) ?? {};
  if (!headers || !body) return false;
  const [signature, timestamp] = [headers[names.signature], headers[names.timestamp]];
  const check = checkSignature(body, { signature, timestamp, nowMs: receivedMs, ...scheme });
  return check.verdict === 'ok' || check.verdict === 'unchecked';
}

/** How a plan is carried out. */
export type ReplayRun = {
  readonly store: EventStore;
  readonly sender: Sender;
  /** Signs again; the old signature is sent where there is none. */
  readonly signing: Scheme | undefined;
  readonly signal: AbortSignal;
  /** Whether a listener forwards the events of the store at this moment. */
  readonly isListening: () => boolean;
  readonly onSent: (event: StoredEvent, url: string, outcome: Outcome) => Promise<void>;
};

/** How many events of different records are sent at the same time. */
const MOST_AT_ONCE = 8;

/** Sends each event once to each of its receivers; those of one record one after the other. @throws AbortedError; what SQLite throws */
export async function sendReplays(replays: readonly Replay[], run: ReplayRun): Promise<void> {
  const last = new Map<string, Promise<void>>();
  const running = new Set<Promise<void>>();
  for (const replay of replays) {
    while (running.size >= MOST_AT_ONCE) await Promise.race(running);
    const key = recordKey(replay.event.facts) || replay.event.deliveryId;
    const work = (last.get(key) ?? Promise.resolve()).then(() => sendReplay(replay, run));
    const ended = work.finally(() => {
      running.delete(ended);
      if (last.get(key) === ended) last.delete(key);
    });
    // Those that wait for it fail with it; the first failure is thrown below.
    ended.catch(() => {});
    running.add(ended);
    last.set(key, ended);
  }
  await Promise.all(running);
}

async function sendReplay({ event, isVerified, receivers }: Replay, run: ReplayRun): Promise<void> {
  const { store, sender, signing, signal, onSent } = run;
  const { database } = store;
  for (const { url, forward } of receivers) {
    const content = store.content(event.row);
    if (!content) return;
    const claim = await claimed({ event, url, forward }, run);
    if (!claim) continue;
    let attempt: Parameters<typeof endClaim>[2];
    try {
      const attemptedMs = Date.now();
      const signedAgain = isVerified && signing ? { scheme: signing, nowMs: attemptedMs } : undefined;
      const posting = resend(url, content, signedAgain);
      const outcome = await sender.post(posting, signal);
      attempt = { outcome, attemptedMs, isDelivered: isDelivered(outcome) };
    } finally {
      database.inTransaction(() => endClaim(database, claim, attempt));
    }
    await onSent(event, url, attempt.outcome);
  }
}

/** How often a replay looks whether a listener has sent earlier events of the record, in milliseconds. */
const LOOK_MS = 100;

/**
 * Waits until no listener sends an event of the same record to the URL, and keeps it from doing so. Undefined if the event is gone, or
 * if the listener has delivered in the meantime what it had not.
 */
async function claimed(
  { event, url, forward }: { readonly event: StoredEvent } & Replay['receivers'][number],
  { store: { database }, isListening, signal }: ReplayRun,
): Promise<Claim | undefined> {
  const { row: of, deliveryId, facts } = event;
  const record = recordKey(facts) || deliveryId;
  const row =
    forward?.row ??
    database.inTransaction(() =>
      addSend(database, { event: of, deliveryId, url, record, problem: ONLY_REPLAYED }),
    );
  for (;;) {
    signal.throwIfAborted();
    const isAlone = !isListening();
    const claim = database.inTransaction(() => claimSend(database, { row, url, record }, { isAlone }));
    if (claim?.state === 'delivered' && forward && forward.state !== 'delivered') {
      database.inTransaction(() => endClaim(database, claim, undefined));
      return undefined;
    }
    if (claim) return claim;
    if (database.prepare('SELECT 1 FROM webhook_sends WHERE row = ?').get(row) === undefined)
      return undefined;
    await sleep(LOOK_MS, signal);
  }
}

/** A line of a replay; `outcome` is undefined where nothing is sent. */
export function replayRecord(event: StoredEvent, url: string, outcome: Outcome | undefined) {
  const { verdict: _verdict, reason: _reason, bytes, ...members } = eventRecord(event);
  return {
    ...members,
    bytes,
    url,
    outcome: outcome === undefined ? null : isDelivered(outcome) ? 'delivered' : 'failed',
    ...attemptMembers(outcome),
  };
}

/** What a table shows of a replay. */
export const REPLAY_COLUMNS: readonly Column[] = [
  ...eventColumns('received_at', { time: 8, record: 9 }),
  {
    header: 'OUTCOME',
    path: 'outcome',
    parts: ['outcome', 'status', 'problem', 'milliseconds'],
    cell: (line) => (textOf(line, 'outcome') === '' ? 'not sent' : outcomeText(line)),
    minWidth: 14,
    goodWidth: 40,
    priority: 10,
    tone: (line) => (textOf(line, 'outcome') === 'failed' ? 'red' : undefined),
  },
  { header: 'TO', path: 'url', minWidth: 20, goodWidth: 36, priority: 10 },
  { header: 'ID', path: 'id', shortens: true, priority: 6 },
];

/** Prints the lines of a replay in their order. */
export class ReplayLines {
  readonly #writer: ListWriter;
  #last: Promise<void> = Promise.resolve();

  constructor(writer: ListWriter) {
    this.#writer = writer;
  }

  async add(record: ReturnType<typeof replayRecord>): Promise<void> {
    this.#last = this.#last.then(() =>
      this.#writer.page(createListPage(JSON.stringify({ items: [record] }), [record])),
    );
    await this.#last;
  }

  async end(): Promise<void> {
    await this.#writer.end({ nextCursor: null });
  }
}

/** Says what a plan leaves out. */
export function printLeftOut(display: Display, { unverified, withoutForward }: ReplayPlan): void {
  if (unverified.length > 0) {
    display.warn(
      'event_left_out',
      `${unverified.length} without a correct signature are left out. To send them, too: --forward-unverified`,
    );
  }
  if (withoutForward.length > 0) {
    display.warn(
      'event_left_out',
      `${withoutForward.length} that were never forwarded are left out. To send them, name a receiver: --to URL`,
    );
  }
}
