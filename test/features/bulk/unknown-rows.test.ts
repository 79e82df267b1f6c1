import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type JournalLine, readStates } from '../../../src/features/bulk/journal.ts';
import type { Plan } from '../../../src/features/bulk/plan-file.ts';
import { readFacts } from '../../../src/features/bulk/reconcile/unknown-rows.ts';
import { freshDirectory } from '../../config/config-directory.ts';

const PLAN: Plan = {
  path: 'refunds.plan',
  hash: 'a'.repeat(64),
  header: {
    payctl_plan: 1,
    id: 'p1',
    command: 'transactions refunds create',
    operation: { id: 'create_refund', method: 'POST', path: '/transactions/{id}/refunds' },
    description: null,
    profile: null,
    origin: 'https://api.example.com',
    merchant_account: null,
    merchant_header: null,
    created_at: '2026-03-01T00:00:00Z',
    expires_at: '2026-03-02T00:00:00Z',
    rows: 3,
    records: 3,
    requests_sha256: '0'.repeat(64),
    totals: {},
    rows_without_amount: 0,
    rows_with_unknown_amount: 0,
    preflight: true,
    columns: [],
    key_column: null,
    headers: {},
    scopes: null,
    content_type: null,
  },
};

const at = (seconds: number) => new Date(Date.parse('2026-03-01T12:00:00Z') + seconds * 1000).toISOString();

async function factsOf(lines: readonly JournalLine[]) {
  const path = join(freshDirectory(), 'refunds.plan.journal');
  const header = { payctl_journal: 1, plan: PLAN.hash, begun_at: at(0) };
  writeFileSync(path, [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''));
  return await readFacts(path, PLAN, await readStates(path, PLAN));
}

describe('what a journal says about rows that may have been carried out', () => {
  it('is from when to when they were sent, over all runs', async () => {
    const { sent } = await factsOf([
      { row: 1, state: 'sending', at: at(1), attempt: 1 },
      { row: 1, state: 'sending', at: at(5), attempt: 2 },
      { row: 2, state: 'sending', at: at(6), attempt: 1 },
      { row: 1, state: 'unknown', at: at(35), attempt: 2 },
      { row: 1, state: 'unknown', at: at(90), code: 'too_early', by: 'reconcile' },
    ]);
    const ms = (seconds: number) => Date.parse(at(seconds));
    expect(Object.fromEntries(sent)).toEqual({
      1: { firstMs: ms(1), lastMs: ms(35), attempt: 2 },
      2: { firstMs: ms(6), lastMs: ms(6), attempt: 1 },
    });
  });

  it('begins anew after an attempt that was not carried out, unless only a reconciliation says so', async () => {
    const again = async (line: Partial<JournalLine>) => {
      const { sent } = await factsOf([
        { row: 1, state: 'sending', at: at(1), attempt: 1 },
        { row: 1, state: 'failed', at: at(2), ...line },
        { row: 1, state: 'sending', at: at(3), attempt: 1 },
      ]);
      return sent.get(1)?.firstMs;
    };
    expect(await again({})).toBe(Date.parse(at(3)));
    expect(await again({ by: 'reconcile' })).toBe(Date.parse(at(1)));
  });

  it('counts rows that are done, with and without the ID of a record', async () => {
    const { sent, claimed, unnamed } = await factsOf([
      { row: 1, state: 'done', at: at(1), id: 'r1' },
      { row: 2, state: 'sending', at: at(1) },
      { row: 2, state: 'unknown', at: at(2) },
      { row: 2, state: 'done', at: at(99), id: 'r2', by: 'reconcile' },
      { row: 3, state: 'done', at: at(2) },
    ]);
    expect([sent.size, claimed.has('r1'), claimed.has('r2'), [...unnamed]]).toEqual([0, true, true, [3]]);
  });

  it('includes the clock of the service while rows were sent, unless a clock was set meanwhile', async () => {
    const done = (seconds: number, ahead: number): JournalLine => ({
      row: 1,
      state: 'done',
      at: at(seconds),
      milliseconds: 100,
      service_time: new Date(Math.floor(Date.parse(at(seconds + ahead)) / 1000) * 1000).toUTCString(),
    });
    // A second of the service has just begun in the first response, and is about to end in the second.
    expect((await factsOf([done(10.95, 7.05), done(20.94, 7.05)])).offset).toEqual({
      least: 7050,
      most: 7210,
    });
    const { offset } = await factsOf([done(10, 0), done(20, 3600)]);
    expect(offset).toEqual({ least: 0, most: 3_601_150 });
    expect((await factsOf([])).offset).toBeUndefined();
  });
});
