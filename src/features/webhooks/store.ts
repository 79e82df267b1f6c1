import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PayctlError } from '../../errors.ts';
import { type Database, openDatabase } from '../../files/database.ts';
import { fileErrorCode, fileErrorReason } from '../../files/file-error.ts';
import { refuseNewer } from '../../files/newer-version.ts';
import { makePrivateDirectory } from '../../files/private-files.ts';
import { isShortId } from '../../text/format.ts';
import { type Attempt, attemptsOf } from '../../webhooks/attempts.ts';
import { recordKey } from '../../webhooks/event.ts';
import {
  addSend,
  beginningWith,
  byDelivery,
  deleteSends,
  HAS_FAILED,
  OUTBOX_INDEXES,
  OUTBOX_TABLES,
  type SendState,
} from '../../webhooks/sends.ts';
import type { Checked, Verdict } from '../../webhooks/signature.ts';
import type { Incoming } from './receiver.ts';

/** The events that are neither signed correctly nor accepted unchecked: strangers can send any number of them. */
const UNVERIFIED = "('wrong', 'missing', 'old')";

/** How many unverified events are kept at most, and how many bytes of their bodies; the oldest go. */
type Most = { readonly events: number; readonly bytes: number };
const MOST_UNVERIFIED: Most = { events: 1_000, bytes: 64 * 1024 * 1024 };

const VERSION = 1;

const SCHEMA = [
  `CREATE TABLE events (
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    received_ms INTEGER NOT NULL,
    delivery_id TEXT NOT NULL,
    verdict TEXT NOT NULL CHECK (verdict IN ('ok', 'wrong', 'missing', 'old', 'unchecked')),
    reason TEXT NOT NULL,
    event TEXT,
    event_id TEXT,
    target_type TEXT,
    target_id TEXT,
    bytes INTEGER NOT NULL,
    signed BLOB,
    headers TEXT NOT NULL,
    body BLOB NOT NULL
  ) STRICT`,
  ...OUTBOX_TABLES,
  'CREATE INDEX events_of_delivery ON events (delivery_id, verdict)',
  'CREATE INDEX events_signed ON events (signed) WHERE signed IS NOT NULL',
  'CREATE INDEX events_of_time ON events (received_ms)',
  `CREATE INDEX events_unverified ON events (row, bytes) WHERE verdict IN ${UNVERIFIED}`,
  'CREATE INDEX events_of_target ON events (target_id)',
  ...OUTBOX_INDEXES,
  `PRAGMA user_version = ${VERSION}`,
];

/** An event as it was received. Header names are in lower case. */
export type ReceivedEvent = Checked & Omit<Incoming, 'signature'> & { readonly receivedMs: number };

/** What became of a received event: the forwards that it waits for, or `isRepeated` for one that is there already. */
export type Added = {
  readonly isRepeated: boolean;
  /** Its delivery ID is that of an event with another body, which is the one that is kept. */
  readonly hasOtherBody: boolean;
  readonly row: number;
  readonly forwards: readonly { readonly url: string; readonly isWaiting: boolean }[];
  /** How many events had to go for it. */
  readonly deleted: number;
};

/** Thrown for an event that the store has no room for. */
export class StoreFull extends Error {}

/** How many events are deleted at a time. */
const BATCH = 200;

/** How long the store is taken to be full before it is looked at again, in milliseconds: to look at all events takes a while. */
const FULL_MS = 1_000;

/** A stored event, without its headers and its body. */
export type StoredEvent = Omit<ReceivedEvent, 'headers' | 'body' | 'timestamp'> & {
  readonly row: number;
  /** Of its body. */
  readonly bytes: number;
};

/** The rest of a stored event. */
export type EventContent = Pick<ReceivedEvent, 'headers' | 'body'>;

/** A forward of a stored event. */
export type Forward = {
  readonly row: number;
  readonly url: string;
  readonly state: SendState;
  /** It was given up, or failed and is tried again. */
  readonly hasFailed: boolean;
  /** Also those of replays, oldest first. */
  readonly attempts: readonly Attempt[];
  /** When the next attempt follows, in milliseconds since 1970. */
  readonly nextMs: number | undefined;
};

/** Which events are meant; all conditions have to be met. */
export type EventFilter = {
  /** Milliseconds since 1970: from this one on, and before this one. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** A pattern of SQLite's GLOB. */
  readonly event?: string | undefined;
  readonly verdicts?: readonly Verdict[] | undefined;
  /** The ID of a record, or `TYPE/ID`. */
  readonly record?: string | undefined;
  /** Only those with a forward that was given up, or whose last attempt failed. */
  readonly failed?: boolean | undefined;
};

