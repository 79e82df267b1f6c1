import { formatDuration, plural } from '../../text/format.ts';
import type { RowState, RowStates } from './journal.ts';
import { MoneyTotals, readTotals, totalsText } from './money-totals.ts';
import { type Plan, planRows } from './plan-file.ts';

/** A plan as it is printed; every member is always present. */
export function planRecord({ path, header, hash }: Plan) {
  return {
    plan: path,
    command: header.command,
    destination: header.origin,
    merchant_account: header.merchant_account,
    rows: header.rows,
    records: header.records,
    totals: header.totals,
    rows_without_amount: header.rows_without_amount,
    rows_with_unknown_amount: header.rows_with_unknown_amount,
    preflight: header.preflight,
    expires_at: header.expires_at,
    sha256: hash,
  };
}

/** A plan as a phrase: `200 rows for 180 records, 1234.56 EUR in total`. */
export function planWords({ header }: Plan): string {
  const { rows, records, totals, rows_without_amount: open, rows_with_unknown_amount: unknown } = header;
  const moved = totalsText(readTotals(totals));
  return [
    `${plural(rows, 'row')}${records === 0 ? '' : ` for ${plural(records, 'record')}`}`,
    ...(moved === '' ? [] : [`${moved} in total`]),
    ...(open === 0 ? [] : [`${plural(open, 'row')} without an amount for all that is left`]),
    ...(unknown === 0 ? [] : [`${plural(unknown, 'row')} with unknown amounts`]),
  ].join(', ');
}

/** The progress of a plan; every member is always present. Rows that a run left in flight count as unknown. */
export async function stateRecord(plan: Plan, states: RowStates, journal: string) {
  const { header, path } = plan;
  const counts = statesShown(states);
  return {
    plan: path,
    journal,
    command: header.command,
    destination: header.origin,
    rows: header.rows,
    ...counts,
    totals: header.totals,
    totals_done: (await doneTotals(plan, states)).toJSON(),
    expires_at: header.expires_at,
  };
}

/** The number of rows in each state that is shown to users. */
export function statesShown(states: RowStates): Record<Exclude<RowState, 'sending'>, number> {
  const { done, refused, failed, unknown, sending, pending } = states.counts();
  return { done, refused, failed, unknown: unknown + sending, pending };
}

/** The totals of the rows that are done. */
export async function doneTotals({ path, header }: Plan, states: RowStates): Promise<MoneyTotals> {
  const totals = new MoneyTotals();
  if (Object.keys(header.totals).length === 0) return totals;
  for await (const { row, moves = {} } of planRows(path))
    if (states.of(row) === 'done') totals.add(readTotals(moves));
  return totals;
}

/** The rate in rows per second, and the remaining time. */
export function paceText(done: number, rest: number, milliseconds: number): string {
  const rate = (done * 1000) / Math.max(milliseconds, 1);
  const left = rate === 0 ? '' : `, ${formatDuration((rest / rate) * 1000)} left`;
  return `${rate.toFixed(rate < 10 ? 1 : 0)}/s${left}`;
}
