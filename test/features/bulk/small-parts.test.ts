import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvRecord } from '../../../src/features/bulk/csv-file.ts';
import {
  MoneyTotals,
  readTotalFlags,
  readTotals,
  totalsText,
} from '../../../src/features/bulk/money-totals.ts';
import { inOrder } from '../../../src/features/bulk/plan/in-order.ts';
import { uuidsIn } from '../../../src/features/bulk/plan/uuid-v5.ts';
import { differenceOf, isNamedOtherwise } from '../../../src/features/bulk/reconcile/same-values.ts';
import { Fingerprint, SeenHashes } from '../../../src/text/seen-hashes.ts';
import { anyText } from '../../harness/any-text.ts';
import { propertyRuns } from '../../harness/property-runs.ts';
import { rowsOf } from './rows-of.ts';

describe('the UUID of a name', () => {
  // RFC 9562, appendix A.4, and the second one that RFC 4122 corrected; the others as Python makes them.
  const uuids = [
    ['www.example.com', '2ed6657d-e927-568b-95e1-2665a8aea6a2'],
    ['www.widgets.com', '21f7f8de-8051-5b89-8680-0195ef798b6a'],
    ['é'.repeat(100), '1d2f3336-173f-59d7-a2e0-4299659f807e'],
    ['🦊', '6743d22d-b23e-57b4-8877-72930b966df1'],
  ] as const;
  const uuidOf = uuidsIn('6ba7b810-9dad-11d1-80b4-00c04fd430c8');
  it.each([...uuids, ...uuids])('%s', (name, uuid) => {
    expect(uuidOf(name)).toBe(uuid);
  });
});

describe('a set of texts', () => {
  it('knows the number that each text was first seen with, also after it has grown', { tags: 'slow' }, () => {
    const texts = fc.array(fc.string({ maxLength: 3 }), { maxLength: 200 });
    fc.assert(
      fc.property(texts, (all) => {
        const seen = new SeenHashes();
        const first = new Map<string, number>();
        for (const [index, text] of all.entries()) {
          expect(seen.has(text)).toBe(first.has(text));
          expect(seen.add(text, index + 1)).toBe(first.get(text));
          if (!first.has(text)) first.set(text, index + 1);
        }
        expect(seen.size).toBe(first.size);
      }),
      propertyRuns(1000),
    );
    const many = new SeenHashes();
    for (let number = 1; number <= 20_000; number += 1)
      expect(many.add(`text ${number}`, number)).toBeUndefined();
    for (let number = 1; number <= 20_000; number += 1) expect(many.add(`text ${number}`, 1)).toBe(number);
    expect(many.size).toBe(20_000);
    expect(many.has('text 20001')).toBe(false);
  });
});

describe('the record that a response says a record belongs to', () => {
  it.each([
    ['PAY_1A', 'pay_1a', false],
    ['PAY_1A', 'pay_1b', true],
    ['17', 18, true],
  ])('is another one than was sent: %s and %s, %s', (sent, found, isOther) => {
    const parent = { path: ['payment_id'], value: sent };
    const row = { leaves: [], moves: undefined, parents: [parent], payment: parent };
    const record = { payment_id: found };
    expect(differenceOf(row, record) !== undefined).toBe(isOther);
    expect(isNamedOtherwise(row, record)).toBe(isOther);
  });
});

describe('a fingerprint', () => {
  const print = (...texts: readonly (readonly [text: string, place: number])[]) => {
    const found = new Fingerprint();
    for (const [text, place] of texts) found.add(text, place);
    return `${found.high} ${found.low}`;
  };

  it('is that of the texts at their places, in any order, and of the same part of another text', () => {
    expect(print(['a', 1], ['b', 2])).toBe(print(['b', 2], ['a', 1]));
    const { high, low } = new Fingerprint().add('xaby', 1, { start: 1, end: 3 });
    expect(`${high} ${low}`).toBe(print(['ab', 1]));
    const begun = new Fingerprint({ high, low }).add('c', 2);
    expect(`${begun.high} ${begun.low}`).toBe(print(['ab', 1], ['c', 2]));
    const others = [
      ...[print(['a', 1]), print(['b', 1]), print(['a', 2]), print(['a', -2]), print(['', 1]), print()],
      ...[print(['aa', 1]), print(['a', 1], ['', 2]), print(['a', 1], ['b', 2]), print(['b', 1], ['a', 2])],
      ...[print(['\u0101', 1]), print(['\u0001', 1]), print(['ab', 1]), print(['ba', 1])],
    ];
    expect(new Set(others).size).toBe(others.length);
  });

  it.each([
    ['numbers', (row: number) => new Fingerprint().add(`order-${row}`)],
    [
      'two numbers, which are often those of other rows',
      (row: number) => new Fingerprint().add(String(row % 500), 3).add(String(Math.floor(row / 500)), 5),
    ],
    [
      'words of two letters',
      (row: number) => new Fingerprint().add(String.fromCharCode(row >> 8, row & 255)),
    ],
  ])('has halves of which each is as good as chance, for %s', { tags: 'slow' }, (_, printOf) => {
    const rows = 60_000;
    const prints = Array.from({ length: rows }, (_, row) => printOf(row));
    for (const half of ['high', 'low'] as const) {
      // By chance, one pair in two runs has the same half.
      expect(new Set(prints.map((one) => one[half])).size).toBeGreaterThan(rows - 12);
      for (let bit = 0; bit < 32; bit += 1) {
        const ones = prints.filter((one) => (one[half] >>> bit) & 1).length;
        expect(Math.abs(ones - rows / 2)).toBeLessThan(1500);
      }
    }
  });
});

