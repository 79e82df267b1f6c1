import { describe, expect, it } from 'vitest';
import type { ListWriterOptions } from '../../../src/output/format.ts';
import { FORMATS } from '../../../src/output/formats.ts';
import { createListPage, type ListPage } from '../../../src/output/list-page.ts';
import { memoryOutput } from '../memory-stream.ts';
import { printList } from '../print-list.ts';
import { buyerColumns, sampleBuyer, samplePage } from '../sample-buyers.ts';

type Run = {
  readonly columns?: number;
  readonly options?: Partial<ListWriterOptions>;
  readonly nextCursor?: string | null;
};

/** What a JSON list prints; `columns` makes stdout a terminal of that width. */
async function print(pages: readonly ListPage[], { columns: width, options, nextCursor }: Run = {}) {
  const asked = { format: FORMATS.json, whole: false, columns: buyerColumns, width, ...options };
  return (await printList(pages, { ...asked, nextCursor: nextCursor ?? null })).text;
}

const whole = { whole: true };

describe('json of one page', () => {
  it('is in a pipe the document as it came, with one line end', async () => {
    const text = '{"b": 1.10, "items":[{"z":12345678901234567890,"a":1,"a":2}],  "next_cursor":null}\n\n';
    expect(await print([createListPage(text, [{}])])).toBe(`${text.trim()}\n`);
  });

  it('is on a terminal laid out over lines', async () => {
    expect(await print([createListPage('{"items":[{"a":1.10}],"limit":20}', [{}])], { columns: 80 })).toBe(
      '{\n  "items": [\n    {\n      "a": 1.10\n    }\n  ],\n  "limit": 20\n}\n',
    );
  });

  it('is coloured on a terminal with colour', async () => {
    const { terminal } = memoryOutput(80);
    const run = { columns: 80, options: { terminal: { ...terminal, color: true } } };
    expect(await print([createListPage('{"items":[]}', [])], run)).toBe(
      '{\n  \u001B[1m"items"\u001B[22m: []\n}\n',
    );
  });

  it('escapes hostile characters and keeps the value', async () => {
    const page = samplePage([sampleBuyer(1, { display_name: '\u202Eevil\u009B\u001B[2J' })]);
    const printed = await print([page]);
    for (const char of ['\u202E', '\u009B', '\u001B']) expect(printed).not.toContain(char);
    expect(JSON.parse(printed)).toEqual(JSON.parse(page.text));
  });

  it('is reduced to chosen columns, as one document', async () => {
    const columns = [
      { header: 'ID', path: 'id' },
      { header: 'M', path: 'billing_details.email_address' },
      { header: 'X', path: 'x' },
    ];
    const printed = await print([samplePage([sampleBuyer(1)], { next: 'n1' })], {
      options: { columns, explicitColumns: true },
      nextCursor: 'n1',
    });
    expect(printed).toBe(
      '{"items":[{"id":"8a1b2c3d-4e5f-6071-8293-000000000001","billing_details.email_address":"ada1@example.com","x":null}],"limit":20,"next_cursor":"n1","previous_cursor":null}\n',
    );
  });
});

