import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { planLock } from '../../../src/features/bulk/journal.ts';
import { readPlan } from '../../../src/features/bulk/plan-file.ts';
import { lockAlone } from '../../../src/files/kernel-lock.ts';
import type { Run } from '../../commands/run-in-process.ts';
import { withKeysInBodies, withoutKeys } from '../../emulator/imported/sample-variants.ts';
import { stopClock } from '../../harness/stop-clock.ts';
import { type BulkService, REFUNDS, type RefundRow, startBulk } from './bulk-service.ts';

const ROWS = [
  [0, 100],
  [1, 200],
  [2, 300],
  [3, 400],
] as const;
const ALL = [[100], [200], [300], [400]];
/** Rows one after the other, so that faults hit the rows that the test means. */
const ONE_BY_ONE = ['--concurrency', '1'];

/** The code of the error object, which is the last line of stderr. */
const errorCode = ({ stderr }: Run) =>
  (JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '') as { error: { code: string } }).error.code;
const posts = (service: BulkService) => service.requests('POST').length;
/** The lock of the plan while it is applied or reconciled. */
const lockOf = async ({ folder, plan }: BulkService) =>
  planLock(join(folder, 'data'), (await readPlan(plan)).hash);

describe('rows that the service carries out', () => {
  it('are sent once, and not again by another run', async () => {
    await using service = await startBulk();
    await service.planRefunds(ROWS);
    const first = await service.apply();
    expect(first.record).toMatchObject({ rows: 4, done: 4, refused: 0, failed: 0, unknown: 0, pending: 0 });
    const again = await service.apply();
    expect([first.code, again.code]).toEqual([0, 0]);
    expect(again.record).toEqual(first.record);
    expect(await service.refunds()).toEqual(ALL);
    expect(posts(service)).toBe(4);
    const last = service.journal().at(-1)?.at;
    const said = `Nothing was sent: all 4 rows were done already, the last at ${last}\n`;
    const run = await service.bulk(['apply', service.plan, '--yes']);
    expect(run.stderr).toBe(said);
    expect([first, again].some(({ stderr }) => stderr.includes('Nothing was sent'))).toBe(false);
  });

  it('are each in the journal before they are sent, and with the ID of their refund afterwards', async () => {
    await using service = await startBulk({ count: 1 });
    await service.planRefunds([[0, 100]]);
    await service.apply();
    const { body } = await service.emulator.call(
      'GET',
      `/transactions/${service.transactions[0]?.id}/refunds`,
    );
    const [refund] = body.items as readonly { readonly id: string }[];
    expect(service.journal()).toMatchObject([
      { row: 1, state: 'sending', attempt: 1 },
      { row: 1, state: 'done', attempt: 1, status: 201, id: refund?.id, record_status: 'succeeded' },
    ]);
  });

  it('about one record go in their order, at any concurrency, and are no change of it by others', async () => {
    await using service = await startBulk({ count: 2 });
    const amounts = Array.from({ length: 10 }, (_, index) => index + 1);
    await service.planRefunds(amounts.flatMap((amount) => [[0, amount] as const, [1, amount] as const]));
    const { code } = await service.apply(['--concurrency', '8']);
    expect(code).toBe(0);
    const order = service.journal().filter(({ state }) => state === 'sending');
    const rowsOf = (record: 0 | 1) => order.map(({ row }) => row).filter((row) => row % 2 === record);
    for (const record of [0, 1] as const)
      expect(rowsOf(record)).toEqual(rowsOf(record).toSorted((a, b) => a - b));
    expect((await service.refunds()).map((made) => made.toSorted((a, b) => a - b))).toEqual([
      amounts,
      amounts,
    ]);
  });
});

