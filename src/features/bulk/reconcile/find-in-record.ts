import { actionOf, paymentOf } from '../../../cli/money/moved.ts';
import type { ConcernedRecord } from '../../../cli/money/record.ts';
import { statusMember } from '../apply/row-end.ts';
import { readTotals } from '../money-totals.ts';
import { changeOfRow } from '../plan/check-row.ts';
import type { Target } from '../target.ts';
import { type Finding, notCarriedOut, type Timing, unknown } from './find-in-records.ts';
import type { ReadList } from './list-beside.ts';
import { hasAll, sentBy } from './same-values.ts';
import { momentIn } from './service-clock.ts';
import type { UnknownRow } from './unknown-rows.ts';

/** The record that a row changes, as it is now. */
export type Looked = {
  readonly target: Target;
  readonly record: ConcernedRecord;
  /** By the clock of the service, when the record was read. */
  readonly read: Pick<ReadList, 'beganMs' | 'offset'>;
  /** Whether other rows of the plan are about the same record. */
  readonly isShared: boolean;
};

/** Whether a row changes one record in a way that the record shows. */
export function showsInRecord({ operation: { method, action, newStatus, isForAll } }: Target): boolean {
  if (isForAll) return false;
  if (method !== 'POST') return true;
  return newStatus !== undefined || action === 'update' || action === 'replace';
}

/** What a record says about a row that was to change it. */
export function findInRecord({ row, firstMs, lastMs }: UnknownRow, looked: Looked, timing: Timing): Finding {
  const { target, record, read } = looked;
  const { method, newStatus } = target.operation;
  const offset = timing.offsetThen ?? read.offset;
  const none = () =>
    notCarriedOut(read, { sentMs: offset && lastMs + offset.most, settleMs: timing.settleMs });
  if (record.state !== 'read') {
    const why = record.state === 'not_read' ? (record.why ?? 'not read') : 'no GET is described';
    if (method === 'DELETE' && (why === 'not found' || why === 'status 410')) return { state: 'done' };
    return unknown('record_not_read', `The record could not be read: ${why}`);
  }
  if (method === 'DELETE') return none();
  const { value, id, etag } = record;
  const done: Finding = { state: 'done', id, ...statusMember(value) };
  const sentMs = offset && firstMs + offset.least;
  const isUnchanged =
    (row.read?.etag !== undefined && row.read.etag === etag) ||
    (row.read?.updated_at !== undefined &&
      row.read.updated_at === value.updated_at &&
      isVersion(value.updated_at, sentMs));
  if (newStatus === undefined || method !== 'POST') {
    if (hasAll(sentBy(row, target.operation), value) === true) return done;
    return isUnchanged ? none() : changed();
  }
  if ((value.status ?? value.state) !== newStatus) return isUnchanged ? none() : changed();
  if (isUnchanged || isOlder(value.updated_at, sentMs))
    return unknown('record_unchanged', `The record had the status ${newStatus} before the row was sent`);
  if (looked.isShared) return unknown('shared_record', 'Other rows of the plan change the same record');
  if (hasMoved(row, looked)) return done;
  return unknown(
    'other_amount',
    `The record has the status ${newStatus}, but its amount is less than that of the row`,
  );
}

/** Whether a time tells two versions: a second change within the same second does not show in whole seconds. */
function isVersion(updatedAt: unknown, sentMs: number | undefined): boolean {
  const updated = momentIn(updatedAt);
  if (!updated) return false;
  return updated.most - updated.least < 1000 || isOlder(updatedAt, sentMs);
}

/** Whether a change was certainly made before a moment. */
function isOlder(updatedAt: unknown, sentMs: number | undefined): boolean {
  const updated = momentIn(updatedAt);
  return updated !== undefined && sentMs !== undefined && updated.most <= sentMs;
}

/** Whether the payment says at least the amount that the row moves. */
function hasMoved(row: UnknownRow['row'], { target, record }: Looked): boolean {
  const action = actionOf(changeOfRow(target, row));
  const payment = paymentOf(record);
  const total = action === 'refund' ? payment?.refunded : payment?.captured;
  return readTotals(row.moves ?? {}).every(
    ({ minor, currency }) => payment?.currency === currency && total !== undefined && total >= minor,
  );
}

function changed(): Finding {
  return unknown(
    'record_changed',
    'The record was changed after the plan was made, but does not have the values of the row',
  );
}
