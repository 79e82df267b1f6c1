import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { minifyJson, pickText, splitItems, textAt } from '../../src/json/edit.ts';
import { parseExactJson } from '../../src/json/exact.ts';
import { prettyJson } from '../../src/json/pretty.ts';
import { valueAt } from '../../src/output/columns.ts';
import { jsonPainter, loadColors } from '../../src/output/terminal.ts';
import { growthOf, LINEAR } from '../harness/growth.ts';
import { propertyRuns } from '../harness/property-runs.ts';

const awkwardString = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc
    .array(fc.constantFrom('"', '\\', '[', ']', '{', '}', ',', ':', '\n', '\\"', 'items'), { maxLength: 12 })
    .map((parts) => parts.join('')),
);
const { value: awkwardJson } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    awkwardString,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    tie('list'),
    tie('record'),
  ),
  list: fc.array(tie('value'), { maxLength: 4 }),
  record: fc.dictionary(awkwardString, tie('value'), { maxKeys: 4 }),
}));

/** Spreads JSON over lines with white space of every kind, by JSON.stringify and by hand. */
const spaces = fc.constantFrom('', ' ', '\t', '\n', '\r\n', '  \n ');
const spaced = (json: fc.Arbitrary<unknown>): fc.Arbitrary<{ value: unknown; text: string }> =>
  fc.tuple(json, spaces, spaces, fc.constantFrom(0, 1, 3, '\t')).map(([value, before, after, indent]) => {
    return {
      value: JSON.parse(JSON.stringify(value)),
      text: before + JSON.stringify(value, null, indent) + after,
    };
  });

describe('splitItems', () => {
  it('gives the exact source of every item and of the other members', () => {
    const text =
      '{ "limit" : 1.0e1, "items": [ {"b":1.10, "a" : 12345678901234567890,"a":2}, [] ,"]" ], "next_cursor":null }';
    expect(splitItems(text)).toEqual({
      texts: ['{"b":1.10, "a" : 12345678901234567890,"a":2}', '[]', '"]"'],
      rest: [
        { key: 'limit', keyText: '"limit"', valueText: '1.0e1' },
        { key: 'next_cursor', keyText: '"next_cursor"', valueText: 'null' },
      ],
    });
  });

  it('gives no items where there are none', () => {
    expect(splitItems('{"items":[]}')).toEqual({ texts: [], rest: [] });
    expect(splitItems('{"items": [ ] }')).toEqual({ texts: [], rest: [] });
    expect(splitItems('[]')).toEqual({ texts: [], rest: [] });
    expect(splitItems('{}')).toEqual({ texts: [], rest: [] });
    expect(splitItems('{"items":null}').rest).toEqual([
      { key: 'items', keyText: '"items"', valueText: 'null' },
    ]);
  });

  it('takes the last of duplicate arrays, as JSON.parse does, also under an escaped name', () => {
    expect(splitItems('{"items":[1],"it\\u0065ms":[2]}').texts).toEqual(['2']);
  });

  it('agrees with JSON.parse on every document', () => {
    const page = fc.record(
      { items: fc.array(awkwardJson), limit: fc.integer(), 'x"\\': awkwardJson },
      { requiredKeys: ['items'] },
    );
    fc.assert(
      fc.property(spaced(page), ({ text }) => {
        const parsed = JSON.parse(text) as { items: unknown[] };
        const { texts, rest } = splitItems(text);
        expect(texts.map((item) => JSON.parse(item))).toEqual(parsed.items);
        for (const item of texts) expect(text).toContain(item);
        const members = rest.map((member) => [member.key, JSON.parse(member.valueText)]);
        expect({ items: parsed.items, ...Object.fromEntries(members) }).toEqual(parsed);
        for (const member of rest) expect(JSON.parse(member.keyText)).toBe(member.key);
      }),
      propertyRuns(1_000),
    );
  });

  it('takes time in proportion to the text', async () => {
    const textOf = (count: number) =>
      JSON.stringify({
        items: Array.from({ length: count }, (_, id) => ({ id, address: { city: 'London' } })),
      });
    const texts = new Map([100, 800].map((count) => [count, textOf(count)]));
    expect(await growthOf((count) => splitItems(texts.get(count) ?? ''), 100)).toBeLessThan(LINEAR);
  });

  it('takes hostile depth and backslashes in linear time and without recursion', () => {
    const deep = `{"items":[${'['.repeat(200_000)}${']'.repeat(200_000)}]}`;
    expect(splitItems(deep).texts[0]?.length).toBe(400_000);
    const slashes = `{"items":["${'\\\\'.repeat(500_000)}"]}`;
    expect(splitItems(slashes).texts[0]?.length).toBe(1_000_002);
  });
});

describe('minifyJson', () => {
  it('removes white space outside of strings and nothing else', () => {
    expect(minifyJson(' {\r\n\t"a b" : [ 1.0 , "x \\" y" ] } ')).toBe('{"a b":[1.0,"x \\" y"]}');
    expect(minifyJson('{"a":1}')).toBe('{"a":1}');
  });

  it('gives for every document what JSON.stringify gives without layout', () => {
    fc.assert(
      fc.property(spaced(awkwardJson), ({ value, text }) => {
        expect(minifyJson(text)).toBe(JSON.stringify(value));
      }),
      propertyRuns(1_000),
    );
  });
});