describe('rows that the service refuses', () => {
  it('end with 6 and are not sent again', async () => {
    const faults = [{ ...REFUNDS, after: 1, count: 1, status: 422, code: 'invalid_amount' }];
    await using service = await startBulk({ faults });
    await service.planRefunds(ROWS);
    const { code, record } = await service.apply(ONE_BY_ONE);
    expect(record).toMatchObject({ done: 3, refused: 1, failed: 0, unknown: 0, pending: 0 });
    expect((await service.apply()).code).toBe(6);
    expect(code).toBe(6);
    expect(service.journal()).toContainEqual(
      expect.objectContaining({ row: 2, state: 'refused', status: 422, code: 'invalid_amount' }),
    );
    expect(posts(service)).toBe(4);
    const { stderr } = await service.bulk(['apply', service.plan, '--yes']);
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(
      /^1 row refused or failed\. To see why: payctl bulk rows \S+ (?:--profile \S+ )?--state refused,failed -o wide$/,
    );
  });

  it('are refused with record_changed where somebody else has changed the record', async () => {
    await using service = await startBulk();
    await service.planRefunds(ROWS);
    const path = `/transactions/${service.transactions[2]?.id}/refunds`;
    await service.emulator.call('POST', path, { body: { amount: 7 } });
    const { code, record } = await service.apply();
    expect(record).toMatchObject({ done: 3, refused: 1 });
    expect(code).toBe(6);
    expect(service.journal()).toContainEqual(
      expect.objectContaining({ row: 3, state: 'refused', code: 'record_changed' }),
    );
    expect(await service.refunds()).toEqual([[100], [200], [7], [400]]);
  });

  it('stop the run after --max-failures, and the rest can follow', async () => {
    await using service = await startBulk({
      faults: [{ ...REFUNDS, count: 2, status: 422, code: 'invalid_amount' }],
    });
    await service.planRefunds(ROWS);
    const first = await service.apply([...ONE_BY_ONE, '--max-failures', '2']);
    expect(first.record).toMatchObject({ done: 0, refused: 2, pending: 2 });
    expect(first.code).toBe(6);
    expect(posts(service)).toBe(2);
    const rest = await service.apply(['--max-failures', '2']);
    expect(rest.record).toMatchObject({ done: 2, refused: 2, pending: 0 });
  });
});

describe('rows without a response', () => {
  it('stop the run after --max-failures, as refused ones do', async () => {
    await using service = await startBulk({ document: withoutKeys, faults: [{ ...REFUNDS, drop: true }] });
    await service.planRefunds(ROWS);
    const { record, code } = await service.apply([...ONE_BY_ONE, '--max-failures', '2']);
    expect(record).toMatchObject({ unknown: 2, pending: 2 });
    expect(code).toBe(9);
  });
});

describe('rows that were provably not carried out', () => {
  it.each([429, 503])('because of %i end with 8, and are sent by the next run', async (status) => {
    await using service = await startBulk({
      faults: [{ ...REFUNDS, after: 1, count: 1, status, retry_after: 0 }],
    });
    await service.planRefunds(ROWS);
    const { code, record } = await service.apply(ONE_BY_ONE);
    expect(record).toMatchObject({ done: 3, refused: 0, failed: 1, unknown: 0 });
    expect(code).toBe(8);
    const again = await service.bulk(['rows', service.plan, '--state', 'refused,failed', '-o', 'csv']);
    expect(again.stdout).toBe(`row_key,transaction_id,amount\r\n3,${service.transactions[1]?.id},200\r\n`);
    expect(again.stderr).toBe(
      `1 row is also sent by the next payctl bulk apply ${service.plan}: plan it anew, or apply that plan, not both.\n`,
    );
    expect((await service.apply()).code).toBe(0);
    expect(await service.refunds()).toEqual(ALL);
    expect(posts(service)).toBe(5);
  });

  it('hold back the later rows about their record, so that these keep their order', async () => {
    await using service = await startBulk({
      count: 2,
      faults: [{ ...REFUNDS, count: 1, status: 503, retry_after: 0 }],
    });
    await service.planRefunds([
      [0, 1],
      [0, 2],
      [1, 3],
    ]);
    const { code, record } = await service.apply(ONE_BY_ONE);
    expect(code).toBe(8);
    expect(record).toMatchObject({ done: 1, failed: 1, pending: 1 });
    expect((await service.apply()).code).toBe(0);
    const order = service.journal().filter(({ state }) => state === 'sending');
    expect(order.map(({ row }) => row)).toEqual([1, 3, 1, 2]);
  });

  it('hold back all others as long as a 429 asks', async () => {
    await using service = await startBulk({
      faults: [{ ...REFUNDS, after: 1, count: 1, status: 429, retry_after: 1 }],
    });
    await service.planRefunds(ROWS);
    await service.apply(ONE_BY_ONE);
    const times = service
      .requests('POST')
      .map(({ status, receivedAt }) => ({ status, at: receivedAt.getTime() }));
    expect(times.map(({ status }) => status)).toEqual([201, 429, 201, 201]);
    expect((times[2]?.at ?? 0) - (times[1]?.at ?? 0)).toBeGreaterThanOrEqual(990);
  });

  it('are those that found no connection any more', async () => {
    let close = () => {};
    await using service = await startBulk({ onRequest: ({ method }) => method === 'POST' && close() });
    await service.planRefunds(ROWS, ['--no-preflight']);
    close = () => void service.emulator.emulator.close();
    const { code } = await service.apply(ONE_BY_ONE);
    expect(code).toBeGreaterThanOrEqual(8);
    expect(service.states().slice(1)).toEqual(['failed', 'failed', 'failed']);
    expect(service.journal().at(-1)).toMatchObject({ code: 'connection_refused' });
  });
});

