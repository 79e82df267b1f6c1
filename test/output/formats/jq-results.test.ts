import { describe, expect, it } from 'vitest';
import type { ListWriterOptions } from '../../../src/output/format.ts';
import { createJq, createJqWriter } from '../../../src/output/formats/jq.ts';
import { FORMATS } from '../../../src/output/formats.ts';
import { createListPage } from '../../../src/output/list-page.ts';
import { memoryOutput } from '../memory-stream.ts';
import { WHOLE_TABLE } from '../print-list.ts';

it.each([
  [
    'foo | bar',
    'foo/0 is not defined at <top-level>, line 1, column 1; bar/0 is not defined at <top-level>, line 1, column 7',
  ],
  ['.[', 'syntax error, unexpected end of file at <top-level>, line 1, column 2'],
])('%s does not compile, for every reason that jq gives', async (expression, reasons) => {
  await expect(createJq(expression)).rejects.toMatchObject({
    code: 'invalid_jq',
    message: `--jq does not compile: ${reasons}`,
  });
});

describe('an expression', () => {
  const json = (text: string) => ({ text, isJson: true });
  const string = (text: string) => ({ text, isJson: false });

  it.each([
    ['.a', '{"a":1}', [json('1')], []],
    ['.a,.b', '{"a":"say \\"hi\\"","b":["x\\""]}', [string('say "hi"'), json('["x\\""]')], []],
    ['empty', '1', [], []],
    ['.', '1\n2', [json('1'), json('2')], []],
    ['(1,2)|debug', 'null', [json('1'), json('2')], ['["DEBUG:",1]', '["DEBUG:",2]']],
  ])('%s gives its results and messages', async (expression, input, results, messages) => {
    expect(await (await createJq(expression)).run(input)).toEqual({ results, messages, failure: undefined });
  });

  it.each([
    ['.[0],.[1].x', '[1,2]', [json('1')], 'Cannot index number with string ("x")'],
    ['.a|error', '{"a":"x"}', [], 'x'],
    ['halt_error', '"bye"', [], 'bye'],
    ['"a\\n\\nb"|halt_error', 'null', [], 'a; b'],
    ['""|halt_error', 'null', [], 'the expression halted'],
    ['error("x")', '1\n2', [], 'x'],
    // Also where the last value is not the one that it fails on.
    ['if . == 2 then error("x") else . end', '1\n2\n3', [json('1'), json('3')], 'x'],
    ['debug | if . == 2 then error("x") else . end', '2\n3', [json('3')], 'x'],
    ['error', '"a" "b" "c" "a" "d" "e"', [], 'a; b; c; 2 more'],
  ])('%s fails, after what it gave before', async (expression, input, results, reason) => {
    const { failure, ...rest } = await (await createJq(expression)).run(input);
    expect(rest).toEqual({ results, messages: [] });
    expect(failure).toMatchObject({ code: 'jq_failed', message: `--jq failed on the data: ${reason}` });
  });
});

describe('a list', () => {
  const text = '{"items":[{"id":"b1"},{"id":"b2"}],"next_cursor":null}';
  const page = () => createListPage(text, [{ id: 'b1' }, { id: 'b2' }]);

  async function print(expression: string, options: Partial<ListWriterOptions>, pages = [page()]) {
    const { stream, stdout, terminal } = memoryOutput();
    const jq = await createJq(expression);
    const runs: string[] = [];
    const counted = {
      run: (json: string) => {
        runs.push(json);
        return jq.run(json);
      },
      close: jq.close,
    };
    const writer = createJqWriter(
      {
        ...WHOLE_TABLE,
        format: FORMATS.json,
        whole: false,
        stdout,
        terminal,
        ...options,
      },
      counted,
    );
    for (const each of pages) await writer.page(each);
    await writer.end({ nextCursor: null });
    return { text: stream.text, runs };
  }

  it('is filtered item by item as ndjson, a page at a time', async () => {
    expect(await print('.id', { format: FORMATS.ndjson })).toEqual({
      text: '"b1"\n"b2"\n',
      runs: ['{"id":"b1"}\n{"id":"b2"}'],
    });
  });

  it('without items runs no filter as ndjson', async () => {
    const empty = createListPage('{"items":[]}', []);
    expect(await print('"x"', { format: FORMATS.ndjson }, [empty])).toEqual({ text: '', runs: [] });
  });

  it('is filtered as the document that came', async () => {
    expect(await print('.items[].id', {})).toEqual({ text: 'b1\nb2\n', runs: [text] });
  });

  it('is filtered as one envelope where it is whole or reduced to columns', async () => {
    const whole = await print('.items|length', { whole: true }, [page(), page()]);
    expect(whole.text).toBe('4\n');
    const columns = [{ header: 'ID', path: 'id' }];
    const reduced = await print('.items[0]', { explicitColumns: true, columns });
    expect(reduced.text).toBe('{"id":"b1"}\n');
    expect(reduced.runs).toHaveLength(1);
  });
});
