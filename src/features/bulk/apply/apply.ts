import { isDeepStrictEqual } from 'node:util';
import { movedBy } from '../../../cli/money/limits.ts';
import { sumsOf } from '../../../cli/money/moved.ts';
import type { ReadRecord } from '../../../cli/money/record.ts';
import type { Client } from '../../../client/client.ts';
import { elapsedMs } from '../../../client/clock.ts';
import { sleep } from '../../../client/deadline.ts';
import { ApiError } from '../../../client/errors.ts';
import { Pace } from '../../../client/pace.ts';
import { responseOf } from '../../../client/response.ts';
import { delayBefore } from '../../../client/retry.ts';
import { AbortedError, CredentialsError, PayctlError, UsageError } from '../../../errors.ts';
import { isObject, memberAt } from '../../../json/is-object.ts';
import { quote } from '../../../text/format.ts';
import { SeenHashes } from '../../../text/seen-hashes.ts';
import type { Journal, JournalLine, RowState } from '../journal.ts';
import { totalsOf, totalsText } from '../money-totals.ts';
import { changeOfRow, recordOf } from '../plan/check-row.ts';
import { LIFETIME_MS, type Plan, type PlanRow, planChanged, planRows } from '../plan-file.ts';
import type { ServiceRecord } from '../reconcile/same-values.ts';
import type { Target } from '../target.ts';
import { endOf, endOfRecord, errorMembers, isDoneBefore, isSafeAgain, statusMember } from './row-end.ts';

/** The inputs of a run. */
export type ApplyParts = {
  readonly plan: Plan;
  readonly target: Target;
  readonly journal: Journal;
  readonly client: Pick<Client, 'request'>;
  /** Reads the record of a row again, to see whether it has changed since the plan. */
  readonly read: ReadRecord;
  /** The most rows in flight. */
  readonly concurrency: number;
  /** The most changes that start in any second. */
  readonly rate: number | undefined;
  /** Rows that are refused, fail or become unknown before no further one is sent. */
  readonly maxFailures: number;
  readonly maxRetries: number;
  /** The last row to send, counted from 1. */
  readonly until: number;
  /** Whether a 403 refuses the credentials, and not the row. */
  readonly isLacking: (error: ApiError) => boolean;
  /** Aborted: no further row is sent. */
  readonly stop: AbortSignal;
  /** Aborted: `applyRows` no longer waits for rows in flight. */
  readonly abandon: AbortSignal;
  readonly random: () => number;
  /** Masks the credentials of this run in a text. */
  readonly redact: (text: string) => string;
  /** Called for each row that has come to an end. */
  readonly onEnd: (row: PlanRow, state: RowState) => void;
};

/** Why a run stopped before all rows were sent. */
export type EarlyEnd =
  | { readonly why: 'interrupted' }
  | { readonly why: 'max_failures' }
  /** The service may forget the idempotency keys from now on. */
  | { readonly why: 'expired' }
  /** The first rows are sent, and nobody has said that the rest is to follow. */
  | { readonly why: 'canary' }
  | { readonly why: 'credentials'; readonly error: PayctlError }
  | { readonly why: 'journal'; readonly error: PayctlError };

/** How many rows are read ahead while rows of the same record wait for each other. */
const LOOK_AHEAD = 1000;

/** Sends the rows of a plan that are not done yet. @throws OutputError where the journal cannot be written; UsageError */
export async function applyRows(parts: ApplyParts): Promise<EarlyEnd | undefined> {
  return await new Application(parts).run();
}

class Application {
  readonly #parts: ApplyParts;
  readonly #pace: Pace;
  /** Whether two rows can be about the same record. */
  readonly #sharesRecords: boolean;
  /** The records that this plan has changed, or may have changed, by the rows before. */
  readonly #touched = new SeenHashes();
  /** The IDs of the records in responses, with the rows that got them. */
  readonly #ids = new SeenHashes();
  /** Records with a row that failed or may have been carried out: their later rows wait for it. */
  readonly #held = new Set<string>();
  /** The last row in flight of each record. */
  readonly #tails = new Map<string, Promise<void>>();
  readonly #slots: (() => void)[] = [];
  #free: number;
  #failures = 0;
  #early: EarlyEnd | undefined;
  #fault: unknown;

