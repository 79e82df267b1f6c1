import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  copyForValidation,
  hasLongNumber,
  parseExactJson,
  parseKeepingNumbers,
  parseShownJson,
  stringifyExactJson,
} from '../../src/json/exact.ts';
import { propertyRuns } from '../harness/property-runs.ts';

describe('parseExactJson', () => {
  it('keeps integers beyond 2^53 as bigint', () => {
    expect(parseExactJson('{"a":9007199254740993,"b":[-12345678901234567890],"c":9007199254740991}')).toEqual(
      {
        a: 9007199254740993n,
        b: [-12345678901234567890n],
        c: 9007199254740991,
      },
    );
  });

  it('finds a number of exactly 16 digits wherever it begins and ends', () => {
    for (let before = 0; before <= 64; before += 1) {
      for (const after of [0, 1, 15, 16]) {
        const text = `${' '.repeat(before)}9007199254740993${' '.repeat(after)}`;
        expect(parseExactJson(text), `${before} and ${after}`).toBe(9007199254740993n);
      }
    }
  });

  it('finds the long number among any others', () => {
    const long = fc.bigInt({ min: 2n ** 53n + 1n, max: 10n ** 40n });
    const others = fc.array(fc.oneof(fc.maxSafeInteger(), fc.string(), fc.constant(null)), { maxLength: 8 });
    fc.assert(
      fc.property(others, long, fc.boolean(), others, (before, integer, isNegative, after) => {
        const number = isNegative ? -integer : integer;
        const parts = [
          ...before.map((part) => JSON.stringify(part)),
          String(number),
          ...after.map((part) => JSON.stringify(part)),
        ];
        expect(parseExactJson(`[${parts.join(',')}]`)).toEqual([...before, number, ...after]);
      }),
      propertyRuns(500),
    );
  });

  it('leaves fractions, exponents and digits within text alone', () => {
    expect(parseExactJson('{"a":1.1234567890123456,"b":1e30,"c":"12345678901234567890"}')).toEqual({
      a: Number('1.1234567890123456'),
      b: 1e30,
      c: '12345678901234567890',
    });
  });

  it('keeps a __proto__ member as data', () => {
    const value = parseExactJson('{"__proto__":{"admin":12345678901234567890}}');
    expect(Object.hasOwn(value as object, '__proto__')).toBe(true);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it('gives what JSON.parse gives for every other document', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        fc.pre(!/\d{16}/.test(text));
        expect(parseExactJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('gives every integer back as it was written', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), (integer) => {
        expect(String(parseExactJson(String(integer)))).toBe(String(integer));
      }),
    );
  });
});

describe('stringifyExactJson', () => {
  it('writes a bigint as the integer that it is', () => {
    expect(stringifyExactJson({ a: 12345678901234567890n, b: [1n], c: 'x' })).toBe(
      '{"a":12345678901234567890,"b":[1],"c":"x"}',
    );
  });

  it('refuses what has no JSON', () => {
    expect(() => stringifyExactJson(undefined)).toThrow(TypeError);
  });

  it('writes what parseExactJson reads back', () => {
    const value = fc.letrec((tie) => ({
      node: fc.oneof(
        fc.string(),
        fc.maxSafeInteger(),
        fc.bigInt({ min: 2n ** 60n, max: 2n ** 90n }),
        fc.array(tie('node'), { maxLength: 3 }),
        fc.dictionary(fc.string(), tie('node'), { maxKeys: 3, noNullPrototype: true }),
      ),
    })).node;
    fc.assert(
      fc.property(value, (original) => {
        expect(parseExactJson(stringifyExactJson(original))).toEqual(original);
      }),
    );
  });
});

