import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MemberMarks, maskJson } from '../../src/json/mask.ts';
import { anyText } from '../harness/any-text.ts';
import { growthOf, LINEAR } from '../harness/growth.ts';

const MARKS = { items: { person: { tax: { kind: false, '*': true }, '*': true }, name: true } };
const marked = (text: string, marks: MemberMarks = MARKS) => maskJson(text, { mask: '#', marks });
const hidden = (text: string) => maskJson(text, { mask: '#', hides: (name) => name === 'secret' }).text;

describe('marked values', () => {
  it('are masked, and every other character stays', () => {
    const text =
      ' {"items" : [ {"id":1.0, "name":"Ada","person":{"tax":{"kind":"vat","value":"GB1"}}} ],"name":"x"}\n';
    const shown =
      ' {"items" : [ {"id":1.0, "name":"#","person":{"tax":{"kind":"vat","value":"#"}}} ],"name":"x"}\n';
    expect(marked(text)).toEqual({ text: shown, marked: 2 });
  });

  it.each([
    ['"Ada"', '"#"'],
    ['"A\\"d\\\\a"', '"#"'],
    ['5', '"#"'],
    ['-1.5e3', '"#"'],
    ['true', '"#"'],
    ['["Ada",null,[1]]', '["#",null,["#"]]'],
    ['{"a":"Ada","b":{}}', '{"a":"#","b":{}}'],
    ['null', 'null'],
    ['""', '""'],
    ['"*****"', '"*****"'],
    ['"\u2022\u2022"', '"\u2022\u2022"'],
    ['"A***"', '"#"'],
  ])('keep their shape, and stay where they tell nothing: %s', (value, shown) => {
    expect(marked(`{"items":[{"name":${value}}]}`).text).toBe(`{"items":[{"name":${shown}}]}`);
  });

  it('are found by their names, also escaped, twice, and not those of a prototype', () => {
    expect(marked('{"items":[{"n\\u0061me":"Ada","name":"Bo"}]}').text).toBe(
      '{"items":[{"n\\u0061me":"#","name":"#"}]}',
    );
    const text = '{"constructor":"x","__proto__":"y","items":[{"toString":"z"}]}';
    expect(marked(text)).toEqual({ text, marked: 0 });
  });

  it('are those of another type, too: a text in the place of an object', () => {
    expect(marked('{"items":[{"person":"Ada","tax":"1"}]}').text).toBe(
      '{"items":[{"person":"#","tax":"1"}]}',
    );
  });
});

describe('hidden members', () => {
  it.each([
    ['"s"', '"#"'],
    ['"*****"', '"#"'],
    ['""', '"#"'],
    ['5', '"#"'],
    ['false', '"#"'],
    ['["s",{"a":"]"}]', '"#"'],
    ['{"a":{"b":"}"}}', '"#"'],
    ['null', 'null'],
  ])('are masked whole: %s', (value, shown) => {
    expect(hidden(`{"a":[{"secret" : ${value},"b":1}]}`)).toBe(`{"a":[{"secret" : ${shown},"b":1}]}`);
  });

  it('are found among marked and excepted values', () => {
    const rules = { mask: '#', marks: { a: { b: false } }, hides: (name: string) => name === 'secret' };
    expect(maskJson('{"a":{"b":{"secret":[1],"c":2}}}', rules).text).toBe('{"a":{"b":{"secret":"#","c":2}}}');
  });

  it('are masked up to the end of a text that was cut', () => {
    expect(hidden('{"a":{"secret":"very se')).toBe('{"a":{"secret":"#"');
    expect(hidden('{"a":{"secret":["very", {"se')).toBe('{"a":{"secret":"#"');
    expect(hidden('{"a":1,"secret"')).toBe('{"a":1,"secret"');
  });
});

it('masks words that only begin like null, in text that is no JSON', () => {
  expect(hidden('{"secret":nullable,"secret":null}')).toBe('{"secret":"#","secret":null}');
  expect(marked('{"items":[{"name":nullable}]}').text).toBe('{"items":[{"name":"#"}]}');
});

it('gives JSON of the same shape, and exactly the same text where it masks nothing', () => {
  fc.assert(
    fc.property(fc.json(), fc.json(), (one, other) => {
      const text = `{"a":${one},"secret":${one},"b":[${other}]}`;
      const shown = JSON.parse(hidden(text));
      expect(shown.secret).toBe(one.trim() === 'null' ? null : '#');
      expect(marked(other)).toEqual({ text: other, marked: 0 });
    }),
  );
});

it('never throws, and ends, whatever the text', () => {
  const pieces = fc.array(
    fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '\\', '"secret"', 'null', ' ', 'x'),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        anyText(60),
        pieces.map((all) => all.join('')),
      ),
      (text) => {
        expect(typeof hidden(text)).toBe('string');
        expect(typeof marked(text).text).toBe('string');
      },
    ),
  );
});

it.each([
  ['nesting', (size: number) => `${'['.repeat(size)}${']'.repeat(size)}`],
  ['nested objects', (size: number) => `${'{"a":'.repeat(size)}1${'}'.repeat(size)}`],
  ['secrets', (size: number) => `[${'{"secret":[1,"\\\\"]},'.repeat(size / 8)}1]`],
  ['escapes in a secret', (size: number) => `{"secret":"${'\\"'.repeat(size)}"}`],
  ['opened containers', (size: number) => '{"secret":{"a":'.repeat(size / 8)],
])('takes time that grows with the text alone: %s', { tags: 'slow' }, async (_, textOf) => {
  const texts = new Map([20_000, 160_000].map((size) => [size, textOf(size)]));
  expect(await growthOf((size) => hidden(texts.get(size) ?? ''), 20_000)).toBeLessThan(LINEAR);
});

it('masks a value of 20 MB', { tags: 'slow' }, () => {
  expect(hidden(`{"secret":"${'x\\"'.repeat(7_000_000)}"}`)).toBe('{"secret":"#"}');
});
