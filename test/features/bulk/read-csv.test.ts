import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openRows } from '../../../src/features/bulk/table/read-rows.ts';
import { anyText } from '../../harness/any-text.ts';
import { propertyRuns } from '../../harness/property-runs.ts';
import { rowsOf } from './rows-of.ts';

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
const plain = (cell: string) => (/[",;\t\r\n]/.test(cell) ? quoted(cell) : cell);

const COLUMNS = ['transaction_id', 'amount', 'currency', 'reason'];
const GOOD = [
  ['tx-001', '10.00', 'EUR', 'Returned goods'],
  ['tx-002', '20.50', 'EUR', 'Wrong, size'],
  ['tx-003', '5.00', 'USD', 'Said "no"'],
  ['tx-004', '7.25', 'EUR', 'Two\nlines'],
  ['tx-005', '1.00', 'GBP', ''],
  ['tx-006', '99.99', 'EUR', 'Zürich €'],
] as const;
type Cells = readonly [id: string, amount: string, currency: string, reason: string];
type Damage = readonly [name: string, damage: (cells: Cells) => string, code: string, column?: string];

const lineOf = (cells: readonly string[]) => cells.map(plain).join(',');
const header = lineOf(COLUMNS);
const good = `${[header, ...GOOD.map(lineOf)].join('\n')}\n`;
const valuesOf = (cells: readonly string[]) => cells.map((cell) => (cell === '' ? undefined : cell));
/** The line on which the record with an ID begins, in any text. */
const lineWith = (text: string, id: string) => text.slice(0, text.indexOf(id)).split('\n').length;
/** Stands for a byte that is not UTF-8. */
const BAD_BYTE = '\uE000';
const bytesOf = (text: string) =>
  Buffer.from(Buffer.from(text).toString('latin1').replaceAll('\xEE\x80\x80', '\xE9'), 'latin1');

/** What can happen to one row, and what has to be said about it. */
const DAMAGES: readonly Damage[] = [
  ['a cell too many', (cells) => `${lineOf(cells)},more`, 'cell_count'],
  ['an empty cell too many', (cells) => `${lineOf(cells)},`, 'cell_count'],
  ['a missing cell', ([id, amount, currency]) => lineOf([id, amount, currency]), 'cell_count'],
  ['a doubled delimiter', ([id, ...rest]) => `${id},,${lineOf(rest)}`, 'cell_count'],
  ['an amount with a bare comma', ([id, , ...rest]) => `${id},1,234.56,${lineOf(rest)}`, 'cell_count'],
  ['semicolons instead of commas', ([id, amount]) => `${id};${amount};EUR;no`, 'cell_count'],
  ['tabs instead of commas', ([id, amount]) => `${id}\t${amount}\tEUR\tno`, 'cell_count'],
  ['the next row on its line', ([id, amount]) => `${id},${amount},EUR,notx-999,1.00,EUR,no`, 'cell_count'],
  ['typographic quotation marks', ([id, amount]) => `${id},${amount},EUR,“Wrong, size”`, 'cell_count'],
  ['single quotation marks', ([id, amount]) => `${id},${amount},EUR,'Wrong, size'`, 'cell_count'],
  [
    'quotation marks escaped by backslashes',
    ([id]) => `${id},1.00,EUR,"Said \\"no\\""`,
    'stray_quote',
    'reason',
  ],
  ['a quotation mark in a cell', ([id]) => `${id},1.00,EUR,5" pipe`, 'stray_quote', 'reason'],
  ['a quotation mark at the end of a cell', ([id]) => `${id},1.00",EUR,pipe`, 'stray_quote', 'amount'],
  ['text after a closing quotation mark', ([id]) => `${id},1.00,EUR,"Wrong" size`, 'stray_quote', 'reason'],
  ['a blank before a quotation mark', ([id]) => `${id},1.00,EUR, "Wrong, size"`, 'stray_quote', 'reason'],
  ['a blank after a quotation mark', ([id]) => `${id},"1.00" ,EUR,no`, 'stray_quote', 'amount'],
  ['a lone carriage return', ([id]) => `${id},1.00,EUR,Two\rlines`, 'line_break', 'reason'],
  ['one next to a cell in quotation marks', ([id]) => `${id},"1.00",EUR,Two\rlines`, 'line_break', 'reason'],
  ['a NUL', ([id]) => `${id},1.0\u00000,EUR,no`, 'nul_character', 'amount'],
  ['a byte of Latin-1', ([id]) => `${id},1.00,EUR,caf${BAD_BYTE}`, 'not_utf8', 'reason'],
  ['a cell of more than 1 MiB', ([id]) => `${id},1.00,EUR,${'é'.repeat(530_000)}`, 'cell_too_long', 'reason'],
  ...[
    '#REF!',
    '#N/A',
    '#VALUE!',
    '#DIV/0!',
    '#NAME?',
    '#NUM!',
    '#NULL!',
    '#SPILL!',
    '#WERT!',
    '#NV',
    '#####',
    'Err:502',
    '#¿NOMBRE?',
  ].map((value): Damage => [value, ([id]) => `${id},${value},EUR,"a, b"`, 'error_value', 'amount']),
];
/** What ends the rows: after these it is unclear what the file means. */
const LAST = ['stray_quote', 'not_utf8'];

describe('a damaged row is a problem, and every other one is exact', () => {
  const cases = DAMAGES.flatMap(([name, damage, code, column]) =>
    [0, 1, 3, 5].map((index) => ({ name, damage, code, column, index })),
  );

  it.each(cases)('$name in row $index', async ({ damage, code, column, index }) => {
    const lines = GOOD.map((cells, at) => (at === index ? damage(cells) : lineOf(cells)));
    const text = `${[header, ...lines].join('\n')}\n`;
    const { rows, problems } = await rowsOf(bytesOf(text));
    const [id] = GOOD[index] ?? [''];
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ line: lineWith(text, id), column, code });
    const kept = GOOD.filter((_, at) => at < index || (at > index && !LAST.includes(code)));
    expect(rows).toEqual(
      kept.map((cells) => ({
        line: lineWith(text, cells[0]),
        columns: COLUMNS,
        values: valuesOf(cells),
      })),
    );
  });

  it('a quotation mark that is never closed ends the rows', async () => {
    const text = good.replace('"Wrong, size"', '"Wrong, size');
    const { rows, problems } = await rowsOf(
      text.replaceAll('"Said ""no"""', 'no').replace('"Two\nlines"', 'two'),
    );
    expect(rows.map(({ line }) => line)).toEqual([2]);
    expect(problems).toEqual([
      {
        line: 3,
        column: 'reason',
        code: 'unclosed_quote',
        message:
          'The quotation mark at the beginning of the cell is never closed. ' +
          'No further rows are read, because it is unclear where their cells end.',
        isEnd: true,
      },
    ]);
  });

  it('a row cut by a line end is two problems', async () => {
    const { rows, problems } = await rowsOf(good.replace('10.00,', '10.00\n'));
    expect(problems.map(({ line, code }) => [line, code])).toEqual([
      [2, 'cell_count'],
      [3, 'cell_count'],
    ]);
    expect(rows).toHaveLength(5);
  });

  it('all problems are reported, with what to do about them', async () => {
    const text = `id,amount\n1\n2,3,4${','.repeat(2000)}\n5,#REF!\n6,"7"8\n9,1"0\n`;
    const { rows, problems } = await rowsOf(text);
    expect(rows).toEqual([]);
    const quotes =
      'The cell contains a quotation mark that is not doubled. Put the cell in quotation marks, and double ' +
      'each one within it ("5"" pipe"). No further rows are read, because it is unclear where their cells end.';
    expect(problems.map(({ line, column, message }) => [line, column, message])).toEqual([
      [2, undefined, 'The row has 1 cell, but the header has 2. An empty cell needs a delimiter, too.'],
      [
        3,
        undefined,
        'The row has more than 1000 cells, but the header has 2. Put a cell that contains a comma in quotation marks.',
      ],
      [4, 'amount', '"#REF!" is a spreadsheet error, not a value. Correct it in the spreadsheet.'],
      [5, 'amount', quotes],
      [6, 'amount', quotes],
    ]);
  });
});

