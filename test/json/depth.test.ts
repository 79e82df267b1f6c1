import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isNestedDeeper } from '../../src/json/depth.ts';

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('isNestedDeeper', () => {
  it('counts the containers around the deepest value, and no bracket within a string', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6, stringUnit: fc.constantFrom('[', '{', '"', '\\', 'a') }), (text) => {
        const depth = depthOf(JSON.parse(text));
        expect(isNestedDeeper(text, depth)).toBe(false);
        if (depth > 0) expect(isNestedDeeper(text, depth - 1)).toBe(true);
      }),
    );
  });

  it.each([20_000, 5_000_000])('takes any depth: %i', (levels) => {
    const text = '['.repeat(levels);
    expect([isNestedDeeper(text, levels), isNestedDeeper(text, levels - 1)]).toEqual([false, true]);
  });
});
