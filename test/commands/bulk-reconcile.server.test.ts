import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FaultPlan } from '../../src/emulator/faults/plan.ts';
import sample from '../../src/emulator/sample.json' with { type: 'json' };
import { lockAlone } from '../../src/files/kernel-lock.ts';
import { freshDirectory } from '../config/config-directory.ts';
import { type CapturedTransaction, startCaptured } from '../emulator/imported/captured-transactions.ts';
import type { ImportedEmulator } from '../emulator/imported/imported-emulator.ts';
import {
  withNamedCaptures,
  withNamedPayments,
  withNamedRefunds,
  withoutKeys,
} from '../emulator/imported/sample-variants.ts';
import { importedOnce } from '../features/bulk/bulk-service.ts';
import { runInProcess } from './run-in-process.ts';

const REFUNDS = '/transactions/*/refunds';
/** How long ago everything happens before the reconciliation. */
const AGO_MS = 120_000;

const RealDate = Date;

/** A clock that is two minutes slow. */
class SlowDate extends RealDate {
  constructor(...given: readonly unknown[]) {
    super(...((given.length === 0 ? [SlowDate.now()] : given) as [number]));
  }

  static override now() {
    return RealDate.now() - AGO_MS;
  }
}

beforeEach(() => {
  vi.stubGlobal('Date', SlowDate);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** An emulator with captured transactions, and payctl with a configuration for it. All of it is two minutes old. */
async function open(document: unknown, faults: FaultPlan, count = 4) {
  const requests: string[] = [];
  const { emulator, transactions } = await startCaptured(document, count, {
    faults,
    onRequest: ({ method, path }) => requests.push(`${method} ${path}`),
  });
  const directory = freshDirectory();
  const imported = await importedOnce(JSON.stringify(document));
  cpSync(join(imported, 'data'), join(directory, 'data'), { recursive: true });
  const file = (name: string, text: string) => {
    writeFileSync(join(directory, name), text);
    return join(directory, name);
  };
  const env = {
    PAYCTL_CONFIG_DIR: directory,
    PAYCTL_DESCRIPTION: join(imported, 'openapi.json'),
    PAYCTL_BASE_URL: emulator.emulator.baseUrl,
    PAYCTL_TOKEN: await emulator.token(['*'], { lifetimeSeconds: 3600 }),
    PAYCTL_MAX_RETRIES: '0',
  };
  const payctl = async (...args: readonly string[]) => await runInProcess(args, { env });
  const plan = join(directory, 'refunds.plan');
  /** Plans refunds and sends them; after that, the two minutes are over. */
  const send = async (rows: readonly string[], ...words: readonly string[]) => {
    const command = words.length === 0 ? ['transactions', 'refunds', 'create'] : words;
    const table = file('rows.csv', `${rows.join('\n')}\n`);
    const planned = await payctl('bulk', 'plan', ...command, '--from', table, '--out', plan);
    if (planned.code !== 0) throw new Error(planned.stderr + planned.stdout);
    const run = await payctl('bulk', 'apply', plan, '--yes', '--concurrency', '1');
    const journal = `${plan}.journal`;
    // The `Date` of responses is by the real clock.
    const moved = readFileSync(journal, 'utf8').replace(
      /"service_time":"([^"]*)"/g,
      (_match, at) => `"service_time":"${new Date(Date.parse(at) - AGO_MS).toUTCString()}"`,
    );
    writeFileSync(journal, moved);
    vi.unstubAllGlobals();
    return run;
  };
  const reconcile = async (...flags: readonly string[]) => {
    const run = await payctl('bulk', 'reconcile', plan, '-o', 'json', ...flags);
    return { ...run, record: JSON.parse(run.stdout || 'null') };
  };
  const rows = async () => JSON.parse((await payctl('bulk', 'rows', plan, '-o', 'json')).stdout).items;
  return Object.assign(emulator, { payctl, transactions, send, reconcile, rows, plan, requests });
}

/** The refunds of each transaction: their IDs. */
async function refundsOf(emulator: ImportedEmulator, transactions: readonly CapturedTransaction[]) {
  const ids: string[][] = [];
  for (const { id } of transactions) {
    const { body } = await emulator.call('GET', `/transactions/${id}/refunds`);
    ids.push((body.items as { id: string }[]).map((refund) => refund.id));
  }
  return ids;
}

/** Makes transactions of 10.00 EUR that are authorized. */
async function authorize(emulator: ImportedEmulator, count: number) {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const body = { amount: 1000, currency: 'EUR', intent: 'authorize' };
    ids.push(String((await emulator.call('POST', '/transactions', { body })).body.id));
  }
  return ids;
}

