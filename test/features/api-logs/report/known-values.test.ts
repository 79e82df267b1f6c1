import { describe, expect, it } from 'vitest';
import { KnownValues } from '../../../../src/features/api-logs/report/known-values.ts';

function replaced(text: string, ...values: string[]): string {
  const known = new KnownValues();
  for (const value of values) known.add(value);
  return known.replace(text, (value) => `<${values.indexOf(value)}>`);
}

const words = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`).join(' ');

describe('known values', () => {
  it.each([
    ['of four characters or more', 'Abel, Ann', ['Abel', 'Ann'], '<0>, Ann'],
    ['of four letters and digits in several words', 'ab 12, a 12', ['ab-12', 'a-12'], '<0>, a 12'],
    ['of letters and digits in any order', '1abc abc1 a', ['1abc', 'abc1'], '<0> <1> a'],
    ['of six digits or more', '123456, 12-34-56, 12345', ['123456', '12345', '12 34 56'], '<0>, <2>, 12345'],
    ['in any case', 'STRASSE, stra\u00dfe', ['Stra\u00dfe'], '<0>, <0>'],
    ['with any separators', 'Ada--Lovelace ada_lovelace Ada\nLovelace', ['Ada Lovelace'], '<0> <0> <0>'],
    ['but not within words', 'Manchester, chests, chest', ['chest'], 'Manchester, chests, <0>'],
    ['the longest first', 'Ada Lovelace, Ada King', ['Lovelace', 'Ada Lovelace', 'King'], '<1>, Ada <2>'],
    ['of which the beginning is one, too', 'Ada King Lovel', ['Ada King', 'Ada King Lovelace'], '<0> Lovel'],
    ['as they were first written', 'ADA KING', ['Ada King', 'ada king'], '<0>'],
    ['one after the other', 'x Turing Turing x', ['Turing'], 'x <0> <0> x'],
    ['with their punctuation', 'is **enigma!?.', ['**enigma!?'], 'is <0>.'],
    ['without their punctuation', 'is *enigma!', ['**enigma!?'], 'is *<0>!'],
    [
      'with up to twenty signs',
      `${'*'.repeat(21)}enigma${'!'.repeat(21)}`,
      [`${'*'.repeat(21)}enigma${'!'.repeat(21)}`],
      '*<0>!',
    ],
    ['with signs that two of them share', 'ada1!!ada2', ['ada1!!', '!!ada2'], '<0><1>'],
    ['by their first thirty words', `${words(30)} and more`, [words(40)], '<0> and more'],
    ['by no fewer words', words(29), [words(40)], words(29)],
    ['without words never', '!!!!!!', ['!!!!!!'], '!!!!!!'],
  ])('are found %s', (_, text, values, shown) => {
    expect(replaced(text, ...values)).toBe(shown);
  });

  it('leave a text alone if there are none', () => {
    expect(replaced('Ada King')).toBe('Ada King');
  });
});