describe('rows whose response is lost', () => {
  it('are sent again with their key, which makes them only once', async () => {
    await using service = await startBulk({ faults: [{ ...REFUNDS, every: 2, count: 2, drop: true }] });
    await service.planRefunds(ROWS);
    const first = await service.apply(ONE_BY_ONE);
    expect(first.code).toBe(9);
    expect(first.record).toMatchObject({ done: 2, unknown: 2 });
    expect((await service.apply()).code).toBe(0);
    expect(await service.refunds()).toEqual(ALL);
  });

  it('are sent again in the same run where retries are allowed', async () => {
    await using service = await startBulk({ faults: [{ ...REFUNDS, every: 2, count: 2, drop: true }] });
    await service.planRefunds(ROWS);
    const { code } = await service.apply(ONE_BY_ONE, { env: { PAYCTL_MAX_RETRIES: '1' } });
    expect(code).toBe(0);
    expect(await service.refunds()).toEqual(ALL);
  });

  it('are sent again with the key in their body, which makes them only once', async () => {
    await using service = await startBulk({
      document: withKeysInBodies,
      faults: [{ ...REFUNDS, after: 1, count: 1, status: 502, perform: true }],
    });
    await service.planRefunds(ROWS);
    const lines = readFileSync(service.plan, 'utf8').split('\n').slice(1, 5);
    const rows = lines.map((line) => JSON.parse(line) as { idempotency_key: string; body: object });
    expect(new Set(rows.map((row) => row.idempotency_key)).size).toBe(4);
    expect(rows.map(({ body }) => body)).toEqual(ROWS.map(([, amount]) => ({ amount })));
    expect((await service.apply(ONE_BY_ONE, { env: { PAYCTL_MAX_RETRIES: '3' } })).code).toBe(0);
    expect(await service.refunds()).toEqual(ALL);
    expect(posts(service)).toBe(5);
  });

  it('would all have one key where the command gives it, so that is refused', async () => {
    await using service = await startBulk({ document: withKeysInBodies, count: 1 });
    const planned = await service.planTable('transaction_id,amount\n$0,1\n', ['-F', 'idempotency_key=k']);
    expect(planned.stderr).toContain(
      'The rows would all have the same idempotency_key, so the service would carry out only one',
    );
    expect(planned.code).toBe(2);
  });

  it.each(['drop', 'a status'])('are not sent again without a key, after %s', async (how) => {
    const lost = how === 'drop' ? { drop: true as const } : { status: 502, perform: true };
    await using service = await startBulk({
      document: withoutKeys,
      faults: [{ ...REFUNDS, after: 1, count: 1, ...lost }],
    });
    await service.planRefunds(ROWS);
    for (const _ of [1, 2]) {
      const { code, record } = await service.apply(ONE_BY_ONE, { env: { PAYCTL_MAX_RETRIES: '3' } });
      expect(code).toBe(9);
      expect(record).toMatchObject({ done: 3, refused: 0, failed: 0, unknown: 1, pending: 0 });
    }
    expect(posts(service)).toBe(4);
    expect(await service.refunds()).toEqual(ALL);
    const { stdout } = await service.bulk(['rows', service.plan, '--state', 'refused,failed', '-o', 'csv']);
    expect(stdout).toBe('row_key,transaction_id,amount\r\n');
  });

  it('are those that a gateway refuses with a 503 after the service has carried them out', async () => {
    await using service = await startBulk({
      document: withoutKeys,
      faults: [{ ...REFUNDS, after: 1, count: 1, status: 503, perform: true, body: 'html' }],
    });
    await service.planRefunds(ROWS);
    const run = await service.apply([], { env: { PAYCTL_MAX_RETRIES: '3' } });
    expect(run.record).toMatchObject({ done: 3, failed: 0, unknown: 1 });
    expect(run.code).toBe(9);
    await service.apply();
    expect(await service.refunds()).toEqual(ALL);
    expect(posts(service)).toBe(4);
  });

  it('hold back the later rows about their record, without a key', async () => {
    await using service = await startBulk({
      document: withoutKeys,
      count: 2,
      faults: [{ ...REFUNDS, count: 1, drop: true }],
    });
    await service.planRefunds([
      [0, 1],
      [0, 2],
      [1, 3],
    ]);
    for (const _ of [1, 2]) {
      const { code, record } = await service.apply(ONE_BY_ONE);
      expect(code).toBe(9);
      expect(record).toMatchObject({ done: 1, unknown: 1, pending: 1 });
    }
    expect(await service.refunds()).toEqual([[1], [3]]);
  });

  it('stay unknown when the service refuses them the second time', async () => {
    await using service = await startBulk({
      count: 1,
      faults: [
        { ...REFUNDS, count: 1, drop: true },
        { ...REFUNDS, count: 1, status: 409, code: 'duplicate_record' },
      ],
    });
    await service.planRefunds([[0, 100]]);
    await service.apply();
    expect((await service.apply()).code).toBe(9);
    expect(service.states()).toEqual(['unknown']);
    expect((await service.apply()).code).toBe(0);
    expect(await service.refunds()).toEqual([[100]]);
  });
});

