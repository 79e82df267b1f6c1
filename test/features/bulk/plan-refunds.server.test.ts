import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Run } from '../../commands/run-in-process.ts';
import { lines } from '../../harness/lines.ts';
import { type BulkService, startBulk } from './bulk-service.ts';
import { rewriting } from './rewriting.ts';

type Problem = { readonly line: number; readonly column: string | null; readonly code: string };

/** The bad rows that a run lists: line, column and code of each. */
function problemsIn({ stdout }: Run) {
  const { items } = JSON.parse(stdout) as { readonly items: readonly Problem[] };
  return items.map(({ line, column, code }) => [line, column, code]);
}

const errorCode = ({ stderr }: Run) =>
  (JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '') as { error: { code: string } }).error.code;

const rowsIn = ({ plan }: BulkService) =>
  readFileSync(plan, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1, -1)
    .map((line) => JSON.parse(line) as { readonly body?: unknown; readonly idempotency_key?: string });

/** A table, flags, and what is wrong: line, column and code. The transactions have 100.01 EUR, 100.02 USD and 10003 JPY. */
const BAD: readonly (readonly [
  string,
  table: string,
  flags: readonly string[],
  problems: readonly unknown[],
])[] = [
  ['the same request twice', 'transaction_id,amount\n$0,1\n$1,1\n$0,1\n', [], [[4, null, 'duplicate_row']]],
  [
    'the same key twice',
    'row_key,transaction_id,amount\na,$0,1\nb,$0,2\na,$0,3\n',
    [],
    [[4, null, 'duplicate_key']],
  ],
  ['more than is left', 'transaction_id,amount\n$0,10002\n', [], [[2, null, 'too_much']]],
  [
    'more than is left by all rows before it',
    'transaction_id,amount\n$0,6000\n$1,6000\n$0,4002\n$0,4001\n',
    [],
    [[4, null, 'too_much']],
  ],
  [
    'another currency than its record',
    'transaction_id,amount,currency\n$0,1.00EUR,EUR\n$1,100,EUR\n',
    [],
    [[3, null, 'other_currency']],
  ],
  [
    'a record that does not exist',
    'transaction_id,amount\n3f1c5a52-6f0e-4d55-9a3b-2b7a0c1d4e5f,1\n$0,1\n',
    [],
    [[2, null, 'record_not_found']],
  ],
  [
    'no amount, which nobody reads',
    'transaction_id,amount\n$0,\n',
    ['--no-preflight'],
    [[2, null, 'open_amount']],
  ],
  [
    'a number that a spreadsheet has changed',
    'transaction_id,amount\n$0,1E+05\n$1,"1.234,56"\n',
    [],
    [
      [2, 'amount', 'spreadsheet_value'],
      [3, 'amount', 'spreadsheet_value'],
    ],
  ],
  ['the error of a formula', 'transaction_id,amount\n$0,#REF!\n', [], [[2, 'amount', 'error_value']]],
  [
    'a member whose name is no path',
    ['amount=9', '', '[0]', 'a..b', '=x']
      .map((name, at) => `${JSON.stringify({ transaction_id: '$0', amount: at + 1, [name]: 5 })}\n`)
      .join(''),
    [],
    ['amount=9', '', '[0]', 'a..b', '=x'].map((name, at) => [at + 1, name, 'unknown_column']),
  ],
  ['a cell too many', 'transaction_id,amount\n$0,1,2\n$1,1\n', [], [[2, null, 'cell_count']]],
  [
    'an amount in the major unit of an unknown currency',
    'transaction_id,amount\n$0,1.00\n',
    ['--amounts', 'major'],
    [[2, 'amount', 'no_currency']],
  ],
];

