import { rmSync } from 'node:fs';
import { hostname, networkInterfaces } from 'node:os';
import { isLoopback } from '../../config/base-url.ts';
import { PayctlError, UsageError } from '../../errors.ts';
import { type HeldLock, isHeldAlone, lockAlone, tryPatiently } from '../../files/kernel-lock.ts';
import { makePrivateDirectory, replaceFile } from '../../files/private-files.ts';
import { LIMITS, readRegularFile } from '../../files/read-file.ts';
import { isObject } from '../../json/is-object.ts';
import { quote } from '../../text/format.ts';
import { attemptsOf } from '../../webhooks/attempts.ts';
import { Outbox } from '../../webhooks/outbox.ts';
import type { Posting, Sender } from '../../webhooks/sender.ts';
import { type Attempted, fitsEvent, type Send } from '../../webhooks/sends.ts';
import { checkSignature, type Scheme } from '../../webhooks/signature.ts';
import { type Incoming, type Reply, startReceiver } from './receiver.ts';
import { resend } from './resend.ts';
import { type Added, EventStore, filesOf, type StoredEvent, StoreFull, unusableStore } from './store.ts';
import type { Target } from './targets.ts';

/** How to listen. */
export type ListenerOptions = {
  readonly directory: string;
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly path: string;
  readonly scheme: Scheme;
  readonly targets: readonly Target[];
  /** A pattern for the types of events that are reported and forwarded; all by default. Others are stored. */
  readonly events?: string | undefined;
  /** Events whose signature is wrong, missing or old are forwarded, too. */
  readonly forwardsUnverified: boolean;
  /** How long events are kept, in milliseconds. */
  readonly keepMs: number;
  /** How much the stored events may take, in bytes. */
  readonly keepBytes: number;
  readonly sender: Sender;
  /** Called for each event that was stored, with the forwards that it waits for; and for one with another body than that of its delivery ID. */
  readonly onEvent: (event: StoredEvent, added: Added) => void;
  /** Called after each attempt to forward an event. */
  readonly onAttempt: (event: StoredEvent, attempted: Attempted) => void;
  /** Called when events were deleted because they took too much. */
  readonly onDeleted: () => void;
  /** Called with what keeps events from being stored or their forwards from being recorded. */
  readonly onProblem: (error: unknown) => void;
};

/** A listener that takes requests. */
export type Listener = {
  readonly url: string;
  readonly port: number;
  readonly store: EventStore;
  /** Ends within a second. What was not forwarded is forwarded by the next listener. */
  close(): Promise<void>;
};

const HOUR_MS = 3_600_000;

/** How long requests that have arrived may take to end, in milliseconds. */
const CLOSING_MS = 300;

/**
 * Starts to receive events: each is stored before it is acknowledged, and then forwarded.
 * @throws PayctlError `listener_running`, `event_store_unusable` and those of `startReceiver`; UsageError `forward_loop` and those of `makePrivateDirectory`
 */
export async function startListener(options: ListenerOptions): Promise<Listener> {
  const { directory, scheme, targets, keepMs, keepBytes } = options;
  const claim = claimDirectory(directory);
  let store: EventStore | undefined;
  try {
    store = EventStore.open(directory, keepBytes);
    const opened = store;
    const outbox = new Outbox(store.database, {
      sender: options.sender,
      postingOf: (send, nowMs) => postingOf(opened, send, { nowMs, scheme }),
      onAttempt(attempted) {
        const event = opened.event(attempted.send.event);
        if (event) options.onAttempt(event, attempted);
      },
      onError: options.onProblem,
      urls: new Set(targets.map(({ url }) => url)),
    });
    const receiver = await startReceiver({
      ...options,
      names: scheme.names,
      accept: (incoming) => accept(incoming, opened, outbox, options),
    });
    try {
      for (const { url } of targets) refuseLoop(url, receiver.port, options.host);
      claim.advertise(receiver.url);
    } catch (error) {
      await receiver.close(0);
      throw error;
    }
    const urls = targets.map(({ url }) => url);
    const pruning = pruneHourly(opened, { keepMs, urls }, options.onProblem);
    outbox.wake();
    return {
      url: receiver.url,
      port: receiver.port,
      store,
      async close() {
        await Promise.all([receiver.close(CLOSING_MS), outbox.close(), pruning.stop()]);
        opened.close();
        claim.release();
      },
    };
  } catch (error) {
    store?.close();
    claim.release();
    throw error;
  }
}

async function accept(
  { headers, deliveryId, signature, timestamp, body, facts }: Incoming,
  store: EventStore,
  outbox: Outbox,
  options: ListenerOptions,
): Promise<Reply> {
  const { scheme, targets, events, forwardsUnverified, onEvent } = options;
  const receivedMs = Date.now();
  const checked = checkSignature(body, { signature, timestamp, nowMs: receivedMs, ...scheme });
  const isAccepted = checked.verdict === 'ok' || checked.verdict === 'unchecked';
  const isMeant = events === undefined || fitsEvent(store.database, events, facts.event);
  const urls = isMeant && (isAccepted || forwardsUnverified) ? urlsFor(targets, store, facts.event) : [];
  const received = { ...checked, receivedMs, deliveryId, facts, headers, body, timestamp };
  let added: Added;
  try {
    added = await store.add(received, urls);
  } catch (error) {
    options.onProblem(error);
    const why = error instanceof StoreFull ? 'there is no room for it' : 'it could not be stored';
    return { status: 503, message: `the event was not taken, because ${why}; try again` };
  }
  if (added.deleted > 0) options.onDeleted();
  if (added.forwards.length > 0) outbox.wake();
  if (isMeant && (!added.isRepeated || added.hasOtherBody)) {
    const bytes = body.length;
    onEvent({ ...checked, row: added.row, receivedMs, deliveryId, facts, bytes }, added);
  }
  // A sender that got a 4xx would never stop sending it.
  if (added.hasOtherBody) return { status: 200, message: OTHER_BODY };
  if (added.isRepeated) return { status: 200, message: 'the event was received before' };
  return isAccepted
    ? { status: 200, message: 'the event was stored' }
    : { status: 401, message: checked.reason };
}

