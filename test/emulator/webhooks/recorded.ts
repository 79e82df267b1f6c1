import type { TestEmulator } from '../test-emulator.ts';

/** An event as an emulator has stored it. */
export type RecordedEvent = {
  readonly event: string;
  readonly account: string;
  readonly body: string;
  readonly request: string | null;
  /** The state and the URL of each delivery. */
  readonly sends: readonly string[];
};

/** The events of an emulator, oldest first. */
export function recordedEvents({
  emulator: { database },
}: Pick<TestEmulator, 'emulator'>): readonly RecordedEvent[] {
  const sends = database.prepare('SELECT state, url FROM webhook_sends WHERE event = ? ORDER BY row');
  const events = database.prepare('SELECT * FROM webhook_events ORDER BY row').all();
  return events.map(
    ({ row, event, account, body, request_id: id, request_method: method, request_path: path, subject }) => ({
      event: String(event),
      account: String(account),
      body: String(body),
      request: id === null ? null : `${id} ${method} ${path} ${subject}`,
      sends: sends.all(Number(row)).map(({ state, url }) => `${state} ${url}`),
    }),
  );
}

/** The types of these events. */
export function namesOf(events: readonly RecordedEvent[]): readonly string[] {
  return events.map(({ event }) => event);
}
