import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type BulkService, startBulk } from './bulk-service.ts';

type Row = {
  readonly row: number;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly moves?: Readonly<Record<string, string>>;
  readonly idempotency_key?: string;
};
type Lines = { readonly header: Readonly<Record<string, unknown>>; readonly rows: readonly Row[] };

/** Writes a plan as somebody does who edits it and computes its last line again. */
function forge(path: string, edit: (lines: Lines) => Partial<Lines>): void {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n').slice(0, -1);
  const [header, ...rows] = lines.map((line) => JSON.parse(line));
  const edited = { header, rows, ...edit({ header, rows }) };
  const content = [edited.header, ...edited.rows].map((line) => `${JSON.stringify(line)}\n`).join('');
  const sha256 = createHash('sha256').update(content).digest('hex');
  writeFileSync(path, `${content}${JSON.stringify({ sha256 })}\n`);
}

/** Edits the first row, and the hash of all requests so that it agrees with the rows. */
const first =
  (change: (row: Row) => Partial<Row>) =>
  ({ header, rows }: Lines): Partial<Lines> => {
    const [row, ...others] = rows;
    if (!row) return {};
    const edited = [{ ...row, ...change(row) }, ...others];
    const requests = edited.map(
      (one) =>
        `[${JSON.stringify(one.arguments)},null,${one.body === undefined ? 'null' : JSON.stringify(one.body)}]\n`,
    );
    const requests_sha256 = createHash('sha256').update(requests.join('')).digest('hex');
    return { header: { ...header, requests_sha256 }, rows: edited };
  };
const head =
  (members: (header: Lines['header']) => Lines['header']) =>
  ({ header }: Lines): Partial<Lines> => ({ header: { ...header, ...members(header) } });

const without = (row: Row, name: keyof Row) =>
  Object.fromEntries(Object.entries(row).filter(([member]) => member !== name)) as Row;

/** What is edited, how, and what payctl says. The rows move 1.00 EUR and 2.00 USD. */
const FORGED: readonly (readonly [string, edit: (lines: Lines) => Partial<Lines>, said: string])[] = [
  [
    'a larger amount',
    first(() => ({ body: { amount: 70_000 } })),
    'the row "2" moves 700.00 EUR, but the plan says 1.00 EUR',
  ],
  [
    'no amount, so that all is refunded',
    first(() => ({ body: {} })),
    'its rows have another rows_without_amount than its header says',
  ],
  [
    'what it moves left out',
    ({ header, rows }) => ({
      header: { ...header, totals: { USD: '2.00' } },
      rows: rows.map((row) => (row.row === 1 ? without(row, 'moves') : row)),
    }),
    'its rows have another rows_with_unknown_amount than its header says',
  ],
  [
    'an amount that nobody counts',
    first(() => ({ body: { amount: 100, metadata: { amount: '[700]' } } })),
    'the row "2" moves another amount, but the plan says 1.00 EUR',
  ],
  [
    'the totals',
    head(() => ({ totals: { EUR: '0.01', USD: '2.00' } })),
    'its rows move 1.00 EUR and 2.00 USD, but its header says 0.01 EUR and 2.00 USD',
  ],
  [
    'another record',
    first(() => ({ arguments: { transaction_id: '../../buyers/x' } })),
    'the row "2" cannot be sent: TRANSACTION_ID must be a UUID, not "../../buyers/x"',
  ],
  [
    'an argument of no parameter',
    first(({ arguments: own }) => ({ arguments: { ...own, buyer_id: 'b1' } })),
    'the row "2" has other arguments than its command',
  ],
  [
    'another idempotency key',
    first(() => ({ idempotency_key: randomUUID() })),
    'the row "2" has another idempotency key than the plan',
  ],
  ['the number of a row', first(() => ({ row: 2 })), 'its row 1 has the number 2'],
  [
    'the hash of the requests',
    head(() => ({ requests_sha256: '0'.repeat(64) })),
    'its rows have another requests_sha256 than its header says',
  ],
  [
    'the number of records',
    head(() => ({ records: 1 })),
    'its rows have another records than its header says',
  ],
  [
    'the operation',
    head(() => ({ operation: { id: 'list_buyers', method: 'GET', path: '/buyers' } })),
    'its operation is not the one of its command',
  ],
  [
    'when it expires',
    head(() => ({ expires_at: '2999-01-01T00:00:00.000Z' })),
    'it expires later than a plan can',
  ],
  [
    'when it was made and expires',
    head(() => ({ created_at: '2998-12-31T00:00:00.000Z', expires_at: '2999-01-01T00:00:00.000Z' })),
    'it expires later than a plan can',
  ],
];

