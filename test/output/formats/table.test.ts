import { describe, expect, it } from 'vitest';
import type { ListWriterOptions } from '../../../src/output/format.ts';
import { printList } from '../print-list.ts';
import { buyerColumns, sampleBuyer, samplePage } from '../sample-buyers.ts';

const print = (
  pages: readonly (readonly unknown[])[],
  options: Partial<ListWriterOptions> = {},
  width?: number,
) =>
  printList(
    pages.map((items) => samplePage(items)),
    { columns: buyerColumns, width, ...options },
  );

describe('table on a terminal', () => {
  it('shows buyers in 160 columns, times short and with their zone', async () => {
    const { text, notes } = await print([[sampleBuyer(1)], [sampleBuyer(22)]], {}, 160);
    expect(text).toBe(
      [
        'ID                                    NAME             EXTERNAL ID  EMAIL              CREATED (UTC)',
        '8a1b2c3d-4e5f-6071-8293-000000000001  Ada Lovelace 1   customer-1   ada1@example.com   2026-03-01 14:05Z',
        '8a1b2c3d-4e5f-6071-8293-000000000022  Ada Lovelace 22  customer-22  ada22@example.com  2026-03-01 14:05Z',
        '',
      ].join('\n'),
    );
    expect(notes).toEqual([]);
  });

  it('shows in 80 columns what fits beside a whole id and says what does not', async () => {
    const { text, notes } = await print([[sampleBuyer(1)]], {}, 80);
    expect(text).toBe(
      [
        'ID                                    NAME            EXTERNAL ID  EMAIL',
        '8a1b2c3d-4e5f-6071-8293-000000000001  Ada Lovelace 1  customer-1   ada1@example…',
        '',
      ].join('\n'),
    );
    expect(notes).toEqual(['+1 column (CREATED): -o wide']);
  });

  it('says below the table what a column that was left out says in all rows', async () => {
    const { text, notes } = await print(
      [[sampleBuyer(1), sampleBuyer(2)]],
      { columns: buyerColumns.map((column) => ({ ...column, dropsFirstIfSame: true })) },
      90,
    );
    expect(text.split('\n')[0]).toBe(
      'ID                                    NAME            EXTERNAL ID  EMAIL',
    );
    expect(notes).toEqual(['+1 column (CREATED: all 2026-03-01 14:05Z): -o wide']);
  });

  it('keeps every chosen column', async () => {
    const { text, notes } = await print([[sampleBuyer(1)]], { explicitColumns: true }, 60);
    expect(text.split('\n')[1]).toBe(
      '8a1b2c3d-4e5f-6071-8293-000000000001  Ada Lovel…  customer-1   ada1@exam…  2026-03-01 14:05Z',
    );
    expect(notes).toEqual([]);
  });

  it('prints nothing for an empty list', async () => {
    expect(await print([[]], {}, 80)).toEqual({ text: '', notes: [] });
  });

  it('lets no text forge a row, a column or an escape sequence', async () => {
    const display_name = 'x\nforged\trow\u001B[2K\u202E';
    const { text } = await print([[sampleBuyer(1, { display_name })]], {}, 160);
    expect(text.split('\n').length).toBe(3);
    expect(text).toContain('x␊forged␉row␛[2K<U+202E>');
  });

  it('cuts a cell of a megabyte', async () => {
    const { text } = await print([[sampleBuyer(1, { display_name: '山\u001B'.repeat(500_000) })]], {}, 120);
    expect(text.length).toBeLessThan(400);
  });

  it('says so past the limit of rows, and does not align later rows', async () => {
    const columns = [
      { header: 'ID', path: 'id' },
      { header: 'NAME', path: 'name' },
    ];
    const items = ['a', 'bbb', 'c', 'dddd'].map((id) => ({ id, name: `name of ${id}` }));
    const { text, notes } = await print([items.slice(0, 3), items.slice(3)], { columns, maxRows: 2 }, 80);
    expect(text).toBe('ID   NAME\na    name of a\nbbb  name of bbb\nc  name of c\ndddd  name of dddd\n');
    expect(notes).toEqual(['Rows after the first 2 are not aligned.']);
  });
});

describe('table in a pipe', () => {
  it('is tab-separated, with nothing cut and times in full', async () => {
    const display_name = 'N'.repeat(300);
    const { text, notes } = await print([[sampleBuyer(1, { display_name })], [sampleBuyer(2)]]);
    expect(text).toBe(
      'ID\tNAME\tEXTERNAL ID\tEMAIL\tCREATED\n' +
        `8a1b2c3d-4e5f-6071-8293-000000000001\t${display_name}\tcustomer-1\tada1@example.com\t2026-03-01T14:05:59.123+00:00\n` +
        '8a1b2c3d-4e5f-6071-8293-000000000002\tAda Lovelace 2\tcustomer-2\tada2@example.com\t2026-03-01T14:05:59.123+00:00\n',
    );
    expect(notes).toEqual([]);
  });

  it('has no header when none is wanted, and prints nothing for an empty list', async () => {
    const columns = [{ header: 'ID', path: 'id' }];
    expect((await print([[{ id: 'b1' }]], { columns, header: false })).text).toBe('b1\n');
    expect((await print([[]], { columns })).text).toBe('');
  });

  it('lets no text forge a row or a column', async () => {
    const columns = [
      { header: 'ID', path: 'id' },
      { header: 'NAME', path: 'name' },
    ];
    const { text } = await print([[{ id: 'b1', name: 'a\tb\nc\rd' }]], { columns, header: false });
    expect(text).toBe('b1\ta␉b␊c␍d\n');
  });
});