describe('json of a whole list', () => {
  it('is one envelope: all items, previous_cursor of the first page, the rest of the last', async () => {
    const pages = [
      createListPage(
        '{"items":[{"n":1.0},{"n":12345678901234567890}],"limit":2,"next_cursor":"c1","previous_cursor":"p0"}',
        [1, 2],
      ),
      createListPage(
        '{"items":[{"n":3}],"limit":1,"extra":true,"next_cursor":null,"previous_cursor":"p1"}',
        [3],
      ),
    ];
    expect(await print(pages, { options: whole })).toBe(
      '{"items":[{"n":1.0},{"n":12345678901234567890},{"n":3}],"limit":1,"extra":true,"next_cursor":null,"previous_cursor":"p0"}\n',
    );
  });

  it('is complete when it is cut short, with the cursor to resume from', async () => {
    const printed = await print([samplePage([1, 2], { next: 'c1' })], { options: whole, nextCursor: 'c1' });
    expect(printed).toBe('{"items":[1,2],"limit":20,"next_cursor":"c1","previous_cursor":null}\n');
  });

  it('gets a next_cursor even where the service sends no cursors', async () => {
    expect(await print([createListPage('{"items":[1]}', [1])], { options: whole, nextCursor: 'c1' })).toBe(
      '{"items":[1],"next_cursor":"c1"}\n',
    );
    expect(await print([createListPage('{"items":[1]}', [1])], { options: whole })).toBe('{"items":[1]}\n');
  });

  it('prints only the items that were asked for', async () => {
    const page = createListPage('{"items":[1,2,3],"next_cursor":"c1"}', [1, 2]);
    expect(await print([page], { options: whole, nextCursor: 'c1' })).toBe(
      '{"items":[1,2],"next_cursor":"c1"}\n',
    );
  });

  it('is an empty document for an empty list, and nothing when no page came', async () => {
    expect(await print([samplePage([])], { options: whole })).toBe(
      '{"items":[],"limit":20,"next_cursor":null,"previous_cursor":null}\n',
    );
    expect(await print([], { options: whole })).toBe('');
    expect(await print([])).toBe('');
  });

  it('puts no comma after an empty page', async () => {
    const pages = [samplePage([]), samplePage([1]), samplePage([]), samplePage([2])];
    expect(JSON.parse(await print(pages, { options: whole }))).toEqual({
      items: [1, 2],
      limit: 20,
      next_cursor: null,
      previous_cursor: null,
    });
  });

  it('is on a terminal what a laid out document is', async () => {
    const pages = [samplePage([sampleBuyer(1)], { next: 'c1' }), samplePage([sampleBuyer(2), []])];
    const document = {
      items: [sampleBuyer(1), sampleBuyer(2), []],
      limit: 20,
      next_cursor: null,
      previous_cursor: null,
    };
    expect(await print(pages, { options: whole, columns: 80 })).toBe(
      `${JSON.stringify(document, null, 2)}\n`,
    );
    const empty = { items: [], limit: 20, next_cursor: null, previous_cursor: null };
    expect(await print([samplePage([])], { options: whole, columns: 80 })).toBe(
      `${JSON.stringify(empty, null, 2)}\n`,
    );
  });

  it('escapes a hostile cursor and a hostile name of a member', async () => {
    const page = createListPage('{"items":[],"\u202E":"\u009B","next_cursor":"x"}', []);
    expect(await print([page], { options: whole, nextCursor: '\u202E' })).toBe(
      '{"items":[],"\\u202e":"\\u009b","next_cursor":"\\u202e"}\n',
    );
  });
});

describe('ndjson', () => {
  const ndjson = { format: FORMATS.ndjson, whole: true } as const;

  it('is one exact item a line', async () => {
    const pages = [
      createListPage('{"items":[{"b":1.10,"a":12345678901234567890},"x\\ny"]}', [1, 2]),
      createListPage('{"items":[3]}', [3]),
    ];
    expect(await print(pages, { options: ndjson })).toBe('{"b":1.10,"a":12345678901234567890}\n"x\\ny"\n3\n');
  });

  it('compacts an item that the service laid out over lines', async () => {
    expect(
      await print([createListPage('{"items":[\n{\n "a" : 1,\r\n "b":"x y"}\n]}', [1])], { options: ndjson }),
    ).toBe('{"a":1,"b":"x y"}\n');
  });

  it('escapes what could forge a line for another program', async () => {
    expect(await print([samplePage([{ a: 'x\u2028y\u0085z' }])], { options: ndjson })).toBe(
      '{"a":"x\\u2028y\\u0085z"}\n',
    );
  });

  it('prints nothing for an empty list', async () => {
    expect(await print([samplePage([])], { options: ndjson })).toBe('');
  });

  it('is reduced to chosen columns', async () => {
    const options = { ...ndjson, columns: [{ header: 'ID', path: 'id' }], explicitColumns: true };
    expect(await print([samplePage([{ id: 'b1', x: 1 }, { x: 2 }])], { options })).toBe(
      '{"id":"b1"}\n{"id":null}\n',
    );
  });
});
