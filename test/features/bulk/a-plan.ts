import { join } from 'node:path';
import {
  openPlanWriter,
  type Plan,
  type PlanHeader,
  type PlanRow,
  readPlan,
} from '../../../src/features/bulk/plan-file.ts';

/** The header of a plan of refunds. */
export function planHeader(rows: number): PlanHeader {
  return {
    payctl_plan: 1,
    id: '0f8e3c5a-5a3e-4f0e-9c55-2f1f6f8e9d10',
    command: 'transactions refunds create',
    operation: { id: 'create_refund', method: 'POST', path: '/transactions/{transaction_id}/refunds' },
    description: 'd'.repeat(64),
    profile: 'acme',
    origin: 'https://api.example.com',
    merchant_account: null,
    merchant_header: null,
    created_at: '2026-03-01T12:00:00.000Z',
    expires_at: '9999-12-31T00:00:00.000Z',
    rows,
    records: rows,
    requests_sha256: '0'.repeat(64),
    totals: { EUR: '12.00' },
    rows_without_amount: 0,
    rows_with_unknown_amount: 0,
    preflight: true,
    columns: ['transaction_id', 'amount'],
    key_column: null,
    headers: {},
    scopes: null,
    content_type: null,
  };
}

/** The row of a refund; rows are counted from 1. */
export function refundRow(row: number, body: unknown = { amount: row * 100 }): PlanRow {
  const id = `tx-${row}`;
  return {
    row,
    line: row + 1,
    key: String(row + 1),
    arguments: { transaction_id: id },
    body,
    input: [id, '1.00'],
  };
}

/** Writes a plan of these rows into a folder, and reads it. */
export async function writePlan(folder: string, rows: readonly PlanRow[]): Promise<Plan> {
  const path = join(folder, 'refunds.plan');
  const writer = await openPlanWriter(path, { overwrite: true });
  for (const row of rows) writer.add(JSON.stringify(row));
  const records = new Set(rows.map(({ arguments: path }) => path.transaction_id)).size;
  await writer.finish({ ...planHeader(rows.length), records });
  return await readPlan(path);
}