describe('a table with a bad row', () => {
  it.each(BAD)('is not planned, and the row is listed: %s', async (_, table, flags, problems) => {
    await using service = await startBulk({ count: 3 });
    const run = await service.planTable(table, ['--json', ...flags]);
    expect(problemsIn(run)).toEqual(problems);
    expect({ code: run.code, error: errorCode(run) }).toEqual({ code: 2, error: 'bad_rows' });
    expect(existsSync(service.plan)).toBe(false);
    expect(service.requests('POST')).toEqual([]);
  });

  it('is planned without it by --accept-valid, and --refused writes what goes back into a plan', async () => {
    await using service = await startBulk({ count: 3 });
    const refused = join(service.folder, 'refused.csv');
    const table = 'row_key,transaction_id,amount,reason\na,$0,10002,-5 %\nb,$1,7,"Two, lines"\n';
    const run = await service.planTable(table, ['--json', '--accept-valid', '--refused', refused]);
    expect(run.code).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({ rows: 1, records: 1, totals: { USD: '0.07' } });
    expect(rowsIn(service)).toMatchObject([
      { row: 1, key: 'b', line: 3, body: { amount: 7, reason: 'Two, lines' } },
    ]);
    const [first] = service.transactions;
    expect(readFileSync(refused, 'utf8')).toBe(
      `row_key,transaction_id,amount,reason\r\na,${first?.id},10002,-5 %\r\n`,
    );
    expect(statSync(refused).mode & 0o777).toBe(0o600);
    const again = await service.bulk([
      ...['plan', 'transactions', 'refunds', 'create', '--from', refused, '--json'],
      ...['--out', join(service.folder, 'again.plan')],
    ]);
    expect(problemsIn(again)).toEqual([[2, null, 'too_much']]);
  });

  it('names the file of --refused, and how many rows are in it', async () => {
    await using service = await startBulk({ count: 3 });
    const refused = join(service.folder, 'refused.csv');
    const run = await service.planTable('transaction_id,amount\n$0,1\n$1,10003\n', ['--refused', refused]);
    expect(run.stderr).toBe(
      lines(
        `1 invalid row written to ${refused}`,
        'Error: 1 row is invalid; no plan was written (bad_rows)',
        'Correct the rows, or add --accept-valid to plan the 1 valid row.',
      ),
    );
  });

  it('says how to read amounts in the major unit where rows have a currency', async () => {
    await using service = await startBulk({ count: 3 });
    const MAJOR =
      "To read amounts such as 5.00 in the major unit of their row's currency, add --amounts major. ";
    const stderr = async (table: string) => (await service.planTable(table)).stderr.split('\n')[1];
    expect(await stderr('transaction_id,amount,currency\n$0,5.00,EUR\n')).toBe(`${MAJOR}Correct the rows.`);
    expect(await stderr('transaction_id,amount\n$0,5.00\n')).toBe('Correct the rows.');
    expect(await stderr('transaction_id,amount,currency\n$0,5.00XYZ,EUR\n')).toBe('Correct the rows.');
  });

  it('says that a row that could not be read is not in the file of --refused', async () => {
    await using service = await startBulk({ count: 3 });
    const refused = join(service.folder, 'refused.csv');
    const table = 'transaction_id,amount\n$0,1\n$1,1,2\n$1,10003\n';
    const run = await service.planTable(table, ['--json', '--accept-valid', '--refused', refused]);
    expect(run.code).toBe(0);
    expect(JSON.parse(run.stderr.split('\n')[0] ?? '')).toEqual({
      warning: { code: 'row_left_out', message: `${refused} lacks what could not be read: 1 row` },
    });
    expect(readFileSync(refused, 'utf8').split('\r\n')).toHaveLength(3);
  });

  it.each([
    ['NDJSON', (rows: readonly string[]) => rows.join('\n')],
    ['a JSON array', (rows: readonly string[]) => `[${rows.join()}]`],
  ])('of %s is refused with all its fields, also those that no earlier row has', async (_, written) => {
    await using service = await startBulk({ count: 3 });
    const refused = join(service.folder, 'refused.ndjson');
    const rows = [
      '{"row_key":"a","transaction_id":"$0","amount":10002,"reason":"-5 %"}',
      '{"transaction_id":"$1","amount":9007199254740993,"metadata":{"order":"7","tags":[]}}',
      '{"transaction_id":"$1","amount":7}',
    ];
    const run = await service.planTable(written(rows), ['--json', '--accept-valid', '--refused', refused]);
    expect(run.code).toBe(0);
    const [first, second] = service.transactions;
    const lines = [
      `{"row_key":"a","transaction_id":"${first?.id}","amount":10002,"reason":"-5 %"}\n`,
      `{"row_key":"2","transaction_id":"${second?.id}","amount":9007199254740993,"metadata.order":"7","metadata.tags":[]}\n`,
    ];
    expect(readFileSync(refused, 'utf8')).toBe(lines.join(''));
    const words = ['plan', 'transactions', 'refunds', 'create', '--from', refused, '--json'];
    const again = await service.bulk([...words, '--out', join(service.folder, 'again.plan')]);
    expect(problemsIn(again)).toEqual([
      [1, null, 'too_much'],
      [2, 'metadata.order', 'unknown_column'],
      [2, 'metadata.tags', 'unknown_column'],
    ]);
  });
});