describe('a file is refused', () => {
  it.each([
    ['UTF-16, little-endian', Buffer.from(`\uFEFF${good}`, 'utf16le'), 'not_utf8', /UTF-16.*iconv -f utf-16/],
    ['UTF-16, big-endian', Buffer.from(`\uFEFF${good}`, 'utf16le').swap16(), 'not_utf8', /UTF-16/],
    ['UTF-16 without a mark', Buffer.from(good, 'utf16le'), 'not_utf8', /UTF-16/],
    ['a NUL in a column name', 'id,am\0ount\n1,2\n', 'nul_character', /"am␀ount" contains a NUL/],
    ['a workbook', Buffer.from('PK\u0003\u0004...'), 'not_text', /workbook/],
    ['an empty file', '', 'no_rows', /empty/],
    ['a blank file', '\uFEFF \r\n\t\n', 'no_rows', /empty/],
    ['a header alone', header, 'no_rows', /no rows/],
    ['blank rows alone', `${header}\n,,,\n ,\t,,\n`, 'no_rows', /no rows/],
    [
      'two delimiters in the header',
      'id;amount,currency\n1;2\n',
      'unclear_delimiter',
      /more than one of comma/,
    ],
    ['two columns of one name', 'id,amount,id\n1,2,3\n', 'duplicate_column', /Two columns are named "id"/],
    ['a column without a name', 'id,,b\n1,2,3\n', 'empty_column_name', /The column after "id" has no name/],
    ['a blank column name at the end', 'id,amount, \n1,2,\n', 'empty_column_name', /after "amount"/],
    ['a control character twice', 'a\u001B[2J,a\u001B[2J\n1,2\n', 'duplicate_column', /"a␛\[2J"/],
    ['a header with a wrong quotation mark', 'id,am"ount\n1,2\n', 'stray_quote', /quotation mark/],
    [
      'a header with too many columns',
      `${Array.from({ length: 1001 }, (_, n) => `c${n}`)}\n1\n`,
      'too_many_columns',
      /1000/,
    ],
    ['a row of more than 8 MiB', `a,b\n"${'x'.repeat(8 * 1024 * 1024)}",1\n2,3\n`, 'row_too_long', /8 MiB/],
  ])('%s', async (_, input, code, message) => {
    const { rows, problems } = await rowsOf(input);
    expect(rows).toEqual([]);
    expect(problems[0]).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(problems).toHaveLength(1);
  });

  it('after a thousand problems', async () => {
    const { rows, problems } = await rowsOf(`a,b\n${'1\n'.repeat(1500)}1,2\n`);
    expect(rows).toEqual([]);
    expect(problems).toHaveLength(1001);
    expect(problems.at(-1)).toEqual({
      line: 1002,
      column: undefined,
      code: 'too_many_problems',
      message: 'There are more than 1000 problems. No further rows were read.',
      isEnd: true,
    });
  });
});

