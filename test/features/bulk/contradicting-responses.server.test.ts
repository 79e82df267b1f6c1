import { describe, expect, it } from 'vitest';
import { withoutKeys } from '../../emulator/imported/sample-variants.ts';
import { startBulk } from './bulk-service.ts';
import { type Reply, rewriting } from './rewriting.ts';

const OTHER = '33333333-3333-4333-8333-333333333333';
const members = (more: Reply['body']) => (reply: Reply) => ({ body: { ...reply.body, ...more } });

/** What a response says, how the row ends, with which code of the run, and what its line in the journal has. */
const RESPONSES = [
  [
    'a record that was declined',
    members({ status: 'declined' }),
    8,
    { state: 'failed', code: 'record_failed' },
  ],
  [
    'a record that failed',
    members({ status: 'refund_failed' }),
    8,
    { state: 'failed', code: 'record_failed' },
  ],
  [
    'another amount',
    ({ body }: Reply) => ({ body: { ...body, amount: Number(body.amount) * 100 } }),
    9,
    {
      state: 'unknown',
      code: 'other_record',
      message: 'The record in the response has "10000" as amount, but "100" was sent',
    },
  ],
  ['another transaction', members({ transaction_id: OTHER }), 9, { state: 'unknown', code: 'other_record' }],
  [
    'an error with a 2xx',
    () => ({
      status: 200,
      body: { type: 'error', code: 'server_error', status: 500, message: 'not done', details: [] },
    }),
    9,
    {
      state: 'unknown',
      code: 'unexpected_shape',
      message: 'The service returned 200, but with an error: not done (server_error)',
    },
  ],
  [
    'a record that is still pending',
    members({ status: 'pending' }),
    0,
    { state: 'done', record_status: 'pending' },
  ],
  ['a status that says something else', members({ status: 'error_free' }), 0, { state: 'done' }],
] as const;

describe('a response whose status says that a row was carried out', () => {
  it.each(RESPONSES)('with %s', async (_, edit, code, line) => {
    await using service = await startBulk({
      count: 1,
      document: withoutKeys,
      through: rewriting('POST', edit),
    });
    await service.planRefunds([[0, 100]]);
    const run = await service.apply();
    expect(service.journal().at(-1)).toMatchObject(line);
    expect(run).toMatchObject({
      code,
      record: { totals_done: line.state === 'done' ? { EUR: '1.00' } : {} },
    });
  });

  it('leaves a row open where its record cannot be its own, until somebody says what became of it', async () => {
    const wrong = ({ body }: Reply) => ({ body: { ...body, amount: 7 } });
    await using service = await startBulk({
      count: 2,
      document: withoutKeys,
      through: rewriting('POST', wrong),
    });
    await service.planRefunds([[0, 100]]);
    await service.apply();
    const run = await service.bulk(['reconcile', service.plan, '--settle', '1ms', '--json']);
    expect(run.code).toBe(9);
    expect(JSON.parse(run.stderr)).toMatchObject({
      warning: { code: 'row_unknown', reason: 'other_record' },
    });
    const marked = await service.bulk(['reconcile', service.plan, '--row', '2=done', '--json']);
    expect(marked.code).toBe(0);
  });

  it('is not believed where two rows get one ID', async () => {
    const same = members({ id: OTHER });
    await using service = await startBulk({
      count: 2,
      document: withoutKeys,
      through: rewriting('POST', same),
    });
    await service.planRefunds([
      [0, 100],
      [1, 200],
    ]);
    const run = await service.apply(['--concurrency', '1']);
    expect(run).toMatchObject({ code: 9, record: { done: 1, unknown: 1 } });
    expect(service.journal().at(-1)).toMatchObject({
      code: 'other_record',
      message: 'The service gave the ID of the record to another row of the plan, too',
    });
  });

  it('does not make the journal as large as its texts', async () => {
    const text = 'x'.repeat(200_000);
    const large = members({ id: text, status: text });
    await using service = await startBulk({ count: 1, through: rewriting('POST', large) });
    await service.planRefunds([[0, 100]]);
    expect((await service.apply()).code).toBe(0);
    expect(JSON.stringify(service.journal()).length).toBeLessThan(2000);
  });
});

describe('a single command', () => {
  const refund = async (edit: (reply: Reply) => Partial<Reply>) => {
    await using service = await startBulk({ count: 1, through: rewriting('POST', edit) });
    const id = `${service.transactions[0]?.id}`;
    const run = await service.payctl(['transactions', 'refunds', 'create', id, '-F', 'amount=1', '--json']);
    return { ...run, posts: service.requests('POST').length };
  };

  it('shows a record that failed, and ends with 8', async () => {
    const run = await refund(members({ status: 'failed' }));
    expect(JSON.parse(run.stdout)).toMatchObject({ status: 'failed', amount: 1 });
    expect(JSON.parse(run.stderr)).toEqual({
      warning: {
        code: 'payment_service_failed',
        message: 'The service took the request, but its record has the status failed',
      },
    });
    expect(run.code).toBe(8);
  });

  it('refuses an error with a 2xx, and ends with 9', async () => {
    const [, , , , [, error]] = RESPONSES;
    const run = await refund(error);
    expect(JSON.parse(run.stderr)).toMatchObject({ error: { code: 'unexpected_shape' } });
    expect(run).toMatchObject({ code: 9, stdout: '', posts: 1 });
  });
});
