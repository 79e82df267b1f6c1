import { describe, expect, it } from 'vitest';
import { stringifyExactJson } from '../../../src/json/exact.ts';
import { rowsOf } from './rows-of.ts';

const ROWS = [
  '{"id":"tx-001","amount":10.50,"metadata":{"order":"Zürich","empty":{}}}',
  '{"id":"tx-002","amount":12345678901234567890,"metadata":{"order":null,"empty":{}}}',
  '{"id":"tx-003","tags":["a",{"b":1}]}',
  '{"id":"tx-004","metadata":{"a.b":1,"c[0]":2,"d\\\\":3,"e=f":4}}',
];
const EXPECTED = [
  { columns: ['id', 'amount', 'metadata.order', 'metadata.empty'], values: '["tx-001",10.50,"Zürich",{}]' },
  {
    columns: ['id', 'amount', 'metadata.order', 'metadata.empty'],
    values: '["tx-002",12345678901234567890,null,{}]',
  },
  { columns: ['id', 'tags'], values: '["tx-003",["a",{"b":1}]]' },
  {
    columns: ['id', 'metadata.a\\.b', 'metadata.c\\[0\\]', 'metadata.d\\\\', 'metadata.e=f'],
    values: '["tx-004",1,2,3,4]',
  },
];

describe('objects are rows', () => {
  it.each([
    ['on lines', ROWS.join('\n'), 'ndjson', [1, 2, 3, 4]],
    [
      'on lines of Windows, with a mark and blank lines',
      `\uFEFF\r\n${ROWS.join('\r\n\r\n')}\r\n`,
      'ndjson',
      [2, 4, 6, 8],
    ],
    ['in an array', `[${ROWS.join(',')}]`, 'json', [1, 2, 3, 4]],
    ['in an array of several lines', `\n [\n${ROWS.join(',\n')}\n]\n`, 'json', [1, 2, 3, 4]],
  ])('%s, wherever the input is cut', { tags: 'slow' }, async (_, text, format, lines) => {
    for (let at = 0; at <= Buffer.byteLength(text); at += 1) {
      const found = await rowsOf(text, { cuts: [at] });
      expect({ ...found, rows: undefined }).toEqual({
        format,
        columns: undefined,
        rows: undefined,
        problems: [],
      });
      expect(
        found.rows.map(({ line, columns, values }) => ({
          line,
          columns,
          values: stringifyExactJson(values),
        })),
      ).toEqual(EXPECTED.map((row, index) => ({ line: lines[index], ...row })));
      expect(found.rows[1]?.columns).toBe(found.rows[0]?.columns);
    }
  });
});

describe('what is not an object is a problem, and the others are rows', () => {
  const long = JSON.stringify('x'.repeat(1024 * 1024 + 1));
  const wide = JSON.stringify(
    Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`c${index}`, 1])),
  );
  it.each([
    [
      'half an object',
      '{"id":2,',
      'not_json',
      'The line is not JSON: expected a name in double quotes at column 9. Each line must be one object, as jq -c writes it.',
    ],
    ['two objects', '{"id":2}{"id":3}', 'not_json', /expected the end at column 9/],
    ['a number', '12', 'not_an_object', 'The line is not a JSON object.'],
    ['a number that is kept as written', '1.0', 'not_an_object', 'The line is not a JSON object.'],
    ['an array', '[{"id":2}]', 'not_an_object', 'The line is not a JSON object.'],
    ['a line of CSV', 'tx-002,1.00', 'not_json', /expected a value at column 1/],
    ['a field twice', '{"id":2,"id":3}', 'not_json', 'The line has the field /id more than once.'],
    ['a path twice', '{"a.b":2,"a":{"b":3}}', 'duplicate_column', /Two fields have the path "a\.b"/],
    ['too much nesting', `{"id":${'['.repeat(200)}${']'.repeat(200)}}`, 'not_json', /more than 100 levels/],
    ['a long text', `{"id":${long}}`, 'cell_too_long', 'The text is larger than 1 MiB.'],
    ['too many fields', wide, 'too_many_columns', 'The line has more than 1000 fields.'],
    [
      'a long line',
      `{"id":"${'x'.repeat(8 * 1024 * 1024)}"}`,
      'row_too_long',
      'The line is larger than 8 MiB.',
    ],
  ])('%s', async (_, line, code, message) => {
    const { rows, problems } = await rowsOf(`{"id":1}\n${line}\n{"id":3}`);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ line: 2, code });
    expect(problems[0]?.message).toMatch(message);
    expect(rows.map(({ values }) => values)).toEqual([[1], [3]]);
  });

  it.each([
    ['an array that is cut off', '[{"id":1},{"id":2}', 3, 'not_json', /has no closing bracket/, 2],
    [
      'an element that is cut off',
      '[{"id":1},\n{\n"id":',
      2,
      'not_json',
      /a value at line 2 of the element, column 6/,
      1,
    ],
    ['words between elements', '[{"id":1}, oops {"id":2}]', 2, 'not_json', /expected a value at column 1/, 1],
    ['an empty array', '[]', 1, 'no_rows', /no rows/, 0],
    ['a bracket alone', '[', 1, 'not_json', /has no closing bracket/, 0],
  ])('%s', async (_, text, line, code, message, count) => {
    const { rows, problems } = await rowsOf(text);
    expect(problems).toMatchObject([
      { line, column: undefined, code, message: expect.stringMatching(message) },
    ]);
    expect(problems[0]?.isEnd ?? false).toBe(
      code === 'no_rows' || (code === 'not_json' && text.startsWith('[')),
    );
    expect(rows).toHaveLength(count);
  });

  it('bytes that are not UTF-8 end the rows', async () => {
    const text = Buffer.from('{"id":1}\n{"id":"caf\xE9"}\n{"id":3}', 'latin1');
    const { rows, problems } = await rowsOf(text);
    expect(rows.map(({ line }) => line)).toEqual([1]);
    expect(problems).toMatchObject([{ line: 2, code: 'not_utf8' }]);
  });
});