describe('credentials that the service refuses', () => {
  it('end the run before the next row, and no row is refused by it', async () => {
    await using service = await startBulk({ faults: [{ ...REFUNDS, after: 1, status: 401 }] });
    await service.planRefunds(ROWS);
    const { code, record } = await service.apply(ONE_BY_ONE);
    expect(code).toBe(3);
    expect(record).toMatchObject({ done: 1, refused: 0, failed: 0, unknown: 0, pending: 3 });
    expect(posts(service)).toBe(2);
  });

  it('end the run also where only the record is read', async () => {
    await using service = await startBulk();
    await service.planRefunds(ROWS);
    const { code, record } = await service.apply(ONE_BY_ONE, { env: { PAYCTL_TOKEN: 'wrong' } });
    expect(code).toBe(3);
    expect(record).toMatchObject({ done: 0, refused: 0, failed: 0, unknown: 0, pending: 4 });
    expect(posts(service)).toBe(0);
  });

  it('end the run also for the rows that wait for the rate', async () => {
    await using service = await startBulk({ faults: [{ ...REFUNDS, status: 401 }] });
    await service.planRefunds(ROWS.slice(0, 2));
    // The second row waits until a second after the end of the first.
    const { code, record } = await service.apply(['--concurrency', '4', '--rate', '1']);
    expect(code).toBe(3);
    expect(record).toMatchObject({ done: 0, refused: 0, pending: 2 });
    expect(posts(service)).toBe(1);
  });
});

it('--results writes what became of each row, and nothing that runs as a formula', async () => {
  await using service = await startBulk({
    faults: [{ ...REFUNDS, count: 1, status: 422, code: '=HYPERLINK("https://example.com")' }],
  });
  const table = join(service.folder, 'refunds.csv');
  const ids = service.transactions.map(({ id }) => id);
  writeFileSync(table, `row_key,transaction_id,amount\n@SUM(1),${ids[0]},100\nb,${ids[1]},200\n`);
  const words = ['plan', 'transactions', 'refunds', 'create', '--from', table, '--out', service.plan];
  expect((await service.bulk(words)).code).toBe(0);
  const results = join(service.folder, 'results.csv');
  expect((await service.apply([...ONE_BY_ONE, '--results', results])).code).toBe(6);
  const [header, refused, done, end] = readFileSync(results, 'utf8').split('\r\n');
  expect(header).toBe(
    'row_key,line,record,moves,state,status,id,record_status,code,message,pointer,request_id,attempts,milliseconds,at',
  );
  expect(refused).toMatch(
    /^'@SUM\(1\),2,[-0-9a-f]{36},1.00 [A-Z]{3},refused,422,,,"'=HYPERLINK\(""https:\/\/example.com""\)",/,
  );
  expect(done).toMatch(/^b,3,[-0-9a-f]{36},2.00 [A-Z]{3},done,201,[^,]+,/);
  expect(end).toBe('');
});

it('bulk rows shows on 80 columns which record each row is about, the money, and why it failed', async () => {
  const fault = { ...REFUNDS, count: 1, status: 422, code: 'invalid_amount' };
  await using service = await startBulk({ faults: [fault] });
  await service.planRefunds(ROWS.slice(0, 2));
  await service.apply(ONE_BY_ONE);
  const { stdout } = await service.bulk(['rows', service.plan], { columns: 80 });
  const [header, refused = '', done = ''] = stdout.split('\n');
  expect(header).toMatch(/^ROW KEY {2}STATE {4}RECORD {2,}AMOUNT {2}STATUS {2}CODE {2,}MESSAGE$/);
  const [first, second] = service.transactions.map(({ id }) => String(id).slice(0, 8));
  expect(refused).toMatch(
    new RegExp(`^2        refused  ${first} +\\d+\\.\\d\\d [A-Z]{3} +422  invalid_amount  \\S`),
  );
  expect(done).toMatch(new RegExp(`^3        done     ${second} +\\d+\\.\\d\\d [A-Z]{3} +201$`));
  const none = await service.bulk(['rows', service.plan, '--state', 'failed,unknown'], { columns: 80 });
  expect(none).toMatchObject({ stdout: '', stderr: 'No rows match --state failed,unknown.\n', code: 0 });
});

