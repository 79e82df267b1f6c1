import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountCell } from '../../../src/cli/show/cells.ts';
import { readSortOrder, SortingWriter } from '../../../src/cli/show/sorted-list.ts';
import { parseShownJson, stringifyExactJson } from '../../../src/json/exact.ts';
import type { Column } from '../../../src/output/columns.ts';
import { createListPage, type ListPage, type ListWriter } from '../../../src/output/list-page.ts';
import { anyText } from '../../harness/any-text.ts';
import { propertyRuns } from '../../harness/property-runs.ts';

const COLUMNS: readonly Column[] = [
  { header: 'VALUE', path: 'v' },
  { header: 'AMOUNT', path: 'amount', format: 'number', cell: amountCell('amount') },
];

/** What a writer is given, of pages whose items are these JSON texts. */
async function sorted(order: string, pages: readonly (readonly string[])[], mostItems?: number) {
  const given: ListPage[] = [];
  const full: number[] = [];
  const writer: ListWriter = {
    page: async (page) => void given.push(page),
    end: async () => {},
  };
  const read = readSortOrder(order, { columns: COLUMNS });
  if (!read) throw new Error('there is no column');
  const options = { ...read, onFull: (count: number) => void full.push(count) };
  const sorting = new SortingWriter(writer, mostItems === undefined ? options : { ...options, mostItems });
  for (const [index, texts] of pages.entries()) {
    const rest = `"limit":2,"next_cursor":"n${index}","previous_cursor":"p${index}"`;
    await sorting.page(createListPage(`{"items":[${texts.join(',')}],${rest}}`, texts));
  }
  await sorting.end({ nextCursor: null });
  return { given, full, texts: given.flatMap((page) => page.texts()) };
}

/** The values of a list of one member, as JSON, in the order of `order`. */
async function values(order: string, ...jsons: readonly string[]) {
  const { texts } = await sorted(order, [jsons.map((json) => `{"v":${json}}`)]);
  return texts.map((text) => text.slice('{"v":'.length, -1));
}

describe('a sorted list', () => {
  it.each([
    ['numbers', ['-2', '-1.5', '0', '1e-3', '0.25', '9', '10', '1e2']],
    ['integers of any length', ['9007199254740992', '9007199254740993', '90071992547409930']],
    ['decimals in texts', ['"-3.10"', '"1.25"', '"1.5"', '"10.00"']],
    [
      'times, by their instants',
      ['"2026-03-01T12:00:00+02:00"', '"2026-03-01T10:30:00Z"', '"2026-03-01T05:31:00-05:00"'],
    ],
    [
      'times as mail has them',
      [
        '"Tue, 24 Nov 2026 12:00:00 +0200"',
        '"Tue, 24 Nov 2026 10:30:00 +0000"',
        '"Mon, 7 Dec 2026 01:00:00 GMT"',
      ],
    ],
    ['fractions of a millisecond', ['"2026-03-01T10:00:00.000123Z"', '"2026-03-01T10:00:00.000124Z"']],
    ['months of expiry', ['"12/25"', '"01/26"', '"02/2027"']],
    ['texts, digits as numbers', ['"\u00C4pfel"', '"apples"', '"item 2"', '"item 10"', '"Zebra"']],
    ['yes and no', ['false', 'true']],
    ['what is not alike', ['7', '"2026-03-01T10:00:00Z"', '"a"']],
  ])('has %s in order', async (_kind, ordered) => {
    expect(await values('VALUE', ...ordered.toReversed())).toEqual(ordered);
    expect(await values('-v', ...ordered)).toEqual(ordered.toReversed());
  });

  it('has what is missing last, and what is equal in the order of the service, in both directions', async () => {
    const items = ['{"v":null,"n":1}', '{"v":2,"n":1}', '{"n":2}', '{"v":2,"n":2}', '{"v":1}', '{"v":""}'];
    expect((await sorted('v', [items])).texts).toEqual([4, 1, 3, 0, 2, 5].map((at) => items[at]));
    expect((await sorted('-v', [items])).texts).toEqual([1, 3, 4, 0, 2, 5].map((at) => items[at]));
  });

  it('has amounts by what they are in the unit of their currency', async () => {
    const amounts = [
      '{"amount":400,"currency":"JPY"}',
      '{"amount":90071992547409931,"currency":"EUR"}',
      '{"amount":500,"currency":"EUR"}',
      '{"amount":4999,"currency":"BHD"}',
    ];
    const { texts } = await sorted('AMOUNT', [amounts]);
    expect(texts).toEqual([3, 2, 0, 1].map((at) => amounts[at]));
  });

  it('is one page of all items, between the cursors of the first and of the last', async () => {
    const { given } = await sorted('v', [['{"v":3}', '{"v": 1.0}'], ['{"v":2}']]);
    expect(given.map(({ text }) => text)).toEqual([
      '{"items":[{"v": 1.0},{"v":2},{"v":3}],"limit":2,"next_cursor":"n1","previous_cursor":"p0"}',
    ]);
    expect(given[0]?.items.map((item) => stringifyExactJson(item))).toEqual([
      '{"v":1.0}',
      '{"v":2}',
      '{"v":3}',
    ]);
    expect((await sorted('v', [])).given).toEqual([]);
  });

  it('is sorted up to a number of items, which it tells, and goes on as the rest comes', async () => {
    const { texts, full } = await sorted(
      'v',
      [['{"v":3}'], ['{"v":2}', '{"v":4}'], ['{"v":1}'], ['{"v":0}']],
      3,
    );
    expect(texts).toEqual(['{"v":2}', '{"v":3}', '{"v":4}', '{"v":1}', '{"v":0}']);
    expect(full).toEqual([3]);
  });

  it('holds every item of any list once, and sorting it again changes nothing', {
    tags: 'slow',
  }, async () => {
    const json = fc.oneof(
      fc.json({ maxDepth: 2 }),
      fc.bigInt().map(String),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
      fc.date({ noInvalidDate: true }).map((date) => JSON.stringify(date)),
      anyText().map((text) => JSON.stringify(text)),
      fc.constantFrom('1e999', '-1e-999', '"1e5"', '" "', '"\\ud800"', '"00/12"'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(json, { maxLength: 30 }), fc.constantFrom('v', '-v'), async (list, order) => {
        const once = await values(order, ...list);
        expect(once.toSorted()).toEqual(list.toSorted());
        expect(await values(order, ...once)).toEqual(once);
        for (const text of once) expect(() => parseShownJson(text)).not.toThrow();
      }),
      propertyRuns(1000),
    );
  });

  it('has integers of any length in the order of their values', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n })), async (numbers) => {
        const ordered = numbers.toSorted((one, other) => (one < other ? -1 : Number(one > other)));
        expect(await values('v', ...numbers.map(String))).toEqual(ordered.map(String));
      }),
      propertyRuns(1000),
    );
  });
});
