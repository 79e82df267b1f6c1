import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CellKind, spreadsheetProblem } from '../../../src/features/bulk/table/spreadsheet-problem.ts';

describe('what a spreadsheet did to a cell', () => {
  const PLAIN = 'Write it without thousands separators, such as 1234.56.';
  const LOST =
    'is in scientific notation, so its last digits may be lost. ' +
    'Copy the value from its source, and format the column as text in the spreadsheet.';
  const NEGATIVE =
    'is not a plain negative number. Write it with a hyphen before the digits, such as -12.00.';
  const COMMA = 'has a comma, which may be a decimal or a thousands separator.';

  it.each([
    ['1E+05', 'amount', LOST],
    ['1.23457E+15', 'integer', LOST],
    ['1,23457E+15', 'text', LOST],
    ['1e5', 'number', LOST],
    ['1.23E+05EUR', 'amount', LOST],
    ['EUR 1E+05', 'number', LOST],
    ['1.234,56', 'amount', `is not a plain number. ${PLAIN}`],
    ['1,234.56', 'amount', `is not a plain number. ${PLAIN}`],
    ["1'234.56", 'amount', `is not a plain number. ${PLAIN}`],
    ['1,234,567', 'integer', 'is not a plain number. Write it without thousands separators, such as 1234.'],
    ['1234,5', 'amount', 'has a decimal comma. Write it with a point: 1234.5.'],
    ['-5,00', 'number', 'has a decimal comma. Write it with a point: -5.00.'],
    ['5,00', 'integer', `${COMMA} Write it without thousands separators, such as 1234.`],
    ['1,234', 'number', `${COMMA} ${PLAIN}`],
    ['1 234.56', 'amount', `has spaces between its digits. ${PLAIN}`],
    ['1\u00A0234,56', 'amount', `has spaces between its digits. ${PLAIN}`],
    ['1\u2009234', 'amount', `has spaces between its digits. ${PLAIN}`],
    ['1\u202F234', 'amount', `has spaces between its digits. ${PLAIN}`],
    [' 12.00', 'amount', 'has spaces around the number. Remove them.'],
    ['12.00\u00A0', 'amount', 'has spaces around the number. Remove them.'],
    ["'12.00", 'amount', 'begins with an apostrophe, which spreadsheets use to mark text. Remove it.'],
    ["'0012", 'text', 'begins with an apostrophe, which spreadsheets use to mark text. Remove it.'],
    ["'-5 % discount", 'text', 'begins with an apostrophe, which spreadsheets use to mark text. Remove it.'],
    ['(12.00)', 'amount', NEGATIVE],
    ['12.00-', 'amount', NEGATIVE],
    ['\u221212.00', 'amount', NEGATIVE],
    ['12.00 €', 'amount', 'has a currency. Write it such as 1234.56EUR.'],
    ['$12.00', 'amount', 'has a currency. Write it such as 1234.56EUR.'],
    ['EUR 12.00', 'number', 'has a currency. Write only the number.'],
    ['12.00EUR', 'integer', 'has a currency. Write only the number.'],
    ['12%', 'number', 'is a percentage. Write only the number.'],
    ['+12', 'integer', 'has a plus sign. Remove it.'],
    ['١٢', 'integer', 'has digits other than 0 to 9.'],
    ['+1.00EUR', 'amount', 'has a plus sign. Remove it.'],
    ['１.00EUR', 'amount', 'has digits other than 0 to 9.'],
    ['\u22121.00EUR', 'amount', NEGATIVE],
    ['#REF!', 'text', 'is a spreadsheet error, not a value. Correct it in the spreadsheet.'],
    ['#DIV/0!', 'amount', 'is a spreadsheet error, not a value. Correct it in the spreadsheet.'],
  ] satisfies [string, CellKind, string][])('%j as %s', (text, kind, problem) => {
    const [, said] = /^"[^"]*" (.*)$/.exec(spreadsheetProblem(text, kind) ?? '') ?? [];
    expect(said).toBe(problem);
  });

  it.each([
    ['$5.00', 'USD', 'Write it as 5.00USD.'],
    ['5.00 €', 'eur', 'Write it as 5.00EUR.'],
    ['$5.00', 'EUR', 'Write it such as 1234.56EUR.'],
    ['$1,234.00', 'USD', 'Write it such as 1234.56EUR.'],
  ])('names the amount %s in %s', (text, currency, remedy) => {
    expect(spreadsheetProblem(text, 'amount', currency)).toBe(`"${text}" has a currency. ${remedy}`);
  });

  it('is shown without control characters', () => {
    expect(spreadsheetProblem('1\u009B 2', 'amount')).toBeUndefined();
    expect(spreadsheetProblem('1 2\u001B[2J€', 'amount')).toBe(
      '"1 2␛[2J€" has a currency. Write it such as 1234.56EUR.',
    );
  });
});

describe('nothing was done to', () => {
  it.each([
    ['an ID of letters and digits', '1e5f', 'text'],
    ['digits with an E', '1E5', 'text'],
    ['a name with an apostrophe', "'t Hart", 'text'],
    ['a decade', "'90s hits", 'text'],
    ['a number for people in a text', '1.234,56 €', 'text'],
    ['a text with a sharp', '#REF', 'text'],
    ['an empty cell', '', 'amount'],
    ['a zero at the beginning', '007', 'integer'],
    ['a word, which the check of the type refuses', 'ten', 'amount'],
  ] satisfies [string, string, CellKind][])('%s', (_, text, kind) => {
    expect(spreadsheetProblem(text, kind)).toBeUndefined();
  });

  it('any plain number', () => {
    const number = fc.stringMatching(/^-?\d{1,20}(?:\.\d{1,10})?$/);
    const kinds = fc.constantFrom<CellKind>('text', 'integer', 'number', 'amount');
    fc.assert(fc.property(number, kinds, (text, kind) => spreadsheetProblem(text, kind) === undefined));
  });
});
