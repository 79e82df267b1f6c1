import { describe, expect, it } from 'vitest';
import type { ListWriterOptions } from '../../../src/output/format.ts';
import { createJq } from '../../../src/output/formats/jq.ts';
import { FORMATS } from '../../../src/output/formats.ts';
import { createListPage, type ListPage } from '../../../src/output/list-page.ts';
import { createListWriter } from '../../../src/output/list-writer.ts';
import { memoryOutput } from '../memory-stream.ts';
import { printList, WHOLE_TABLE } from '../print-list.ts';
import { samplePage } from '../sample-buyers.ts';

const texts = async (expression: string, json: string): Promise<string[]> => {
  const { results } = await (await createJq(expression)).run(json);
  return results.map((result) => result.text);
};

describe('createJq', () => {
  it.each([
    ['{', 'syntax error'],
    ['nope', 'nope/0 is not defined'],
    ['"', 'syntax error'],
    ['--help', 'help/0 is not defined'],
  ])('refuses %j before anything runs', async (expression, reason) => {
    const failure = await createJq(expression).catch((error: unknown) => error);
    const hint = 'See https://jqlang.org/manual for the syntax.';
    expect(failure).toMatchObject({ code: 'invalid_jq', hint });
    expect(String(failure)).toContain(`--jq does not compile: ${reason.slice(0, 3)}`);
    expect(String(failure)).toContain(reason);
    expect(String(failure)).not.toContain('\n');
  });

  it.each(['.a.b', 'error("x")', '.[] | tonumber', '-.limit', 'input'])(
    'accepts %j, whatever it does to data',
    async (expression) => {
      await expect(createJq(expression)).resolves.toBeDefined();
    },
  );

  it('gives strings raw and everything else as compact JSON', async () => {
    expect(await texts('.a, .b, .c, .d', '{"a":"x\\ny","b":{"c": [1, null]},"c":null,"d":true}')).toEqual([
      'x\ny',
      '{"c":[1,null]}',
      'null',
      'true',
    ]);
  });

  it.each([
    ['"\\ud800"', '\ufffd'],
    ['"\\uDBFFx\\ud83d\\ude00"', '\ufffdx\u{1f600}'],
    ['"\\ud83d\\ud83d\\ude00\\udc00"', '\ufffd\u{1f600}\ufffd'],
    ['"\\\\ud800"', '\\ud800'],
    ['"\\\\\\ud800\\n"', '\\\ufffd\n'],
  ])('gives half of a surrogate pair as the replacement character: %s', async (json, text) => {
    expect(await texts('.', json)).toEqual([text]);
  });

  it('keeps all digits of numbers', async () => {
    expect(await texts('.a, .b', '{"a":12345678901234567890123,"b":1.10}')).toEqual([
      '12345678901234567890123',
      '1.10',
    ]);
  });

  it('takes an expression that begins like a flag', async () => {
    expect(await texts('-.limit', '{"limit":20}')).toEqual(['-20']);
  });

  it('gives nothing for no results', async () => {
    expect(await texts('empty', '1')).toEqual([]);
  });

  it('says why it failed on the data, with the results before that', async () => {
    const outcome = await (await createJq('.items[] | .a.b')).run('{"items":[{"a":{"b":1}},{"a":"x"}]}');
    expect(outcome.results).toEqual([{ text: '1', isJson: true }]);
    expect(outcome.failure).toMatchObject({
      code: 'jq_failed',
      message: '--jq failed on the data: Cannot index string with string ("b")',
    });
  });

  it('passes on what the expression says', async () => {
    const outcome = await (await createJq('debug | .a')).run('{"a":1}');
    expect(outcome).toEqual({
      results: [{ text: '1', isJson: true }],
      messages: ['["DEBUG:",{"a":1}]'],
      failure: undefined,
    });
  });

  it('filters a megabyte', { tags: 'slow' }, async () => {
    const json = JSON.stringify({
      items: Array.from({ length: 10_000 }, (_, id) => ({
        id,
        name: 'Ada Lovelace',
        city: 'London',
        country: 'GB',
        info: 'x'.repeat(40),
      })),
    });
    expect((await texts('.items[].id', json)).length).toBe(10_000);
  });

  it('does not show the environment of the process', async () => {
    process.env.PAYCTL_TOKEN_OF_TEST = 'secret';
    const found = await texts('env | has("PAYCTL_TOKEN_OF_TEST")', 'null');
    delete process.env.PAYCTL_TOKEN_OF_TEST;
    expect(found).toEqual(['false']);
  });
});

async function print(
  expression: string,
  pages: readonly ListPage[],
  options: Partial<ListWriterOptions> = {},
  width?: number,
) {
  const jq = await createJq(expression);
  return await printList(pages, { format: FORMATS.json, width, jq, ...options });
}

describe('a list filtered by jq', () => {
  const pages = [samplePage([{ id: 'b1' }, { id: 'b2' }], { next: 'c1' }), samplePage([{ id: 'b3' }])];

  it('is filtered as one whole document', async () => {
    expect((await print('(.items | length), .next_cursor, .items[].id', pages)).text).toBe(
      '3\nnull\nb1\nb2\nb3\n',
    );
  });

  it('is filtered item by item with ndjson', async () => {
    expect((await print('.id', pages, { format: FORMATS.ndjson })).text).toBe('"b1"\n"b2"\n"b3"\n');
  });

  it('sees a single page as it came', async () => {
    const page = createListPage('{"items":[],"big":12345678901234567890}', []);
    expect((await print('.big', [page], { whole: false })).text).toBe('12345678901234567890\n');
  });

  it('prints nothing when no page came', async () => {
    expect((await print('.', [])).text).toBe('');
  });

  it('gives strings raw to a pipe, and safe to a terminal', async () => {
    const page = [samplePage([{ a: '{\u001B[2J\nb\u202E' }])];
    expect((await print('.items[].a', page)).text).toBe('{\u001B[2J\nb\u202E\n');
    expect((await print('.items[].a', page, {}, 80)).text).toBe('{␛[2J\nb<U+202E>\n');
    const rows = [samplePage([{ a: 'x\u001B', b: 'y\tz\r' }])];
    const tsv = '.items[] | [.a, .b] | @tsv';
    expect((await print(tsv, rows, {}, 80)).text).toBe('x␛\ty\\tz\\r\n');
    expect((await print('.items[] | .a + "\\t" + .b', rows, {}, 80)).text).toBe('x␛\ty\tz␍\n');
  });

  it('escapes JSON everywhere', async () => {
    const page = [samplePage([{ a: '\u001B\u202E' }])];
    expect((await print('.items[]', page)).text).toBe('{"a":"\\u001b\\u202e"}\n');
  });

  it('prints the results before a failure, and what was said, sanitised', async () => {
    expect((await print('.items[].id | stderr', [samplePage([{ id: 'b\u001B1' }])])).notes.join()).toContain(
      'b',
    );
    const { stream, stdout, terminal } = memoryOutput();
    const jq = await createJq('.id | ltrimstr("b") | tonumber');
    const writer = await createListWriter({
      ...WHOLE_TABLE,
      format: FORMATS.ndjson,
      stdout,
      terminal,
      jq,
    });
    await expect(writer.page(samplePage([{ id: 'b1' }, { id: 'x' }]))).rejects.toMatchObject({
      code: 'jq_failed',
    });
    await writer.end({ nextCursor: null });
    expect(stream.text).toBe('1\n');
  });
});