  constructor(parts: ApplyParts) {
    this.#parts = parts;
    this.#pace = new Pace(parts.rate);
    this.#free = parts.concurrency;
    const { rows, records } = parts.plan.header;
    this.#sharesRecords = records > 0 && records < rows;
  }

  async run(): Promise<EarlyEnd | undefined> {
    const { plan, until } = this.#parts;
    const running = new Set<Promise<void>>();
    try {
      for await (const row of planRows(plan.path)) {
        if (row.row > until || this.#isOver()) break;
        const work = this.#inTurn(row);
        if (!work) continue;
        const settled = work
          .catch((error: unknown) => {
            this.#fault ??= error;
          })
          .finally(() => running.delete(settled));
        running.add(settled);
        if (running.size >= LOOK_AHEAD) await Promise.race(running);
      }
    } catch (error) {
      // The rows under way end before the journal is closed.
      this.#fault ??= error;
    }
    await Promise.all(running);
    if (this.#fault !== undefined) throw this.#fault;
    return this.#early ?? (this.#parts.stop.aborted ? { why: 'interrupted' } : undefined);
  }

  #isOver(): boolean {
    if (isExpired(this.#parts.plan, Date.now())) this.#early ??= { why: 'expired' };
    return this.#early !== undefined || this.#fault !== undefined || this.#parts.stop.aborted;
  }

  /** Sends a row after those of the same record; undefined for one that is not to be sent. */
  #inTurn(row: PlanRow): Promise<void> | undefined {
    const { journal, target } = this.#parts;
    const record = this.#sharesRecords
      ? recordOf(target, { path: row.arguments, body: row.body })
      : undefined;
    const state = journal.states.of(row.row);
    if (!this.#isToSend(row, state)) {
      if (record !== undefined) this.#remember(row, record, state);
      return undefined;
    }
    if (record === undefined) return this.#withSlot(row, undefined);
    const before = this.#tails.get(record);
    const work = (before ?? Promise.resolve()).then(() => this.#withSlot(row, record));
    // The failed row reports the error, not the rows that wait for it.
    const tail = work
      .catch(() => {})
      .then(() => {
        if (this.#tails.get(record) === tail) this.#tails.delete(record);
      });
    this.#tails.set(record, tail);
    return work;
  }

  /** Stores what the state of a row that this run has finished with means for later rows of its record. */
  #remember({ row }: PlanRow, record: string, state: RowState): void {
    if (state === 'refused') return;
    if (state !== 'failed' && state !== 'pending') this.#touched.add(record, row);
    if (state !== 'done') this.#held.add(record);
  }

  #isToSend(row: PlanRow, state: RowState): boolean {
    if (state === 'pending' || state === 'failed') return true;
    if (state !== 'sending' && state !== 'unknown') return false;
    return isSafeAgain(this.#parts.target.operation.method, row.idempotency_key !== undefined);
  }

  async #withSlot(row: PlanRow, record: string | undefined): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#slots.push(resolve));
    try {
      if (!this.#isOver() && !(record !== undefined && this.#held.has(record))) await this.#send(row, record);
    } finally {
      const next = this.#slots.shift();
      if (next) next();
      else this.#free += 1;
    }
  }

  async #send(row: PlanRow, record: string | undefined): Promise<void> {
    const { journal, stop } = this.#parts;
    const before = journal.states.of(row.row);
    const wasUnknown = before === 'sending' || before === 'unknown';
    const isTouched = record !== undefined && this.#touched.has(record);
    try {
      const changed = wasUnknown || isTouched ? undefined : await this.#findChange(row);
      if (this.#isOver()) return;
      if (changed) return await this.#end(row, record, changed);
      await this.#pace.take(stop);
    } catch (error) {
      if (error instanceof AbortedError) return;
      throw error;
    }
    // Another row may have ended the run meanwhile.
    if (this.#isOver()) return this.#pace.ended();
    const precondition = isTouched || !this.#takesVersion() ? undefined : row.read?.etag;
    await this.#attempts(row, { record, wasUnknown, precondition });
  }

  /** The end of a row whose record has changed since the plan; undefined if it has not changed, or if the service checks it. */
  async #findChange(row: PlanRow): Promise<Pick<JournalLine, 'state' | 'code' | 'message'> | undefined> {
    const { read } = row;
    if (!read || (read.etag !== undefined && this.#takesVersion())) return undefined;
    const { target, read: readRecord } = this.#parts;
    const change = changeOfRow(target, row);
    const found = await readRecord(change);
    if (found.state === 'not_read' && found.why === 'refused') {
      const problem = `The service refused the credentials when payctl read the record ${quote(found.id)}`;
      this.#early ??= { why: 'credentials', error: new CredentialsError('record_not_read', problem) };
      return undefined;
    }
    if (found.state !== 'read') {
      const why = found.state === 'not_read' ? (found.why ?? 'not read') : 'not read';
      const state = why === 'not found' ? 'refused' : 'failed';
      return {
        state,
        code: 'record_not_read',
        message: `The record could not be read again before sending: ${why}`,
      };
    }
    const now = { updated_at: found.value.updated_at, etag: found.etag };
    const isSame =
      read.updated_at === undefined ? read.etag === now.etag : read.updated_at === now.updated_at;
    if (!isSame) {
      const message = 'The record was changed after the plan was made';
      return { state: 'refused', code: 'record_changed', message };
    }
    // Whoever edits a plan can state another currency than the record has, or less than it has left.
    const moved = await movedBy(change, async () => found);
    if (!row.moves || 'unknown' in moved || isDeepStrictEqual(totalsOf(moved.amounts), row.moves))
      return undefined;
    const message = `The row moves ${totalsText(sumsOf(moved.amounts))} by its record, which is not what the plan says`;
    return { state: 'refused', code: 'other_amount', message };
  }

  /** Whether the service compares the version itself; that of a payment in the body is another one. */
  #takesVersion(): boolean {
    const { headers = {}, payments } = this.#parts.target.operation;
    return !payments && Object.hasOwn(headers, 'if-match');
  }

  async #attempts(row: PlanRow, { record, wasUnknown: before, precondition }: Attempts): Promise<void> {
    const { journal, target, isLacking, redact } = this.#parts;
    const { method } = target.operation;
    const hasKey = row.idempotency_key !== undefined;
    const isConditional = precondition !== undefined;
    let wasUnknown = before;
    for (let attempt = 1; ; attempt += 1) {
      await journal.add({ row: row.row, state: 'sending', at: now(), attempt });
      const started = elapsedMs();
      const response = await this.#request(row, precondition)
        .catch(onlyExpected)
        .finally(() => this.#pace.ended());
      const common = { attempt, milliseconds: Math.round(elapsedMs() - started) };
      if (!(response instanceof PayctlError)) {
        const { value, ...members } = response;
        const end = endOfRecord(value, { row, target, isTaken: this.#isTaken(row, members.id) });
        return await this.#end(row, record, { ...common, ...members, ...end });
      }
      const isChanged = isConditional && response instanceof ApiError && response.status === 412;
      const members = {
        ...common,
        ...errorMembers(response, redact),
        ...(isChanged && { code: 'record_changed' }),
      };
      if (wasUnknown && isDoneBefore(response, method))
        return await this.#end(row, record, { state: 'done', ...members });
      const found = endOf(response, { method, hasKey, isConditional, wasUnknown, isLacking });
      if (found.end === 'stopped') {
        this.#early ??= { why: 'credentials', error: response };
        return await this.#end(row, record, { state: wasUnknown ? 'unknown' : 'pending', ...members });
      }
      wasUnknown ||= found.end === 'unknown';
      const delay = this.#delayBefore(response, { mayRepeat: found.mayRepeat, attempt });
      if (delay !== undefined && !this.#isOver() && (await this.#wait(delay, response))) continue;
      const isUnsent = response instanceof AbortedError && !wasUnknown;
      return await this.#end(row, record, { state: isUnsent ? 'pending' : found.end, ...members });
    }
  }

  /** How long to wait before the row is sent again, in milliseconds; undefined if it is not. A 429 pauses all rows. */
  #delayBefore(
    error: PayctlError,
    { mayRepeat, attempt }: { readonly mayRepeat: boolean; readonly attempt: number },
  ): number | undefined {
    const { maxRetries, random } = this.#parts;
    const delay = delayBefore(error, attempt, random);
    if (error instanceof ApiError && error.status === 429) this.#pace.pause(delay);
    return mayRepeat && attempt <= maxRetries ? delay : undefined;
  }

  /** Waits before a row is sent again; false where the run ends meanwhile. */
  async #wait(milliseconds: number, error: PayctlError): Promise<boolean> {
    const { stop } = this.#parts;
    try {
      if (!(error instanceof ApiError && error.status === 429)) await sleep(milliseconds, stop);
      await this.#pace.take(stop);
      if (!this.#isOver()) return true;
      this.#pace.ended();
      return false;
    } catch (aborted) {
      if (aborted instanceof AbortedError) return false;
      throw aborted;
    }
  }

  /** Whether another row of this run has got the ID of its record. */
  #isTaken({ row }: PlanRow, id: string | undefined): boolean {
    return id !== undefined && (this.#ids.add(id, row) ?? row) !== row;
  }

  async #request(
    row: PlanRow,
    precondition: string | undefined,
  ): Promise<Omit<JournalLine, 'row' | 'state' | 'at'> & { readonly value: ServiceRecord }> {
    const { target, client, plan, abandon } = this.#parts;
    const { operation, shared } = target;
    const { headers } = plan.header;
    const document = await client.request(operation, {
      ...shared,
      scopes: plan.header.scopes ?? undefined,
      path: row.arguments,
      query: { ...(row.query as Record<string, string> | undefined) },
      headers: precondition === undefined ? headers : { ...headers, 'if-match': precondition },
      body: row.body,
      idempotencyKey: row.idempotency_key,
      signal: abandon,
      // Retries must be in the journal, and count for the rate.
      maxRetries: 0,
    });
    const { status, requestId, headers: received } = responseOf(document);
    const record = memberAt(document, operation.record?.response?.split('.') ?? []);
    const value = isObject(record) ? record : {};
    const id = value[operation.recordId ?? 'id'];
    return {
      value,
      status,
      ...(typeof id === 'string' || typeof id === 'number' ? { id: String(id) } : {}),
      ...statusMember(value),
      ...(requestId !== undefined && { request_id: requestId }),
      ...(received.date !== undefined && { service_time: received.date }),
    };
  }

  async #end(row: PlanRow, record: string | undefined, line: Omit<JournalLine, 'row' | 'at'>): Promise<void> {
    const { journal, maxFailures, onEnd } = this.#parts;
    await journal.add({ row: row.row, at: now(), ...line });
    if (record !== undefined) this.#remember(row, record, line.state);
    if (line.state !== 'done' && line.state !== 'pending') this.#failures += 1;
    if (this.#failures >= maxFailures) this.#early ??= { why: 'max_failures' };
    onEnd(row, line.state);
  }
}

type Attempts = {
  readonly record: string | undefined;
  readonly wasUnknown: boolean;
  /** The version that the record has to have, where the service compares it. */
  readonly precondition: string | undefined;
};

function onlyExpected(error: unknown): PayctlError {
  if (error instanceof PayctlError) return error;
  throw error;
}

function now(): string {
  return new Date().toISOString();
}

/** How far the clock of the machine that made a plan may be ahead, in milliseconds. */
const MOST_AHEAD_MS = 60 * 60 * 1000;

/** Whether a plan is too old to be sent. */
export function isExpired({ header }: Plan, atMs: number): boolean {
  return !(Date.parse(header.expires_at) >= atMs);
}

/** @throws UsageError `plan_expired`; `plan_changed` for one that expires later than any plan */
export function requireFresh(plan: Plan, atMs: number): void {
  const made = Math.min(Date.parse(plan.header.created_at), atMs + MOST_AHEAD_MS);
  if (!(Date.parse(plan.header.expires_at) <= made + LIFETIME_MS))
    throw planChanged(plan.path, 'it expires later than a plan can');
  if (!isExpired(plan, atMs)) return;
  const { path, header } = plan;
  throw new UsageError('plan_expired', `${quote(path)} expired at ${header.expires_at}`, {
    hint: 'Nothing was sent. Make a new plan.',
  });
}
