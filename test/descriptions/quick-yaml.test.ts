import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { readQuickly } from '../../src/descriptions/quick-yaml.ts';
import { parseYamlText } from '../../src/descriptions/yaml.ts';
import { growthOf, LINEAR } from '../harness/growth.ts';
import { propertyRuns } from '../harness/property-runs.ts';

const description = `openapi: 3.0.0
info:
  title: A
  description: |-
    Some text: here

    more
paths:
  /a:
    get:
      parameters:
      - name: x
        in: query
        schema: {type: string, enum: [a, "b", 'c']}
      responses:
        200:
          description: >
            folded
            text
        '404': {description: "x \\" y\\n"}
      x-notes: &notes
        plain: some words
          over two lines
        quoted: 'it''s'
        none: ~
        numbers: [1, -0.5, 0x1F, 1e3, 2020-01-02]
`;

/** What texts are made of: each rule of YAML has a part of it. */
const PIECES = [
  ...['a', 'b: ', '- ', '? ', ': ', ':', ' ', '    ', '\n', '\n  ', '\n    ', '\r\n', '#', '# c', 'x y', 'é'],
  ...['"', "'", '"a"', "'b'", '\\n', '\\', '[', ']', '{', '}', ', ', '|', '>', '|-\n', '>+\n', '|\n  '],
  ...['&a ', '*a', '*a : ', '!t ', '!!str ', '!', '<<: ', '---', '...', '%YAML 1.1', '@', '`', '%', '-'],
  ...['1', '1.5', '0x1F', '0o17', 'null', '~', 'true', '.inf', '2020-01-02', 'k: v\n', 'k2:\n  - '],
];
const piece = fc.constantFrom(...PIECES);
const cut = fc.record({ at: fc.nat(description.length), length: fc.nat(8), put: fc.option(piece) });
/** Texts of a few pieces, and descriptions with a few pieces in the place of what was there. */
const texts = fc.oneof(
  fc.array(piece, { maxLength: 12 }).map((all) => all.join('')),
  fc
    .array(cut, { minLength: 1, maxLength: 3 })
    .map((cuts) =>
      cuts.reduce(
        (text, { at, length, put }) => `${text.slice(0, at)}${put ?? ''}${text.slice(at + length)}`,
        description,
      ),
    ),
);

describe('readQuickly', () => {
  it('reads descriptions, with the value that parseYamlText gives', { tags: 'slow' }, () => {
    const own = readFileSync(join(import.meta.dirname, '../../openapi/openapi.yaml'), 'utf8');
    for (const text of [own, description])
      expect({ value: readQuickly(text, 100) }).toEqual(parseYamlText(text, 100));
  });

  it('reads what the package yaml writes in any style', { tags: 'slow' }, () => {
    const name = fc.string().filter((text) => text !== '<<');
    const styles = fc.record({
      collectionStyle: fc.constantFrom('any' as const, 'flow' as const),
      defaultStringType: fc.constantFrom(
        'PLAIN' as const,
        'QUOTE_DOUBLE' as const,
        'QUOTE_SINGLE' as const,
        'BLOCK_LITERAL' as const,
        'BLOCK_FOLDED' as const,
      ),
      lineWidth: fc.constantFrom(0, 30, 80),
      indentSeq: fc.boolean(),
    });
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, fc.jsonValue({ maxDepth: 0 }), tie('object'), fc.array(tie('value'))),
      object: fc.dictionary(name, tie('value')),
    }));
    fc.assert(
      fc.property(fc.dictionary(name, value), styles, (object, style) => {
        const written = stringify(object, { ...style, aliasDuplicateObjects: false });
        expect(readQuickly(written, 100)).toEqual(parse(written));
      }),
      propertyRuns(300, 30),
    );
  });

  it('gives the value of parseYamlText, where both read a text', { tags: 'slow' }, () => {
    fc.assert(
      fc.property(texts, (text) => {
        const value = readQuickly(text, 100);
        const read = parseYamlText(text, 100);
        if (value && 'value' in read) expect(value).toEqual(read.value);
      }),
      propertyRuns(1000),
    );
  });

  it.each([
    '',
    '# c\n',
    '- a\n',
    'a: &x [1]\nb: *x\n',
    'a: &a [*a]\n',
    'a: {<<: {b: 1}}\n',
    'a: {"<<": 1}\n',
    'null: 1\n',
    'a: {: 1}\n',
    '? [x]\n: 1\n',
    'a: !other 1\n',
    '%YAML 1.1\n---\na: yes\n',
    '\uFEFF%YAML 1.1\n---\na: yes\n',
    '...\na: 1\n',
    'a: 1\n---\nb: 2\n',
    'a: >+\n\n    ',
    'a: 1\nb: 2\na: 3\n',
    'a: [\n  1\n]\n',
    `a: ${'['.repeat(100)}${']'.repeat(100)}\n`,
  ])('leaves %j to parseYamlText', (text) => {
    expect(readQuickly(text, 100)).toBeUndefined();
  });

  it('keeps a member that is called __proto__', () => {
    expect(Object.entries(readQuickly('__proto__: {a: 1}', 100) ?? {})).toEqual([['__proto__', { a: 1 }]]);
  });

  it.each<[string, (count: number) => string]>([
    ['keys', (n) => Array.from({ length: n }, (_, at) => `a${at}: 1`).join('\n')],
    ['lists in brackets as keys', (n) => `a: [${'[[1]: 2]: 3, '.repeat(n)}]`],
    ['anchors', (n) => Array.from({ length: n }, (_, at) => `a${at}: &a${at}\n  &b${at} c: [1]`).join('\n')],
    ['lines of a text', (n) => `a: b\n${'  c d\n\n'.repeat(n)}`],
    ['quotes that stay open', (n) => `a: "${'b\n  '.repeat(n)}`],
  ])('takes time in proportion to the text: %s', { tags: 'slow' }, async (_, text) => {
    const all = new Map([500, 4000].map((count) => [count, text(count)]));
    expect(await growthOf((count) => readQuickly(all.get(count) ?? '', 500), 500)).toBeLessThan(LINEAR);
  });
});