describe('hasLongNumber', () => {
  it('finds sixteen digits in a row, and nothing else', () => {
    const digits = fc.nat({ max: 40 }).map((length) => '123456789'.repeat(5).slice(0, length));
    const others = fc.constantFrom('', '/', ':', '-', '.', 'e', ' ', '{"a":', '\u0660');
    fc.assert(
      fc.property(fc.array(fc.oneof(digits, others), { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        expect(hasLongNumber(text)).toBe(/[0-9]{16}/.test(text));
      }),
      propertyRuns(2_000),
    );
  });
});

describe('parseKeepingNumbers', () => {
  it('keeps every number as it was written', () => {
    const text = '{"a":1.0,"b":12345678901234567890,"c":[1e3,-0,0.10],"d":5,"e":"1.0","f":null,"g":true}';
    expect(JSON.stringify(parseKeepingNumbers(text))).toBe(text);
  });

  it('gives numbers that JavaScript writes in the same way as numbers', () => {
    expect(parseKeepingNumbers('{"a":5,"b":"5","c":1.5}')).toEqual({ a: 5, b: '5', c: 1.5 });
  });
});

describe('parseExactJson on mixed values', () => {
  it('changes nothing but integers that a number cannot hold', () => {
    const text =
      '{"long":12345678901234567890,"text":"12345678901234567890","half":0.5,"flag":true,"none":null}';
    expect(parseExactJson(text)).toEqual({
      long: 12345678901234567890n,
      text: '12345678901234567890',
      half: 0.5,
      flag: true,
      none: null,
    });
  });
});

describe('copyForValidation', () => {
  const copyOf = (text: string) => copyForValidation(parseKeepingNumbers(text));

  it.each([
    ['1.0', 1],
    ['1e2', 100],
    ['100e-2', 1],
    ['12345678901234567890', Number('12345678901234567890')],
    ['1e400', Number.MAX_VALUE],
    ['-1e400', -Number.MAX_VALUE],
    ['1.5', 1.5],
    ['0.10', 0.1],
    ['1.00000000000000000001', 1.5],
    ['0.99999999999999999999', 0.5],
    ['-0.99999999999999999999', -0.5],
    ['1e-400', 0.5],
    ['99.99999999999999999999', 99.5],
    ['9007199254740993.5', 2 ** 51 + 0.5],
    ['0e999999', 0],
  ])('judges %s as %d', (text, judged) => {
    expect(copyOf(text)).toBe(judged);
  });

  it('agrees with exact arithmetic on integers and on limits', () => {
    const digits = fc.stringMatching(/^(?:0|[1-9][0-9]{0,14})$/);
    const parts = fc.tuple(
      digits,
      fc.stringMatching(/^[0-9]{1,30}$/),
      fc.integer({ min: -20, max: 5 }),
      fc.nat(1000),
    );
    fc.assert(
      fc.property(parts, ([whole, fraction, exponent, limit]) => {
        const judged = Number(copyOf(`${whole}.${fraction}e${exponent}`));
        // The number times 10^60, exactly.
        const exact = BigInt(whole + fraction) * 10n ** BigInt(60 + exponent - fraction.length);
        const unit = 10n ** 60n;
        expect(Number.isInteger(judged)).toBe(exact % unit === 0n);
        expect(judged <= limit).toBe(exact <= BigInt(limit) * unit);
        expect(judged >= limit).toBe(exact >= BigInt(limit) * unit);
      }),
      propertyRuns(2_000),
    );
  });

  it('copies everything else as it is', () => {
    expect(copyOf('{"a":[null,true,"1.0",{"b":7}]}')).toEqual({ a: [null, true, '1.0', { b: 7 }] });
  });
});

describe.each([
  ['parseShownJson', parseShownJson],
  ['parseKeepingNumbers', parseKeepingNumbers],
])('%s', (_, parse) => {
  const number = fc
    .tuple(
      fc.constantFrom('', '-'),
      fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9]\d{0,24}$/)),
      fc.oneof(fc.constant(''), fc.stringMatching(/^\.\d{1,25}$/)),
      fc.oneof(fc.constant(''), fc.stringMatching(/^[eE][+-]?\d{1,4}$/)),
    )
    .map((parts) => parts.join(''));

  it('keeps every number digit for digit, wherever it stands', () => {
    const space = fc.constantFrom('', ' ', '\n\t');
    fc.assert(
      fc.property(fc.array(number, { minLength: 1 }), space, (numbers, gap) => {
        const list = `[${numbers.map((text) => gap + text).join(',')}]`;
        expect(stringifyExactJson(parse(list))).toBe(`[${numbers.join(',')}]`);
        for (const text of numbers) {
          expect(stringifyExactJson(parse(text))).toBe(text);
          expect(stringifyExactJson(parse(`{"a"${gap}:${gap}${text}}`))).toBe(`{"a":${text}}`);
        }
      }),
    );
  });
});

describe('parseShownJson', () => {
  it('gives numbers and big integers where these have the same digits', () => {
    expect(parseShownJson('[1.5,-3,1e400,12345678901234567890,"1.0"]')).toEqual([
      1.5,
      -3,
      expect.anything(),
      12345678901234567890n,
      '1.0',
    ]);
  });

  it('reads any depth, as parseExactJson does', () => {
    const text = `${'['.repeat(100_000)}1e400,12345678901234567890${']'.repeat(100_000)}`;
    expect(() => parseShownJson(text)).not.toThrow();
    expect(() => parseExactJson(text)).not.toThrow();
  });
});
