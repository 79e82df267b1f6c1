import { formatDuration, plural } from '../../text/format.ts';
import type { RowState } from './journal.ts';
import { readTotals, totalsText } from './money-totals.ts';
import type { Plan } from './plan-file.ts';

/** What a plan is shown as; every member is always there. */
export function planRecord({ path, header, hash }: Plan) {
  return {
    plan: path,
    command: header.command,
    destination: header.origin,
    merchant_account: header.merchant_account,
    rows: header.rows,
    records: header.records,
    totals: header.totals,
    open_amounts: header.open_amounts,
    unknown_amounts: header.unknown_amounts,
    preflight: header.preflight,
    expires_at: header.expires_at,
    sha256: hash,
  };
}

/** What a plan will do, in one sentence without its end: `200 refunds ... move 1234.56 EUR`. */
export function planWords({ header }: Plan): string {
  const totals = totalsText(readTotals(header.totals));
  const moved = totals === '' ? '' : `, ${totals} in all`;
  const records = header.records === 0 ? '' : ` about ${plural(header.records, 'record')}`;
  return `${plural(header.rows, 'request')}${records}${moved}`;
}

/** How far a plan is; every member is always there. Rows that a run left under way are among the unknown ones. */
export function stateRecord(
  { path, header }: Plan,
  counts: Readonly<Record<RowState, number>>,
  journal: string,
) {
  return {
    plan: path,
    journal,
    command: header.command,
    destination: header.origin,
    rows: header.rows,
    done: counts.done,
    refused: counts.refused,
    failed: counts.failed,
    unknown: counts.unknown + counts.sending,
    pending: counts.pending,
    totals: header.totals,
    expires_at: header.expires_at,
  };
}

/** The rate of rows, and the time that the rest takes. */
export function paceText(done: number, rest: number, milliseconds: number): string {
  const rate = (done * 1000) / Math.max(milliseconds, 1);
  const left = rate === 0 ? '' : `, ${formatDuration((rest / rate) * 1000)} left`;
  return `${rate.toFixed(rate < 10 ? 1 : 0)}/s${left}`;
}