/** The paths of what is kept in a directory of received events. */
export function filesOf(directory: string) {
  return {
    database: join(directory, 'events.sqlite'),
    lock: join(directory, 'listening.lock'),
    listening: join(directory, 'listening.json'),
  };
}

/** The events that were received, with their forwards. Several processes can have the same store open. */
export class EventStore {
  readonly database: Database;
  readonly #mostBytes: number;
  readonly #mostUnverified: Most;
  #fullUntil = 0;

  private constructor(database: Database, mostBytes: number, mostUnverified: Most) {
    this.database = database;
    this.#mostBytes = mostBytes;
    this.#mostUnverified = mostUnverified;
  }

  /**
   * Opens the store of a directory, and makes both where they are not there (0700 and 0600). Once its data take `mostBytes`, old events go
   * for new ones.
   * @throws UsageError `newer_version` and as `makePrivateDirectory`; PayctlError `event_store_unusable`
   */
  static open(
    directory: string,
    mostBytes = Number.POSITIVE_INFINITY,
    mostUnverified = MOST_UNVERIFIED,
  ): EventStore {
    makePrivateDirectory(directory, { setBy: '--directory' });
    const { database: path } = filesOf(directory);
    try {
      // SQLite gives its side files the mode of the database. To close one that is open elsewhere would lose its locks.
      if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
      const database = openDatabase(path, {
        timeout: 5_000,
        settings: 'PRAGMA synchronous = FULL; PRAGMA secure_delete = ON',
      });
      try {
        database.useWriteAheadLog();
        prepareTables(database, path);
      } catch (error) {
        database.close();
        throw error;
      }
      return new EventStore(database, mostBytes, mostUnverified);
    } catch (cause) {
      if (cause instanceof PayctlError) throw cause;
      throw unusableStore(path, cause);
    }
  }

  /** The same, but undefined where nothing was ever received. */
  static openExisting(directory: string): EventStore | undefined {
    const { database: path } = filesOf(directory);
    try {
      statSync(path);
    } catch (cause) {
      if (fileErrorCode(cause) === 'ENOENT') return undefined;
      throw unusableStore(path, cause);
    }
    return EventStore.open(directory);
  }

