import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseKeepingNumbers } from '../../src/json/exact.ts';
import { integerProblem, isIntegerText, isOtherNumber, withFractions } from '../../src/json/integers.ts';
import { propertyRuns } from '../harness/property-runs.ts';

const read = (json: string) => (parseKeepingNumbers(`[${json}]`) as unknown as readonly unknown[])[0];

const INTEGERS = ['0', '-0', '5', '-12', '9007199254740993', '123456789012345678901234567890'];
const OTHERS = ['5.0', '5.00', '5.5', '1e2', '1E2', '1e+21', '1e21', '1e-1', '-0.0', '0e0', '1e400'];
const OTHER_TEXTS = [
  ...['5.', '.5', '+5', '005', '-05', ' 5', '5 ', '5\n', '1 000', '1,000', '1.000,00', '1_000', '1\u00a0000'],
  ...['0x10', '0b1', '1n', '--5', '5-', '5.00 EUR', '\uff15', '\u0665', '\u22125'],
];

describe('isIntegerText', () => {
  it.each(INTEGERS)('takes %s', (text) => {
    expect(isIntegerText(text)).toBe(true);
  });

  it.each([...OTHERS, ...OTHER_TEXTS, '', '-', 'five'])('refuses %j', (text) => {
    expect(isIntegerText(text)).toBe(false);
  });
});

describe('isOtherNumber', () => {
  it.each([...INTEGERS, 'null', 'true', '"x"', '""', '"5"', '[5.0]', '{"a":5.0}'])(
    'is false for %s',
    (json) => {
      expect(isOtherNumber(read(json))).toBe(false);
    },
  );

  it.each([...OTHERS, ...OTHER_TEXTS.map((text) => JSON.stringify(text))])('is true for %s', (json) => {
    expect(isOtherNumber(read(json))).toBe(true);
  });

  it('is false for an integer that was parsed as a bigint', () => {
    expect(isOtherNumber(12345678901234567890n)).toBe(false);
  });

  it('decides by how any JSON number is written', () => {
    const number = fc.stringMatching(/^-?(0|[1-9]\d{0,25})(\.\d{1,25})?([eE][+-]?\d{1,3})?$/);
    fc.assert(
      fc.property(number, (text) => {
        expect(isOtherNumber(read(text))).toBe(/[.eE]/.test(text));
      }),
      propertyRuns(2_000),
    );
  });
});

describe('integerProblem', () => {
  it('shows a number as it was written, and no text, which may be a secret', () => {
    expect(integerProblem(read('5.00'))).toBe('must be an integer in digits only, not 5.00');
    expect(integerProblem(0.5)).toBe('must be an integer in digits only, not 0.5');
    expect(integerProblem('4 711')).toBe('must be an integer in digits only, not a string');
  });
});

describe('withFractions', () => {
  it('makes fractions of the integers in another form, and keeps the shape of everything else', () => {
    const value = read(
      '{"a":[5.00,7,{"b":1e2}],"c":"1.0","d":null,"e":true,"f":12345678901234567890,"__proto__":2.0}',
    );
    expect(JSON.stringify(withFractions(value))).toBe(
      '{"a":[F,7,{"b":F}],"c":"1.0","d":null,"e":true,"f":12345678901234567000,"__proto__":F}'.replaceAll(
        'F',
        '0.500000000000017',
      ),
    );
  });

  it('gives undefined where every number is an integer and no text has a digit', () => {
    expect(withFractions(read('{"a":[5,-1],"b":"x","c":{"d":12345678901234567890}}'))).toBeUndefined();
    expect(withFractions('5.0')).toBe('5.0');
    expect(withFractions(read('5.0'))).toBe(0.500000000000017);
    expect(withFractions(read('2.50'))).toBe(2.5);
  });
});
