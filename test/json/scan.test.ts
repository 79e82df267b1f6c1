import fc from 'fast-check';
import { expect, it } from 'vitest';
import { tokensOf } from '../../src/json/scan.ts';
import { propertyRuns } from '../harness/property-runs.ts';

it('takes JSON apart at its punctuation, but not within strings', () => {
  expect(tokensOf('[{"a,b":"c\\"}{"},null,-1.5e3]')).toEqual([
    ...['', '[', '', '{', '"a,b"', ':', '"c\\"}{"', '}', '', ',', 'null', ',', '-1.5e3', ']', ''],
  ]);
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      const tokens = tokensOf(text);
      expect(tokens.join('')).toBe(text);
      expect(tokens.every((token) => token.length < 2 || JSON.stringify(JSON.parse(token)) === token)).toBe(
        true,
      );
    }),
    propertyRuns(1000),
  );
});
