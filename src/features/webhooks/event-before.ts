import { existsSync } from 'node:fs';
import { formatDuration } from '../../text/format.ts';
import { shellQuote } from '../../text/shell.ts';
import { EventStore, filesOf } from './store.ts';

/** At most so many segments of a path are looked up. */
const MOST_SEGMENTS = 10;

/** Shorter texts are words or versions, and no IDs. */
const SHORTEST_ID = 6;

/** A failed request to the API. */
export type RequestFacts = {
  readonly method: string | undefined;
  readonly status: number | undefined;
  /** Its path or URL, in which records are named. */
  readonly url: string | undefined;
  /** When it was received, in milliseconds since 1970. */
  readonly at: number | undefined;
};

/**
 * Names the newest event about a record of the request that was received before it: the request may have been made because of the event. Undefined
 * if there is none, or the store cannot be read.
 */
export function eventBefore(
  directory: string,
  { method, status = 0, url, at }: RequestFacts,
): string | undefined {
  if (url === undefined || at === undefined || !existsSync(filesOf(directory).database)) return undefined;
  const ids = idsIn(url);
  if (ids.length === 0) return undefined;
  try {
    const store = EventStore.open(directory);
    try {
      const found = ids.flatMap((record) =>
        store.list({ record, to: at + 1, verdicts: ['ok', 'unchecked'] }, { newestFirst: true, limit: 1 }),
      );
      const [newest] = found.toSorted((one, other) => other.receivedMs - one.receivedMs);
      if (!newest) return undefined;
      const { facts, receivedMs, deliveryId } = newest;
      // The earlier event must not look like that of the change.
      const none = method !== 'GET' && status >= 400 && status < 500;
      const label = none
        ? 'Event: none, because the change was refused. Last event of this record:'
        : 'Event:';
      return `${label} ${facts.event ?? 'unknown'}, ${formatDuration(at - receivedMs)} before: payctl webhooks get ${shellQuote(deliveryId)}`;
    } finally {
      store.close();
    }
  } catch {
    return undefined;
  }
}

function idsIn(url: string): readonly string[] {
  const path = URL.parse(url, 'http://localhost')?.pathname ?? '';
  const segments = path.split('/').filter((segment) => segment.length >= SHORTEST_ID && /\d/.test(segment));
  return [...new Set(segments)].slice(-MOST_SEGMENTS);
}
