import { describe, expect, it } from 'vitest';
import type { ColumnKind } from '../../../src/descriptions/column-kinds.ts';
import { columnsOf, nounOf } from '../../../src/features/api/list-look.ts';
import { cellText, formatCell, formatOf, pathsOf, valueAt } from '../../../src/output/columns.ts';

/** What a table shows of an item in a column of this kind. */
function shown(path: string, kind: ColumnKind, item: Record<string, unknown>) {
  const columns = columnsOf({ columns: [path, 'currency'], columnKinds: { [path]: kind }, fields: [] });
  const [column] = columns;
  if (!column) throw new Error('there is no column');
  return { text: cellText(item, column), format: formatOf(column), count: columns.length };
}

it.each([
  ['/buyers/gift-cards?limit=5', 'gift cards'],
  ['/Accounts/{Sid}/Calls.json', 'Calls'],
  ['/{id}', 'items'],
])('the items of %s are called %s', (path, noun) => {
  expect(nounOf({ path })).toBe(noun);
});

it('calls the items of a list below a collection what those of the collection are called', () => {
  expect(nounOf({ path: '/gift-cards/pagination', action: 'list', resource: '/gift-cards' })).toBe(
    'gift cards',
  );
});

describe('columnsOf', () => {
  it.each([
    ['a', 'a'],
    [5, '5'],
    [null, ''],
    [{ a: 1, b: ['x', 'y'] }, 'a: 1, b: (x, y)'],
  ])('shows an item as a whole where the description gives it no fields: %j', (item, text) => {
    const [column, ...others] = columnsOf({ columns: [], fields: [], isList: true });
    if (!column || others.length > 0) throw new Error('there is not one column');
    expect([column.header, cellText(item, column)]).toEqual(['VALUE', text]);
    expect(valueAt(item, column.path)).toBe(typeof item === 'object' ? undefined : item);
  });

  it.each([
    ['amount', { total: 1299, currency: 'USD' }, '12.99 USD'],
    ['amount', { total: 1299, currency: 'JPY' }, '1299 JPY'],
    ['amount', { total: null, currency: 'USD' }, ''],
    ['amount', { total: 1299 }, '1299'],
    ['major-amount', { total: 12, currency: 'USD' }, '12 USD'],
    ['major-amount', { total: 12.5, currency: 'USD' }, '12.5 USD'],
  ] as const)('shows an amount with its currency in one column: %s of %j', (kind, item, text) => {
    expect(shown('total', kind, item)).toEqual({ text, format: 'number', count: 1 });
  });

  it.each([
    ['seconds', 1_758_061_279, '2025-09-16T22:21:19Z'],
    ['seconds', 1_758_061_279n, '2025-09-16T22:21:19Z'],
    ['milliseconds', 1_758_061_279_967, '2025-09-16T22:21:19Z'],
    ['seconds', 0, '0'],
    ['seconds', 86_400, '86400'],
    ['seconds', 1_758_061_279_967, '1758061279967'],
    ['seconds', 99_999_999_999_999_999_999n, '99999999999999999999'],
    ['seconds', 1_758_061_279.5, '1758061279.5'],
    ['seconds', 'soon', 'soon'],
    ['seconds', null, ''],
    ['time', '2025-09-16T22:21:19Z', '2025-09-16T22:21:19Z'],
  ] as const)('shows a time of %s as a time if it is one: %s', (kind, value, text) => {
    expect(shown('created', kind, { created: value })).toMatchObject({ text, format: 'time' });
  });

  it('leaves the values of both as they were sent in formats for programs', () => {
    const columns = columnsOf({
      columns: ['total', 'currency', 'created'],
      columnKinds: { total: 'amount', created: 'seconds' },
      fields: [],
    });
    const item = { total: 1299, currency: 'USD', created: 1_758_061_279 };
    expect(pathsOf(columns).map((path) => [path, formatCell(valueAt(item, path))])).toEqual([
      ['total', '1299'],
      ['currency', 'USD'],
      ['created', '1758061279'],
    ]);
  });
});

it('names columns in words, without what only groups fields', () => {
  const columns = ['id', 'attributes.label', 'lastUpdated', 'metadata.name', 'name', 'buyer.name'];
  const headers = columnsOf({ columns, fields: [] }).map(({ header }) => header);
  expect(headers).toEqual(['ID', 'LABEL', 'LAST UPDATED', 'METADATA', 'NAME', 'BUYER']);
});

it('leaves out of the name of a column the member that has the record in each item', () => {
  const columns = [
    'customer.id',
    'customer.balance',
    'customer.currency',
    'customer.created_at',
    'customer.plan.name',
  ];
  const headers = columnsOf({ columns, fields: columns, record: { item: 'customer' } }).map(
    ({ header }) => header,
  );
  expect(headers).toEqual(['ID', 'BALANCE', 'CREATED AT', 'PLAN']);
});

it.each([
  ['amount_cents', 'amount_currency', 'AMOUNT'],
  ['feeInCents', 'currency', 'FEE'],
  ['total_minor_units', 'currency', 'TOTAL'],
  ['amount_cents', 'note', 'AMOUNT CENTS'],
])('names %s beside %s %s, as its amounts are shown in the major unit', (path, other, header) => {
  expect(columnsOf({ columns: [path, other], fields: [] })[0]?.header).toBe(header);
});
