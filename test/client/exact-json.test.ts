import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExactJson } from '../../src/client/exact-json.ts';

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