it('the journal does not have the token, where the service repeats it', async () => {
  const token = 'token-that-nobody-may-see';
  await using service = await startBulk({ faults: [{ ...REFUNDS, status: 422, code: `bad_${token}` }] });
  await service.planRefunds(ROWS.slice(0, 1), ['--no-preflight']);
  const { record } = await service.apply([], { env: { PAYCTL_TOKEN: token } });
  expect(record).toMatchObject({ refused: 1 });
  expect(service.journal().at(-1)).toMatchObject({ state: 'refused', code: 'bad_********' });
  expect(readFileSync(`${service.plan}.journal`, 'utf8')).not.toContain(token);
});

describe('--canary', () => {
  it('sends the first rows, and the rest where all of them are done and nobody has to be asked', async () => {
    await using service = await startBulk();
    await service.planRefunds(ROWS);
    const { code, record } = await service.apply(['--canary', '1']);
    expect(code).toBe(0);
    expect(record).toMatchObject({ done: 4 });
  });

  it('ends after the first rows where one of them is not done', async () => {
    await using service = await startBulk({
      faults: [{ ...REFUNDS, count: 1, status: 422, code: 'invalid_amount' }],
    });
    await service.planRefunds(ROWS);
    const { code, record } = await service.apply([...ONE_BY_ONE, '--canary', '2']);
    expect(code).toBe(6);
    expect(record).toMatchObject({ done: 1, refused: 1, pending: 2 });
    expect(posts(service)).toBe(2);
  });
});

describe('a plan that expires while it is sent', () => {
  const tomorrow = () => new Date(Date.now() + 25 * 3_600_000).toISOString();

  it('is not sent further', async () => {
    await using service = await startBulk({
      onRequest: ({ method, path }) =>
        method === 'POST' && path.endsWith('/refunds') && stopClock(tomorrow()),
    });
    await service.planRefunds(ROWS);
    // The service says that a request is over long before the next one may start.
    const words = ['apply', service.plan, '--yes', ...ONE_BY_ONE, '--rate', '2'];
    const { code, stdout, stderr } = await service.bulk(words);
    expect(stdout).toMatch(/^done\t1$/m);
    expect(stdout).toMatch(/^pending\t3$/m);
    expect(stderr).toMatch(/Stopped: the plan expired at .*Z\. 3 rows left; make a new plan of them\n$/);
    expect(code).toBe(2);
    expect(posts(service)).toBe(1);
  });

  it('has no row that is sent again with a key that the service may have forgotten', async () => {
    await using service = await startBulk({
      faults: [{ ...REFUNDS, count: 1, drop: true }],
      onRequest: ({ method, path }) =>
        method === 'POST' && path.endsWith('/refunds') && stopClock(tomorrow()),
    });
    await service.planRefunds(ROWS.slice(0, 1));
    // The longest wait before the row would be sent again.
    vi.spyOn(Math, 'random').mockReturnValue(0.999);
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    const { code, record } = await service.apply([], { env: { PAYCTL_MAX_RETRIES: '3' } });
    expect(record).toMatchObject({ done: 0, unknown: 1 });
    expect(code).toBe(9);
    expect(posts(service)).toBe(1);
  });
});

