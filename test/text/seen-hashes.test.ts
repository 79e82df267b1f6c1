import { describe, expect, it } from 'vitest';
import { uuidV5 } from '../../src/features/bulk/plan/uuid-v5.ts';
import { SeenHashes } from '../../src/text/seen-hashes.ts';

describe('SeenHashes', () => {
  it('knows each text and its first number, however often it had to grow', () => {
    const seen = new SeenHashes();
    const count = 30_000;
    for (let number = 1; number <= count; number += 1)
      expect(seen.add(`text ${number}`, number)).toBe(undefined);
    for (let number = 1; number <= count; number += 1)
      expect(seen.add(`text ${number}`, count + 1)).toBe(number);
    expect([seen.size, seen.has('text 1'), seen.has('text 0')]).toEqual([count, true, false]);
  });
});

describe('uuidV5', () => {
  // The first is the example of RFC 9562, appendix A.4.
  it.each([
    ['www.example.com', '2ed6657d-e927-568b-95e1-2665a8aea6a2'],
    ['python.org', '886313e1-3b8a-5372-9b90-0c9aee199e5d'],
  ])('of %s', (name, uuid) => {
    expect(uuidV5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', name)).toBe(uuid);
  });
});
