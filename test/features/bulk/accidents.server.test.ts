import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { OutputError } from '../../../src/errors.ts';
import { Journal } from '../../../src/features/bulk/journal.ts';
import { type BulkService, startBulk } from './bulk-service.ts';

const errorOf = ({ stderr }: { readonly stderr: string }) =>
  JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error;
/** Plans the first transaction again, to another file. */
const planTo = async (service: BulkService, flags: readonly string[], cells = '2') => {
  const table = join(service.folder, 'other.csv');
  writeFileSync(table, `id,amount\n${service.transactions[0]?.id},${cells}\n`);
  return await service.bulk(['plan', 'transactions', 'refunds', 'create', '--from', table, ...flags]);
};
const warningsOf = ({ stderr }: { readonly stderr: string }) =>
  stderr.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).warning]));

it('a disk that is full during a run leaves a record of what is done, open and left, and how to continue', async () => {
  await using service = await startBulk();
  await service.planRefunds([
    [0, 100],
    [1, 200],
    [2, 300],
    [3, 400],
  ]);
  const write = Journal.prototype.addText;
  let lines = 0;
  vi.spyOn(Journal.prototype, 'addText').mockImplementation(async function addText(this: Journal, text) {
    lines += 1;
    // The result of the second row is lost.
    if (lines > 3) throw new OutputError('file_unwritable', 'The journal cannot be written: no space left');
    await write.call(this, text);
  });
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  const run = await service.bulk(['apply', service.plan, '--yes', '-o', 'json', '--concurrency', '1']);
  expect(JSON.parse(run.stdout)).toMatchObject({
    done: 1,
    unknown: 1,
    pending: 2,
    totals_done: { EUR: '1.00' },
  });
  expect(run.code).toBe(9);
  expect(warningsOf(run)).toEqual([
    {
      code: 'journal_not_written',
      message: 'The journal cannot be written: no space left',
      next: `payctl bulk apply ${service.plan}`,
    },
  ]);
  expect(service.requests('POST')).toHaveLength(2);
  vi.restoreAllMocks();
  expect((await service.apply()).code).toBe(0);
  expect(await service.refunds()).toEqual([[100], [200], [300], [400]]);
});

describe('bulk plan warns', () => {
  it('of empty amounts where other rows have one, and bulk apply names their number', async () => {
    await using service = await startBulk({ count: 3 });
    const run = await service.planTable('transaction_id,amount\n$0,1\n$1,\n$2,2\n', ['--json']);
    expect(warningsOf(run)).toEqual([
      {
        code: 'rows_without_amount',
        message:
          '1 row of 3 without an amount, the first on line 3: all that is left of the record is moved.',
        rows: 1,
        line: 3,
      },
    ]);
    const applied = await service.bulk(['apply', service.plan, '--yes']);
    expect(applied.stderr).toContain('1 row without an amount for all that is left');
    const all = await planTo(service, ['--out', `${service.plan}.2`, '--json'], '');
    expect(all.stderr).toBe('');
  });

  it('of a last line without a line end, which may be cut off', async () => {
    await using service = await startBulk({ count: 2 });
    const run = await service.planTable('transaction_id,amount\n$0,150\n$1,150', ['--json']);
    expect(warningsOf(run)).toMatchObject([{ code: 'line_not_ended', line: 3 }]);
    const json = await service.planTable('{"transaction_id":"$0","amount":1}', ['--json', '--overwrite']);
    expect(json.stderr).toBe('');
  });
});

it.each(["1'000.00EUR", '€5.00', '5.00€'])(
  'an amount such as %s is to be written with its currency',
  async (amount) => {
    await using service = await startBulk({ count: 1 });
    const run = await service.planTable(`transaction_id,amount\n$0,${amount}\n`, ['--json']);
    expect(JSON.parse(run.stdout).items).toMatchObject([
      { code: 'spreadsheet_value', message: expect.stringMatching(/ Write it such as 1234\.56EUR\.$/) },
    ]);
  },
);

describe('a run that was not confirmed', () => {
  it('names the command that sends its plan, and so does the next run', async () => {
    await using service = await startBulk({ count: 1 });
    const table = join(service.folder, 'table.csv');
    writeFileSync(table, `transaction_id,amount\n${service.transactions[0]?.id},1\n`);
    const words = ['run', 'transactions', 'refunds', 'create', '--from', table, '--json'];
    const send = `payctl bulk apply ${table}.plan`;
    expect(errorOf(await service.bulk(words))).toMatchObject({
      code: 'not_confirmed',
      hint: `To send it without confirmation: ${send} --yes`,
    });
    expect(errorOf(await service.bulk(words))).toMatchObject({
      code: 'file_exists',
      hint: `To send it: ${send}. To replace it, add --overwrite`,
    });
    expect((await service.bulk([...words, '--yes', '--overwrite'])).code).toBe(0);
  });
});

describe('a journal', () => {
  const applied = async () => {
    const service = await startBulk({ count: 1 });
    await service.planRefunds([[0, 1]]);
    await service.apply();
    return service;
  };
  const kept = async (
    service: BulkService,
    run: (journal: string) => Promise<{ readonly stderr: string }>,
  ) => {
    const journal = `${service.plan}.journal`;
    const before = readFileSync(journal, 'utf8');
    const error = errorOf(await run(journal));
    expect(readFileSync(journal, 'utf8')).toBe(before);
    return error;
  };

  it.each([
    ['--out', (journal: string) => ['--out', journal]],
    ['--refused', (journal: string) => ['--out', `${journal}.plan`, '--refused', journal]],
  ])('is not replaced by %s --overwrite', async (_, flags) => {
    await using service = await applied();
    const error = await kept(service, (path) => planTo(service, [...flags(path), '--overwrite', '--json']));
    expect(error).toMatchObject({ code: 'journal_kept' });
  });

  it('is not replaced by --results --overwrite', async () => {
    await using service = await applied();
    const other = `${service.plan}.other`;
    await planTo(service, ['--out', other]);
    const words = ['apply', other, '--yes', '--json', '--overwrite', '--results'];
    const error = await kept(service, (path) => service.bulk([...words, path]));
    expect(error).toMatchObject({ code: 'journal_kept' });
  });

  it('is no device, and is called a journal', async () => {
    await using service = await startBulk({ count: 1 });
    await service.planRefunds([[0, 1]]);
    const run = await service.bulk(['status', service.plan, '--journal', '/dev/null', '--json']);
    expect(errorOf(run)).toMatchObject({
      code: 'journal_unreadable',
      message: '"/dev/null" is not a journal: it is not a regular file',
    });
  });

  it('is read before bulk rows prints anything', async () => {
    await using service = await applied();
    const journal = `${service.plan}.journal`;
    writeFileSync(journal, readFileSync(journal, 'utf8').replace('"state":"done"', '"state":"?"'));
    const run = await service.bulk(['rows', service.plan, '-o', 'csv']);
    expect(run).toMatchObject({ code: 2, stdout: '' });
  });
});

it('a file of --results that is replaced is closed to others', async () => {
  await using service = await startBulk({ count: 1 });
  const results = join(service.folder, 'results.csv');
  writeFileSync(results, 'old');
  chmodSync(results, 0o644);
  await service.planRefunds([[0, 1]]);
  await service.apply(['--results', results, '--overwrite']);
  expect(existsSync(results) && statSync(results).mode & 0o777).toBe(0o600);
});
