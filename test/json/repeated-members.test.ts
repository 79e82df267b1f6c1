import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repeatedMembers } from '../../src/json/repeated-members.ts';

describe('repeatedMembers', () => {
  it.each([
    ['{"a":1,"a":2}', [['a']]],
    ['{"a":{"b":1},"c":{"b":1}}', []],
    ['[{"a":1},{"a":1,"b":[0,{"x":1,"y":2,"x":3}]}]', [['1', 'b', '1', 'x']]],
    ['{"a":1,"a":2,"a":3,"b":1,"b":2}', [['a'], ['b']]],
    ['{"\\u0061":1,"a":{"__proto__":1,"__proto__":2}}', [['a'], ['a', '__proto__']]],
    ['{"a":"a","b":["b","b"],"{\\"":"[,"}', []],
    [' { "" : 0 , "" : 1 } ', [['']]],
    ['"a"', []],
    ['[]', []],
  ])('finds them in %s', (text, expected) => {
    expect(repeatedMembers(text)).toEqual(expected);
  });

  it('finds none in what JSON.stringify writes, and the one that is put in', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, name) => {
        const text = JSON.stringify(value);
        expect(repeatedMembers(text)).toEqual([]);
        const key = JSON.stringify(name);
        expect(repeatedMembers(`[${text},{${key}:${text},"other${key.slice(1)}:0,${key}:1}]`)).toEqual([
          ['1', name],
        ]);
      }),
    );
  });

  it('stops after so many', () => {
    expect(
      repeatedMembers(`{${Array.from({ length: 9 }, (_, n) => `"a${n % 3}":0`).join(',')}}`, 2),
    ).toHaveLength(2);
  });
});