const GOOD = 'transaction_id,amount\n$0,100\n$0,200\n$1,50\n';

describe('a table that is not what was expected', () => {
  it.each([
    [['--expect-rows', '2'], 'unexpected_rows'],
    [['--expect-total', 'EUR=3.01', '--expect-total', 'USD=0.50'], 'unexpected_total'],
    // A currency that nobody named.
    [['--expect-total', 'EUR=3.00'], 'unexpected_total'],
    [['--max-total', 'EUR=2.99'], 'over_limit'],
    [['--max-total', 'EUR'], 'bad_flag'],
    [['--max-total', 'EUR=1', '--max-total', 'EUR=9'], 'bad_flag'],
  ])('writes no plan with %j', async (flags, code) => {
    await using service = await startBulk({ count: 2 });
    const run = await service.planTable(GOOD, ['--json', ...flags]);
    expect({ code: run.code, error: errorCode(run), stdout: run.stdout }).toEqual({
      code: 2,
      error: code,
      stdout: '',
    });
    expect(existsSync(service.plan)).toBe(false);
  });

  it.each([
    ['transaction_id,amount,colour\n$0,1,red\n', [], 'unknown_column'],
    ['transaction_id,amount,amount=9\n$0,6,5\n', [], 'unknown_column'],
    ['transaction_id,amount:\n$0,6\n', [], 'unknown_column'],
    ['transaction_id,transaction-id,amount\n$0,$0,2\n', [], 'duplicate_column'],
    ['transaction_id,id,amount\n$0,$0,2\n', [], 'duplicate_column'],
    ['transaction_id,amount\n$0,2\n', ['--map', 'id=amount'], 'duplicate_column'],
    ['transaction_id,Betrag\n$0,1\n', ['--map', 'amount=Betrag', '--map', 'reason=Betrag'], 'bad_flag'],
  ])('writes no plan of columns that nobody knows: %j', async (table, flags, code) => {
    await using service = await startBulk({ count: 1 });
    const run = await service.planTable(table, ['--json', ...flags]);
    expect({ code: run.code, error: errorCode(run), stdout: run.stdout }).toEqual({
      code: 2,
      error: code,
      stdout: '',
    });
  });
});