describe('bulk reconcile', () => {
  it.each([
    ['with keys', sample],
    ['without keys', withoutKeys],
    ['with identifiers', withNamedRefunds(withoutKeys)],
  ])('finds what was carried out and what was not, %s', async (_name, document) => {
    await using service = await open(document, [
      { method: 'POST', path: REFUNDS, after: 1, count: 1, drop: true },
      { method: 'POST', path: REFUNDS, after: 2, count: 1, drop: true, perform: false },
    ]);
    const { transactions } = service;
    const sent = await service.send(['transaction_id,amount', ...transactions.map(({ id }) => `${id},500`)]);
    expect(sent.code).toBe(9);
    const before = service.requests.length;
    const { code, record, stderr } = await service.reconcile();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(record).toMatchObject({ done: 3, failed: 1, unknown: 0, found_done: 1, found_not_carried_out: 1 });
    const asked = service.requests.slice(before);
    expect(asked.every((line) => line.startsWith('GET '))).toBe(true);
    const made = await refundsOf(service, transactions);
    const rows = await service.rows();
    expect(rows.map(({ id }: { id: string | null }) => id)).toEqual(made.map(([id = null]) => id));
    expect(rows[3]).toMatchObject({ state: 'failed', code: 'not_carried_out' });
    // The row that was not carried out goes in again, and no other.
    expect((await service.payctl('bulk', 'apply', service.plan, '--yes')).code).toBe(0);
    expect((await refundsOf(service, transactions)).map((ids) => ids.length)).toEqual([1, 1, 1, 1]);
  });

  it('takes no record of another payment for that of a row whose body names one', async () => {
    const lost = { method: 'POST', path: '/refunds', count: 1, drop: true } as const;
    await using service = await open(
      withNamedPayments(withoutKeys),
      [
        { ...lost, after: 1 },
        { ...lost, after: 1, perform: false },
      ],
      3,
    );
    const [first, second, third] = service.transactions.map(({ id }) => id);
    const body = { transaction_id: third, amount: 500 };
    expect(await service.call('POST', '/refunds', { body })).toMatchObject({ status: 201 });
    const sent = await service.send(
      ['transaction_id,amount', `${first},500`, `${second},500`],
      'refund_by_id',
    );
    expect(sent.code).toBe(9);
    const { code, stderr } = await service.reconcile();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(await service.rows()).toMatchObject([
      { state: 'done' },
      { state: 'failed', code: 'not_carried_out' },
    ]);
  });

  it('finds the record of a row whose run was killed', async () => {
    await using service = await open(withoutKeys, []);
    const { transactions } = service;
    await service.send(['transaction_id,amount', ...transactions.map(({ id }) => `${id},500`)]);
    // The run was killed before it knew what became of its last row; its last line is torn.
    const journal = `${service.plan}.journal`;
    const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
    writeFileSync(journal, `${lines.slice(0, -1).join('\n')}\n${lines.at(-1)?.slice(0, 20)}`);
    const applied = join(dirname(journal), 'data', 'applied');
    for (const name of readdirSync(applied)) if (name.endsWith('.length')) rmSync(join(applied, name));
    const { code, record, stderr } = await service.reconcile();
    expect({ code, stderr, done: record.done, found: record.found_done }).toEqual({
      code: 0,
      stderr: '',
      done: 4,
      found: 1,
    });
    const last = JSON.parse(readFileSync(journal, 'utf8').trimEnd().split('\n').at(-1) ?? '');
    expect(last).toMatchObject({
      row: 4,
      state: 'done',
      attempt: 1,
      record_status: 'succeeded',
      by: 'reconcile',
    });
    expect((await refundsOf(service, transactions)).map(([id]) => id)[3]).toBe(last.id);
  });

  it('says what it knows about rows that stay unknown, and asks again the next time', async () => {
    await using service = await open(
      withoutKeys,
      [{ method: 'POST', path: REFUNDS, count: 2, drop: true, perform: false }],
      2,
    );
    const { transactions } = service;
    await service.send([
      'transaction_id,amount,row_key',
      ...transactions.map(({ id }, index) => `${id},500,key-${index}`),
    ]);
    const early = await service.reconcile('--settle', '1h');
    expect(early).toMatchObject({ code: 9, record: { unknown: 2, found_done: 0, found_not_carried_out: 0 } });
    const warnings = early.stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).warning);
    expect(warnings).toMatchObject([
      { code: 'row_unknown', row_key: 'key-0', line: 2, reason: 'too_early' },
      { code: 'row_unknown', row_key: 'key-1', line: 3, reason: 'too_early' },
    ]);
    expect(await service.reconcile()).toMatchObject({ code: 0, record: { unknown: 0, failed: 2 } });
    const before = service.requests.length;
    // Nothing is left to ask about.
    expect(await service.reconcile()).toMatchObject({ code: 0, stderr: '' });
    expect(service.requests.length).toBe(before);
  });

  it('tells captures by the status and the amount of the record', async () => {
    const capture = { method: 'POST', path: '/transactions/*/capture', drop: true } as const;
    await using service = await open(withoutKeys, [{ ...capture, count: 1, perform: false }, capture]);
    const authorized = await authorize(service, 3);
    await service.send(
      ['transaction_id,amount', ...authorized.map((id) => `${id},1000`)],
      'transactions',
      'capture',
    );
    const { code, stderr } = await service.reconcile();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect((await service.rows()).map(({ state, id }: Record<string, string>) => [state, id])).toEqual([
      ['failed', null],
      ['done', authorized[1]],
      ['done', authorized[2]],
    ]);
  });

  it('reads the record of each payment that a body names', async () => {
    const lost = { method: 'POST', path: '/capture', drop: true, perform: false } as const;
    await using service = await open(withNamedCaptures(), [lost]);
    const authorized = await authorize(service, 2);
    await service.send(['transaction_id,amount', ...authorized.map((id) => `${id},1000`)], 'capture_by_id');
    await service.call('POST', `/transactions/${authorized[1]}/capture`, { body: { amount: 1000 } });
    const { code, stderr } = await service.reconcile();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect((await service.rows()).map(({ state, id }: Record<string, string>) => [state, id])).toEqual([
      ['failed', null],
      ['done', authorized[1]],
    ]);
  });

  it.each([
    [403, 9, 'list_not_read'],
    [500, 9, 'list_not_read'],
    [401, 3, undefined],
  ])('leaves rows unknown where the service refuses the list with %i', async (status, code, reason) => {
    const rules = [
      { method: 'POST', path: REFUNDS, drop: true },
      { method: 'GET', path: REFUNDS, status },
    ] as const;
    await using service = await open(withoutKeys, rules, 1);
    await service.send(['transaction_id,amount', `${service.transactions[0]?.id},500`]);
    const run = await service.reconcile();
    expect(run.code).toBe(code);
    if (reason !== undefined) expect(JSON.parse(run.stderr).warning).toMatchObject({ reason, row_key: '2' });
    expect((await service.rows())[0]).toMatchObject({ state: 'unknown' });
  });

  it('writes nothing where another payctl has the journal, and stops for a plan of another service', async () => {
    await using service = await open(withoutKeys, [{ method: 'POST', path: REFUNDS, drop: true }], 1);
    await service.send(['transaction_id,amount', `${service.transactions[0]?.id},500`]);
    const journal = `${service.plan}.journal`;
    const before = readFileSync(journal, 'utf8');
    const lock = lockAlone(`${journal}.lock`);
    const inUse = await service.payctl('bulk', 'reconcile', service.plan);
    lock?.release();
    expect([inUse.code, inUse.stderr]).toEqual([2, expect.stringContaining('(plan_in_use)')]);
    const other = await service.payctl(
      'bulk',
      'reconcile',
      service.plan,
      '--base-url',
      'https://other.example.com',
    );
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('(other_destination)')]);
    expect(readFileSync(journal, 'utf8')).toBe(before);
  });

  it('records what a person found out, by the keys of rows, and reads nothing', async () => {
    await using service = await open(withoutKeys, [
      { method: 'POST', path: REFUNDS, count: 3, drop: true, perform: false },
    ]);
    const rows = service.transactions.map(({ id }, index) => `${['a', 'b=c', '', 'd'][index]},${id},500`);
    await service.send(['row_key,transaction_id,amount', ...rows]);
    const before = service.requests.length;
    const marked = await service.reconcile('--row', 'a=done', '--row', 'b=c=failed');
    expect(marked.record).toMatchObject({
      done: 2,
      failed: 1,
      unknown: 1,
      found_done: 1,
      found_not_carried_out: 1,
    });
    expect(marked.code).toBe(9);
    expect(await service.rows()).toMatchObject([
      { row_key: 'a', state: 'done' },
      { row_key: 'b=c', state: 'failed', code: 'not_carried_out' },
      { row_key: '4', state: 'unknown' },
      { row_key: 'd', state: 'done' },
    ]);
    const journal = readFileSync(`${service.plan}.journal`, 'utf8');
    const refused = [
      ['a=failed', 'not_unknown', 'The row "a" is done, and only unknown rows can be set'],
      ['x=done', 'bad_flag', `"${service.plan}" has no row with the key "x"`],
      ['4=carried', 'bad_flag', '--row must be KEY=done or KEY=failed, once for each row, not "4=carried"'],
    ] as const;
    for (const [row, code, message] of refused) {
      const run = await service.reconcile('--row', '4=done', '--row', row);
      expect({ code: run.code, error: JSON.parse(run.stderr).error }).toMatchObject({
        code: 2,
        error: { code, message },
      });
    }
    expect(readFileSync(`${service.plan}.journal`, 'utf8')).toBe(journal);
    expect((await service.reconcile('--row', '4=done')).code).toBe(0);
    expect(service.requests.length).toBe(before);
  });

  it('says what to do about a line that somebody added to the journal', async () => {
    await using service = await open(withoutKeys, [], 1);
    await service.send(['transaction_id,amount', `${service.transactions[0]?.id},5`]);
    const journal = `${service.plan}.journal`;
    const whole = readFileSync(journal, 'utf8');
    writeFileSync(journal, `${whole}{"row":9,"state":"done"}\n`);
    const run = await service.reconcile('--row', '2=done');
    expect(JSON.parse(run.stderr)).toMatchObject({
      error: {
        code: 'journal_unreadable',
        hint: `Nothing was sent. If somebody added this line, delete it and use payctl bulk reconcile ${service.plan} --row KEY=done. Otherwise restore the journal: without it, payctl cannot tell which rows were sent.`,
      },
    });
    writeFileSync(journal, whole);
    expect((await service.reconcile()).code).toBe(0);
  });
});
