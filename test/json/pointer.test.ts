import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nameOfSegment, pointerSegment } from '../../src/json/pointer.ts';

it.each([
  ['a/b', 'a~1b'],
  ['m~n', 'm~0n'],
  ['~1', '~01'],
  ['', ''],
])('the segment of %j is %j', (name, segment) => {
  expect(pointerSegment(name)).toBe(segment);
});

it('a segment holds no slash, and stands for its name', () => {
  fc.assert(
    fc.property(fc.string(), (name) => {
      expect(pointerSegment(name)).not.toContain('/');
      expect(nameOfSegment(pointerSegment(name))).toBe(name);
    }),
  );
});
