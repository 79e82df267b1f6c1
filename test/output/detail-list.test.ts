import { describe, expect, it } from 'vitest';
import { renderDetail } from '../../src/output/detail.ts';
import type { ListWriterOptions } from '../../src/output/format.ts';
import { FORMATS } from '../../src/output/formats.ts';
import { createListPage } from '../../src/output/list-page.ts';
import { memoryOutput } from './memory-stream.ts';
import { printList } from './print-list.ts';

const TEXT = JSON.stringify({
  items: [
    { id: 'g1', balance: 13470, currency: 'GBP', tags: [] },
    { id: 'g2', balance: null, currency: 'JPY', note: 'a '.repeat(60).trim() },
  ],
});
const items = JSON.parse(TEXT).items;
const columns = [
  { header: 'BALANCE', path: 'balance', priority: 1 },
  { header: 'NOTE', path: 'note', priority: 1 },
  { header: 'ID', path: 'id', priority: 2 },
];

const print = (options: Partial<ListWriterOptions>, width?: number) =>
  printList([createListPage(TEXT, items)], { columns, width, ...options });

describe('a list as detail', () => {
  it('is one record per block, on a terminal and in a pipe', async () => {
    const { text } = await print({ format: FORMATS.detail });
    expect(text).toBe(
      `id        g1\nbalance   13470 (134.70 GBP)\ncurrency  GBP\ntags      none\n\nid        g2\nbalance   -\ncurrency  JPY\nnote      ${'a '.repeat(60).trim()}\n`,
    );
    expect(
      (await print({ format: FORMATS.detail }, 40)).text.split('\n').every((line) => line.length <= 40),
    ).toBe(true);
  });

  it('is reduced to chosen columns, with amounts in their currency', async () => {
    const chosen = [columns[0], columns[2]].filter((column) => column !== undefined);
    expect((await print({ format: FORMATS.detail, columns: chosen, explicitColumns: true })).text).toBe(
      'balance  13470 (134.70 GBP)\nid       g1\n\nbalance  -\nid       g2\n',
    );
  });
});

describe('a wide table', () => {
  it('leaves no column out and cuts no cell, however narrow the terminal', async () => {
    const { text, notes } = await print({ format: FORMATS.wide }, 30);
    const [header, first, ...others] = text.trimEnd().split('\n');
    expect(header).toBe('BALANCE  NOTE               ID');
    expect(first).toMatch(/ {2}g1$/);
    expect(others[0]).toBe('         a a a a a a a a a  g2');
    expect(others.slice(1).every((line) => /^ {9}(?:a ?)+$/.test(line))).toBe(true);
    expect(others.join('').match(/a/g)).toHaveLength(60);
    expect(notes).toEqual([]);
  });

  it('is what the note below a narrow one names', async () => {
    expect((await print({}, 12)).notes).toEqual(['+1 column (NOTE): -o wide']);
  });
});

describe('amounts in detail', () => {
  it('are in the currency beside or above them', () => {
    const value = {
      currency: 'EUR',
      amount: 5,
      items: [{ unit_amount: 1999 }, { unit_amount: 3, currency: 'JPY' }],
    };
    expect(renderDetail(value, { width: 80 })).toContain('amount           5 (0.05 EUR)\n');
    expect(renderDetail(value, { width: 80 })).toContain('unit_amount  1999 (19.99 EUR)\n');
    expect(renderDetail(value, { width: 80 })).toContain('unit_amount  3 (3 JPY)\n');
  });

  it('stay as they were sent without a currency', () => {
    expect(renderDetail({ unit_amount: 1999 }, { width: 80 })).toBe('unit_amount  1999\n');
  });
});

describe('colour in a table', () => {
  const tone = (item: unknown) => ((item as { id: string }).id === 'g1' ? ('red' as const) : undefined);

  it('marks the cells that have a tone, on a terminal with colour alone', async () => {
    const toned = [{ header: 'ID', path: 'id', tone }];
    const { terminal } = memoryOutput(80);
    const coloured = await print({ columns: toned, terminal: { ...terminal, color: true } }, 80);
    expect(coloured.text).toBe('\u001B[1mID\u001B[22m\n\u001B[31mg1\u001B[39m\ng2\n');
    expect((await print({ columns: toned }, 80)).text).toBe('ID\ng1\ng2\n');
    expect((await print({ columns: toned })).text).toBe('ID\ng1\ng2\n');
  });
});