/** Why an event was not kept. */
export const OTHER_BODY = 'another body came before under this delivery ID';

/** The URLs that an event of this type is forwarded to, each once. */
function urlsFor(
  targets: readonly Target[],
  store: EventStore,
  event: string | undefined,
): readonly string[] {
  const fitting = targets.filter(
    ({ pattern }) => pattern === undefined || fitsEvent(store.database, pattern, event),
  );
  return [...new Set(fitting.map(({ url }) => url))];
}

/** A receiver refuses what was signed a while ago. In milliseconds. */
const FRESH_MS = 30_000;

/** The first attempt sends what was received; later ones are signed again where the signature was correct. */
function postingOf(
  store: EventStore,
  { row: send, url, event: row }: Send,
  { nowMs, scheme }: { readonly nowMs: number; readonly scheme: Scheme },
): Posting | undefined {
  const event = store.event(row);
  const content = store.content(row);
  if (!event || !content) return undefined;
  const isFresh = nowMs - event.receivedMs < FRESH_MS && attemptsOf(store.database, send).length === 0;
  const isSigned = scheme.secrets.length > 0 && event.verdict === 'ok' && !isFresh;
  return resend(url, content, isSigned ? { scheme, nowMs } : undefined);
}

/** Deletes old events at once and each hour. */
function pruneHourly(
  store: EventStore,
  { keepMs, urls }: { readonly keepMs: number; readonly urls: readonly string[] },
  onProblem: (error: unknown) => void,
) {
  let isOver = false;
  let running = Promise.resolve();
  const prune = async () => {
    try {
      const now = Date.now();
      while (!isOver && (await store.deleteBefore(now - keepMs, now - 2 * keepMs, urls)) > 0);
    } catch (error) {
      onProblem(error);
    }
  };
  const begin = () => {
    running = prune();
  };
  begin();
  const timer = setInterval(begin, HOUR_MS).unref();
  return {
    async stop() {
      isOver = true;
      clearInterval(timer);
      await running;
    },
  };
}

/** @throws UsageError `forward_loop` for a URL of the listener itself */
function refuseLoop(text: string, port: number, host: string): void {
  const url = new URL(text);
  const name = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (Number(url.port || (url.protocol === 'http:' ? 80 : 443)) !== port) return;
  const addresses = Object.values(networkInterfaces()).flatMap((ones = []) =>
    ones.map(({ address }) => address),
  );
  // A URL writes an IPv4 address within IPv6, such as `::ffff:127.0.0.1`, in hexadecimal.
  const isOwn =
    [host, hostname(), '0.0.0.0', '::', ...addresses].includes(name) || name.startsWith('::ffff:');
  if (!isLoopback(url) && !isOwn) return;
  throw new UsageError('forward_loop', `--forward ${quote(text)} leads to the listener itself`, {
    hint: 'Use the URL of your own program, or another --port.',
  });
}

/** There is one listener for a directory, so that each event is forwarded once. @throws PayctlError `listener_running` */
function claimDirectory(directory: string) {
  makePrivateDirectory(directory, { setBy: '--directory' });
  const files = filesOf(directory);
  const lock = claim(files.lock);
  if (!lock) throw alreadyRunning(directory);
  return {
    advertise(url: string): void {
      try {
        replaceFile(files.listening, `${JSON.stringify({ pid: process.pid, url })}\n`);
      } catch (cause) {
        throw unusableStore(files.listening, cause);
      }
    },
    release(): void {
      rmSync(files.listening, { force: true });
      lock.release();
    },
  };
}

function claim(path: string): HeldLock | undefined {
  try {
    return tryPatiently(() => lockAlone(path));
  } catch (cause) {
    throw unusableStore(path, cause);
  }
}

/** Whether a listener has the directory. */
export function isListening(directory: string): boolean {
  return isHeldAlone(filesOf(directory).lock);
}

function alreadyRunning(directory: string): PayctlError {
  const { pid, url } = readListening(directory);
  const place = typeof url === 'string' ? `at ${url}` : `in ${directory}`;
  const holder = typeof pid === 'number' ? ` (process ${pid})` : '';
  return new PayctlError('listener_running', `A listener is already running ${place}${holder}`, {
    hint: 'Stop it, or keep the events of this one in another directory with --directory DIR.',
  });
}

function readListening(directory: string): Readonly<Record<string, unknown>> {
  try {
    const found: unknown = JSON.parse(readRegularFile(filesOf(directory).listening, LIMITS.record));
    return isObject(found) ? found : {};
  } catch {
    return {};
  }
}
