import { hash } from 'node:crypto';
import { openPlanWriter, type PlanHeader } from '../../../src/features/bulk/plan-file.ts';

/** The header of a plan of one row, with other members than usual. */
export function planHeader(members: Partial<PlanHeader> = {}): PlanHeader {
  return {
    payctl_plan: 1,
    id: 'd3b07384-d9a0-4c9b-8f5e-0a1b2c3d4e5f',
    command: 'buyers shipping-details create',
    operation: { id: 'createShippingDetail', method: 'POST', path: '/buyers/{buyer_id}/shipping-details' },
    description: null,
    profile: 'acme',
    origin: 'http://127.0.0.1:1',
    merchant_account: null,
    merchant_header: null,
    created_at: '2026-01-01T12:00:00.000Z',
    expires_at: '2026-01-02T12:00:00.000Z',
    rows: 1,
    records: 1,
    requests_sha256: hash('sha256', '[{"buyer_id":"b1"},null,null]\n'),
    totals: {},
    rows_without_amount: 0,
    rows_with_unknown_amount: 0,
    preflight: true,
    columns: ['buyer_id', 'first_name'],
    key_column: null,
    headers: {},
    scopes: null,
    content_type: null,
    ...members,
  };
}

/** Writes a plan of one row, which by default moves nothing. */
export async function writePlan(path: string, header: PlanHeader, moves?: unknown): Promise<void> {
  const writer = await openPlanWriter(path, { overwrite: true });
  const row = { row: 1, line: 2, key: '2', arguments: { buyer_id: 'b1' }, moves, input: ['b1', 'Ann'] };
  writer.add(JSON.stringify(row));
  await writer.finish(header);
}