describe('a table whose rest cannot be read', () => {
  const cases: readonly (readonly [string, table: string, line: number])[] = [
    ['a quotation mark is never closed', 'transaction_id,amount\n$0,1\n"$1,1\n$1,2\n', 3],
    ['a quotation mark is not doubled', 'transaction_id,amount\n$0,1\n$1",1\n$1,2\n', 3],
    ['an array is cut off', '[{"transaction_id":"$0","amount":1},{"transaction_id":"$1"', 2],
    ['the header has a column twice', 'transaction_id,amount,amount\n$0,1,1\n', 1],
    ['there are no rows', 'transaction_id,amount\n', 1],
    ['the columns may be separated in several ways', 'transaction_id,amount;currency\n$0,1\n', 1],
  ];

  it.each(cases)('is not planned, also with --accept-valid: %s', async (_, table, line) => {
    await using service = await startBulk({ count: 2 });
    const run = await service.planTable(table, ['--accept-valid', '--quiet', '--json']);
    const where = line === 1 ? '' : ` from line ${line} on`;
    expect(JSON.parse(run.stderr)).toMatchObject({
      error: { code: 'bad_rows', message: `The table cannot be read${where}; no plan was written` },
    });
    expect(run.code).toBe(2);
    expect(existsSync(service.plan)).toBe(false);
  });
});

describe('a record', () => {
  it.each([
    ['with', []],
    ['without', ['--allow-duplicates']],
  ])('is the same by its UUID in capitals, %s looking for equal rows', async (_, flags) => {
    await using service = await startBulk({ count: 1 });
    const id = `${service.transactions[0]?.id}`;
    const cells = [id, id.toUpperCase(), id, id.toUpperCase()].map((one) => `${one},1\n`);
    const table = `transaction_id,amount\n${cells.join('')}`;
    const run = await service.planTable(table, ['--no-preflight', '--json', ...flags]);
    if (flags.length > 0) expect(JSON.parse(run.stdout)).toMatchObject({ rows: 4, records: 1 });
    else expect(problemsIn(run)).toEqual([3, 4, 5].map((line) => [line, null, 'duplicate_row']));
  });

  it('is not planned with another one that the service sent in its place', async () => {
    const other = '11111111-1111-4111-8111-111111111111';
    const through = rewriting('GET', ({ body }) => ({ body: { ...body, id: other } }));
    await using service = await startBulk({ count: 1, through });
    const run = await service.planTable('transaction_id,amount\n$0,1\n', ['--json']);
    const [{ id = '' } = {}] = service.transactions;
    expect(JSON.parse(run.stderr)).toMatchObject({
      error: {
        code: 'record_not_read',
        message: `The record "${id}" cannot be read: the service sent the record "${other}"`,
      },
    });
    expect(existsSync(service.plan)).toBe(false);
  });

  it('has not more left than was captured, whatever it says about refunds', async () => {
    const through = rewriting('GET', ({ body }) => ({ body: { ...body, refunded_amount: -900_000 } }));
    await using service = await startBulk({ count: 1, through });
    const run = await service.planTable('transaction_id,amount\n$0,10002\n', ['--json']);
    expect(problemsIn(run)).toEqual([[2, null, 'too_much']]);
  });
});

describe('two columns for one value', () => {
  it('are refused in each row of JSON that has both, and not across rows', async () => {
    await using service = await startBulk({ count: 2 });
    const rows = [
      '{"id":"$0","amount":1}',
      '{"transaction_id":"$1","amount":2}',
      '{"id":"$0","transaction_id":"$1","amount":3}',
    ];
    const run = await service.planTable(rows.join('\n'), ['--json']);
    expect(problemsIn(run)).toEqual([[3, null, 'duplicate_column']]);
  });

  it.each([
    ['a field by its path, and one by its name', 'country,address.country\nDE,FR\n'],
    ['an object, and one for a part of it', 'address,address.country\n{},FR\n'],
  ])('are a column for %s', async (_, table) => {
    await using service = await startBulk({ count: 1 });
    const from = join(service.folder, 'buyers.csv');
    writeFileSync(from, table);
    const words = ['plan', 'buyers', 'shipping-details', 'create', 'b1', '--from', from];
    const run = await service.bulk([...words, '--out', service.plan, '--json', '--no-preflight']);
    expect(errorCode(run)).toBe('duplicate_column');
  });

  it('are a column for an argument, and the argument on the command line', async () => {
    await using service = await startBulk({ count: 1 });
    const from = join(service.folder, 'refunds.csv');
    writeFileSync(from, `id,amount\n${service.transactions[0]?.id},1\n`);
    const words = ['plan', 'transactions', 'refunds', 'create', `${service.transactions[0]?.id}`];
    const run = await service.bulk([...words, '--from', from, '--out', service.plan, '--json']);
    expect(errorCode(run)).toBe('duplicate_column');
    expect(existsSync(service.plan)).toBe(false);
  });
});

