import { describe, expect, it } from 'vitest';
import type { CartItem, CheckoutSession } from '../../../src/client/client.ts';
import { findDifference, storedFields } from '../../../src/features/checkout-sessions/stored-fields.ts';
import { sessionWithText } from './session-with-text.ts';

describe('storedFields', () => {
  it.each([
    ['{"cart_items":{}}', 'The stored session has cart_items that are not an array'],
    ['{"cart_items":1.0}', 'The stored session has cart_items that are not an array'],
    ['{"metadata":[]}', 'The stored session has metadata that is not an object'],
    [
      `{"deep":${'['.repeat(101)}${']'.repeat(101)}}`,
      'The stored session is nested more than 100 levels deep',
    ],
  ])('refuses what could lose something: %s', (text, problem) => {
    expect(() => storedFields(sessionWithText(text))).toThrowError(
      expect.objectContaining({
        code: 'unexpected_shape',
        message: `${problem}, so it cannot be changed in parts`,
        hint: 'Replace the whole field with --cart-items or --metadata.',
      }),
    );
  });
});

describe('findDifference', () => {
  const found: CheckoutSession = { type: 'checkout-session', id: 's-1' };
  const items = (...cart_items: CartItem[]) => ({ ...found, cart_items });

  it.each([
    [{ cart_items: [{ name: 'A', sku: null }] }, items({ name: 'A', id: 'i-1' }), undefined],
    [{ cart_items: [{ name: 'A' }] }, items({ name: 'B' }), '/cart_items/0/name'],
    [{ cart_items: [{ name: 'A', 'a/b~': 1 }] }, items({ name: 'A' }), '/cart_items/0/a~1b~0'],
    [{ cart_items: [{}, {}] }, items({}), '/cart_items'],
    [{ cart_items: [{}] }, found, '/cart_items'],
    [{ cart_items: [{ categories: ['a'] }] }, items({ categories: ['b'] }), '/cart_items/0/categories/0'],
    [{ cart_items: [{ sku: null }] }, items({ sku: 'x' }), '/cart_items/0/sku'],
    [{ metadata: { a: '1' } }, { ...found, metadata: { a: '1', b: '2' } }, undefined],
    [{ metadata: { a: '1' } }, { ...found, metadata: { a: '1', gone: '2' } }, '/metadata/gone'],
    [{ metadata: { a: {} } }, { ...found, metadata: { a: 'x' } }, '/metadata/a'],
    [{ metadata: { a: '1' } }, found, '/metadata'],
    [{}, found, undefined],
  ])('compares %j with %j', (sent, stored, pointer) => {
    expect(
      findDifference(sent, stored, {
        addItems: [],
        setMetadata: {},
        removeMetadata: ['gone'],
      }),
    ).toBe(pointer);
  });
});
