import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FORMATS } from '../../../src/output/formats.ts';
import { pageOfValues } from '../../../src/output/list-page.ts';
import { anyText } from '../../harness/any-text.ts';
import { propertyRuns } from '../../harness/property-runs.ts';
import { printList } from '../print-list.ts';
import { buyerColumns, sampleBuyer, samplePage } from '../sample-buyers.ts';

const nameColumns = [
  { header: 'ID', path: 'id' },
  { header: 'NAME', path: 'name' },
];

async function print(
  pages: readonly (readonly unknown[])[],
  options: Parameters<typeof printList>[1] = {},
  width?: number,
): Promise<string> {
  const asked = { format: FORMATS.csv, columns: nameColumns, width, ...options };
  return (
    await printList(
      pages.map((items) => samplePage(items)),
      asked,
    )
  ).text;
}

/** A strict reader of RFC 4180, to check the writer against. */
function readCsv(text: string): string[][] {
  const records: string[][] = [];
  let rest = text;
  while (rest !== '') {
    const record: string[] = [];
    for (;;) {
      const match = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(rest);
      if (match === null) throw new Error(`not CSV: ${JSON.stringify(rest.slice(0, 80))}`);
      record.push((match[1] ?? match[2] ?? '').replaceAll('""', '"'));
      rest = rest.slice(match[0].length);
      if (match[3] === '\r\n') break;
    }
    records.push(record);
  }
  return records;
}

/** The parts of a cell that a spreadsheet would run, at its beginning and after what it may take for a separator. */
function formulasIn(cell: string): string[] {
  const starts = /^[\s"`[{(]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/;
  const number = /^\s*[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\s*$/;
  const parts = cell.split(/[;\t\r\n]/);
  const bad = parts.filter((part) => starts.test(part) && !number.test(part));
  return /^[\t\r\n]/.test(cell) ? [cell, ...bad] : bad;
}

describe('csv', () => {
  it('has one header, one record an item over all pages, and CRLF line ends', async () => {
    const printed = await print([[sampleBuyer(1)], [sampleBuyer(2)]], { columns: buyerColumns });
    expect(printed).toBe(
      'id,display_name,external_identifier,billing_details.email_address,created_at\r\n' +
        '8a1b2c3d-4e5f-6071-8293-000000000001,Ada Lovelace 1,customer-1,ada1@example.com,2026-03-01T14:05:59.123+00:00\r\n' +
        '8a1b2c3d-4e5f-6071-8293-000000000002,Ada Lovelace 2,customer-2,ada2@example.com,2026-03-01T14:05:59.123+00:00\r\n',
    );
  });

  it('is its header alone for an empty list, and nothing without header or page', async () => {
    expect(await print([[]])).toBe('id,name\r\n');
    expect(await print([[]], { header: false })).toBe('');
    expect(await print([])).toBe('');
  });

  it.each([
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\r\nlines', '"two\r\nlines"'],
    ['a\tb', '"a\tb"'],
    [' padded ', '" padded "'],
    ['a;=1', `"a;'=1"`],
    ['a\n- b', `"a\n'- b"`],
    ['a;-5;+47221234', '"a;-5;+47221234"'],
    [' =1', `' =1`],
    ['"=1"', `"'""=1"""`],
    ["'=1", "'=1"],
    ['a, =1', '"a, =1"'],
    ['-1e400', '-1e400'],
    ['=1+1', "'=1+1"],
    ['=HYPERLINK("http://evil","x")', `"'=HYPERLINK(""http://evil"",""x"")"`],
    ['+cmd', "'+cmd"],
    ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', `"'\t'=1"`],
    ['\r=1', `"'\r'=1"`],
    ['\tx', `"'\tx"`],
    ['＝1+1', "'＝1+1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠x', "'＠x"],
    ['-5', '-5'],
    ['-5.25', '-5.25'],
    ['+442079460000', '+442079460000'],
    ['-', "'-"],
    ['\u001B[31m', '␛[31m'],
    ['a\u202Eb', 'a<U+202E>b'],
    ['\u0000=1', '␀=1'],
  ])('writes %j as %j', async (name, field) => {
    expect(await print([[{ id: 'b1', name }]], { header: false })).toBe(`b1,${field}\r\n`);
  });

  it.each([
    [-5, '-5'],
    [12345678901234567890n, '12345678901234567890'],
    [true, 'true'],
    [null, ''],
    [['a', 'b'], '"a, b"'],
    [['=HYPERLINK("x")', '+cmd', '-5'], `"'=HYPERLINK(""x""), '+cmd, -5"`],
    [[['=1']], `"'[[""=1""]]"`],
    [{ a: '=1' }, '"{""a"":""=1""}"'],
    [['=1', 2], `"'[""=1"",2]"`],
  ])('writes the value %o as %j', async (name, field) => {
    const items = [{ id: 'b1', name }];
    const page = pageOfValues(items);
    const { text } = await printList([page], { format: FORMATS.csv, columns: nameColumns, header: false });
    expect(text).toBe(`b1,${field}\r\n`);
  });

  it('defuses a formula in the name of a field', async () => {
    expect(await print([[]], { columns: [{ header: 'X', path: '=1+1' }] })).toBe("'=1+1\r\n");
  });

  it('shows line ends as stand-ins on a terminal', async () => {
    expect(await print([[{ id: 'b1', name: 'a\r\nb' }]], { header: false }, 80)).toBe('b1,a␍␊b\r\n');
  });

  it('gives a strict reader one record an item, for any text', async () => {
    const text = fc.oneof(
      anyText(),
      fc.array(fc.constantFrom('"', ',', '\r', '\n', '=', "'", '\u001B')).map((parts) => parts.join('')),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 5 }), async (names) => {
        const records = readCsv(await print([names.map((name, id) => ({ id, name }))], { header: false }));
        expect(records.map((record) => record[0])).toEqual(names.map((_, id) => String(id)));
        for (const [, name] of records) expect(formulasIn(name ?? '')).toEqual([]);
      }),
    );
  });

  it('runs no formula, however a value is nested and however a spreadsheet takes the line apart', async () => {
    const start = fc.constantFrom('', ' ', '"', "'", '[', '\t', '\n', ';', 'a;', 'x\r\n ', '\u00a0');
    const formula = fc.constantFrom('=1+1', '+cmd', '-2+3', '@SUM(A1)', '\uFF1D1', '=', '-5', 'text');
    const text = fc.tuple(start, formula, start).map((parts) => parts.join(''));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        text,
        fc.double(),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(text, tie('value'), { maxKeys: 3 }),
        fc.array(text, { maxLength: 3 }),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(value, text, async (name, path) => {
        const columns = [...nameColumns, { header: path, path }];
        const records = readCsv(await print([[{ id: 'b1', name, [path]: name }]], { columns }));
        for (const cell of records.flat()) expect(formulasIn(cell)).toEqual([]);
        const elements = Array.isArray(name) && name.every((part) => typeof part === 'string') ? name : [];
        for (const part of elements.length > 0 ? (records[1]?.[1]?.split(', ') ?? []) : []) {
          expect(formulasIn(part)).toEqual([]);
        }
      }),
      propertyRuns(500),
    );
  });
});