describe('a table that can be planned', () => {
  it('sends only reads, and is written with totals by currency', async () => {
    await using service = await startBulk({ count: 2 });
    const flags = ['--expect-rows', '3', '--expect-total', 'EUR=3.00', '--expect-total', 'USD=0.50'];
    const most = ['--max-total', 'EUR=3.00', '--max-total', 'USD=0.50'];
    const { code, stdout, stderr } = await service.planTable(GOOD, ['--json', ...flags, ...most]);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ rows: 3, records: 2, totals: { EUR: '3.00', USD: '0.50' } },
      ...{ rows_without_amount: 0, rows_with_unknown_amount: 0, preflight: true },
    });
    expect(new Set(service.requests().map(({ method }) => method))).toEqual(new Set(['GET']));
    const keys = rowsIn(service).map((row) => row.idempotency_key);
    expect(new Set(keys).size).toBe(3);
    for (const key of keys)
      expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(statSync(service.plan).mode & 0o777).toBe(0o600);
    expect(readFileSync(service.plan, 'utf8')).not.toContain(service.env.PAYCTL_TOKEN);
  });

  it('counts an empty amount as all that is left', async () => {
    await using service = await startBulk({ count: 1 });
    const { stdout } = await service.planTable('transaction_id,amount\n$0,\n', ['--json']);
    expect(JSON.parse(stdout)).toMatchObject({ totals: { EUR: '100.01' }, rows_without_amount: 1 });
    expect((await service.apply()).code).toBe(0);
    expect(await service.refunds()).toEqual([[10_001]]);
  });

  it('takes other names of columns, columns to leave out, and amounts in the major unit', async () => {
    await using service = await startBulk({ count: 3 });
    const table = 'Nr;Vorgang;Betrag;currency;Notiz\nx;$0;1.00;EUR;a\ny;$2;100;JPY;b\n';
    const flags = ['--key', 'Nr', '--map', 'amount=Betrag', '--map', 'transaction_id=Vorgang'];
    const run = await service.planTable(table, [
      ...flags,
      '--ignore-column',
      'Notiz',
      '--amounts',
      'major',
      '--json',
    ]);
    expect(run.stderr).toBe('');
    expect(JSON.parse(run.stdout)).toMatchObject({ totals: { EUR: '1.00', JPY: '100' } });
    expect(rowsIn(service)).toMatchObject([
      { key: 'x', body: { amount: 100 } },
      { key: 'y', body: { amount: 100 } },
    ]);
  });

  it('is limited by the profile: one amount, and all together', async () => {
    await using service = await startBulk({ count: 2 });
    const limits = ['--max-amount', 'EUR=1.50', '--max-amount', 'USD=9', '--max-total', 'USD=0.40'];
    const { baseUrl } = service.emulator.emulator;
    const set = await service.payctl(['profiles', 'set', 'acme', '--base-url', baseUrl, ...limits]);
    expect(set.code).toBe(0);
    const over = await service.planTable(GOOD, ['--json', '--profile', 'acme']);
    expect(problemsIn(over)).toEqual([[3, null, 'over_limit']]);
    const total = await service.planTable('transaction_id,amount\n$1,50\n', ['--json', '--profile', 'acme']);
    expect(errorCode(total)).toBe('over_limit');
    expect(existsSync(service.plan)).toBe(false);
  });
});