describe('prettyJson', () => {
  it('lays a document out and keeps the spelling of its tokens', () => {
    expect(prettyJson('{"b":1.10,"a":[],"c":{ },"d":[1e2,{"x":"\\u00e9"}],"b":null}')).toBe(
      [
        '{',
        '  "b": 1.10,',
        '  "a": [],',
        '  "c": {},',
        '  "d": [',
        '    1e2,',
        '    {',
        '      "x": "\\u00e9"',
        '    }',
        '  ],',
        '  "b": null',
        '}',
      ].join('\n'),
    );
  });

  it('gives for every document what JSON.stringify gives', () => {
    fc.assert(
      fc.property(spaced(awkwardJson), fc.constantFrom(1, 2, 4), ({ value, text }, indent) => {
        expect(prettyJson(text, { indent })).toBe(JSON.stringify(value, null, indent));
      }),
      propertyRuns(1_000),
    );
  });

  it('colours names, strings, numbers and literals apart', async () => {
    expect(prettyJson('{"a":["b",1,true,false,null]}', { paint: jsonPainter(await loadColors(true)) })).toBe(
      '{\n  \u001B[1m"a"\u001B[22m: [\n    \u001B[32m"b"\u001B[39m,\n    \u001B[36m1\u001B[39m,\n    \u001B[33mtrue\u001B[39m,\n    \u001B[33mfalse\u001B[39m,\n    \u001B[2mnull\u001B[22m\n  ]\n}',
    );
  });

  it('does not grow quadratically with hostile depth', { tags: 'slow' }, () => {
    const depth = 20_000;
    const pretty = prettyJson('['.repeat(depth) + ']'.repeat(depth));
    expect(pretty.length).toBeLessThan(depth * 2 * 140);
    expect(minifyJson(pretty)).toBe('['.repeat(depth) + ']'.repeat(depth));
  });
});

describe('prettyJson of a single value', () => {
  it.each(['1', '"a"', 'null', '[]', '{}', '[1]'])('leaves %s as one value', (text) => {
    expect(JSON.parse(prettyJson(text))).toEqual(JSON.parse(text));
    expect(prettyJson(text)).toBe(JSON.stringify(JSON.parse(text), null, 2));
  });

  it('takes a text for a text whatever quotation marks it holds', () => {
    const kinds: string[] = [];
    const paint = (token: string, kind: string) => {
      kinds.push(`${kind} ${token}`);
      return token;
    };
    prettyJson('{"a\\"":"\\"b","c":-1}', { paint });
    expect(kinds).toEqual(['name "a\\""', 'string "\\"b"', 'name "c"', 'number -1']);
  });
});

describe('splitItems of an array', () => {
  it('gives its elements as they are written', () => {
    expect(splitItems(' [ {"items": [1]} , 1.0]')).toEqual({ texts: ['{"items": [1]}', '1.0'], rest: [] });
  });
});

describe('splitItems of what is not an object', () => {
  it.each(['"items"', '1', 'null', ''])('%j has no items and no members', (text) => {
    expect(splitItems(text)).toEqual({ texts: [], rest: [] });
  });
});

describe('textAt', () => {
  it('finds nothing below a path that ends early', () => {
    expect(textAt('{"a":{"b":1}}', 'c')).toBeUndefined();
    expect(textAt('{"a":{"b":1}}', 'a.c')).toBeUndefined();
    expect(textAt('{"":{"b":1}}', '.b')).toBe('1');
  });

  it('gives the exact source of a value by its path', () => {
    const text =
      '{"id":"b1","n":1.10,"billing_details":{"address":{"city": "Y"}},"tags":["a",{"b":2}],"metadata":{"order.id":"7"},"n":2.50}';
    expect(textAt(text, 'n')).toBe('2.50');
    expect(textAt(text, 'billing_details.address.city')).toBe('"Y"');
    expect(textAt(text, 'tags.1.b')).toBe('2');
    expect(textAt(text, 'metadata.order.id')).toBe('"7"');
    expect(textAt(text, 'tags.01')).toBe(undefined);
    expect(textAt(text, 'tags.length')).toBe(undefined);
    expect(textAt(text, 'id.x')).toBe(undefined);
  });

  it('finds what valueAt finds', () => {
    const step = fc.oneof(awkwardString, fc.constantFrom('0', '1', '2', '__proto__', 'length'));
    const path = fc.array(step, { minLength: 1, maxLength: 3 }).map((steps) => steps.join('.'));
    fc.assert(
      fc.property(spaced(awkwardJson), path, ({ value, text }, where) => {
        const found = textAt(text, where);
        expect(found === undefined ? undefined : JSON.parse(found)).toEqual(valueAt(value, where));
      }),
      propertyRuns(1_000),
    );
  });
});

describe('pickText', () => {
  it('reduces an item to flat keys, with null for what it does not have', () => {
    const text =
      '{"id":"b1","amount":12345678901234567890,"billing_details":{"email_address":"a@b.c","tax": {"v": 1.0} }}';
    expect(
      pickText(text, ['id', 'billing_details.email_address', 'amount', 'billing_details.tax', 'none']),
    ).toBe(
      '{"id":"b1","billing_details.email_address":"a@b.c","amount":12345678901234567890,"billing_details.tax":{"v":1.0},"none":null}',
    );
  });
});

describe('parseExactJson', () => {
  it('keeps the digits of big integers, as bigint', () => {
    expect(
      parseExactJson(
        '{"a":12345678901234567890,"b":-9007199254740993,"c":9007199254740991,"d":1.5,"e":1e30,"f":"12345678901234567890"}',
      ),
    ).toEqual({
      a: 12345678901234567890n,
      b: -9007199254740993n,
      c: 9007199254740991,
      d: 1.5,
      e: 1e30,
      f: '12345678901234567890',
    });
  });
});