  /**
   * Stores an event with its forwards to these URLs, and resolves when it is on disk. An event that was accepted before is not stored again:
   * neither one with its delivery ID, which is not signed, nor the same event with another.
   * @throws StoreFull where all events that it has are still to be forwarded or were given up; what SQLite throws, such as for a full disk
   */
  async add(received: ReceivedEvent, urls: readonly string[]): Promise<Added> {
    return await this.database.inSharedTransaction(() => this.#add(received, urls));
  }

  #add(received: ReceivedEvent, urls: readonly string[]): Added {
    const { verdict, reason, receivedMs, deliveryId, facts, headers, body, timestamp } = received;
    const signed =
      verdict === 'ok' ? identityOf(body, facts.eventId === undefined ? timestamp : undefined) : null;
    const known = this.#findAccepted(verdict, deliveryId, signed);
    if (known !== undefined) {
      const hasOtherBody = Buffer.compare(this.content(known)?.body ?? body, body) !== 0;
      return { isRepeated: true, hasOtherBody, row: known, forwards: [], deleted: 0 };
    }
    const deleted = this.#makeRoom();
    const { lastInsertRowid } = this.database
      .prepare(
        `INSERT INTO events (received_ms, delivery_id, verdict, reason, event, event_id, target_type, target_id,
          bytes, signed, headers, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        receivedMs,
        deliveryId,
        verdict,
        reason,
        facts.event ?? null,
        facts.eventId ?? null,
        facts.targetType ?? null,
        facts.targetId ?? null,
        body.length,
        signed,
        JSON.stringify(headers),
        body,
      );
    const row = Number(lastInsertRowid);
    const record = recordKey(facts) || deliveryId;
    const forwards = urls.map((url) => {
      const send = addSend(this.database, { event: row, deliveryId, url, record });
      const next = this.database
        .prepare('SELECT next_ms FROM webhook_sends WHERE row = ?')
        .get(send)?.next_ms;
      return { url, isWaiting: next === null };
    });
    if (verdict !== 'ok' && verdict !== 'unchecked') this.#limitUnverified();
    return { isRepeated: false, hasOtherBody: false, row, forwards, deleted };
  }

  #findAccepted(verdict: Verdict, deliveryId: string, signed: Uint8Array | null): number | undefined {
    if (verdict !== 'ok' && verdict !== 'unchecked') return undefined;
    // What nobody checked must not take the place of what was signed.
    const verdicts = verdict === 'ok' ? "= 'ok'" : "IN ('ok', 'unchecked')";
    const row =
      this.database
        .prepare(`SELECT row FROM events WHERE delivery_id = ? AND verdict ${verdicts} LIMIT 1`)
        .get(deliveryId)?.row ??
      (signed && this.database.prepare('SELECT row FROM events WHERE signed = ?').get(signed)?.row);
    return typeof row === 'number' ? row : undefined;
  }

  /** Deletes the oldest events until there is room for another one; never what is still to be forwarded, or was given up. */
  #makeRoom(): number {
    if (performance.now() < this.#fullUntil) throw new StoreFull();
    const size = this.database.prepare(
      'SELECT (page_count - freelist_count) * page_size AS bytes FROM pragma_page_count, pragma_freelist_count, pragma_page_size',
    );
    const finished = this.database.prepare(
      `SELECT row, bytes FROM events WHERE row NOT IN (SELECT event FROM webhook_sends WHERE state IN ('pending', 'failed'))
        ORDER BY row LIMIT ${BATCH}`,
    );
    let deleted = 0;
    for (;;) {
      let over = Number(size.get()?.bytes) - this.#mostBytes;
      if (over < 0) return deleted;
      const rows = finished.all();
      for (const { row, bytes } of rows) {
        if (over < 0) break;
        this.#delete(Number(row));
        deleted += 1;
        over -= Number(bytes);
      }
      if (rows.length > 0) continue;
      if (deleted > 0) return deleted;
      this.#fullUntil = performance.now() + FULL_MS;
      throw new StoreFull();
    }
  }

  #limitUnverified(): void {
    const sums = this.database.prepare(
      `SELECT count(*) AS events, sum(bytes) AS bytes, min(row) AS oldest FROM events WHERE verdict IN ${UNVERIFIED}`,
    );
    for (;;) {
      const { events, bytes, oldest } = sums.get() ?? {};
      const most = this.#mostUnverified;
      const isFull = Number(events) > most.events || Number(bytes) > most.bytes;
      if (!isFull || typeof oldest !== 'number') return;
      this.#delete(oldest);
    }
  }

  #delete(row: number): void {
    deleteSends(this.database, row);
    this.database.prepare('DELETE FROM events WHERE row = ?').run(row);
  }

  /**
   * Deletes some of the events that were received before a moment, in milliseconds since 1970; those with a forward that is not
   * decided only before another one, and never if it is to one of these URLs. Resolves to how many it deleted.
   */
  async deleteBefore(endMs: number, endOfPendingMs: number, urls: readonly string[]): Promise<number> {
    return await this.database.inSharedTransaction(() => {
      const rows = this.database
        .prepare(
          `SELECT row FROM events WHERE received_ms < ?1 AND NOT EXISTS (
            SELECT 1 FROM webhook_sends WHERE event = events.row AND state = 'pending'
              AND (received_ms >= ?2 OR url IN (SELECT value FROM json_each(?3)))) LIMIT ${BATCH}`,
        )
        .all(endMs, endOfPendingMs, JSON.stringify(urls));
      for (const { row } of rows) this.#delete(Number(row));
      return rows.length;
    });
  }

  /** How many events wait to be forwarded, by URL. */
  pending(): ReadonlyMap<string, number> {
    const rows = this.database
      .prepare("SELECT url, count(*) AS count FROM webhook_sends WHERE state = 'pending' GROUP BY url")
      .all();
    return new Map(rows.map(({ url, count }) => [String(url), Number(count)]));
  }

  /** Events in the order in which they were received, or the newest first. */
  list(filter: EventFilter, { newestFirst = false, limit = -1 } = {}): readonly StoredEvent[] {
    const { where, values } = conditionsOf(filter);
    return this.database
      .prepare(`SELECT ${COLUMNS} FROM events ${where} ORDER BY row ${newestFirst ? 'DESC' : ''} LIMIT ?`)
      .all(...values, limit)
      .map(eventOf);
  }

  /** How many events there are. */
  count(filter: EventFilter): number {
    const { where, values } = conditionsOf(filter);
    const found = this.database.prepare(`SELECT count(*) AS count FROM events ${where}`).get(...values);
    return Number(found?.count);
  }

  /** The events with a delivery ID, or with one that begins like this; accepted ones first, then the newest. Ten at most. */
  find(id: string): readonly StoredEvent[] {
    const order = `ORDER BY verdict NOT IN ${UNVERIFIED} DESC, verdict = 'ok' DESC, row DESC LIMIT 10`;
    return byDelivery(this.database, id, { select: `SELECT ${COLUMNS} FROM events`, order }).map(eventOf);
  }

  /** One event; undefined where it is gone. */
  event(row: number): StoredEvent | undefined {
    const found = this.database.prepare(`SELECT ${COLUMNS} FROM events WHERE row = ?`).get(row);
    return found && eventOf(found);
  }

  /** The headers and the body of an event; undefined where it is gone. */
  content(row: number): EventContent | undefined {
    const found = this.database.prepare('SELECT headers, body FROM events WHERE row = ?').get(row);
    if (!(found?.body instanceof Uint8Array)) return undefined;
    return { headers: JSON.parse(String(found.headers)), body: found.body };
  }

  /** The forwards of an event. */
  forwards(event: number): readonly Forward[] {
    return this.database
      .prepare(
        `SELECT row, url, state, next_ms, ${HAS_FAILED} AS has_failed FROM webhook_sends WHERE event = ? ORDER BY row`,
      )
      .all(event)
      .map((found) => {
        const row = Number(found.row);
        return {
          row,
          url: String(found.url),
          state: found.state as SendState,
          hasFailed: found.has_failed === 1,
          attempts: attemptsOf(this.database, row),
          nextMs: typeof found.next_ms === 'number' ? found.next_ms : undefined,
        };
      });
  }

  close(): void {
    this.database.close();
  }
}

/** The error for a file of the store that cannot be opened or made. */
export function unusableStore(path: string, cause: unknown): PayctlError {
  return new PayctlError('event_store_unusable', `${path} cannot be used: ${fileErrorReason(cause)}`, {
    hint: 'Check the disk and the permissions, or use another directory with --directory.',
    cause,
  });
}

function prepareTables(database: Database, path: string): void {
  const version = () => Number(database.prepare('PRAGMA user_version').get()?.user_version);
  database.inTransaction(() => {
    if (version() === 0) for (const statement of SCHEMA) database.execute(statement);
  });
  refuseNewer(path, version(), VERSION, 'use another directory with --directory.');
}

const COLUMNS =
  'row, received_ms, delivery_id, verdict, reason, event, event_id, target_type, target_id, bytes';

type Row = Readonly<Record<string, unknown>>;

function eventOf(found: Row): StoredEvent {
  return {
    row: Number(found.row),
    receivedMs: Number(found.received_ms),
    deliveryId: String(found.delivery_id),
    verdict: found.verdict as Verdict,
    reason: String(found.reason),
    facts: {
      event: textOf(found.event),
      eventId: textOf(found.event_id),
      targetType: textOf(found.target_type),
      targetId: textOf(found.target_id),
    },
    bytes: Number(found.bytes),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/**
 * What makes two signed requests the same event, whatever their headers say that are not signed: the body, if it has the ID of an event;
 * otherwise the body and the time at which it was signed.
 */
function identityOf(body: Uint8Array, timestamp = ''): Uint8Array {
  return createHash('sha256').update(`${timestamp}.`).update(body).digest();
}

/** The condition for a record with an ID, or with one that begins with the short form that tables have. */
function ofRecord(id: string): [sql: string, ...values: string[]] {
  return isShortId(id) ? ['target_id >= ? AND target_id < ?', ...beginningWith(id)] : ['target_id = ?', id];
}

function conditionsOf(filter: EventFilter): { readonly where: string; readonly values: (string | number)[] } {
  const { from, to, event, verdicts, record, failed } = filter;
  const slash = record?.indexOf('/') ?? -1;
  const conditions: [sql: string, ...values: (string | number)[]][] = [];
  if (from !== undefined) conditions.push(['received_ms >= ?', from]);
  if (to !== undefined) conditions.push(['received_ms < ?', to]);
  if (event !== undefined) conditions.push(['event GLOB ?', event]);
  if (verdicts) conditions.push([`verdict IN (${verdicts.map(() => '?').join(', ')})`, ...verdicts]);
  if (record !== undefined) conditions.push(ofRecord(record.slice(slash + 1)));
  if (record !== undefined && slash !== -1) conditions.push(['target_type = ?', record.slice(0, slash)]);
  if (failed) {
    conditions.push([`EXISTS (SELECT 1 FROM webhook_sends WHERE event = events.row AND ${HAS_FAILED})`]);
  }
  const where = conditions.map(([sql]) => sql).join(' AND ');
  return {
    where: where === '' ? '' : `WHERE ${where}`,
    values: conditions.flatMap(([, ...values]) => values),
  };
}
