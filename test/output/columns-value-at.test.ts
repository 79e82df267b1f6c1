import { describe, expect, it } from 'vitest';
import { formatCell, valueAt } from '../../src/output/columns.ts';
import { sampleBuyer } from './sample-buyers.ts';

describe('valueAt', () => {
  it('follows a dotted path through objects and arrays', () => {
    expect(valueAt(sampleBuyer(1), 'billing_details.address.city')).toBe('London');
    expect(valueAt({ cart_items: [{ name: 'a' }, { name: 'b' }] }, 'cart_items.1.name')).toBe('b');
  });

  it('finds a name that holds dots itself', () => {
    expect(valueAt({ metadata: { 'order.id': '7' } }, 'metadata.order.id')).toBe('7');
  });

  it.each(['toString', 'constructor.name', '__proto__', 'list.length', 'name.length', 'missing.x', ''])(
    'gives undefined for %j',
    (path) => {
      expect(valueAt({ list: [1], name: 'Ada' }, path)).toBe(undefined);
    },
  );

  it('gives undefined for what is not an object', () => {
    expect(valueAt(null, 'a')).toBe(undefined);
    expect(valueAt('text', '0')).toBe(undefined);
  });
});

describe('formatCell', () => {
  it.each([
    ['text', 'text'],
    [0, '0'],
    [12345678901234567890n, '12345678901234567890'],
    [false, 'false'],
    [null, ''],
    [undefined, ''],
    [['a', 1], '["a",1]'],
    [{ a: { b: 12345678901234567890n } }, '{"a":{"b":12345678901234567890}}'],
  ])('writes %o as %j', (value, cell) => {
    expect(formatCell(value)).toBe(cell);
  });

  it('gives an ellipsis for nesting that cannot be written', () => {
    expect(formatCell(JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)))).toBe('…');
  });
});
