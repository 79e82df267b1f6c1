import { describe, expect, it } from 'vitest';
import { exampleBodies } from '../../src/descriptions/example-body.ts';

describe('an example of a text', () => {
  it.each([
    ['text', {}],
    ['EUR', { pattern: '^[A-Z]{3}$' }],
    ['GB', { pattern: '^[A-Z]{2}$' }],
    ['GB', { pattern: '^[A-Z]+$', maxLength: 2 }],
    ['12.50', { pattern: '^\\d+\\.\\d{2}$' }],
    ['+441134960000', { pattern: '^\\+[1-9]\\d{6,14}$' }],
    ['2026-01-31', { format: 'date', pattern: '^\\d{4}-' }],
    ['textxxxx', { minLength: 8 }],
  ])('is %s where it has to match %j', (expected, keywords) => {
    expect(exampleBodies({ type: 'string', ...keywords })).toEqual([{ value: expected }]);
  });

  it('does not match where no usual text does', () => {
    expect(exampleBodies({ type: 'string', pattern: '^pay_[0-9]{17}Z$' })).toEqual([{ value: 'text' }]);
  });
});