describe('a table that is planned again under another name', () => {
  const planAgain = async (service: BulkService, rows: readonly RefundRow[], flags = ['--yes']) => {
    const again = join(service.folder, 'again.plan');
    const table = join(service.folder, 'again.csv');
    const cells = rows.map(([index, amount]) => `${service.transactions[index]?.id},${amount}\n`);
    writeFileSync(table, `transaction_id,amount\n${cells.join('')}`);
    const words = [
      'plan',
      'transactions',
      'refunds',
      'create',
      '--from',
      table,
      '--out',
      again,
      '--overwrite',
    ];
    await service.bulk([...words, '--allow-duplicates']);
    const run = await service.bulk(['apply', again, '--json', ...flags]);
    return { code: run.code, error: run.code === 2 ? JSON.parse(run.stderr).error : undefined };
  };

  it.each([
    ['more', [...ROWS, [0, 1]], 4],
    ['fewer', [[2, 300]], 1],
    [
      'other',
      [
        [2, 300],
        [2, 300],
        [3, 5],
      ],
      2,
    ],
  ] as const)(
    'is refused with %s rows, too, and the error counts those that were sent',
    async (_, rows, count) => {
      await using service = await startBulk();
      await service.planRefunds(ROWS);
      await service.apply();
      const { error } = await planAgain(service, rows);
      expect(error).toMatchObject({ code: 'rows_sent_before' });
      const are = count === 1 ? 'was' : 'were';
      expect(error.message).toMatch(
        new RegExp(
          `^${count} of ${rows.length} rows? ${are} already sent by another plan, at \\S+Z: ${service.plan}$`,
        ),
      );
      expect(posts(service)).toBe(4);
    },
  );

  it('says when they were sent, and not when another run had nothing to send', async () => {
    await using service = await startBulk();
    await service.planRefunds(ROWS);
    await service.apply();
    const { error } = await planAgain(service, [...ROWS, [0, 1]]);
    expect(await service.apply()).toMatchObject({ code: 0 });
    expect((await planAgain(service, [...ROWS, [0, 1]])).error).toEqual(error);
    expect(posts(service)).toBe(4);
  });

  it('is known by hashes in a private file, of which old ones make room for new ones', async () => {
    await using service = await startBulk({ count: 1 });
    await service.planRefunds([[0, 1]]);
    const folder = join(service.folder, 'data', 'applied');
    const old = join(folder, `${'0'.repeat(64)}.requests`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(old, '{}\n');
    truncateSync(old, 64 * 1_048_576);
    utimesSync(old, 0, 0);
    await service.apply();
    const [kept = '', ...others] = readdirSync(folder).filter((name) => name.endsWith('.requests'));
    expect(others).toEqual([]);
    expect(statSync(join(folder, kept)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, kept)).length).toBeLessThan(1000);
  });

  it('is sent where the rows were not carried out, after which the first plan is refused; without the journal that says so, it is refused itself', async () => {
    await using service = await startBulk({
      faults: [{ ...REFUNDS, after: 1, count: 1, status: 503, retry_after: 0 }],
    });
    await service.planRefunds(ROWS);
    expect((await service.apply(ONE_BY_ONE)).record).toMatchObject({ done: 3, failed: 1 });
    renameSync(`${service.plan}.journal`, `${service.plan}.moved`);
    expect((await planAgain(service, [[1, 200]])).error).toMatchObject({ code: 'rows_sent_before' });
    renameSync(`${service.plan}.moved`, `${service.plan}.journal`);
    expect((await planAgain(service, [[1, 200]])).code).toBe(0);
    expect(await service.refunds()).toEqual(ALL);
    const first = await service.apply();
    expect([first.code, errorCode(first)]).toEqual([2, 'rows_sent_before']);
  });

  it.each([
    ['', []],
    [' with --again', ['--again']],
  ])('is sent once at most where both plans are applied at the same moment%s', async (_, flags) => {
    await using service = await startBulk();
    await service.planRefunds(ROWS);
    const other = join(service.folder, 'other.plan');
    const words = ['transactions', 'refunds', 'create', '--from', join(service.folder, 'refunds.csv')];
    await service.bulk(['plan', ...words, '--out', other]);
    const both = [service.plan, other].map((plan) =>
      service.bulk(['apply', plan, '--yes', '--json', ...flags]),
    );
    const refused = (await Promise.all(both)).filter(({ code }) => code !== 0);
    expect(refused.map(errorCode)).toContain('rows_sent_before');
    expect(posts(service)).toBeLessThanOrEqual(ROWS.length);
    expect(new Set((await service.refunds()).map(({ length }) => length)).size).toBe(1);
  });

  it('is refused while another process uses any plan that has its rows, whatever the flags are', async () => {
    await using service = await startBulk();
    await service.planRefunds(ROWS.slice(0, 1));
    await service.apply();
    // A plan that was applied later, and has ended.
    expect((await planAgain(service, ROWS, ['--yes', '--again'])).code).toBe(0);
    rmSync(join(service.folder, 'again.plan.journal'));
    const lock = lockAlone(await lockOf(service));
    onTestFinished(() => lock?.release());
    for (const flags of [['--yes'], ['--yes', '--again'], []])
      expect((await planAgain(service, ROWS, flags)).error).toMatchObject({
        code: 'rows_sent_before',
        message: expect.stringMatching(
          /^1 of 4 rows is in a plan that another payctl process is using, last applied at \S+Z: .*refunds\.plan$/,
        ),
        hint: 'Nothing was sent. Wait until that process ends, then run the command again.',
      });
    expect(posts(service)).toBe(5);
    lock?.release();
    expect((await planAgain(service, ROWS)).error.message).toMatch(/^4 of 4 rows were already sent/);
  });

  it('is not refused because of a plan whose run could not begin, which can be applied afterwards', async () => {
    await using service = await startBulk();
    await service.planRefunds(ROWS);
    const path = await lockOf(service);
    mkdirSync(dirname(path), { recursive: true });
    const lock = lockAlone(path);
    onTestFinished(() => lock?.release());
    expect(errorCode(await service.apply())).toBe('plan_in_use');
    lock?.release();
    const kept = path.replace(/lock$/, 'requests');
    expect(existsSync(kept)).toBe(false);
    mkdirSync(kept);
    expect(errorCode(await service.apply())).toBe('profiles_unwritable');
    rmdirSync(kept);
    expect((await service.apply()).code).toBe(0);
  });

  it('is refused where the lock of the other plan is damaged, which stops no other rows', async () => {
    await using service = await startBulk();
    await service.planRefunds([[0, 100]]);
    await service.apply();
    writeFileSync(await lockOf(service), 'not a lock, but longer than one'.repeat(9));
    expect((await planAgain(service, [[0, 100]])).error).toMatchObject({ code: 'rows_sent_before' });
    expect((await planAgain(service, [[1, 200]])).code).toBe(0);
    expect(posts(service)).toBe(2);
  });

  it('is refused with --yes, and with --again sent with a warning that the same rows were sent', async () => {
    await using service = await startBulk();
    await service.planRefunds(ROWS);
    expect((await service.apply()).stderr).not.toContain('rows_sent_before');
    const again = { ...service, plan: join(service.folder, 'again.plan') };
    const words = ['transactions', 'refunds', 'create', '--from', join(service.folder, 'refunds.csv')];
    await service.bulk(['plan', ...words, '--out', again.plan, '--allow-duplicates']);
    const sent = posts(service);
    const refused = await service.bulk(['apply', again.plan, '--yes', '--json']);
    expect([refused.code, errorCode(refused)]).toEqual([2, 'rows_sent_before']);
    expect(posts(service)).toBe(sent);
    const run = await service.bulk(['apply', again.plan, '--yes', '--again', '--json']);
    expect(posts(service)).toBe(2 * sent);
    const [warning] = run.stderr.split('\n');
    expect(JSON.parse(warning ?? '')).toMatchObject({
      warning: { code: 'rows_sent_before', rows: 4, plan: service.plan, at: expect.stringMatching(/Z$/) },
    });
  });
});

