import fc from 'fast-check';
import { expect, it } from 'vitest';
import { searchText } from '../../../src/emulator/resources/buyers.ts';

it.each([
  ['ÉCLAIR', 'éclair'],
  ['e\u0301clair', 'éclair'],
  ['Straße', 'STRASSE'],
  ['ﬁne', 'FINE'],
  ['ＡＢＣ', 'abc'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['κόσμος', 'ΚΌΣΜΟΣ'],
  ['ҐУДЗИК', 'ґудзик'],
])('makes %s and %s meet', (one, other) => {
  expect(searchText(one)).toBe(searchText(other));
});

it('gives the same text again when it is used twice', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'aÀßΣςσİıﬁ①Ａ%_ 漢') }), (text) => {
      expect(searchText(searchText(text))).toBe(searchText(text));
    }),
  );
});
