import { describe, expect, it } from 'vitest';
import { plainExports } from '../../scripts/chunk-code.ts';

const getter = (name: string, value: string) =>
  `Object.defineProperty(exports,"${name}",{enumerable:!0,get:function(){return${value.startsWith('`') ? '' : ' '}${value}}})`;

/** What a chunk exports when it has run, and what it calls afterwards. */
function run(code: string) {
  const exports: Record<string, unknown> = {};
  new Function('exports', code)(exports);
  return exports;
}

/** The names that are read by a function. */
function getters(exports: object): readonly string[] {
  return Object.entries(Object.getOwnPropertyDescriptors(exports)).flatMap(([name, { get }]) =>
    get ? [name] : [],
  );
}

describe('the exports of a chunk', () => {
  it('are values where nothing can change them', () => {
    const code = `const a=1;var b=a+1;function $c(){return 3}class d{}${['n', 't', '$', 'o', 'x']
      .map((name, index) => getter(name, ['a', 'b', '$c', 'd', '`text`'][index] ?? ''))
      .join()};`;
    const exports = run(plainExports(code));
    expect(getters(exports)).toEqual([]);
    const [values, others] = [exports, run(code)].map((each) => Object.entries(each).map(String).sort());
    expect(values).toEqual(others);
  });

  it.each([
    'let a=1;const set=value=>{a=value};',
    'var a=1;function set(value){[a]=[value]}',
    'var a=1;function set(value){({value:a}={value})}',
    'var a=1;function set(value){for(a of [value]);}',
    'var a=1;function set(value){a++;a+=value-2}',
    'let a;function set(value){a=value}',
  ])('stay getters where they may change: %s', (declarations) => {
    const code = `${declarations}${getter('a', 'a')},${getter('set', 'set')};`;
    const exports = run(plainExports(code)) as { a?: number; set(value: number): void };
    exports.set(7);
    expect(exports.a).toBe(7);
    expect(getters(exports)).toEqual(['a']);
  });

  it('are values in the file of an entry, which exports some of them as values itself', () => {
    const code = `var a=1,other={x:3};${getter('b', 'a')},exports.c=a,exports.d=\`e\`,exports.f=other.x;`;
    const plain = plainExports(code);
    expect(plain).toContain('("b,c,d".split(","),[a,a,`e`]),exports.f=other.x;');
    expect(run(plain)).toEqual({ b: 1, c: 1, d: 'e', f: 3 });
  });

  it('follow the expressions before them', () => {
    const code = `var calls=[];calls.push(1),calls.push(2),${getter('a', 'calls')};`;
    expect(run(plainExports(code))).toEqual({ a: [1, 2] });
  });

  it('stay as they are where a chunk has none, or names them itself', () => {
    for (const code of ['run();', 'exports.default=A;']) expect(plainExports(code)).toBe(code);
  });

  it('cannot be values where a chunk goes on after them', () => {
    expect(() => plainExports(`${getter('a', '`x`')};var b=1;`)).toThrow('the bundler changed');
  });
});