describe('a plan that is not sent', () => {
  const refusedWith = async (service: BulkService, flags: readonly string[], env = {}) => {
    const run = await service.bulk(['apply', service.plan, ...flags, '--json'], { env });
    expect({ code: run.code, stdout: run.stdout }).toEqual({ code: 2, stdout: '' });
    expect(posts(service)).toBe(0);
    return errorCode(run);
  };

  it('is one that was not confirmed, of another destination or account, or of a read-only profile', async () => {
    await using service = await startBulk();
    await service.planRefunds(ROWS);
    expect(await refusedWith(service, [])).toBe('not_confirmed');
    const yes = ['--yes'];
    const otherBase = {
      PAYCTL_BASE_URL: service.emulator.emulator.baseUrl.replace('127.0.0.1', 'localhost'),
    };
    expect(await refusedWith(service, yes, otherBase)).toBe('other_destination');
    expect(await refusedWith(service, yes, { PAYCTL_MERCHANT_ACCOUNT: 'outlet' })).toBe('other_destination');
    expect(await refusedWith(service, yes, { PAYCTL_READ_ONLY: '1' })).toBe('read_only');
    const other = join(service.folder, 'other.json');
    const text = readFileSync(String(service.env.PAYCTL_DESCRIPTION), 'utf8');
    writeFileSync(other, text.replace('"title":"', '"title":"Other '));
    expect(await refusedWith(service, yes, { PAYCTL_DESCRIPTION: other })).toBe('other_description');
  });

  it('is one whose merchant account would go in another header', async () => {
    await using service = await startBulk();
    const env = { PAYCTL_MERCHANT_ACCOUNT: 'default', PAYCTL_MERCHANT_HEADER: 'X-Shop' };
    const table = join(service.folder, 'refunds.csv');
    writeFileSync(table, `transaction_id,amount\n${service.transactions[0]?.id},100\n`);
    const words = ['plan', 'transactions', 'refunds', 'create', '--from', table, '--out', service.plan];
    expect((await service.bulk([...words, '--no-preflight'], { env })).code).toBe(0);
    const other = { ...env, PAYCTL_MERCHANT_HEADER: 'x-account' };
    expect(await refusedWith(service, ['--yes'], other)).toBe('other_destination');
    const same = { ...env, PAYCTL_MERCHANT_HEADER: 'x-shop' };
    expect((await service.apply([], { env: same })).record).toMatchObject({ done: 1 });
  });

  it('is an expired one', async () => {
    await using service = await startBulk();
    await service.planRefunds(ROWS);
    const { header } = JSON.parse(`{"header":${readFileSync(service.plan, 'utf8').split('\n', 1)[0]}}`);
    stopClock(new Date(Date.parse(header.expires_at) + 1).toISOString());
    expect(await refusedWith(service, ['--yes'])).toBe('plan_expired');
  });

  it('is a changed one', async () => {
    await using service = await startBulk();
    await service.planRefunds(ROWS);
    const text = readFileSync(service.plan, 'utf8');
    writeFileSync(service.plan, text.replace('"amount":100', '"amount":900'));
    expect(await refusedWith(service, ['--yes'])).toBe('plan_changed');
  });

  it('is one that another took the place of after it was read', async () => {
    await using service = await startBulk();
    await service.planRefunds([[0, 9_999]]);
    const other = `${service.plan}.other`;
    copyFileSync(service.plan, other);
    await service.planRefunds(ROWS, ['--overwrite']);
    const run = await service.bulk(['apply', service.plan, '--yes'], {
      // What is to be sent is said after the plan was read.
      onStderr: () => existsSync(other) && renameSync(other, service.plan),
    });
    expect(run.stderr).toContain('plan_changed');
    expect(run.code).toBe(2);
    expect(posts(service)).toBe(0);
  });
});