describe('a file is read', () => {
  const whole = GOOD.map(valuesOf);
  const all = [header, ...GOOD.map(lineOf)];

  it.each([
    ['as it is', good],
    ['with a byte order mark', `\uFEFF${good}`],
    ['without a line end at its end', good.trimEnd()],
    ['with lines of Windows', all.join('\r\n')],
    ['with lines of an old Mac', all.join('\r')],
    ['with different ends of lines', good.replace('EUR,Returned goods\n', 'EUR,Returned goods\r\n')],
    [
      'with blank lines around and between its rows',
      `\n , ,\n${all.join('\n\n,,,\n')}\n,,,,,,\n \t\n""," "\n`,
    ],
    [
      'with every cell in quotation marks',
      [COLUMNS, ...GOOD].map((cells) => cells.map(quoted).join(',')).join('\n'),
    ],
    ['with semicolons', [COLUMNS, ...GOOD].map((cells) => cells.map(plain).join(';')).join('\n')],
    ['with tabs', [COLUMNS, ...GOOD].map((cells) => cells.map(plain).join('\t')).join('\n')],
  ])('%s', async (_, text) => {
    const { format, columns, rows, problems } = await rowsOf(text);
    expect({ format, columns, problems }).toEqual({ format: 'csv', columns: COLUMNS, problems: [] });
    expect(rows.map(({ values }) => values)).toEqual(whole);
  });

  it.each([
    ['lines of Windows', `\uFEFF${all.join('\r\n')}`],
    ['blank lines before its header', '\r\n\t;\r\nid;"a,\n""b"""\r\n1;2'],
    ['lines of an old Mac', '\r\ra,b\r1,"2\n3"\r'],
    ['wrong quotation marks', 'a,b\n1,2\n3,x"y\n4,z"\n5,""6\n7,8\n'],
  ])('with %s, wherever it is cut', { tags: 'slow' }, async (_, text) => {
    const expected = await rowsOf(text);
    const line = text.split(/\r\n|\r|\n/).findIndex((start) => /^(?:1|tx)/.test(start)) + 1;
    expect(expected.rows[0]?.line).toBe(line);
    for (let at = 0; at <= Buffer.byteLength(text); at += 1) {
      expect(await rowsOf(text, { cuts: [at] })).toEqual(expected);
    }
    expect(await rowsOf(text, { cuts: Array.from(text, () => 1) })).toEqual(expected);
  });

  it('with any texts, which come back as they were written', async () => {
    const special = fc.constantFrom(
      '"',
      '""',
      ',',
      ';',
      '\t',
      '\r',
      '\n',
      '\r\n',
      ' ',
      '\u001B[31m',
      "'",
      '#',
      '\uFEFF',
      '',
    );
    const cell = fc
      .array(fc.oneof(special, anyText(5)), { maxLength: 4 })
      .map((parts) => parts.join('').toWellFormed().replaceAll('\0', ''));
    const tables = fc
      .integer({ min: 2, max: 4 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }),
      );
    const layout = fc.record({
      delimiter: fc.constantFrom(',', ';', '\t'),
      lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
      mark: fc.constantFrom('', '\uFEFF'),
      isAllQuoted: fc.boolean(),
      endsWithLine: fc.boolean(),
    });
    const cuts = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(tables, layout, cell, cuts, async (table, options, name, lengths) => {
        const columns = (table[0] ?? []).map((_, index) => `c${index}${name}`);
        const write = options.isAllQuoted ? quoted : plain;
        const lines = [columns, ...table].map((cells) => cells.map(write).join(options.delimiter));
        const end = options.endsWithLine ? options.lineEnd : '';
        const text = options.mark + lines.join(options.lineEnd) + end;
        const { rows, problems } = await rowsOf(text, { cuts: lengths });
        const kept = table.filter((cells) => cells.some((text) => text.trim() !== ''));
        expect(rows.map((row) => row.values)).toEqual(kept.map(valuesOf));
        expect(rows.every((row) => row.columns.join('\0') === columns.join('\0'))).toBe(true);
        expect(problems.map(({ code }) => code)).toEqual(kept.length === 0 ? ['no_rows'] : []);
      }),
      propertyRuns(2000),
    );
  });

  it.each(['\n', '\r\n', '\r'])(
    'in many rows at once, plain and other ones, with %j',
    { tags: 'slow' },
    async (lineEnd) => {
      const other = ['"a,b"', '"two\nlines"', 'Zürich', 'tab\there', `"${'long'.repeat(2000)}"`, ''];
      const wide = Array.from({ length: 120 }, (_, index) => `c${index}`);
      const table = Array.from({ length: 1000 }, (_, row) =>
        wide.slice(0, 3).map((name) => (row % 97 === 0 ? (other[(row / 97) % 6] ?? '') : `${name} ${row}`)),
      );
      for (const columns of [wide.slice(0, 3), wide]) {
        const rest = columns.slice(3).map(() => 'x');
        const lines = [columns, ...table.map((cells) => [...cells, ...rest])].map((cells) => cells.join(','));
        const { rows, problems } = await rowsOf(lines.join(lineEnd));
        const read = (cell: string) => (cell.startsWith('"') ? cell.slice(1, -1) : cell);
        const kept = table.filter((cells) => rest.length > 0 || cells[0] !== '');
        expect(problems).toEqual([]);
        expect(rows.map(({ values }) => values)).toEqual(
          kept.map((cells) => valuesOf([...cells.map(read), ...rest])),
        );
      }
    },
  );

  it('with its ignored columns, which may contain anything', async () => {
    const { rows, problems } = await rowsOf('id,note,amount\n1,#REF!,2\n', { ignored: ['note'] });
    expect(problems).toEqual([]);
    expect(rows).toEqual([{ line: 2, columns: ['id', 'note', 'amount'], values: ['1', '#REF!', '2'] }]);
  });
});