const run = async (service: BulkService, edit: (lines: Lines) => Partial<Lines>) => {
  forge(service.plan, edit);
  return await service.apply();
};

/** Gives the first row another total; the rest of what the plan states then agrees with it. */
const stating =
  (totals: Readonly<Record<string, string>>) =>
  ({ header, rows: [row, ...others] }: Lines): Partial<Lines> =>
    row ? { header: { ...header, totals }, rows: [{ ...row, moves: totals }, ...others] } : {};

it.each([
  ['transaction_id,amount\n$0,100\n', { JPY: '100' }, 'The row moves 1.00 EUR by its record'],
  ['transaction_id,amount\n$0,\n', { EUR: '0.06' }, 'The row moves 100.01 EUR by its record'],
])(
  'a row is refused whose record contradicts what the plan states: %j as %j',
  async (table, totals, said) => {
    await using service = await startBulk({ count: 1 });
    await service.planTable(table);
    forge(service.plan, stating(totals));
    expect(await service.apply()).toMatchObject({ code: 6, record: { refused: 1 } });
    expect(service.requests('POST')).toEqual([]);
    expect(service.journal()).toMatchObject([
      { state: 'refused', code: 'other_amount', message: `${said}, which is not what the plan says` },
    ]);
  },
);

describe('a plan that was edited and given a new last line', () => {
  it.each(FORGED)('is refused by bulk apply: %s', async (_, edit, said) => {
    await using service = await startBulk({ count: 2 });
    await service.planRefunds([
      [0, 100],
      [1, 200],
    ]);
    const { code, stderr } = await run(service, edit);
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: 'plan_changed', message: `"${service.plan}" was changed after it was made: ${said}` },
    });
    expect(code).toBe(2);
    expect(service.requests('POST')).toEqual([]);
  });

  const shapes: readonly (readonly [string, change: (row: Row) => unknown])[] = [
    ['is no object', () => 'row'],
    ['has no arguments', (row: Row) => without(row, 'arguments')],
    ['moves a number', (row: Row) => ({ ...row, moves: { EUR: 1 } })],
  ];
  it.each(shapes)('is no plan where a row %s', async (_, change) => {
    await using service = await startBulk({ count: 1 });
    await service.planRefunds([[0, 100]]);
    const edit = ({ rows }: Lines) => ({ rows: rows.map(change) as readonly Row[] });
    const { code, stderr } = await run(service, edit);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'plan_unreadable' } });
    expect(code).toBe(2);
  });

  it('is refused by bulk approve, too, where its description is known', async () => {
    await using service = await startBulk({ count: 2 });
    await service.planRefunds([[0, 100]]);
    forge(
      service.plan,
      first(() => ({ body: { amount: 70_000 } })),
    );
    const { stderr, code } = await service.bulk(['approve', service.plan, '--key-file', 'none', '--json']);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'plan_changed' } });
    expect(code).toBe(2);
  });
});

it.each([
  ['transaction_id,amount\n$0,\n$1,200\n', []],
  ['transaction_id,amount\n$0,100\n$0,200\n$1,1\n', ['--no-preflight']],
  ['transaction_id,amount,reason\n$0,100,"\u{1f600} ""a"""\n$1,200,\u2028\n$2,3,\n', []],
])('a plan as it was made agrees with itself: %j %j', async (table, flags) => {
  await using service = await startBulk({ count: 3 });
  await service.planTable(table, flags);
  expect((await service.apply()).code).toBe(0);
});
