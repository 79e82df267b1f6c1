import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createIdSet } from '../../../src/features/api-logs/id-set.ts';

describe('a set of ids', () => {
  it('knows what a Set knows, of UUIDs and of any texts', () => {
    const zero = '00000000-0000-0000-0000-000000000000';
    const pool = [
      zero,
      zero.replace(/0$/, '1'),
      `F${randomUUID().slice(1)}`,
      ...Array.from({ length: 20 }, () => randomUUID()),
    ];
    const id = fc.oneof(fc.constantFrom(...pool), fc.uuid(), fc.string());
    fc.assert(
      fc.property(fc.array(id, { maxLength: 60 }), (ids) => {
        const set = createIdSet();
        const seen = new Set<string>();
        for (const each of ids) {
          expect(set.add(each)).toBe(!seen.has(each));
          seen.add(each);
        }
      }),
    );
  });

  it('grows, and forgets nothing', () => {
    const set = createIdSet();
    const ids = Array.from({ length: 5000 }, () => randomUUID());
    expect(ids.map((id) => set.add(id)).every(Boolean)).toBe(true);
    expect(ids.map((id) => set.add(id)).some(Boolean)).toBe(false);
  });
});