describe('an input', () => {
  const { signal } = new AbortController();
  const stdin = () => ({ async *[Symbol.asyncIterator]() {} });

  it('that cannot be read is an error that names it', async () => {
    const missing = openRows(join(import.meta.dirname, 'missing.csv'), { stdin, signal });
    await expect(missing).rejects.toMatchObject({
      code: 'unreadable_file',
      message: expect.stringMatching(/^--from cannot read .*missing\.csv: no such file or directory$/),
    });
    const folder = openRows(import.meta.dirname, { stdin, signal });
    await expect(folder).rejects.toThrow(/: it is a directory$/);
  });

  it.each([
    ['when its reader stops', 'a,b\n', { line: 2, columns: ['a', 'b'], values: ['1', '2'] }],
    ['when it is refused', 'PK\u0003\u0004', { line: 1, code: 'not_text' }],
  ])('is let go %s', async (_, head, first) => {
    let isOpen = true;
    async function* endless(): AsyncGenerator<Uint8Array, void, undefined> {
      try {
        yield Buffer.from(head);
        for (;;) yield Buffer.from('1,2\n');
      } finally {
        isOpen = false;
      }
    }
    const source = await openRows('-', { stdin: endless, signal });
    for await (const [item] of source.batches()) {
      expect(item).toMatchObject(first);
      break;
    }
    expect(isOpen).toBe(false);
  });

  it('has the columns of a header without a line end', async () => {
    expect(await rowsOf('a,b')).toMatchObject({ columns: ['a', 'b'], problems: [{ code: 'no_rows' }] });
  });
});
