import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withNamedPayments } from '../../emulator/imported/sample-variants.ts';
import { type BulkService, startBulk } from './bulk-service.ts';
import { rewriting } from './rewriting.ts';

const document = withNamedPayments();

/** Plans refunds whose bodies name their transactions. */
async function plan({ bulk, folder, plan: out, transactions }: BulkService, table: string) {
  const file = join(folder, 'named.csv');
  writeFileSync(
    file,
    table.replace(/\$(\d)/g, (_, index) => transactions[Number(index)]?.id ?? ''),
  );
  const run = await bulk(['plan', 'refund_by_id', '--from', file, '--out', out, '--json']);
  return { ...run, printed: JSON.parse(run.stdout) };
}

describe('refunds whose bodies name the payment', () => {
  it.each([
    [
      'more than all rows leave',
      'transaction_id,amount\n$0,6000\n$1,6000\n$0,4002\n$0,4001\n',
      4,
      'too_much',
    ],
    [
      'by whichever member has it',
      'transaction_id,transaction,amount\n$0,,6000\n,$1,6000\n,$0,4002\n$0,,4001\n',
      4,
      'too_much',
    ],
    ['in another currency', 'transaction_id,amount,currency\n$0,1,EUR\n$1,1,EUR\n', 3, 'other_currency'],
    [
      'that does not exist',
      'transaction_id,amount\n3f1c5a52-6f0e-4d55-9a3b-2b7a0c1d4e5f,1\n',
      2,
      'record_not_found',
    ],
  ])('are compared with it: %s', async (_, table, line, code) => {
    await using service = await startBulk({ document, count: 2 });
    const { code: exit, printed } = await plan(service, table);
    expect([exit, printed.items]).toMatchObject([2, [{ line, code }]]);
  });

  it('are counted and sent by payment, with all that is left for a row without an amount', async () => {
    await using service = await startBulk({ document, count: 2 });
    const { code, printed } = await plan(service, 'transaction_id,amount\n$0,1\n$0,2\n$1,\n');
    expect([code, printed]).toMatchObject([
      0,
      { rows: 3, records: 2, totals: { EUR: '0.03', USD: '100.02' } },
    ]);
    expect((await service.apply()).record).toMatchObject({ rows: 3, done: 3 });
  });

  it('have amounts in its currency', async () => {
    await using service = await startBulk({ document, count: 1 });
    const { printed } = await plan(service, 'transaction_id,amount\n$0,0.01EUR\n');
    expect(printed).toMatchObject({ rows: 1, totals: { EUR: '0.01' } });
    const id = service.transactions[0]?.id ?? '';
    const words = ['api', 'call', 'refund_by_id', '-F', `transaction_id=${id}`, '-F', 'amount=0.01USD'];
    const { stderr } = await service.payctl([...words, '--dry-run', '--json']);
    expect(JSON.parse(stderr).error.message).toContain(`the record "${id}" is in EUR`);
  });

  it('are refused where the payment has changed since', async () => {
    await using service = await startBulk({ document, count: 1 });
    await plan(service, 'transaction_id,amount\n$0,1\n');
    const path = `/transactions/${service.transactions[0]?.id}/refunds`;
    await service.emulator.call('POST', path, { body: { amount: 1 } });
    await service.apply();
    expect(service.journal().at(-1)).toMatchObject({ state: 'refused', code: 'record_changed' });
  });

  it('are not known to be done where the response has another payment', async () => {
    const transaction_id = '33333333-3333-4333-8333-333333333333';
    const through = rewriting('POST', ({ body }) => ({ body: { ...body, transaction_id } }));
    await using service = await startBulk({ document, count: 1, through });
    await plan(service, 'transaction_id,amount\n$0,1\n');
    await service.apply();
    expect(service.journal().at(-1)).toMatchObject({ state: 'unknown', code: 'other_record' });
  });
});
