import { describe, expect, it } from 'vitest';
import { fieldSetter, isDescribedField } from '../../../src/features/api/fields.ts';

const schema = {
  type: 'object',
  properties: {
    amount: { type: 'integer' },
    metadata: { type: 'object', additionalProperties: { type: 'string' } },
  },
};
const options = { schema, record: undefined };

describe('the field of a column', () => {
  it.each(['amount=9', 'amount:', 'amount:=1', 'amount=@file', '', '=x', '[0]', 'a[', 'a]', '.', 'a..b'])(
    'is not one that another name has: %j',
    (name) => {
      expect(isDescribedField(name, options)).toBe(false);
    },
  );

  it.each([
    ['amount', { amount: 5 }],
    ['metadata.a=b', { metadata: { 'a=b': '5' } }],
    ['metadata.a:=1', { metadata: { 'a:=1': '5' } }],
    ['metadata.a\\.b', { metadata: { 'a.b': '5' } }],
    ['metadata.a\\[0\\]', { metadata: { 'a[0]': '5' } }],
  ])('is set by its whole name: %j', (name, body) => {
    expect(isDescribedField(name, options)).toBe(true);
    expect(fieldSetter(name, options).set({}, '5')).toEqual(body);
  });
});