describe('a copy of a plan', () => {
  it('is refused, unless it is applied with the journal of the first', async () => {
    await using service = await startBulk();
    await service.planRefunds(ROWS);
    await service.apply();
    const copy = join(service.folder, 'copy.plan');
    copyFileSync(service.plan, copy);
    const refused = await service.bulk(['apply', copy, '--yes', '--json']);
    expect(refused.code).toBe(2);
    expect(errorCode(refused)).toBe('plan_applied');
    const same = await service.bulk(['apply', copy, '--yes', '--journal', `${service.plan}.journal`]);
    expect(same.code).toBe(0);
    expect(posts(service)).toBe(4);
  });
});

describe('a run that is interrupted', () => {
  it('waits for the rows under way, sends no further one, and is continued', async () => {
    const controller = new AbortController();
    await using service = await startBulk({
      faults: [{ ...REFUNDS, count: 1, latency_ms: 300 }],
      onRequest: () => {},
    });
    await service.planRefunds(ROWS, ['--no-preflight']);
    const run = service.apply(ONE_BY_ONE, { signal: controller.signal });
    await expect.poll(() => service.refunds()).toEqual([[100], [], [], []]);
    controller.abort();
    const { code, record } = await run;
    expect(code).toBe(130);
    expect(record).toMatchObject({ done: 1, unknown: 0, pending: 3 });
    expect((await service.apply()).code).toBe(0);
    expect(await service.refunds()).toEqual(ALL);
  });

  it('says what is where also when it was reading a record', async () => {
    const controller = new AbortController();
    let stop = () => {};
    await using service = await startBulk({
      faults: [{ method: 'GET', path: '/transactions/*', after: 5, latency_ms: 300 }],
      onRequest: ({ method }) => method === 'POST' && stop(),
    });
    await service.planRefunds(ROWS);
    stop = () => setTimeout(() => controller.abort(), 100);
    const { code, record } = await service.apply(ONE_BY_ONE, { signal: controller.signal });
    expect(code).toBe(130);
    expect(record).toMatchObject({ done: 1, refused: 0, failed: 0, unknown: 0, pending: 3 });
  });
});

describe('a run that was killed', () => {
  /** What a killed process leaves of a journal. */
  const cutJournal = (service: BulkService, keep: (lines: readonly string[]) => string) => {
    const path = `${service.plan}.journal`;
    writeFileSync(path, keep(readFileSync(path, 'utf8').split('\n')));
    // It has not said how long its journal was.
    const applied = join(service.folder, 'data', 'applied');
    for (const name of readdirSync(applied)) if (name.endsWith('.length')) rmSync(join(applied, name));
  };

  it.each(['a key', 'no key'])('is continued where a row was sent and not heard of, with %s', async (how) => {
    await using service = await startBulk({ count: 1, ...(how === 'no key' && { document: withoutKeys }) });
    await service.planRefunds([[0, 100]]);
    await service.apply();
    cutJournal(service, (lines) => `${lines.slice(0, 2).join('\n')}\n{"row":1,"state":"do`);
    const { code, record } = await service.apply();
    expect(record).toMatchObject(how === 'a key' ? { done: 1 } : { unknown: 1 });
    expect(code).toBe(how === 'a key' ? 0 : 9);
    expect(await service.refunds()).toEqual([[100]]);
  });

  it.each([0, 40])('is not continued where only %i bytes of the journal are left', async (length) => {
    await using service = await startBulk();
    await service.planRefunds(ROWS);
    await service.apply();
    cutJournal(service, ([header = '']) => header.slice(0, length));
    const run = await service.apply();
    expect(run.code).toBe(2);
    expect(errorCode(run)).toBe('plan_applied');
    expect(posts(service)).toBe(4);
  });

  it('is not continued where a line in the middle of the journal is damaged', async () => {
    await using service = await startBulk();
    await service.planRefunds(ROWS);
    await service.apply();
    cutJournal(service, (lines) =>
      lines.map((line, index) => (index === 2 ? line.slice(5) : line)).join('\n'),
    );
    const run = await service.apply();
    expect(run.code).toBe(2);
    expect(errorCode(run)).toBe('journal_unreadable');
    expect(posts(service)).toBe(4);
  });
});
