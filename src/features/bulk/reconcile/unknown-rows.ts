import { SeenHashes } from '../../../text/seen-hashes.ts';
import { journalLines, OTHER_RECORD, type RowStates } from '../journal.ts';
import type { Plan, PlanRow } from '../plan-file.ts';
import { joined, type Offset, offsetBy } from './service-clock.ts';

/** A row that may have been carried out. */
export type UnknownRow = {
  readonly row: PlanRow;
  /** When it was sent for the first and for the last time, or given up; in milliseconds since 1970, by the clock of this machine. */
  readonly firstMs: number;
  readonly lastMs: number;
  readonly attempt: number | undefined;
  /** What a response said about it that contradicts the row: no list can tell whether it was carried out. */
  readonly contradiction?: string | undefined;
};

/** The facts in a journal about rows that are unknown or done. */
export type JournalFacts = {
  readonly sent: ReadonlyMap<number, Omit<UnknownRow, 'row'>>;
  /** The IDs of the records that rows made or changed. */
  readonly claimed: SeenHashes;
  /** The IDs of records that rows got in a response, and are not done by. */
  readonly unfit: SeenHashes;
  /** The rows that are done, but have no ID of a record. */
  readonly unnamed: ReadonlySet<number>;
  /** The offset of the service's clock while rows were sent; undefined if no response had a `Date` header. */
  readonly offset: Offset | undefined;
};

/** Reads a journal. @throws UsageError `journal_unreadable` */
export async function readFacts(path: string, plan: Plan, states: RowStates): Promise<JournalFacts> {
  const sent = new Map<number, Omit<UnknownRow, 'row'>>();
  const claimed = new SeenHashes();
  const unfit = new SeenHashes();
  const unnamed = new Set<number>();
  let offset: Offset | undefined;
  for await (const line of journalLines(path, plan)) {
    const { row, state, at, id, by, attempt, milliseconds = 0, service_time: date, code, message } = line;
    const atMs = Date.parse(at);
    // The line is written after the response.
    offset = joined(offset, offsetBy(date, { sentMs: atMs - milliseconds - WRITING_MS, receivedMs: atMs }));
    if (id !== undefined) (state === 'done' ? claimed : unfit).add(id, row);
    if (state === 'done') {
      if (id === undefined) unnamed.add(row);
      sent.delete(row);
    } else if (by === undefined && isUnknown(states, row)) {
      if (state === 'sending' || state === 'unknown') {
        const { firstMs = atMs, lastMs = atMs, attempt: before, contradiction: said } = sent.get(row) ?? {};
        const contradiction = code === OTHER_RECORD ? message : said;
        const times = { firstMs: Math.min(firstMs, atMs), lastMs: Math.max(lastMs, atMs) };
        sent.set(row, { ...times, attempt: attempt ?? before, contradiction });
      } else sent.delete(row);
    }
  }
  return { sent, claimed, unfit, unnamed, offset };
}

/** The most time between a response and its line, in milliseconds. */
const WRITING_MS = 50;

/** Whether a row may have been carried out. */
function isUnknown(states: RowStates, row: number): boolean {
  const state = states.of(row);
  return state === 'sending' || state === 'unknown';
}