describe('work in order', () => {
  async function* upTo(count: number) {
    for (let item = 0; item < count; item += 1) yield item;
  }

  it('gives the results in the order of the items, and never works at more than so many', async () => {
    const delays = fc.array(fc.nat({ max: 5 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(delays, fc.integer({ min: 1, max: 8 }), async (turns, most) => {
        let running = 0;
        let highest = 0;
        const results = inOrder(upTo(turns.length), most, async (item) => {
          running += 1;
          highest = Math.max(highest, running);
          for (let turn = turns[item] ?? 0; turn > 0; turn -= 1) await Promise.resolve();
          running -= 1;
          return item;
        });
        expect(await Array.fromAsync(results)).toEqual(turns.map((_, index) => index));
        expect(highest).toBeLessThanOrEqual(most);
      }),
      propertyRuns(1000),
    );
  });

  it('ends with the first error', async () => {
    const results = inOrder(upTo(5), 3, async (item) => {
      if (item > 0) throw new Error(`item ${item}`);
      return item;
    });
    expect((await results.next()).value).toBe(0);
    await expect(results.next()).rejects.toThrow('item 1');
  });
});

describe('totals', () => {
  it('are kept by currency, to the last unit, and read back from their text', () => {
    const money = fc.record({
      minor: fc.bigInt({ min: 0n, max: 10n ** 18n }),
      currency: fc.constantFrom('EUR', 'JPY', 'KWD', 'USD'),
    });
    fc.assert(
      fc.property(fc.array(money, { maxLength: 20 }), (all) => {
        const totals = new MoneyTotals();
        totals.add(all);
        for (const { currency, minor } of totals.all()) {
          const sum = all
            .filter((one) => one.currency === currency)
            .reduce((before, one) => before + one.minor, 0n);
          expect([minor, totals.of(currency)]).toEqual([sum, sum]);
        }
        expect(readTotals(totals.toJSON())).toEqual(totals.all());
        const flags = Object.entries(totals.toJSON()).map(([currency, text]) => `${currency}=${text}`);
        expect(readTotalFlags('--max-total', flags)).toEqual(totals.all());
      }),
      propertyRuns(1000),
    );
  });

  it('are written with the digits of their currency', () => {
    const totals = new MoneyTotals();
    totals.add([
      { minor: 5n, currency: 'USD' },
      { minor: 123_456n, currency: 'EUR' },
      { minor: 10_003n, currency: 'JPY' },
      { minor: 1n, currency: 'KWD' },
    ]);
    expect(totals.toJSON()).toEqual({ EUR: '1234.56', JPY: '10003', KWD: '0.001', USD: '0.05' });
    expect(totalsText(totals.all().slice(0, 2))).toBe('1234.56 EUR and 10003 JPY');
  });

  it.each([
    ['EUR'],
    ['=1'],
    ['EUR='],
    ['EUR=1.234'],
    ['EUR=1,00'],
    ['EUR=-1.00'],
    ['JPY=1.5'],
    ['XYZQ=1'],
    ['EUR=1E3'],
  ])('are not read from %j', (text) => {
    expect(() => readTotalFlags('--max-total', [text])).toThrow(/^--max-total must be /);
  });
});

describe('a file of CSV', () => {
  it('gives back each value as it was, whatever it begins with', async () => {
    const special = fc.constantFrom(
      '"',
      ',',
      ';',
      '\t',
      '\n',
      '\r',
      '\r\n',
      ' ',
      '=',
      '-',
      '+',
      '@',
      "'",
      'a',
      '1',
    );
    const text = fc
      .oneof(
        fc.array(special, { maxLength: 6 }).map((parts) => parts.join('')),
        anyText(6),
      )
      // What no file of text can have.
      .map((one) => one.toWellFormed().replaceAll('\0', '').replaceAll('\uFEFF', ''));
    const rows = fc.array(fc.tuple(text, text, text), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(rows, async (all) => {
        const written = [['a', 'b', 'c'], ...all].map((values) => csvRecord(values)).join('');
        const read = await rowsOf(written);
        expect(read.problems.filter(({ code }) => code !== 'no_rows')).toEqual([]);
        const isBlank = (values: readonly string[]) => values.every((value) => value.trim() === '');
        const expected = all.filter((values) => !isBlank(values));
        expect(read.rows.map(({ values }) => values.map((value) => value ?? ''))).toEqual(expected);
      }),
      propertyRuns(5000),
    );
  });

  it('writes numbers, objects and what is missing', () => {
    expect(csvRecord([1, null, undefined, true, { a: 1 }, ['x']])).toBe('1,,,true,"{""a"":1}","[""x""]"\r\n');
    expect(csvRecord([undefined])).toBe('""\r\n');
  });
});
