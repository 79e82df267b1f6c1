import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderDetail } from '../../src/output/detail.ts';
import { loadColors } from '../../src/output/terminal.ts';
import { displayWidth } from '../../src/output/width.ts';
import { sampleBuyer } from './sample-buyers.ts';

describe('renderDetail', () => {
  it('shows a buyer in two columns, nested parts indented', () => {
    expect(renderDetail(sampleBuyer(1), { width: 80 })).toBe(
      [
        'type                 buyer',
        'id                   8a1b2c3d-4e5f-6071-8293-000000000001',
        'reconciliation_id    -',
        'merchant_account_id  default',
        'created_at           2026-03-01T14:05:59.123+00:00',
        'updated_at           2026-03-02T01:30:00+02:00',
        'display_name         Ada Lovelace 1',
        'external_identifier  customer-1',
        'billing_details',
        '  first_name         Ada',
        '  last_name          Lovelace',
        '  email_address      ada1@example.com',
        '  phone_number       +442079460000',
        '  address',
        '    city             London',
        '    country          GB',
        '    postal_code      SW1A 1AA',
        '    line1            10 Downing Street',
        '  tax_id',
        '    value            GB123456789',
        '    kind             gb.vat',
        'account_number       -',
        '',
      ].join('\n'),
    );
  });

  it('numbers the elements of arrays, and distinguishes empty values', () => {
    const value = {
      cart_items: [{ name: 'Tea' }, { name: '' }],
      tags: ['a', 'b'],
      none: [],
      bare: {},
      big: 12345678901234567890n,
    };
    expect(renderDetail(value, { width: 80 })).toBe(
      [
        'cart_items',
        '  1',
        '    name  Tea',
        '  2',
        '    name  ""',
        'tags',
        '  1       a',
        '  2       b',
        'none      none',
        'bare      none',
        'big       12345678901234567890',
        '',
      ].join('\n'),
    );
  });

  it('writes keys bold and missing values dim where there is colour', async () => {
    expect(renderDetail({ a: 'x', b: null }, { width: 80, colors: await loadColors(true) })).toBe(
      '\u001B[1ma\u001B[22m  x\n\u001B[1mb\u001B[22m  \u001B[2m-\u001B[22m\n',
    );
  });

  it('wraps long text between words, under its column, and never breaks an id', () => {
    const id = '8a1b2c3d-4e5f-6071-8293-000000000001';
    const record = { description: 'may list and look up buyers', id };
    const text = ['description  may list and look up', '             buyers'];
    expect(renderDetail(record, { width: 34 })).toBe([...text, 'id', `    ${id}`, ''].join('\n'));
    const in39 = renderDetail({ ...record, description: `in ${id} or so` }, { width: 39 });
    expect(in39).toBe(['description', '   in', `   ${id}`, '   or so', 'id', `   ${id}`, ''].join('\n'));
  });

  it('moves all lines of a value that has a path which is too wide, and leaves the others in their column', () => {
    const source = `profile acme (/home/ada/${'x'.repeat(60)}/token), in use`;
    expect(renderDetail({ credentials: { source, kind: 'token' } }, { width: 80 })).toBe(
      [
        'credentials',
        '  source',
        '    profile acme',
        `    (/home/ada/${'x'.repeat(60)}/token),`,
        '    in use',
        '  kind    token',
        '',
      ].join('\n'),
    );
  });

  it('lets no text forge a line or an escape sequence', () => {
    expect(renderDetail({ 'na\nme': 'x\nid  forged\u001B[2J' }, { width: 80 })).toBe(
      'na␊me  x␊id  forged␛[2J\n',
    );
  });

  it('shows what is nested very deeply as JSON', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(12)}1${'}'.repeat(12)}`);
    expect(renderDetail(deep, { width: 80 }).split('\n').at(-2)?.trim()).toBe('a  {"a":{"a":{"a":1}}}');
    expect(renderDetail(JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)), { width: 80 })).toContain('…');
  });

  it('loses no character of a wrapped text', () => {
    const words = fc
      .array(fc.string({ unit: 'grapheme-ascii', minLength: 1 }))
      .map((parts) => parts.join(' '));
    fc.assert(
      fc.property(words, (text) => {
        fc.pre(text !== '' && text !== '-');
        const lines = renderDetail({ key: text }, { width: 40 }).split('\n').slice(0, -1);
        expect(lines.map((line) => line.slice(5)).join(' ')).toBe(text);
        for (const line of lines.slice(1)) expect(line.startsWith('     ')).toBe(true);
      }),
    );
  });

  it('keeps within the width where words allow it', () => {
    const lines = renderDetail(
      { key: 'one two three four five six seven eight nine ten' },
      { width: 30 },
    ).split('\n');
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(30);
  });
});
